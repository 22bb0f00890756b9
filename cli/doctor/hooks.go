package doctor

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/hooks"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// SectionSafeguards is the title of the section about hooks and backups.
const SectionSafeguards = "Safeguards"

// safeguards checks the hooks and the memory of this project, and looks for sessions without a backup. Outside
// of a project, it looks in all projects.
func (x *Exam) safeguards(ctx context.Context) []Check {
	project := survey.MemoryOf(ctx, x.Env.Dir, x.Env.Home)
	missed := x.with(func(r *sessions.Row) bool { return r.Missed(project) })
	var ended []time.Time
	for _, r := range missed {
		ended = append(ended, r.Last)
	}
	f := survey.HooksOf(ctx, place.HookPlace(x.Env, x.dirs, project), ended)
	checks := hookChecks(x.Env, &f)
	checks = append(checks, x.memory(ctx, project)...)
	if len(missed) > 0 {
		of := ""
		if project != "" {
			of = " of this project"
		}
		checks = append(checks, Check{
			Name: "backups", State: VerdictWarning, Text: out.Count(len(missed), "session") + of + " ended without one",
			Fix: "continuo backup create --missed" + x.inDirs(), See: x.see(missed), more: max(len(missed)-doctorNamed, 0),
		})
	}
	return checks
}

// memory checks whether a project's memory is writable and private.
func (x *Exam) memory(ctx context.Context, project string) []Check {
	if project == "" {
		return nil
	}
	path := filepath.Join(project, ".claude", "memory")
	c := Check{Name: "memory", State: VerdictOK, Text: x.Env.Tilde(path)}
	m, err := backup.OpenMemory(project)
	switch {
	case errors.Is(err, backup.ErrLinkedOut):
		c.State, c.Text = VerdictFinding, x.Env.Tilde(path)+" is a link that leads out of the project, so no hook writes there"
		c.See = []string{"ls -ld " + x.shell(path)}
		return []Check{c}
	case err != nil:
		c.State, c.Text = VerdictFinding, x.Env.Tilde(path)+" cannot be opened: "+out.Reason(err)
		return []Check{c}
	}
	_ = m.Close() // nothing was written
	if found, err := backup.Stock(ctx, project, x.Env.Now().Location()); err == nil && !found.Since.IsZero() {
		if c.Note = "no backup yet"; len(found.Backups) > 0 {
			c.Note = out.Count(len(found.Backups), "backup") + " since " + x.Env.Day(earliest(&found))
		}
	}
	if dir := readOnly(path); dir != "" {
		c.State, c.Text, c.Fix = VerdictFinding, x.Env.Tilde(dir)+" cannot be written to, so no backups are made", "chmod u+rwx "+x.shell(dir)
	}
	checks := []Check{c}
	if n := TrackedHere(ctx, x.Env, project); n > 0 {
		checks = append(checks, Check{
			Name: "git", State: VerdictFinding, Text: "tracks " + words.Counted(n, "file", "files") + " with raw backups, which contain conversations",
			Fix: "git -C " + x.shell(project) + " rm -r -q --cached --ignore-unmatch -- " + strings.Join(privateDirs(), " "),
		})
	}
	return checks
}

// earliest returns the time of the oldest backup, or the earlier found.Since.
func earliest(found *backup.Found) time.Time {
	first := found.Since
	for i := range found.Backups {
		if made := found.Backups[i].Made; !made.IsZero() && made.Before(first) {
			first = made
		}
	}
	return first
}

// hookChecks returns the checks of all hooks.
func hookChecks(env *place.Env, f *survey.HookFacts) []Check {
	var checks []Check
	for _, c := range append(f.Checks(), hooks.ExtraChecks(env, f)...) {
		checks = append(checks, Check{Name: c.Name, State: c.State, Text: c.Text, Note: c.Note, Fix: c.Fix, See: c.See})
	}
	return checks
}
