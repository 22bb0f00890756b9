package setup

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/sessions"
)

// PlanInstall plans an installation. The error is a *Refusal if the user must solve a problem first.
func (s Options) PlanInstall() (Plan, error) {
	p := Plan{records: s.Records}
	err := s.checkProject()
	if err == nil {
		err = s.checkPlace(&p)
	}
	if err != nil {
		if s.Scope != ScopeUser {
			return p, err
		}
		p.warn("Not a project, so only the hooks are installed. Run continuo init in each project whose sessions you want to back up.")
		s.Project = ""
	}
	found := s.Look()
	p.Project = s.Project
	if p.Scope, p.Acts, err = s.choose(found); err != nil {
		return p, err
	}
	for _, extra := range []struct {
		asked bool
		file  *string
		found []Site
		name  string
	}{{s.Gate, &p.Gate, found.Gates, "gate"}, {s.Snapshot, &p.Snapshot, found.Snapshot, "snapshot hook"}, {s.Tasks, &p.Tasks, found.Tasks, "task hook"}} {
		if !extra.asked {
			continue
		}
		if *extra.file, err = s.chooseExtra(extra.found, extra.name); err != nil {
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

// checkProject returns a *Refusal for the home directory and for the config directory of Claude Code.
func (s Options) checkProject() error {
	const do = "Change to a project directory, then run this again."
	switch {
	case s.Project == "":
		return &Refusal{What: "there is no current directory", Do: do}
	case sessions.SameFile(s.Project, s.Home):
		return &Refusal{Path: s.Project, What: "this is your home directory; its .claude belongs to Claude Code", Do: do}
	}
	real := s.Project
	if p, err := filepath.EvalSymlinks(real); err == nil {
		real = p
	}
	for _, dir := range []string{s.ConfigDir, filepath.Join(s.Home, ".claude")} {
		if p, err := filepath.EvalSymlinks(dir); err == nil && inside(real, p) {
			return &Refusal{Path: s.Project, What: "this is inside the config directory of Claude Code", Do: do}
		}
	}
	return nil
}

// choose returns the scope and the settings file for the hooks. The error is a *Refusal if another scope has hooks.
func (s Options) choose(found Settings) (Scope, string, error) {
	project, user, plugin := found.of(ScopeProject), found.of(ScopeUser), found.of(ScopePlugin)
	refuse := func(site Site, do string) (Scope, string, error) {
		return "", "", &Refusal{
			Path: site.Path, Choice: true, Do: do, Run: takeOut(site.Scope),
			What: "the hooks are already installed here, " + siteName(site.Scope) + "; a second installation would run each hook twice",
		}
	}
	const others = "Run it without the flag to set up the rest of this project, or remove those hooks first."
	switch {
	case s.Scope == ScopeProject && len(user) > 0:
		return refuse(user[0], others)
	case s.Scope != "" && len(plugin) > 0:
		return refuse(plugin[0], others)
	case s.Scope == ScopeUser && len(project) > 0:
		return refuse(project[0], "Remove those hooks first.")
	case s.Scope == ScopeUser && !isContinuo(s.Program):
		return "", "", &Refusal{Path: s.Program, What: "the hooks must call a program named continuo at a permanent path", Do: "Install continuo, then run this again."}
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

// chooseExtra returns the settings file for the hooks of the gate, the snapshot or tasks: that of the requested
// scope, otherwise a file with these hooks, otherwise the project's. The error is a *Refusal if another scope than
// the requested one has these hooks.
func (s Options) chooseExtra(found []Site, name string) (string, error) {
	project, user := ofScope(found, ScopeProject), ofScope(found, ScopeUser)
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
		Path: there[0].Path, Choice: true, Do: "Remove the " + name + " there first.", Run: takeOut(there[0].Scope),
		What: "the " + name + " is already installed here, " + siteName(there[0].Scope),
	}
}

// takeOut returns the command that removes only the hooks of a scope.
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
		return "for all your projects"
	case ScopePlugin:
		return "as a plugin"
	default:
		return "for this project"
	}
}

// addWarnings adds a warning for each problem that may stop the hooks.
func (s Options) addWarnings(p *Plan, found Settings) {
	for _, path := range found.Disabled {
		p.warn("%s sets disableAllHooks, so no hook runs.", path)
	}
	for _, path := range found.NotLoaded {
		p.warn("%s has comments or trailing commas. Claude Code ignores such a file, including its hooks.", path)
	}
	for _, err := range found.Problems {
		p.warn("A file that may contain hooks cannot be read: %v.", err)
	}
	for _, site := range found.Sites {
		if site.Path != p.Acts {
			w := Warning{Text: site.Path + " has continuo hooks too, so each hook runs twice. Remove one set."}
			if site.Scope != p.Scope { // otherwise, the command would remove both sets
				w.Run = takeOut(site.Scope)
			}
			p.Warnings = append(p.Warnings, w)
		}
	}
	if (p.Scope == ScopeProject || slices.ContainsFunc(p.Extras(), s.isHere)) && !s.OnPath {
		p.warn("continuo is not on the PATH, so the hook scripts do nothing.")
	}
	if s.Scope != ScopeUser {
		return
	}
	for _, project := range s.projectsWithHooks() {
		p.Warnings = append(p.Warnings, Warning{
			Text: project + " has continuo hooks of its own. Each hook will run twice there, and make two backups. Remove the hooks of that project.",
			Run:  takeOut(ScopeProject), Dir: project,
		})
	}
}

// projectsWithHooks returns the other projects that have installation records.
func (s Options) projectsWithHooks() []string {
	entries, _ := os.ReadDir(s.Records) // without records, there are no projects
	var list []string
	for _, e := range entries {
		n, err := s.noteIn(e.Name())
		if err != nil || n.Scope != ScopeProject || n.Path == s.Project || n.of(filepath.Join(n.Path, ".claude", "settings.json")) == nil {
			continue
		}
		if there := (Options{Project: n.Path, Home: s.Home}).Look(); len(there.of(ScopeProject)) > 0 {
			list = append(list, n.Path)
		}
	}
	return list
}

// planProject plans the changes in a project. settings.json comes last, because it names the other files.
func (s Options) planProject(p *Plan, acts string) error {
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
			What: "files that continuo would write already exist with other content", Facts: foreign, Choice: true,
			Do: "Move these files, or replace them with --replace. An uninstall restores them.",
		}
	}
	if path := s.settingsPath(ScopeProject); acts == path && p.Scope == ScopeProject || slices.Contains(p.Extras(), path) {
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

// isHere reports whether a settings file belongs to the project.
func (s Options) isHere(settings string) bool {
	return settings != "" && settings == s.settingsPath(ScopeProject)
}

// planUser plans the changes to the settings of the user.
func (s Options) planUser(p *Plan) error {
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
