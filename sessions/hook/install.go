package hook

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// PlanInstall says what an installation would do. Nothing is written. The error is a *Refusal where a person has to do
// something first.
func (s Setup) PlanInstall() (Plan, error) {
	p := Plan{records: s.Records}
	err := s.checkProject()
	if err == nil {
		err = s.checkPlace(&p)
	}
	if err != nil {
		if s.Scope != ScopeUser {
			return p, err
		}
		p.warn("This is no project, so only the hooks are installed. Run continuo init in each project that is to keep its sessions.")
		s.Project = ""
	}
	found := s.Look()
	p.Project = s.Project
	if p.Scope, p.Acts, err = s.choose(found); err != nil {
		return p, err
	}
	if s.Gate {
		if p.Gate, err = s.chooseGate(found); err != nil {
			return p, err
		}
	}
	s.addWarnings(&p, found)
	if s.Project != "" {
		if err := s.planProject(&p, p.Acts); err != nil {
			return p, err
		}
	}
	if s.Scope == ScopeUser {
		err = s.planUser(&p)
	}
	return p, err
}

// checkProject refuses what is no project: the home, whose .claude is that of the client, and that itself.
func (s Setup) checkProject() error {
	const do = "Go to the directory of a project, then run this again."
	switch {
	case s.Project == "":
		return &Refusal{What: "there is no current directory", Do: do}
	case isHome(s.Project, s.Home):
		return &Refusal{Path: s.Project, What: "this is your home, and its .claude is that of the client", Do: do}
	}
	real := s.Project
	if p, err := filepath.EvalSymlinks(real); err == nil {
		real = p
	}
	for _, dir := range []string{s.ConfigDir, filepath.Join(s.Home, ".claude")} {
		if p, err := filepath.EvalSymlinks(dir); err == nil && inside(real, p) {
			return &Refusal{Path: s.Project, What: "this is the config directory of the client, or in it", Do: do}
		}
	}
	return nil
}

// choose decides whose hooks are to act, and in which file they are. A second scope is refused.
func (s Setup) choose(found Settings) (Scope, string, error) {
	project, user, plugin := found.of(ScopeProject), found.of(ScopeUser), found.of(ScopePlugin)
	refuse := func(site Site, do string) (Scope, string, error) {
		return "", "", &Refusal{
			Path: site.Path, Choice: true, Do: do, Run: takeOut(site.Scope),
			What: "the hooks are installed there already, as " + siteName(site.Scope) + ", and with both each would run twice",
		}
	}
	const others = "Leave the flag out to make the other parts of this project, or take those out first."
	switch {
	case s.Scope == ScopeProject && len(user) > 0:
		return refuse(user[0], others)
	case s.Scope != "" && len(plugin) > 0:
		return refuse(plugin[0], others)
	case s.Scope == ScopeUser && len(project) > 0:
		return refuse(project[0], "Take those out first.")
	case s.Scope == ScopeUser && !isContinuo(s.Program):
		return "", "", &Refusal{Path: s.Program, What: "the hooks have to call a program of the name continuo that stays where it is", Do: "Install continuo, then run this again."}
	case s.Scope != "":
		return s.Scope, s.settingsPath(s.Scope), nil
	case len(project) > 0:
		return ScopeProject, project[0].Path, nil
	case len(user) > 0:
		return ScopeUser, user[0].Path, nil
	case len(plugin) > 0:
		return ScopePlugin, plugin[0].Path, nil
	}
	return ScopeProject, s.settingsPath(ScopeProject), nil
}

// chooseGate is the settings file that the hooks of the gate are in, or go into: that of the scope that is asked for, else
// one that has them, else that of the project, whoever has the other hooks.
func (s Setup) chooseGate(found Settings) (string, error) {
	project, user := ofScope(found.Gates, ScopeProject), ofScope(found.Gates, ScopeUser)
	there := slices.Concat(project, user)
	switch {
	case s.Scope == ScopeProject && len(user) > 0:
		there = user
	case s.Scope == ScopeUser && len(project) > 0:
	case s.Scope != "" && len(ofScope(there, s.Scope)) == 0:
		return s.settingsPath(s.Scope), nil
	case len(there) > 0:
		return there[0].Path, nil
	default:
		return s.settingsPath(ScopeProject), nil
	}
	return "", &Refusal{
		Path: there[0].Path, Choice: true, Do: "Take it out there first.", Run: takeOut(there[0].Scope),
		What: "the gate is installed there already, as " + siteName(there[0].Scope),
	}
}

