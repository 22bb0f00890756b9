package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// hookFacts is what is known of the hooks of one project, for status and the doctor.
type hookFacts struct {
	project  string // that has the memory; "" none: then the hooks are those of the user
	settings hook.Settings
	others   string                // a script of other hooks of spec 000, "" none
	fired    map[string]hook.Fired // in the project, by event
	unread   error                 // why the notes of the runs could not be read
	missed   []time.Time           // last messages of sessions that ended there without a backup; everywhere without a project
}

// hookFacts looks at the settings files and the notes of runs.
func (d *deps) hookFacts(ctx context.Context, dirs []string, project string, missed []time.Time) hookFacts {
	f := hookFacts{project: project, missed: missed}
	setup := hook.Setup{Project: project, Home: d.home, ConfigDir: d.clientDir()}
	if setup.Project == "" && d.dir != "" {
		setup.Project = hook.ProjectRoot(d.dir, d.home)
	}
	if d.home != "" && realPath(setup.Project) == realPath(d.home) { // its .claude is that of the user
		setup.Project = ""
	}
	if len(dirs) > 0 && !slices.Contains(dirs, setup.ConfigDir) {
		setup.ConfigDir = dirs[0]
	}
	if dir := d.stateDir(); dir != "" {
		setup.Records = filepath.Join(dir, "installed")
	}
	f.settings = setup.Look()
	f.others = otherScript(setup.Project)
	if dir := d.stateDir(); dir != "" {
		var runs []hook.Run
		runs, _, f.unread = hook.OpenRuns(filepath.Join(dir, hookRuns)).Read(ctx)
		f.fired = hook.Summarize(runs, project)
	}
	return f
}

// hooksAct tells in which projects the client calls hooks at the end of a session. The settings of the user are read
// once, at the first question.
func (d *deps) hooksAct(dirs []string) func(project string) bool {
	user := sync.OnceValue(func() bool {
		return slices.ContainsFunc(dirs, func(dir string) bool {
			return hook.Setup{Home: d.home, ConfigDir: dir}.Look().Runs(hook.EventEnd)
		})
	})
	return func(project string) bool {
		return user() || hook.Setup{Home: d.home, Project: project}.Look().Runs(hook.EventEnd)
	}
}

// otherScript finds a hook script of spec 000 that does not call continuo.
func otherScript(project string) string {
	if project == "" {
		return ""
	}
	for _, event := range hook.Events() {
		path := filepath.Join(project, ".claude", "hooks", "on-"+event+".sh")
		src, _, err := transcript.OpenFile(path)
		if err != nil {
			continue
		}
		head := make([]byte, 4<<10)
		n, _ := src.ReadAt(head, 0)
		_ = src.Close() // it was only read
		if !strings.Contains(string(head[:n]), "continuo hook") {
			return path
		}
	}
	return ""
}

// eventName is an event as the client calls it.
func eventName(event string) string {
	switch event {
	case hook.EventStart:
		return "SessionStart"
	case hook.EventCompact:
		return "PreCompact"
	case hook.EventEnd:
		return "SessionEnd"
	}
	return event
}

// hookChecks are the checks of the hooks: what stands in the way of all of them, then each event. A name and its text
// read as one sentence.
func (d *deps) hookChecks(f *hookFacts) []check {
	sites, checks := f.settings.Sites, d.settingsChecks(f)
	switch {
	case len(sites) == 0 && f.others != "":
		checks = append(checks, check{
			Name: "hooks", State: verdictNote, Text: "are scripts that continuo did not write", Note: d.tilde(f.others), See: []string{"continuo init --help"},
		})
	case len(sites) == 0:
		checks = append(checks, check{
			Name: "hooks", State: verdictNote, Text: "are not installed, so nothing is kept when a session ends", Fix: "continuo init",
		})
	default:
		for _, event := range hook.Events() {
			checks = append(checks, d.eventCheck(f, event))
		}
	}
	return append(checks, d.gateChecks(f)...)
}

// settingsChecks are about the settings files as a whole.
func (d *deps) settingsChecks(f *hookFacts) []check {
	var checks []check
	edit := func(path string) string { return `"${EDITOR:-vi}" ` + d.shellPath(path) }
	for _, path := range f.settings.Disabled {
		checks = append(checks, check{Name: "hooks", State: verdictFinding, Text: "are all off: disableAllHooks is set in " + d.tilde(path), Fix: edit(path)})
	}
	for _, path := range f.settings.NotLoaded {
		checks = append(checks, check{
			Name: "hooks", State: verdictFinding, Text: "of " + d.tilde(path) + " are not loaded: claude takes no comments or commas too many", Fix: edit(path),
		})
	}
	for _, err := range f.settings.Problems {
		checks = append(checks, check{Name: "hooks", State: verdictWarning, Text: "may be wrong: " + strings.TrimSuffix(err.Error(), ".")})
	}
	var scopes []string
	for _, site := range f.settings.Sites {
		if where := d.tilde(site.Path); !slices.Contains(scopes, where) {
			scopes = append(scopes, where)
		}
	}
	if len(f.settings.Sites) > 1 {
		c := check{Name: "hooks", State: verdictWarning, Text: "are installed twice, so every backup is made twice: in " + andList(scopes)}
		switch f.settings.Sites[0].Scope { // the narrowest comes first
		case hook.ScopeProject:
			c.Fix = "continuo uninstall --project --hooks"
		case hook.ScopeUser:
			c.Fix = "continuo uninstall --user --hooks"
		case hook.ScopePlugin:
		}
		checks = append(checks, c)
	}
	if f.unread != nil {
		checks = append(checks, check{Name: "hooks", State: verdictWarning, Text: "cannot say when they ran: " + f.unread.Error()})
	}
	return checks
}

