package cli

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// sectionSafeguards is the section of what keeps sessions.
const sectionSafeguards = "Safeguards"

// safeguards are the checks of the hooks and the memory of this project, and of what was not kept in it; elsewhere in any.
func (x *exam) safeguards(ctx context.Context) []check {
	project := survey.MemoryOf(ctx, x.env.dir, x.env.home)
	missed := x.with(func(r *sessions.Row) bool { return r.Missed(project) })
	var ended []time.Time
	for _, r := range missed {
		ended = append(ended, r.Last)
	}
	f := survey.HooksOf(ctx, placeOfHook(x.env, x.dirs, project), ended)
	checks := hookChecks(x.env, &f)
	checks = append(checks, x.memory(ctx, project)...)
	if len(missed) > 0 {
		of := ""
		if project != "" {
			of = " of this project"
		}
		checks = append(checks, check{
			Name: "backups", State: verdictWarning, Text: out.Count(len(missed), "session") + of + " ended without one",
			Fix: "continuo backup create --missed" + x.inDirs(), See: x.see(missed), more: max(len(missed)-doctorNamed, 0),
		})
	}
	return checks
}

// memory checks that backups can be written in the memory of a project, and are nobody else's.
func (x *exam) memory(ctx context.Context, project string) []check {
	if project == "" {
		return nil
	}
	path := filepath.Join(project, ".claude", "memory")
	c := check{Name: "memory", State: verdictOK, Text: x.env.tilde(path)}
	m, err := backup.OpenMemory(project)
	switch {
	case errors.Is(err, backup.ErrLinkedOut):
		c.State, c.Text = verdictFinding, x.env.tilde(path)+" is a link that leads out of the project, so no hook writes there"
		c.See = []string{"ls -ld " + x.shell(path)}
		return []check{c}
	case err != nil:
		c.State, c.Text = verdictFinding, x.env.tilde(path)+" cannot be opened: "+out.Reason(err)
		return []check{c}
	}
	_ = m.Close() // nothing was written
	if found, err := backup.Stock(ctx, project, x.env.now().Location()); err == nil && !found.Since.IsZero() {
		if c.Note = "no backup yet"; len(found.Backups) > 0 {
			c.Note = out.Count(len(found.Backups), "backup") + " since " + x.env.day(earliest(&found))
		}
	}
	if dir := readOnly(path); dir != "" {
		c.State, c.Text, c.Fix = verdictFinding, x.env.tilde(dir)+" cannot be written to, so nothing is kept", "chmod u+rwx "+x.shell(dir)
	}
	checks := []check{c}
	if n := trackedHere(ctx, x.env, project); n > 0 {
		checks = append(checks, check{
			Name: "git", State: verdictFinding, Text: "tracks " + words.Counted(n, "file", "files") + " with raw backups, which hold what was said",
			Fix: "git -C " + x.shell(project) + " rm -r -q --cached --ignore-unmatch -- " + strings.Join(privateDirs(), " "),
		})
	}
	return checks
}

// earliest is when the first backup was made, or could have been made by us.
func earliest(found *backup.Found) time.Time {
	first := found.Since
	for i := range found.Backups {
		if made := found.Backups[i].Made; !made.IsZero() && made.Before(first) {
			first = made
		}
	}
	return first
}