// takeOut is the command that takes the hooks of a scope out, and nothing else.
func takeOut(scope Scope) string {
	switch scope {
	case ScopeUser:
		return "continuo uninstall --user --hooks"
	case ScopePlugin:
		return "claude plugin uninstall continuo"
	default:
		return "continuo uninstall --project --hooks"
	}
}

func siteName(scope Scope) string {
	switch scope {
	case ScopeUser:
		return "those of all your projects"
	case ScopePlugin:
		return "a plugin"
	default:
		return "those of the project"
	}
}

// addWarnings says what keeps the hooks from acting as they should.
func (s Setup) addWarnings(p *Plan, found Settings) {
	for _, path := range found.Disabled {
		p.warn("%s says disableAllHooks: as long as it does, no hook runs.", path)
	}
	for _, path := range found.NotLoaded {
		p.warn("%s has comments or superfluous commas. Claude Code takes nothing from such a file, hooks included.", path)
	}
	for _, err := range found.Problems {
		p.warn("It is not known whether there are hooks in a file that cannot be read: %v.", err)
	}
	for _, site := range found.Sites {
		if site.Path != p.Acts {
			w := Warning{Text: site.Path + " has hooks of continuo too, so each runs twice. Take them out of one."}
			if site.Scope != p.Scope { // else it would take out both
				w.Run = takeOut(site.Scope)
			}
			p.Warnings = append(p.Warnings, w)
		}
	}
	if (p.Scope == ScopeProject || s.gateHere(p)) && !s.OnPath {
		p.warn("continuo is not on the PATH. The scripts call it from there, and do nothing until it is.")
	}
	if s.Scope != ScopeUser {
		return
	}
	for _, project := range s.projectsWithHooks() {
		p.Warnings = append(p.Warnings, Warning{
			Text: project + " has hooks of its own, so each will run twice there, and every backup is made twice. Take those of the project out.",
			Run:  takeOut(ScopeProject), Dir: project,
		})
	}
}

// projectsWithHooks are the other projects in which hooks were installed, as far as it is noted, and still are.
func (s Setup) projectsWithHooks() []string {
	entries, _ := os.ReadDir(s.Records) // without notes none is known
	var list []string
	for _, e := range entries {
		n, err := s.noteIn(e.Name())
		if err != nil || n.Scope != ScopeProject || n.Path == s.Project || n.of(filepath.Join(n.Path, ".claude", "settings.json")) == nil {
			continue
		}
		if there := (Setup{Project: n.Path, Home: s.Home}).Look(); len(there.of(ScopeProject)) > 0 {
			list = append(list, n.Path)
		}
	}
	return list
}

// planProject plans the files of a project. Its settings.json comes last, when all is there that it names.
func (s Setup) planProject(p *Plan, acts string) error {
	n, err := s.readNote(ScopeProject, s.Project)
	if err != nil {
		return err
	}
	changes, dirs := len(p.Changes), len(p.Dirs)
	foreign, err := s.planFiles(p, n)
	if err != nil {
		return err
	}
	edited, err := s.planBlock(p, n)
	if err != nil {
		return err
	}
	if foreign = append(foreign, edited...); len(foreign) > 0 {
		return &Refusal{
			What: "somebody else has written files that continuo would write", Facts: foreign, Choice: true,
			Do: "Move them away, or take them over with --replace: uninstall brings them back.",
		}
	}
	if path := s.settingsPath(ScopeProject); acts == path && p.Scope == ScopeProject || p.Gate == path {
		if err := s.planSettings(p, n, ScopeProject, path); err != nil {
			return err
		}
	}
	if len(p.Changes) > changes {
		for _, d := range p.Dirs[dirs:] {
			n.putDir(d.Path)
		}
		p.notes = append(p.notes, n)
		p.tellMoved(n)
	}
	return nil
}

// gateHere reports whether the gate is to be in the project's own settings.json.
func (s Setup) gateHere(p *Plan) bool { return p.Gate != "" && p.Gate == s.settingsPath(ScopeProject) }

// planUser plans the settings of the person.
func (s Setup) planUser(p *Plan) error {
	path := s.settingsPath(ScopeUser)
	n, err := s.readNote(ScopeUser, path)
	if err != nil {
		return err
	}
	changes, dirs := len(p.Changes), len(p.Dirs)
	if err := s.planSettings(p, n, ScopeUser, path); err != nil {
		return err
	}
	if len(p.Changes) > changes {
		for _, d := range p.Dirs[dirs:] {
			n.putDir(d.Path)
		}
		p.notes = append(p.notes, n)
	}
	return nil
}

