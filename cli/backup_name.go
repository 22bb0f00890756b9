package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

// leastName is how much of a name or of an id has to be said: less than that fits too much.
const leastName = 4

// backupAsk is what every command about backups is told.
type backupAsk struct {
	words   []string // what names backups
	project string   // --project
	line    string   // the command line without the flags that say what to do with the plan
}

// addProject adds --project to a command about backups.
func addProject(cmd *cobra.Command, ask *backupAsk) {
	cmd.Flags().StringVar(&ask.project, "project", "", "")
}

// memoryFoldersAsked are those that the command line names: --project, and the projects of backups that are named by a path.
func memoryFoldersAsked(env *Env, ask *backupAsk) []string {
	if ask == nil {
		return nil
	}
	var list []string
	if ask.project != "" {
		list = append(list, realPath(env.abs(ask.project)))
	}
	for _, word := range ask.words {
		if path, ok := namedPath(env, word); ok && memoryProject(path) != "" {
			list = append(list, memoryProject(path))
		}
	}
	return list
}

// namedPath is the path that a word is, if it looks like one.
func namedPath(env *Env, word string) (path string, ok bool) {
	if !strings.ContainsRune(word, filepath.Separator) {
		return "", false
	}
	path = expandHome(word, env.home)
	return env.abs(path), true
}

// backupScope is the project that a command acts in: never all of them. The error says how to name one.
func backupScope(ctx context.Context, env *Env, l *backupRows, ask *backupAsk) (scope, error) {
	s := scopeOf(ctx, env, l.rows, listOptions{project: ask.project})
	if above := survey.MemoryOf(ctx, realPath(env.dir), env.home); s == (scope{}) && above != "" {
		return scope{project: above, below: above}, nil // all there is of it may lie in its trash
	}
	if s == (scope{}) {
		return s, &out.Failure{
			What:  "This folder is of no project that continuo knows. Name a backup, or a project with --project PATH.",
			Hints: []string{"continuo backup list   shows those of every project"},
		}
	}
	return s, nil
}

// backupsNamed are the backups that a word means, newest first: those of the first rule that has any. A word is, in this order,
// the path of one, the name of its file, a whole session id, the start of a name or a time, the start of a session id.
func backupsNamed(env *Env, list []*backupRow, word string) []*backupRow {
	if path, ok := namedPath(env, word); ok {
		real := realPath(path)
		return slices.DeleteFunc(slices.Clone(list), func(b *backupRow) bool {
			return b.row.Path != path && b.row.Path != real && realPath(b.row.Path) != real
		})
	}
	name := strings.TrimSuffix(word, ".jsonl")
	enough := len(name) >= leastName
	made := madeAt(word, env.now())
	for _, fits := range []func(*backupRow) bool{
		func(b *backupRow) bool { return name != "" && b.row.ID == name },
		func(b *backupRow) bool { return word != "" && strings.EqualFold(b.row.Of, word) },
		func(b *backupRow) bool {
			return enough && strings.HasPrefix(b.row.ID, name) || made != nil && made(b.row.When())
		},
		func(b *backupRow) bool { return enough && hasPrefixFold(b.row.Of, word) },
	} {
		var found []*backupRow
		for _, b := range list {
			if fits(b) {
				found = append(found, b)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// oneBackup is the backup that a word means. Newest takes the newest of several copies of one session.
func oneBackup(env *Env, l *backupRows, list []*backupRow, word string, newest bool) (*backupRow, error) {
	found := backupsNamed(env, list, word)
	switch {
	case len(found) == 0:
		return nil, noSuchBackup(word, l.problem)
	case len(found) == 1, newest && isSession(found, word):
		return found[0], nil
	}
	return nil, severalBackups(env, found, word)
}

// isSession reports whether a word means backups by their session, and that is one.
func isSession(found []*backupRow, word string) bool {
	return sameSession(found) && hasPrefixFold(found[0].row.Of, word)
}

// sameSession reports whether backups are of one session that is known.
func sameSession(list []*backupRow) bool {
	return list[0].row.Of != "" && !slices.ContainsFunc(list, func(b *backupRow) bool { return b.row.Of != list[0].row.Of })
}

// allBackups are the backups that words mean, each word one, each once.
func allBackups(env *Env, l *backupRows, list []*backupRow, words []string) ([]*backupRow, error) {
	var found []*backupRow
	for _, word := range words {
		b, err := oneBackup(env, l, list, word, false)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(found, b) {
			found = append(found, b)
		}
	}
	return found, nil
}

func noSuchBackup(word string, problem error) error {
	f := &out.Failure{
		Code: out.ExitNone, What: "No backup has the name, time or session " + out.Quoted(word) + ". See which there are.",
		Hints: []string{"continuo backup list --all"}, Cause: problem,
	}
	if len(word) < leastName {
		f.What = out.Quoted(word) + " is too short to name a backup. Say at least 4 characters of its name or session."
	}
	if problem != nil {
		f.Facts = survey.Sentences(problem)
	}
	return f
}

// severalBackups names the backups that a word fits.
func severalBackups(env *Env, found []*backupRow, word string) error {
	f := &out.Failure{What: out.Count(len(found), "backup") + " begin with " + out.Quoted(word) + ". Say more of the name."}
	switch {
	case madeAt(word, env.now()) != nil:
		f.What = out.Count(len(found), "backup") + " fit the time " + out.Quoted(word) + ". Name one by its file."
	case slices.ContainsFunc(found, func(b *backupRow) bool { return !hasPrefixFold(b.row.Of, word) }):
	case sameSession(found):
		f.What = out.Count(len(found), "backup") + " are of the session " + out.Quoted(word) + ". Name one by its file."
	default:
		f.What = out.Count(len(found), "backup") + " are of sessions that begin with " + out.Quoted(word) + ". Say more of the id."
	}
	if !slices.ContainsFunc(found, func(b *backupRow) bool { return b.row.ID != found[0].row.ID }) {
		f.What = out.Count(len(found), "backup") + " have the name " + out.Quoted(word) + ". Name one by its path."
		for _, b := range found[:min(len(found), candidatesMax)] {
			f.Facts = append(f.Facts, out.CleanPath(b.row.Path))
		}
	} else {
		f.Facts = backupCandidates(env, found[:min(len(found), candidatesMax)])
	}
	if more := len(found) - candidatesMax; more > 0 {
		f.Facts = append(f.Facts, "… "+words.Count(more)+" more")
	}
	return f
}

// backupCandidates tells backups apart: name, time, project, session.
func backupCandidates(env *Env, list []*backupRow) []string {
	cells := make([][4]string, len(list))
	var width [4]int
	for i, b := range list {
		cells[i] = [4]string{out.CleanPath(b.row.ID), words.Moment(env.now(), b.row.When()), projectName(&b.row), b.session()}
		for j, c := range cells[i] {
			width[j] = max(width[j], ansi.StringWidth(c))
		}
	}
	lines := make([]string, len(list))
	for i, c := range cells {
		for j := range c {
			c[j] = render.Pad(c[j], width[j])
		}
		lines[i] = strings.TrimRight(strings.Join(c[:], "  "), " ")
	}
	return lines
}

// session is the start of the id of the session that a backup was taken of.
func (b *backupRow) session() string {
	if b.row.Of == "" {
		return "unknown"
	}
	return shortID(b.row.Of)
}