// eventCheck is about one event: what is worst of it.
func (d *deps) eventCheck(f *hookFacts, event string) check {
	c := check{Name: eventName(event)}
	at := slices.IndexFunc(f.settings.Sites, func(s hook.Site) bool { return !slices.Contains(s.Missing, event) })
	if at < 0 {
		site := f.settings.Sites[0]
		c.State, c.Text, c.Fix = verdictFinding, "is not among the hooks in "+d.tilde(site.Path), initCommand(site.Scope)
		return c
	}
	site := &f.settings.Sites[at]
	c.Note = d.tilde(site.Path)
	if text, fix := d.brokenProgram(site, event); text != "" {
		c.State, c.Text, c.Fix = verdictFinding, text, fix
		return c
	}
	d.firedCheck(f, event, site.Since, &c)
	e := entryOf(site, event)
	switch {
	case c.State == verdictFinding && site.Scope == hook.ScopeProject:
		c.Note = "claude runs the hooks of a folder that it was told to trust"
	case c.State != verdictFinding && event == hook.EventEnd && e != nil && !e.Timeout:
		c.State, c.Text, c.Fix = verdictWarning, "has no timeout, so claude ends it after 1.5 s", initCommand(site.Scope)
	}
	return c
}

// enoughMissed is how many sessions in a row have to end without a backup before the hook is to blame that has run
// before: one may have been killed.
const enoughMissed = 2

// firedCheck is when an event fired, and whether it should have since then and since its hook was installed.
func (d *deps) firedCheck(f *hookFacts, event string, installed time.Time, c *check) {
	fired, ran := f.fired[event]
	after := 0
	for _, last := range f.missed {
		if event == hook.EventEnd && last.After(fired.Last.Time) && last.After(installed) {
			after++
		}
	}
	switch {
	case ran && after >= enoughMissed:
		c.State, c.Text = verdictFinding, "has not fired since "+d.day(fired.Last.Time)+", "+count(after, "session")+" ended"
	case !ran && after > 0:
		c.State, c.Text = verdictFinding, "has never fired, and "+count(after, "session")+" ended"
	case !ran:
		c.State, c.Text = verdictNote, "has not fired yet"
	case fired.Last.Error != "":
		c.State, c.Text = verdictWarning, "failed "+d.moment(fired.Last.Time)+": "+fired.Last.Error
	default:
		took := render.Count(int(fired.Last.MS)) + " ms"
		if fired.Last.MS < 1 {
			took = "under 1 ms"
		}
		c.State, c.Text = verdictOK, "fired "+d.moment(fired.Last.Time)+", in "+took
		if fired.Failures > 0 {
			c.Note = "failed " + d.moment(fired.Failed.Time) + ": " + fired.Failed.Error
		}
	}
}

// initCommand is what installs the hooks of a scope again.
func initCommand(scope hook.Scope) string {
	if scope == hook.ScopeUser {
		return "continuo init --user"
	}
	return "continuo init"
}

func entryOf(site *hook.Site, event string) *hook.Entry {
	for i := range site.Entries {
		if site.Entries[i].Runs == event {
			return &site.Entries[i]
		}
	}
	return nil
}

// brokenProgram says why the program of a hook cannot run, "" when it can: that of the entry, or for a script continuo
// on the PATH of this run; that of claude may be another.
func (d *deps) brokenProgram(site *hook.Site, event string) (text, fix string) {
	e := entryOf(site, event)
	switch {
	case e == nil: // a plugin brings its own
		return "", ""
	case e.Args != nil && filepath.IsAbs(e.Command):
		if _, err := d.lookPath(e.Command); err != nil {
			return "cannot run " + d.tilde(e.Command) + ": " + programReason(err), initCommand(site.Scope)
		}
		return "", ""
	}
	if _, err := d.lookPath("continuo"); err != nil {
		return "does nothing: continuo is not on the PATH", d.pathFix()
	}
	return "", ""
}

// pathFix is the command that puts this program on the PATH; "" it has another name.
func (d *deps) pathFix() string {
	if self, err := os.Executable(); err == nil && filepath.Base(self) == "continuo" {
		return "export PATH=" + d.shellPath(filepath.Dir(self)) + `:"$PATH"`
	}
	return ""
}

// isMissed reports whether a row is of a session that ended without a backup in a project; "" is any.
func isMissed(r *sessions.Row, project string) bool {
	return r.Has(sessions.FlagNoBackup) && (project == "" || r.Project == project || r.Workdir == project || within(r.Workdir, project))
}
