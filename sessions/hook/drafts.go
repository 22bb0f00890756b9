package hook

import (
	"path/filepath"

	"github.com/continuo-tui/continuo/internal/disk"
)

// replaceIn writes the file whole or not at all: a reader sees the old one or the new one, after a crash too, and git
// neither of them half. A new file has the mode as far as the process gives it. Check is asked at the last moment.
func (c *Change) replaceIn(root *disk.Root, name string, check func() error) error {
	temp, err := root.CreateHidden(filepath.Dir(name), c.Mode)
	if err != nil {
		return err
	}
	defer temp.Drop()
	_, err = temp.Write(c.After)
	if err == nil && (c.There || c.exact) {
		err = temp.Chmod(c.Mode)
	}
	if err == nil {
		err = temp.Sync()
	}
	if err == nil {
		err = check()
	}
	if err == nil {
		err = temp.Replace(name)
	}
	if err == nil {
		err = root.SyncDir(filepath.Dir(name))
	}
	return err
}

// sweep removes what those who were killed have left in the making.
func (p *Plan) sweep() {
	sweepIn(p.records, ".")
	for i := range p.Changes {
		if c := &p.Changes[i]; inside(c.Real, c.base) {
			dir, _ := filepath.Rel(c.base, filepath.Dir(c.Real))
			sweepIn(c.base, dir)
		}
	}
	if p.Project != "" {
		for _, dir := range []string{".", "commands", "hooks", "scripts", "memory"} {
			sweepIn(p.Project, filepath.Join(".claude", dir))
		}
	}
}

// sweepIn is sweep of one directory. What goes wrong is tried again the next time.
func sweepIn(base, dir string) {
	if root, err := disk.Open(base); err == nil {
		defer root.Close()
		root.Sweep(dir)
	}
}
