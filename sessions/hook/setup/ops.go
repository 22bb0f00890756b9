package setup

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/internal/words"
)

// Change returns the change that carries out the plan, recorded at now. An empty plan has no ops.
func (p *Plan) Change(now time.Time) change.Change {
	c := change.Change{Kind: "init", What: p.what(), Unkept: true} // Unkept: the originals are in the installation record
	if p.removes {
		c.Kind = "uninstall"
	}
	if p.Project != "" {
		c.Where = []string{p.Project}
	}
	switch {
	case p.Empty():
	case p.removes:
		c.Ops = p.uninstallOps(now)
	default:
		c.Ops = p.installOps(now)
	}
	return c
}

// what describes the change on one line.
func (p *Plan) what() string {
	var where []string
	if p.Project != "" {
		where = append(where, filepath.Base(p.Project))
	}
	if p.Project == "" || slices.ContainsFunc(p.Changes, func(c Change) bool { return c.private }) {
		where = append(where, "your settings")
	}
	switch {
	case !p.removes:
		return "Set up " + words.AndList(where)
	case p.hooks:
		return "Removed the continuo hooks from " + words.AndList(where)
	}
	return "Removed continuo from " + words.AndList(where)
}

// installOps returns the ops of an installation, in this order:
//
//   - The record with the originals.
//   - Files that other users may read. Their ops also create .claude with mode 0755.
//   - The files in the memory. Undo keeps them, because git must not see backups there.
//   - settings.json, because it names the other files.
func (p *Plan) installOps(now time.Time) (ops []change.Op) {
	for _, n := range p.notes {
		ops = append(ops, n.keep(now)...)
	}
	memory := filepath.Join(p.Project, ".claude", "memory")
	rank := func(c *Change) int {
		switch {
		case filepath.Base(c.Path) == "settings.json":
			return 2
		case inside(c.Path, memory):
			return 1
		}
		return 0
	}
	for r := range 3 {
		for i := range p.Changes {
			if c := &p.Changes[i]; rank(c) == r {
				o := c.op()
				o.Stays = r == 1
				ops = append(ops, o)
			}
		}
	}
	return ops
}

// uninstallOps returns the ops of an uninstall: restore the files, delete their record. Deletions in the memory can't
// be undone and come last.
func (p *Plan) uninstallOps(now time.Time) (ops []change.Op) {
	var last []change.Op
	for _, c := range p.Changes {
		for _, d := range p.Dirs { // c.base may be a directory to remove
			if inside(c.base, d.real) {
				c.base = d.base
			}
		}
		if o := c.op(); c.purged {
			last = append(last, o)
		} else {
			ops = append(ops, o)
		}
	}
	for _, n := range p.keep {
		ops = append(ops, n.keep(now)...)
	}
	for _, n := range p.notes {
		if n.part {
			ops = append(ops, n.keep(now)...)
		} else {
			ops = append(ops, n.forget())
		}
	}
	for _, d := range p.Dirs {
		// The lock file goes just before the memory, in the process with the lock. Windows can't delete open files,
		// so it stays there.
		if p.lock != nil && d.Path == p.Kept.Path && runtime.GOOS != "windows" {
			o := p.lock.op()
			o.Loose, o.Quiet = true, true
			last = append(last, o)
		}
		last = append(last, change.Op{Verb: change.Delete, Dir: d.base, Name: below(d.base, d.real)})
	}
	for i := range last {
		if p.lock != nil && last[i].Dir == p.lock.base {
			last[i].Lock = below(p.lock.base, p.lock.Real)
		}
	}
	return append(ops, last...)
}

// below returns path relative to dir.
func below(dir, path string) string {
	name, _ := filepath.Rel(dir, path)
	return name
}

func (c *Change) op() change.Op {
	o := change.Op{
		Verb: change.Replace, Dir: c.base, Name: below(c.base, c.Real), Before: c.Before, Text: c.After, Hidden: true,
		Mode: c.Mode, DirMode: dirModeOf(filepath.Dir(c.Real)),
	}
	if c.private {
		o.DirMode = 0o700
	}
	switch {
	case c.purged && c.Gone:
		o.Verb, o.Before, o.Text, o.Bytes, o.Modified = change.Delete, nil, nil, int64(len(c.Before)), c.modified
	case c.Gone:
		o.Verb, o.Before, o.Text, o.Sum, o.Chmod = change.Remove, nil, c.Before, sum(c.Before), c.was
	case !c.There:
		o.Verb = change.Make
	case c.Mode != c.was:
		o.Mode, o.Chmod = c.was, c.Mode
	}
	return o
}

// Again returns the Planner for act.Do, which plans again with plan. If the new plan differs, the error is
// change.ErrChanged with the first different path.
func (p *Plan) Again(now time.Time, plan func(context.Context) (Plan, error)) func(context.Context) (change.Change, error) {
	return func(ctx context.Context) (change.Change, error) {
		later, err := plan(ctx)
		if err != nil {
			return change.Change{}, err
		}
		if path := p.changed(&later); path != "" {
			return change.Change{}, fmt.Errorf("file %s: %w", path, change.ErrChanged)
		}
		return later.Change(now), nil
	}
}

// changed returns the first path that differs in a later plan, or "".
func (p *Plan) changed(later *Plan) string {
	for i := range p.Changes {
		if i == len(later.Changes) || !p.Changes[i].same(&later.Changes[i]) {
			return p.Changes[i].Path
		}
	}
	if n := len(p.Changes); n < len(later.Changes) {
		return later.Changes[n].Path
	}
	return ""
}

func (c *Change) same(d *Change) bool {
	return c.Path == d.Path && c.Real == d.Real && c.There == d.There && c.Gone == d.Gone && c.Mode == d.Mode &&
		string(c.Before) == string(d.Before) && string(c.After) == string(d.After)
}

// Sweep deletes the temporary files of killed writers, so that the directories can be removed.
func (p *Plan) Sweep() {
	sweep(p.records, ".")
	for i := range p.Changes {
		sweep(p.Changes[i].base, filepath.Dir(below(p.Changes[i].base, p.Changes[i].Real)))
	}
	if p.Project == "" {
		return
	}
	for _, dir := range []string{".", "commands", "hooks", "scripts", "memory"} {
		sweep(p.Project, filepath.Join(".claude", dir))
	}
	if p.lock != nil {
		for _, dir := range []string{"raw", "trash", "sessions", filepath.Join("sessions", "raw")} {
			sweep(p.Kept.Path, dir)
		}
	}
}

// sweep deletes the temporary files in one directory. The next run retries after an error.
func sweep(base, dir string) {
	if root, err := disk.Open(base); err == nil {
		defer root.Close()
		root.Sweep(dir)
	}
}
