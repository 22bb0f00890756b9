package setup

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/hook"
)

// planFiles plans the files whose whole text is continuo's. foreign has the paths of existing files with another
// text, which stay.
func (s Options) planFiles(p *Plan, n *record) (foreign []string, err error) {
	for _, f := range append(projectFiles(p.Scope), s.extraFiles(p)...) {
		c, err := s.lookFile(filepath.Join(s.Project, ".claude", filepath.FromSlash(f.name)), ScopeProject)
		if err != nil {
			return nil, err
		}
		old := n.of(c.Path)
		c.After = f.text
		switch {
		case !c.There:
			c.Mode = f.mode
		case f.name == "memory/.gitignore" && !ignores(c.Before) && !sessions.MayExist(s.inMemory("raw/.gitignore"), os.Lstat):
			// Add the text, as backup.Memory.Guard would. But if raw has a .gitignore, the user may have removed the
			// lines.
			c.After = append(bytes.Clone(c.Before), f.text...)
			if n := len(c.Before); n > 0 && c.Before[n-1] != '\n' {
				c.After = slices.Concat(c.Before, []byte("\n"), f.text)
			}
		case f.starts:
			continue
		case sameText(c.Before, f.text):
			if c.After = c.Before; f.mode&0o100 == 0 || c.Mode&0o100 != 0 {
				continue
			}
			c.Mode |= f.mode & 0o111 // git may have dropped the executable bit
		case old != nil && old.Sum == sum(c.Before):
		case !s.Replace:
			foreign = append(foreign, c.Path)
			continue
		}
		if err := p.add(c); err != nil {
			return nil, err
		}
		if !strings.HasPrefix(f.name, "memory/") { // an uninstall keeps the memory
			n.put(c.noteOwn(old))
		}
	}
	return foreign, nil
}

// extraFiles returns the files of the gate, the snapshot and tasks to install in the project.
func (s Options) extraFiles(p *Plan) []file {
	var files []file
	if s.isHere(p.Gate) {
		files = append(files, scriptFile(hook.EventGate))
	}
	if s.isHere(p.Snapshot) {
		files = append(files, scriptFile(hook.EventSnapshot))
	}
	if p.Snapshot != "" {
		files = append(files, snapshotCommands()...)
	}
	if s.isHere(p.Tasks) {
		files = append(files, scriptFile(hook.EventTask))
	}
	if p.Tasks != "" {
		files = append(files, taskCommands()...)
	}
	return files
}

// inMemory returns a path in the memory of the project.
func (s Options) inMemory(name string) string {
	return filepath.Join(s.Project, ".claude", "memory", filepath.FromSlash(name))
}

// noteWith returns the record of a changed file with the original for an uninstall. An unedited file keeps the
// original of the earlier installation. For an edited file, the original is without: the current text without
// continuo's parts.
func (c *Change) noteWith(old *fileRecord, without []byte) fileRecord {
	f := fileRecord{Path: c.Path, There: c.There, Before: without, Mode: c.was, Sum: sum(c.After)}
	switch {
	case old == nil:
	case c.There && old.Sum == sum(c.Before):
		f.There, f.Before, f.Mode, f.Part, f.Trace, f.Also = old.There, old.Before, old.Mode, old.Part, old.Trace, old.Also
	default:
		f.Held, f.Also = old.Held, old.Also
		if old.There {
			f.also(old.Before)
		}
	}
	return f
}

// noteOwn is noteWith for a file whose whole text is continuo's. The original is the first version that isn't from
// continuo. Later replaced versions are kept, too.
func (c *Change) noteOwn(old *fileRecord) fileRecord {
	f := c.noteWith(old, c.Before)
	ours := c.There && sameText(c.Before, c.After)
	switch {
	case old != nil && old.There:
		f.There, f.Before, f.Mode, f.Also = true, old.Before, old.Mode, old.Also
		if c.There && !ours && old.Sum != sum(c.Before) {
			f.also(c.Before)
		}
	case ours:
		f.There, f.Before = false, nil
	}
	return f
}

// sameText compares texts without their line endings, which git may change.
func sameText(a, b []byte) bool {
	return bytes.Equal(unixLines(a), unixLines(b))
}

func unixLines(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// planBlock plans the continuo section of CLAUDE.md. edited has the path if the user has edited the section.
func (s Options) planBlock(p *Plan, n *record) (edited []string, err error) {
	c, err := s.lookFile(filepath.Join(s.Project, ".claude", "CLAUDE.md"), ScopeProject)
	if err != nil {
		return nil, err
	}
	refused := func(err error) error {
		return &Refusal{Path: c.Path, What: err.Error(), Do: "Fix it, then run this again."}
	}
	if bytes.IndexByte(c.Before, 0) >= 0 {
		return nil, refused(errNoText)
	}
	found, err := findBlock(c.Before)
	if err != nil {
		return nil, refused(err)
	}
	old := n.of(c.Path)
	want := blockText(p.Tasks != "" || hasTasks(c.Before, found))
	if found != nil {
		part := unixLines(c.Before[found.from:found.to])
		if bytes.Equal(bytes.TrimRight(part, "\n"), bytes.TrimRight(want, "\n")) {
			return nil, nil
		}
		if !s.Replace && (old == nil || old.Part != sum(part)) {
			return []string{c.Path + ", the continuo section"}, nil
		}
	}
	if c.After, err = addBlock(c.Before, want); err != nil {
		return nil, refused(err)
	}
	without, err := removeBlock(c.Before)
	if err != nil {
		return nil, refused(err)
	}
	f := c.noteWith(old, without)
	f.Part = sum(want)
	n.put(f)
	return nil, p.add(c)
}

// planSettings plans the hooks in a settings.json: for backups, the gate, the snapshot and tasks.
func (s Options) planSettings(p *Plan, n *record, scope Scope, path string) error {
	c, err := s.lookFile(path, scope)
	if err != nil {
		return err
	}
	var now, later *shims // scripts that call continuo, before and after the installation
	if scope == ScopeProject {
		now, later = s.shims(nil), s.shims(p.Changes)
	}
	var made trace
	c.After = c.Before
	for _, part := range []struct {
		acts bool
		want []wanted
	}{
		{p.Acts == path && p.Scope == scope, wantedHooks(scope, s.Program)},
		{p.Gate == path, wantedGate(scope, s.Program)},
		{p.Snapshot == path, wantedSnapshot(scope, s.Program)},
		{p.Tasks == path, wantedTask(scope, s.Program)},
	} {
		if !part.acts {
			continue
		}
		var more trace
		if c.After, more, err = addHooks(c.After, part.want, later); err != nil {
			return settingsRefusal(path, err)
		}
		made = made.with(more)
	}
	if c.There && bytes.Equal(c.Before, c.After) {
		return nil
	}
	without := c.Before
	if !isBlank(without) {
		if without, err = removeHooks(c.Before, now, nil); err != nil {
			return settingsRefusal(path, err)
		}
	}
	f := c.noteWith(n.of(path), without)
	f.Trace = f.Trace.with(made)
	n.put(f)
	return p.add(c)
}

func settingsRefusal(path string, err error) error {
	if _, ok := errors.AsType[*settingsError](err); !ok {
		return err
	}
	return &Refusal{Path: path, What: err.Error(), Do: "Fix it, then run this again. Nothing was changed."}
}
