package setup

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions/hook"
)

// PlanUninstall plans to remove an installation. An unedited file gets its original text. An edited file loses
// continuo's entries and sections. Backups and documents stay. Without an installation, the plan is empty.
func (s Options) PlanUninstall(ctx context.Context) (Plan, error) {
	p := Plan{removes: true, hooks: s.Hooks, records: s.Records}
	err := s.checkProject()
	if err != nil {
		s.Project = ""
		if s.Scope != ScopeUser {
			return p, err
		}
	}
	found := s.Look()
	parts := s.Project != "" && (s.Scope != ScopeUser || !s.Hooks && len(found.of(ScopeProject)) == 0)
	if s.Scope == ScopeUser {
		if err := s.unplanUser(&p); err != nil {
			return p, err
		}
	}
	if parts {
		p.Project = s.Project
		if err := s.unplanProject(ctx, &p); err != nil {
			return p, err
		}
	}
	for _, site := range found.Sites {
		if site.Scope == ScopePlugin || site.Scope == ScopeUser && s.Scope != ScopeUser {
			p.Scope, p.Acts = site.Scope, site.Path // not removed, because other projects use these hooks
		}
	}
	return p, nil
}

// unplanUser plans to remove continuo from the settings of the user.
func (s Options) unplanUser(p *Plan) error {
	path := s.settingsPath(ScopeUser)
	n, err := s.readNote(ScopeUser, path)
	if err != nil {
		return err
	}
	if err := s.unplanSettings(p, n, ScopeUser, path); err != nil {
		return err
	}
	return s.unplanDirs(p, n, n.Dirs)
}

