package hook

import (
	"crypto/rand"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	tempPrefix = ".continuo-" // of files in the making, as in a memory: its .gitignore names them
	tempSuffix = ".tmp"
	// tempAge is after what time a file in the making is taken for one whose writer was killed.
	tempAge = time.Hour
)

// drafts says where files are made before they get their names.
type drafts struct {
	mark  string // what their names have after tempPrefix
	aside string // a directory of the same root, where git does not see them; "" or not there: beside the file
}

// draftsOf says where a changed file is made: in a project, in the memory.
func (p *Plan) draftsOf(c *Change) drafts {
	d := drafts{mark: p.mark()}
	if !c.private {
		d.aside = filepath.Join(".claude", "memory")
	}
	return d
}

// mark tells the files in the making of those who take the same lock from those of others.
func (p *Plan) mark() string {
	host, _ := os.Hostname() // a home can be shared between machines
	return "init-" + sum([]byte(host + "\x00" + p.records))[:8] + "-"
}

func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// replaceIn writes a file whole or not at all: a reader sees the old one or the new one, after a crash too. A new file
// has the mode as far as the process gives it, with exact in any case. Check is asked at the last moment.
func (d drafts) replaceIn(root *os.Root, name string, text []byte, mode fs.FileMode, exact bool, check func() error) error {
	dirs := []string{filepath.Dir(name)}
	if info, err := root.Stat(d.aside); d.aside != "" && err == nil && info.IsDir() {
		dirs = []string{d.aside, dirs[0]} // the memory can be on another disk, or not be writable
	}
	var err error
	for _, dir := range dirs {
		var random [8]byte
		_, _ = rand.Read(random[:]) // it never fails
		temp := filepath.Join(dir, tempPrefix+d.mark+hex.EncodeToString(random[:])+tempSuffix)
		changed := false
		err = draft(root, temp, text, mode, exact)
		if err == nil && check != nil {
			err = check()
			changed = err != nil
		}
		if err == nil {
			err = root.Rename(temp, name)
		}
		if err == nil {
			return syncDir(root, filepath.Dir(name))
		}
		_ = root.Remove(temp) // nothing is lost: it was never in its place
		if changed {
			return err
		}
	}
	return err
}

// draft writes a new file and makes it last.
func draft(root *os.Root, name string, text []byte, mode fs.FileMode, exact bool) error {
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil && exact {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// sweep removes what those who were killed have left in the making. The caller holds the lock, so whatever has its mark
// is dead; of others, what is old.
func (p *Plan) sweep(now time.Time) {
	sweepIn(p.records, ".", func(string, time.Time) bool { return true })
	dead := func(name string, at time.Time) bool {
		return strings.HasPrefix(name, tempPrefix+p.mark()) || now.Sub(at) > tempAge
	}
	for i := range p.Changes {
		if c := &p.Changes[i]; inside(c.Real, c.base) {
			dir, _ := filepath.Rel(c.base, filepath.Dir(c.Real))
			sweepIn(c.base, dir, dead)
		}
	}
	if p.Project == "" {
		return
	}
	for _, dir := range []string{".", "commands", "hooks", "scripts", "memory"} {
		sweepIn(p.Project, filepath.Join(".claude", dir), dead)
	}
}

// sweepIn removes the files in the making of one directory that are dead. What goes wrong is tried again the next time.
func sweepIn(base, dir string, dead func(name string, at time.Time) bool) {
	root, err := os.OpenRoot(base)
	if err != nil {
		return
	}
	defer root.Close()
	entries, _ := fs.ReadDir(root.FS(), filepath.ToSlash(dir))
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && isTemp(e.Name()) && info.Mode().IsRegular() && dead(e.Name(), info.ModTime()) {
			_ = root.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
