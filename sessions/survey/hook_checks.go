package survey

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/sessions/hook/setup"
)

// Verdict is the result of a check.
type Verdict string

// The verdicts. A finding makes `continuo doctor` fail.
const (
	VerdictOK      Verdict = "ok"
	VerdictNote    Verdict = "note"    // nothing to do
	VerdictWarning Verdict = "warning" // the hook works, but has a problem
	VerdictFinding Verdict = "finding" // it is broken
)

// Check is the result of one check. Name and Text together are a sentence. Both may contain control characters.
type Check struct {
	Name  string
	State Verdict
	Text  string
	Note  string
	Fix   string   // command that fixes the problem; "" if none
	See   []string // commands that show more
}

// Checks returns the checks of the settings, then one for each event of a backup hook.
func (f *HookFacts) Checks() []Check {
	sites, checks := f.Settings.Sites, f.settingsChecks()
	switch {
	case len(sites) == 0 && f.Others != "":
		checks = append(checks, Check{
			Name: "hooks", State: VerdictNote, Text: "are scripts from another source", Note: f.At.tilde(f.Others), See: []string{"continuo init --help"},
		})
	case len(sites) == 0:
		checks = append(checks, Check{
			Name: "hooks", State: VerdictNote, Text: "are not installed, so no backup is made when a session ends", Fix: "continuo init",
		})
	default:
		for _, event := range hook.Events() {
			checks = append(checks, f.eventCheck(event))
		}
	}
	return checks
}

// settingsChecks returns the checks of the settings files as a whole.
func (f *HookFacts) settingsChecks() []Check {
	var checks []Check
	edit := func(path string) string { return `"${EDITOR:-vi}" ` + sessions.ShellPath(path, f.At.Home) }
	for _, path := range f.Settings.Disabled {
		checks = append(checks, Check{Name: "hooks", State: VerdictFinding, Text: "are all off: disableAllHooks is set in " + f.At.tilde(path), Fix: edit(path)})
	}
	for _, path := range f.Settings.NotLoaded {
		checks = append(checks, Check{
			Name: "hooks", State: VerdictFinding, Text: "of " + f.At.tilde(path) + " are not loaded: Claude Code does not accept comments or trailing commas", Fix: edit(path),
		})
	}
	for _, err := range f.Settings.Problems {
		checks = append(checks, Check{Name: "hooks", State: VerdictWarning, Text: "may be wrong: " + strings.TrimSuffix(err.Error(), ".")})
	}
	var scopes []string
	for _, site := range f.Settings.Sites {
		if where := f.At.tilde(site.Path); !slices.Contains(scopes, where) {
			scopes = append(scopes, where)
		}
	}
	if len(f.Settings.Sites) > 1 {
		c := Check{Name: "hooks", State: VerdictWarning, Text: "are installed twice, so every backup is made twice: in " + words.AndList(scopes)}
		switch f.Settings.Sites[0].Scope { // the narrowest scope comes first
		case setup.ScopeProject:
			c.Fix = "continuo uninstall --project --hooks"
		case setup.ScopeUser:
			c.Fix = "continuo uninstall --user --hooks"
		case setup.ScopePlugin:
		}
		checks = append(checks, c)
	}
	if f.Unread != nil {
		checks = append(checks, Check{Name: "hooks", State: VerdictWarning, Text: "may have run, but their record cannot be read: " + f.Unread.Error()})
	}
	return checks
}

// eventCheck returns the check of one event with the worst problem.
func (f *HookFacts) eventCheck(event string) Check {
	c := Check{Name: hook.EventName(event)}
	at := slices.IndexFunc(f.Settings.Sites, func(s setup.Site) bool { return !slices.Contains(s.Missing, event) })
	if at < 0 {
		site := f.Settings.Sites[0]
		c.State, c.Text, c.Fix = VerdictFinding, "is not among the hooks in "+f.At.tilde(site.Path), InitCommand(site.Scope)
		return c
	}
	site := &f.Settings.Sites[at]
	c.Note = f.At.tilde(site.Path)
	if text, fix := f.BrokenProgram(site, event); text != "" {
		c.State, c.Text, c.Fix = VerdictFinding, text, fix
		return c
	}
	f.FiredCheck(event, site.Since, &c)
	e := entryOf(site, event)
	switch {
	case c.State == VerdictFinding && site.Scope == setup.ScopeProject:
		c.Note = "Claude Code runs a project's hooks only if the folder is trusted"
	case c.State != VerdictFinding && event == hook.EventEnd && e != nil && !e.Timeout:
		c.State, c.Text, c.Fix = VerdictWarning, "has no timeout, so Claude Code stops it after 1.5 s", InitCommand(site.Scope)
	}
	return c
}

// enoughMissed is the number of sessions without a backup that makes a hook count as broken. A single client may have
// been killed.
const enoughMissed = 2

// FiredCheck checks whether a hook runs, and sets the state, text and note of c. It counts the sessions that ended
// without a backup after the hook's last run and after the installation.
func (f *HookFacts) FiredCheck(event string, installed time.Time, c *Check) {
	fired, ran := f.Fired[event]
	after := 0
	for _, last := range f.Missed {
		if event == hook.EventEnd && last.After(fired.Last.Time) && last.After(installed) {
			after++
		}
	}
	switch {
	case ran && after >= enoughMissed:
		c.State, c.Text = VerdictFinding, "has not fired since "+words.DayInside(f.At.Now, fired.Last.Time)+", "+words.Counted(after, "session", "sessions")+" ended"
	case !ran && after > 0:
		c.State, c.Text = VerdictFinding, "has never fired, and "+words.Counted(after, "session", "sessions")+" ended"
	case !ran:
		c.State, c.Text = VerdictNote, "has not fired yet"
	case fired.Last.Error != "":
		c.State, c.Text = VerdictWarning, "failed "+words.Inside(f.At.Now, fired.Last.Time)+": "+fired.Last.Error
	default:
		took := words.Count(int(fired.Last.MS)) + " ms"
		if fired.Last.MS < 1 {
			took = "under 1 ms"
		}
		c.State, c.Text = VerdictOK, "fired "+words.Inside(f.At.Now, fired.Last.Time)+", in "+took
		if fired.Failures > 0 {
			c.Note = "failed " + words.Inside(f.At.Now, fired.Failed.Time) + ": " + fired.Failed.Error
		}
	}
}

// InitCommand returns the command that installs the hooks of a scope.
func InitCommand(scope setup.Scope) string {
	if scope == setup.ScopeUser {
		return "continuo init --user"
	}
	return "continuo init"
}

func entryOf(site *setup.Site, event string) *setup.Entry {
	for i := range site.Entries {
		if site.Entries[i].Runs == event {
			return &site.Entries[i]
		}
	}
	return nil
}

// BrokenProgram returns why the program of a hook can't run, and a command that fixes this. Both are "" if it can
// run. A script needs continuo on the PATH, which may differ in Claude Code.
func (f *HookFacts) BrokenProgram(site *setup.Site, event string) (text, fix string) {
	e := entryOf(site, event)
	switch {
	case e == nil: // the plugin installs its own program
		return "", ""
	case e.Args != nil && filepath.IsAbs(e.Command):
		if why := f.At.Broken(e.Command); why != "" {
			return "cannot run " + f.At.tilde(e.Command) + ": " + why, InitCommand(site.Scope)
		}
		return "", ""
	}
	if f.At.Broken("continuo") != "" {
		return "does nothing: continuo is not on the PATH", f.At.PathFix
	}
	return "", ""
}