// unplanProject plans to remove continuo from a project: hooks first, then their scripts.
func (s Options) unplanProject(ctx context.Context, p *Plan) error {
	n, err := s.readNote(ScopeProject, s.Project)
	if err != nil {
		return err
	}
	p.tellMoved(n)
	dir := filepath.Join(s.Project, ".claude")
	for _, name := range []string{"settings.json", "settings.local.json"} {
		if err := s.unplanSettings(p, n, ScopeProject, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	if !s.Hooks {
		if err := s.unplanBlock(p, n, filepath.Join(dir, "CLAUDE.md")); err != nil {
			return err
		}
	}
	for _, f := range slices.Concat(projectFiles(ScopeProject), []file{scriptFile(hook.EventGate), scriptFile(hook.EventSnapshot), scriptFile(hook.EventTask)}, snapshotCommands(), taskCommands()) {
		if strings.HasPrefix(f.name, "memory/") || s.Hooks && !strings.HasPrefix(f.name, "hooks/") {
			continue
		}
		if err := s.unplanFile(p, n, f, filepath.Join(dir, filepath.FromSlash(f.name))); err != nil {
			return err
		}
	}
	if s.Hooks {
		dirs := []string{filepath.Join(dir, "hooks")}
		if n.has && !slices.Contains(n.Dirs, dirs[0]) { // the directory existed before the installation
			dirs = nil
		}
		err := s.unplanDirs(p, n, dirs)
		n.leave(p.Changes, p.Dirs)
		return err
	}
	dirs := n.Dirs
	if !n.has {
		dirs = []string{filepath.Join(dir, "commands"), filepath.Join(dir, "hooks"), filepath.Join(dir, "scripts")}
	}
	if err := s.unplanMemory(ctx, p, dir); err != nil {
		return err
	}
	if s.Purge {
		dirs = slices.Concat(dirs, []string{
			filepath.Join(dir, "memory", "raw"), filepath.Join(dir, "memory", "trash"), filepath.Join(dir, "memory"), dir,
		})
	}
	err = s.unplanDirs(p, n, dirs)
	if slices.Contains(p.keep, n) {
		n.leave(p.Changes, p.Dirs)
	}
	return err
}

// unplanSettings plans to remove the hooks from a settings.json.
func (s Options) unplanSettings(p *Plan, n *record, scope Scope, path string) error {
	c, err := s.lookFile(path, scope)
	if err != nil {
		return err
	}
	old := n.of(path)
	switch {
	case !c.There:
		p.keepSettings(n, old, nil)
		return nil
	case old != nil && old.Sum == sum(c.Before):
		c.putBack(old)
		p.keepSettings(n, old, c.After)
		return p.add(c)
	}
	if isBlank(c.Before) {
		p.keepSettings(n, old, c.Before)
		return nil
	}
	var ours *shims
	var made trace
	if scope == ScopeProject {
		ours = s.shims(nil)
	}
	if old != nil {
		made = old.Trace
	}
	if c.After, err = removeHooks(c.Before, ours, made); err != nil {
		if !bytes.Contains(c.Before, []byte("continuo")) && !bytes.Contains(c.Before, []byte(".claude/hooks/on-")) {
			p.keepSettings(n, old, c.Before)
			return nil // invalid JSON, but without hooks of continuo
		}
		return settingsRefusal(path, err)
	}
	c.Gone = old != nil && !old.There && strings.Trim(string(c.After), blanks+"{}") == ""
	p.keepSettings(n, old, c.After)
	return p.add(c)
}

// isReplaced reports whether the installation replaced other programs' scripts, which settings.json may call.
func isReplaced(n *record) bool {
	return slices.ContainsFunc(n.Files, func(f fileRecord) bool { return f.There && strings.HasSuffix(f.Path, ".sh") })
}

// putBack restores the original file, or removes a new one.
func (c *Change) putBack(old *fileRecord) {
	c.Gone, c.After = !old.There, old.Before
	if old.There {
		c.Mode = old.Mode
	}
}

// unplanBlock plans to remove the continuo section from CLAUDE.md.
func (s Options) unplanBlock(p *Plan, n *record, path string) error {
	c, err := s.lookFile(path, ScopeProject)
	if err != nil || !c.There {
		return err
	}
	old := n.of(path)
	if old != nil && old.Sum == sum(c.Before) {
		c.putBack(old)
		return p.add(c)
	}
	if c.After, err = removeBlock(c.Before); err != nil {
		return &Refusal{Path: path, What: err.Error(), Do: "Fix it, then run this again."}
	}
	c.Gone = isBlank(c.After) && !isBlank(c.Before) && (old == nil || !old.There)
	return p.add(c)
}

// unplanFile plans to remove or restore a file that is completely continuo's.
func (s Options) unplanFile(p *Plan, n *record, f file, path string) error {
	c, err := s.lookFile(path, ScopeProject)
	if err != nil {
		return err
	}
	old := n.of(path)
	if old != nil && len(old.Also) > 0 {
		p.hold(n, path, n.file, "an edited "+path+", which an installation replaced")
	}
	switch {
	case !c.There:
		if old != nil && old.There {
			p.hold(n, path, path, "already removed; the original is in "+n.file)
		}
		return nil
	case old != nil && old.Sum == sum(c.Before):
		c.putBack(old)
	case old != nil && old.There && bytes.Equal(c.Before, old.Before):
		return nil // the file already has its original text
	case sameText(c.Before, f.text) && len(n.doubt[path]) > 0:
		p.Stays = append(p.Stays, Stay{path, "the original may be in " + strings.Join(n.doubt[path], ", ")})
		return nil
	case sameText(c.Before, f.text):
		c.Gone = true
		if old != nil {
			c.putBack(old)
		}
	case old != nil && old.There:
		p.hold(n, path, path, "edited since the installation; the original is in "+n.file)
		return nil
	case old != nil:
		p.Stays = append(p.Stays, Stay{path, "edited since the installation"})
		return nil
	default:
		p.Stays = append(p.Stays, Stay{path, "differs from the text that continuo writes"})
		return nil
	}
	return p.add(c)
}

// unplanDirs plans to remove directories that become empty, and the record n unless it must be kept.
func (s Options) unplanDirs(p *Plan, n *record, dirs []string) error {
	gone := map[string]bool{}
	for i := range p.Changes {
		gone[p.Changes[i].Path] = gone[p.Changes[i].Path] || p.Changes[i].Gone
	}
	slices.SortFunc(dirs, func(a, b string) int { return len(b) - len(a) }) // inner directories first
	for _, dir := range slices.Compact(dirs) {
		fi, err := os.Lstat(dir)
		if err != nil || !fi.IsDir() {
			continue
		}
		entries, err := os.ReadDir(dir)
		locked := p.lock != nil && dir == p.Kept.Path
		if err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool {
			return !gone[filepath.Join(dir, e.Name())] && !disk.IsTemp(e.Name()) && (!locked || e.Name() != lockName)
		}) {
			continue
		}
		d := Dir{Path: dir, base: filepath.Dir(dir)}
		if p.Project != "" && inside(dir, p.Project) {
			d.base = p.Project
		}
		if d.base, err = filepath.EvalSymlinks(d.base); err == nil {
			d.real, err = filepath.EvalSymlinks(dir)
		}
		if err != nil || !inside(d.real, d.base) {
			continue
		}
		gone[dir] = true
		p.Dirs = append(p.Dirs, d)
	}
	if n.has && !slices.Contains(p.keep, n) {
		p.notes = append(p.notes, n)
	}
	return nil
}