// planFiles plans the files that are continuo's alone, and returns those that somebody else has written.
func (s Setup) planFiles(p *Plan, n *note) (foreign []string, err error) {
	files := projectFiles(p.Scope)
	if s.gateHere(p) {
		files = append(files, gateFile())
	}
	for _, f := range files {
		c, err := s.lookFile(filepath.Join(s.Project, ".claude", filepath.FromSlash(f.name)), ScopeProject)
		if err != nil {
			return nil, err
		}
		old := n.of(c.Path)
		c.After = f.text
		switch {
		case !c.There:
			c.Mode = f.mode
		case f.name == "memory/.gitignore" && !ignores(c.Before) && !isThere(s.inMemory("raw/.gitignore"), os.Lstat):
			// As backup.Memory.Guard does it. Once raw has its own, somebody may not want our lines.
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
			c.Mode, c.remode = c.Mode|f.mode&0o111, true // git can lose it
		case old != nil && old.Sum == sum(c.Before):
		case !s.Replace:
			foreign = append(foreign, c.Path)
			continue
		}
		if err := p.add(c); err != nil {
			return nil, err
		}
		if !strings.HasPrefix(f.name, "memory/") { // that stays, whatever is uninstalled
			n.put(c.noteOwn(old))
		}
	}
	return foreign, nil
}

// inMemory is a path in the memory of the project.
func (s Setup) inMemory(name string) string {
	return filepath.Join(s.Project, ".claude", "memory", filepath.FromSlash(name))
}

// noteWith is what is noted of a change: what was there before the first installation, if this is not the first one and
// nobody has written the file since; else what there would be without it.
func (c *Change) noteWith(old *noted, without []byte) noted {
	f := noted{Path: c.Path, There: c.There, Before: without, Mode: c.was, Sum: sum(c.After)}
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

// noteOwn is noteWith for a file that is continuo's alone: the first one that somebody else has written is what comes
// back, and those that were replaced later are kept with it.
func (c *Change) noteOwn(old *noted) noted {
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

// sameText compares texts, whatever their lines end with: git may have checked one out with others.
func sameText(a, b []byte) bool {
	return bytes.Equal(unixLines(a), unixLines(b))
}

func unixLines(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// planBlock plans our part of CLAUDE.md. It returns the path when somebody has changed that part.
func (s Setup) planBlock(p *Plan, n *note) (edited []string, err error) {
	c, err := s.lookFile(filepath.Join(s.Project, ".claude", "CLAUDE.md"), ScopeProject)
	if err != nil {
		return nil, err
	}
	refused := func(err error) error {
		return &Refusal{Path: c.Path, What: err.Error(), Do: "Mend it, then run this again."}
	}
	if bytes.IndexByte(c.Before, 0) >= 0 {
		return nil, refused(errNoText)
	}
	found, err := findBlock(c.Before)
	if err != nil {
		return nil, refused(err)
	}
	old := n.of(c.Path)
	if found != nil {
		part := unixLines(c.Before[found.from:found.to])
		if bytes.Equal(bytes.TrimRight(part, "\n"), bytes.TrimRight(blockText("\n"), "\n")) {
			return nil, nil
		}
		if !s.Replace && (old == nil || old.Part != sum(part)) {
			return []string{c.Path + ", the part of continuo"}, nil
		}
	}
	if c.After, err = addBlock(c.Before); err != nil {
		return nil, refused(err)
	}
	without, err := removeBlock(c.Before)
	if err != nil {
		return nil, refused(err)
	}
	f := c.noteWith(old, without)
	f.Part = sum(blockText("\n"))
	n.put(f)
	return nil, p.add(c)
}

// planSettings plans the hooks in a settings.json: those that keep sessions, the gate, or both.
func (s Setup) planSettings(p *Plan, n *note, scope Scope, path string) error {
	c, err := s.lookFile(path, scope)
	if err != nil {
		return err
	}
	var now, later *shims // which scripts are ours: those that are there, and those that will be
	if scope == ScopeProject {
		now, later = s.shims(nil), s.shims(p.Changes)
	}
	var made trace
	c.After = c.Before
	for _, part := range []struct {
		acts bool
		want []wanted
	}{{p.Acts == path && p.Scope == scope, wantedHooks(scope, s.Program)}, {p.Gate == path, wantedGate(scope, s.Program)}} {
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
	return &Refusal{Path: path, What: err.Error(), Do: "Mend it, then run this again. Nothing was touched."}
}
