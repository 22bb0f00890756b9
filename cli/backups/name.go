package backups

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

// LeastName is the minimum length of a name or an ID in characters. Shorter ones match too many backups.
const LeastName = 4

// Ask has the arguments of all backup commands.
type Ask struct {
	Words   []string
	Project string
	Line    string // the command line without --dry-run and --yes
}

// memoryFoldersAsked returns the value of --project, and the projects of backups named by path.
func memoryFoldersAsked(env *place.Env, ask *Ask) []string {
	if ask == nil {
		return nil
	}
	var list []string
	if ask.Project != "" {
		list = append(list, place.RealPath(env.Abs(ask.Project)))
	}
	for _, word := range ask.Words {
		if path, ok := NamedPath(env, word); ok && place.MemoryProject(path) != "" {
			list = append(list, place.MemoryProject(path))
		}
	}
	return list
}

// NamedPath returns a word as a path. ok is false if the word doesn't look like a path.
func NamedPath(env *place.Env, word string) (path string, ok bool) {
	if !strings.ContainsRune(word, filepath.Separator) {
		return "", false
	}
	path = place.ExpandHome(word, env.Home)
	return env.Abs(path), true
}

// ScopeOf returns the project that a command acts on. The error says how to name a project.
func ScopeOf(ctx context.Context, env *place.Env, l *Rows, ask *Ask) (find.Scope, error) {
	s := find.ScopeOf(ctx, env, l.Rows, find.Options{Project: ask.Project})
	if above := survey.MemoryOf(ctx, place.RealPath(env.Dir), env.Home); s == (find.Scope{}) && above != "" {
		return find.Scope{Project: above, Below: above}, nil // even if all backups are in the trash
	}
	if s == (find.Scope{}) {
		return s, &out.Failure{
			What:  "This folder isn't in a known project. Name a backup, or a project with --project PATH.",
			Hints: []string{"continuo backup list   shows the backups of every project"},
		}
	}
	return s, nil
}

