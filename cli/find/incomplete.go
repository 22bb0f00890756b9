package find

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/annotate"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

// Incomplete returns the error for a list with missing rows, else nil.
func Incomplete(problem error, s Scope) error {
	list := slices.DeleteFunc(ledger.Parts(problem), func(err error) bool { return !s.concerns(err) })
	if len(list) == 0 {
		return nil
	}
	const (
		clients = "Some running clients could not be checked. Their sessions may not be marked as live."
		memory  = "Some backups, markers or documents could not be read. Make them readable, then run the command again."
		notes   = "The names, stars, tags and notes of sessions could not be read."
		missing = "Some paths could not be read, so their sessions are missing. Make them readable, then run the command again."
	)
	what := clients
	for _, err := range list {
		if _, ok := errors.AsType[*catalog.MemoryError](err); ok && what == clients {
			what = memory
		} else if _, ok := errors.AsType[*annotate.FileError](err); ok {
			if what == clients {
				what = notes
			}
		} else if _, live := errors.AsType[*sessions.RegistryError](err); !ok && !live {
			what = missing
		}
	}
	problem = errors.Join(list...)
	return &out.Failure{What: what, Facts: survey.Sentences(problem), Cause: problem}
}

// concerns reports whether a read error is about the scope. A registry error is about all projects.
func (s Scope) concerns(err error) bool {
	if e, ok := errors.AsType[*catalog.MemoryError](err); ok {
		row := sessions.Row{}
		row.Project, row.Workdir = e.Project, e.Dir
		return s.Holds(&row)
	}
	e, ok := errors.AsType[*sessions.UnlistedError](err)
	if !ok || s == (Scope{}) {
		return true
	}
	for _, root := range []string{s.Project, s.Below} {
		if root == "" {
			continue
		}
		for _, folder := range append(linkedWorktrees(root), root) {
			if e.MayConcern(folder) {
				return true
			}
		}
	}
	return false
}

// linkedWorktrees returns the linked worktrees of a repository.
func linkedWorktrees(root string) []string {
	dir := filepath.Join(root, ".git", "worktrees")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // most repositories have no linked worktrees
	}
	var list []string
	for _, e := range entries {
		if git := sessions.FirstLine(filepath.Join(dir, e.Name(), "gitdir")); filepath.IsAbs(git) {
			list = append(list, filepath.Dir(git))
		}
	}
	return list
}

// LookedPlaces returns the searched places with notes, for a user without sessions. If there is a transcript, it
// returns nil.
func LookedPlaces(ctx context.Context, env *place.Env, opts catalog.Options) []tui.Place {
	var places []tui.Place
	for _, dir := range opts.Dirs {
		path := filepath.Join(dir, "projects")
		note, missing, found := lookAt(path)
		if found {
			return nil
		}
		places = append(places, tui.Place{Path: path, Note: note, Missing: missing})
	}
	variable := tui.Place{Path: "CLAUDE_CONFIG_DIR", Note: "is not set"}
	switch value := env.Host.Getenv(variable.Path); {
	case len(env.ClaudeDirs) > 0:
		variable.Note = "is ignored with --claude-dir"
	case value != "":
		variable.Note = "is " + env.Tilde(value)
	}
	places = append(places, variable)
	if opts.Cwd != "" {
		found, _ := backup.Find(ctx, opts.Cwd, nil) // the tab of the backups reports errors
		places = append(places, tui.Place{
			Path: filepath.Join(opts.Cwd, ".claude", "memory"), Note: countOrNo(len(found.Backups), "backup") + ", " + countOrNo(len(found.Documents), "document"),
		})
	}
	return places
}

// countOrNo returns a count such as "no backups", "1 backup" or "2 backups".
func countOrNo(n int, thing string) string {
	if n == 0 {
		return "no " + thing + "s"
	}
	return out.Count(n, thing)
}

// lookAt describes a projects directory. missing means that it can't be read. found means that it has a
// transcript; note is then "".
func lookAt(path string) (note string, missing, found bool) {
	projects, err := os.ReadDir(path)
	switch {
	case os.IsNotExist(err):
		return "does not exist", true, false
	case os.IsPermission(err):
		return "permission denied: check who owns it and its mode", true, false
	case err != nil:
		return "cannot be read: " + out.Reason(err), true, false
	}
	closed := ""
	for _, p := range projects {
		files, err := os.ReadDir(filepath.Join(path, p.Name()))
		if os.IsPermission(err) {
			closed = p.Name()
		}
		for _, f := range files {
			if name := f.Name(); filepath.Ext(name) == ".jsonl" && !strings.HasPrefix(name, "agent-") {
				return "", false, true
			}
		}
	}
	if closed != "" {
		return "permission denied: " + out.CleanPath(closed), true, false
	}
	return "has no sessions", false, false
}

// nothingText returns the browser's text for an empty list, for the command line.
func nothingText(places []tui.Place, home string) string {
	var b strings.Builder
	b.WriteString("No sessions yet.")
	if len(places) > 0 {
		b.WriteString(" continuo looked here:")
	}
	b.WriteString("\n")
	width := 0
	for _, p := range places {
		width = max(width, ansi.StringWidth(sessions.Tilde(p.Path, home)))
	}
	for _, p := range places {
		b.WriteString("  " + render.Pad(sessions.Tilde(p.Path, home), width) + "  " + p.Note + "\n")
	}
	b.WriteString("Start claude in a project, and its sessions appear here.\n" +
		"To use another config directory: continuo --claude-dir PATH\n" +
		"To browse demo sessions: continuo demo\n")
	return b.String()
}