// Named returns the backups that match a word, newest first. The word may be, in this order: a path, a file
// name, a session ID, the beginning of a name, a time, or the beginning of a session ID.
func Named(env *place.Env, list []*Row, word string) []*Row {
	if path, ok := NamedPath(env, word); ok {
		real := place.RealPath(path)
		return slices.DeleteFunc(slices.Clone(list), func(b *Row) bool {
			return b.Row.Path != path && b.Row.Path != real && place.RealPath(b.Row.Path) != real
		})
	}
	name := strings.TrimSuffix(word, ".jsonl")
	enough := len(name) >= LeastName
	made := madeAt(word, env.Now())
	for _, fits := range []func(*Row) bool{
		func(b *Row) bool { return name != "" && b.Row.ID == name },
		func(b *Row) bool { return word != "" && strings.EqualFold(b.Row.Of, word) },
		func(b *Row) bool {
			return enough && strings.HasPrefix(b.Row.ID, name) || made != nil && made(b.Row.When())
		},
		func(b *Row) bool { return enough && find.HasPrefixFold(b.Row.Of, word) },
	} {
		var found []*Row
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

// One returns the backup that a word names. It returns an error if several match. With newest, a session ID or
// its beginning names the newest backup of the session.
func One(env *place.Env, l *Rows, list []*Row, word string, newest bool) (*Row, error) {
	found := Named(env, list, word)
	switch {
	case len(found) == 0:
		return nil, noSuchBackup(word, l.problem)
	case len(found) == 1, newest && isSession(found, word):
		return found[0], nil
	}
	return nil, severalBackups(env, found, word)
}

// isSession reports whether the word is the session ID, or its beginning, of all found backups.
func isSession(found []*Row, word string) bool {
	return sameSession(found) && find.HasPrefixFold(found[0].Row.Of, word)
}

// sameSession reports whether all backups are of one known session.
func sameSession(list []*Row) bool {
	return list[0].Row.Of != "" && !slices.ContainsFunc(list, func(b *Row) bool { return b.Row.Of != list[0].Row.Of })
}

// All returns the backups that the words name, without duplicates. A word must name one backup.
func All(env *place.Env, l *Rows, list []*Row, words []string) ([]*Row, error) {
	var found []*Row
	for _, word := range words {
		b, err := One(env, l, list, word, false)
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
		Code: out.ExitNone, What: "No backup has the name, time or session " + out.Quoted(word) + ". List all backups.",
		Hints: []string{"continuo backup list --all"}, Cause: problem,
	}
	if len(word) < LeastName {
		f.What = out.Quoted(word) + " is too short. Type at least 4 characters of the backup's name or session."
	}
	if problem != nil {
		f.Facts = survey.Sentences(problem)
	}
	return f
}

// severalBackups returns the error for a word that matches several backups.
func severalBackups(env *place.Env, found []*Row, word string) error {
	f := &out.Failure{What: out.Count(len(found), "backup") + " begin with " + out.Quoted(word) + ". Type more of the name."}
	switch {
	case madeAt(word, env.Now()) != nil:
		f.What = out.Count(len(found), "backup") + " match the time " + out.Quoted(word) + ". Name one by its file name."
	case slices.ContainsFunc(found, func(b *Row) bool { return !find.HasPrefixFold(b.Row.Of, word) }):
	case sameSession(found):
		f.What = out.Count(len(found), "backup") + " match the session ID " + out.Quoted(word) + ". Name one by its file name."
	default:
		f.What = out.Count(len(found), "backup") + " have a session ID that begins with " + out.Quoted(word) + ". Type more of the ID."
	}
	if !slices.ContainsFunc(found, func(b *Row) bool { return b.Row.ID != found[0].Row.ID }) {
		f.What = out.Count(len(found), "backup") + " have the name " + out.Quoted(word) + ". Name one by its path."
		for _, b := range found[:min(len(found), find.CandidatesMax)] {
			f.Facts = append(f.Facts, out.CleanPath(b.Row.Path))
		}
	} else {
		f.Facts = backupCandidates(env, found[:min(len(found), find.CandidatesMax)])
	}
	if more := len(found) - find.CandidatesMax; more > 0 {
		f.Facts = append(f.Facts, "… "+words.Count(more)+" more")
	}
	return f
}

// backupCandidates returns a line for each backup: its name, time, project and session.
func backupCandidates(env *place.Env, list []*Row) []string {
	cells := make([][4]string, len(list))
	var width [4]int
	for i, b := range list {
		cells[i] = [4]string{out.CleanPath(b.Row.ID), words.Moment(env.Now(), b.Row.When()), place.ProjectName(&b.Row), b.session()}
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

// session returns the short session ID.
func (b *Row) session() string {
	if b.Row.Of == "" {
		return "unknown"
	}
	return place.ShortID(b.Row.Of)
}

// madeAt parses a time or a date, as in backup list or in file names. The returned function reports whether a
// backup was made then. It compares minutes or, for a date, days. A time alone matches on any day. For other
// words, madeAt returns nil.
func madeAt(word string, now time.Time) func(time.Time) bool {
	words := strings.Fields(word)
	if len(words) == 0 {
		return nil
	}
	switch strings.ToLower(words[0]) {
	case "today":
		words[0] = now.Format(time.DateOnly)
	case "yesterday":
		words[0] = now.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	word = strings.Join(words, " ")
	for _, text := range []string{word, now.Format("2006 ") + word} {
		for _, layout := range []string{
			"2006-01-02 15:04", time.DateOnly, "2006 Jan 2 15:04", "2006 Jan 2", "15:04", "20060102_1504", "20060102_150405",
		} {
			t, err := time.ParseInLocation(layout, text, now.Location())
			if err != nil {
				continue
			}
			want := t.Format(layout)
			return func(made time.Time) bool { return made.In(now.Location()).Format(layout) == want }
		}
	}
	return nil
}

// backupWords joins the words of a time, which the shell has split.
func backupWords(args []string, now time.Time) []string {
	const most = 4 // 2025 Nov 17 15:19 has four words
	var words []string
	for len(args) > 0 {
		n := min(len(args), most)
		for n > 1 && madeAt(strings.Join(args[:n], " "), now) == nil {
			n--
		}
		words = append(words, strings.Join(args[:n], " "))
		args = args[n:]
	}
	return words
}
