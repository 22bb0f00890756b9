// Package find finds sessions and projects by arguments of commands, by filters of continuo list, and for
// completion.
package find

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/snapshot"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/match"
	"github.com/continuo-tui/continuo/tui/render"
)

// CandidatesMax is how many sessions are listed if several match a word.
const CandidatesMax = 10

// SessionArg is an argument that names a session.
type SessionArg struct {
	Word   string // an ID or its beginning, a title, or a path
	Latest bool
}

// AddLatest adds --latest to a command that takes a SESSION.
func AddLatest(cmd *cobra.Command, latest *bool) {
	cmd.Flags().BoolVar(latest, "latest", false, "use the newest session of this project")
}

// NewSessionArg returns an error unless either SESSION or --latest is given.
func NewSessionArg(cmd *cobra.Command, args []string, latest bool) (SessionArg, error) {
	hint := "continuo " + cmd.Name() + " --help"
	switch {
	case len(args) > 1:
		return SessionArg{}, out.Usage(cmd.Name()+" takes one session, not "+out.Count(len(args), "word")+". Put a title in quotes.", hint)
	case latest && len(args) > 0:
		return SessionArg{}, out.Usage("--latest and "+out.Quoted(args[0])+" both name a session. Use one of them.", hint)
	case !latest && (len(args) == 0 || args[0] == ""):
		return SessionArg{}, out.Usage(cmd.Name()+" takes a session: an ID or ID prefix, a title, a path, or --latest.",
			"continuo list   shows the IDs")
	case latest:
		return SessionArg{Latest: true}, nil
	}
	return SessionArg{Word: args[0]}, nil
}

// Session returns the row for an argument. A word is, in this order, a path, an ID, a title, or the beginning of
// an ID. Without a match, Session reads all files completely: they may have more titles.
func Session(ctx context.Context, env *place.Env, arg SessionArg) (sessions.Row, place.Source, error) {
	opts, err := place.CatalogOptions(env)
	if err != nil {
		return sessions.Row{}, nil, err
	}
	src := env.Open(opts)
	file, err := FileRow(env, arg.Word)
	if err != nil {
		return sessions.Row{}, nil, err
	}
	if file != nil {
		return describeFile(ctx, env, *file), src, nil
	}
	rows, problem := src.List(ctx, true)
	if ctx.Err() != nil {
		return sessions.Row{}, nil, ctx.Err()
	}
	if arg.Latest {
		row, err := latestSession(ctx, env, rows)
		return row, src, err
	}
	found := MatchRows(rows, arg.Word)
	if len(found) == 0 {
		if rows, problem = src.List(ctx, false); ctx.Err() != nil {
			return sessions.Row{}, nil, ctx.Err()
		}
		found = MatchRows(rows, arg.Word)
	}
	switch len(found) {
	case 1:
		return found[0], src, nil
	case 0:
		return sessions.Row{}, nil, notFound(arg.Word, problem)
	}
	return sessions.Row{}, nil, Ambiguous(found, arg.Word, env.Now())
}

// FileRow returns the row if the word is the path of a file, else nil.
func FileRow(env *place.Env, word string) (*sessions.Row, error) {
	ext := filepath.Ext(word)
	document := ext == ".md" || filepath.Base(word) == snapshot.Name
	named := ext == ".jsonl" || document
	path := env.Abs(word)
	info, err := os.Stat(path)
	switch {
	case word == "" || !named && !strings.ContainsRune(word, filepath.Separator):
		return nil, nil
	case err != nil && !named:
		return nil, nil // a title may contain a slash
	case err != nil:
		code := out.ExitFailed
		if os.IsNotExist(err) {
			code = out.ExitNone
		}
		return nil, &out.Failure{
			Code: code, What: env.Tilde(path) + " cannot be read: " + out.Reason(err) + ". Check the path.",
			Hints: []string{"continuo list   lists the sessions"}, Cause: err,
		}
	case !info.Mode().IsRegular():
		return nil, &out.Failure{What: env.Tilde(path) + " isn't a regular file. Name a .jsonl or .md file."}
	}
	if real := place.RealPath(path); filepath.Base(filepath.Dir(filepath.Dir(real))) == "projects" {
		path = real // resolves links to a session
	}
	row := sessions.Row{Kind: sessions.KindSession}
	if document {
		row.Kind = sessions.KindDocument
	}
	row.Path, row.ID = path, strings.TrimSuffix(filepath.Base(path), ext)
	row.State, row.Modified, row.Bytes = sessions.StateOK, info.ModTime(), info.Size()
	return &row, nil
}

// describeFile adds the facts about a transcript, and the user's notes. It reads no other transcript, so a path
// is fast.
func describeFile(ctx context.Context, env *place.Env, file sessions.Row) sessions.Row {
	if file.Kind != sessions.KindSession {
		return file
	}
	file.Session = sessions.Read(ctx, file.Path, env.Now())
	if key, ok := place.NoteKey(env, &file); ok {
		notes, _ := place.OpenNotes(env).Load() // then the title comes from the transcript
		notes[key].SetFields(&file)
	}
	return file
}

// ProjectRowsHere returns the filtered rows of the current project; none outside of a project.
func ProjectRowsHere(ctx context.Context, env *place.Env, rows []sessions.Row, f RowFilter) []sessions.Row {
	s := ScopeOf(ctx, env, rows, Options{})
	if s.Project == "" {
		return nil
	}
	return SelectRows(rows, s, f, 0).rows
}

// latestSession returns the first session of a list on a terminal.
func latestSession(ctx context.Context, env *place.Env, rows []sessions.Row) (sessions.Row, error) {
	rows = ProjectRowsHere(ctx, env, rows, RowFilter{Hide: true})
	i := slices.IndexFunc(rows, func(r sessions.Row) bool { return !r.Last.IsZero() || r.State == sessions.StateOK })
	if i < 0 {
		return sessions.Row{}, &out.Failure{Code: out.ExitNone, What: "There is no session here yet. Look in every project.", Hints: []string{"continuo list --all"}}
	}
	return rows[i], nil
}

// MatchRows returns the rows that a word names. The word is, in this order, an ID, a title, or the beginning of
// an ID. At the first match, sessions have precedence over backups and documents.
func MatchRows(rows []sessions.Row, word string) []sessions.Row {
	title := foldedTitle(word)
	rules := []func(*sessions.Row) bool{
		func(r *sessions.Row) bool {
			return strings.EqualFold(r.ID, word) || r.Of != "" && strings.EqualFold(r.Of, word)
		},
		func(r *sessions.Row) bool { return title != "" && foldedTitle(r.Name) == title },
		func(r *sessions.Row) bool {
			return HasPrefixFold(r.ID, word) || HasPrefixFold(r.Of, word)
		},
	}
	for _, fits := range rules {
		var found, copies []sessions.Row
		for i := range rows {
			switch {
			case !fits(&rows[i]):
			case rows[i].Kind == sessions.KindSession:
				found = append(found, rows[i])
			default:
				copies = append(copies, rows[i])
			}
		}
		if len(found) > 0 {
			return found
		}
		if len(copies) > 0 {
			return copies
		}
	}
	return nil
}

// foldedTitle returns a title for comparisons: plain and in lower case.
func foldedTitle(s string) string { return match.Fold(render.Prose(render.Plain(s))) }

// HasPrefixFold is strings.HasPrefix without regard to case.
func HasPrefixFold(s, prefix string) bool {
	return len(prefix) <= len(s) && strings.EqualFold(s[:len(prefix)], prefix)
}

func notFound(word string, problem error) error {
	f := &out.Failure{
		Code:  out.ExitNone,
		What:  "No session has the ID or title " + out.Quoted(word) + ". List all sessions.",
		Hints: []string{"continuo list --all"},
	}
	if problem != nil {
		f.What = "No session that could be read has the ID or title " + out.Quoted(word) + "."
		f.Facts = survey.Sentences(problem)
		f.Cause = problem
	}
	return f
}

// Ambiguous returns the error for a word that matches several sessions.
func Ambiguous(found []sessions.Row, word string, now time.Time) error {
	f := &out.Failure{What: out.Count(len(found), "session") + " begin with " + out.Quoted(word) + ". Type more of the ID."}
	title := foldedTitle(word)
	sameName := !slices.ContainsFunc(found, func(r sessions.Row) bool { return foldedTitle(r.Name) != title })
	sameID := !slices.ContainsFunc(found, func(r sessions.Row) bool { return r.ID != found[0].ID })
	switch {
	case sameID:
		f.What = out.Count(len(found), "file") + " have the ID " + out.Quoted(found[0].ID) + ". Name one by its path."
	case sameName:
		f.What = out.Count(len(found), "session") + " are called " + out.Quoted(transcript.CleanLine(word)) + ". Name one by its ID."
	}
	shown := found[:min(len(found), CandidatesMax)]
	if sameID {
		for i := range shown {
			f.Facts = append(f.Facts, out.CleanPath(shown[i].Path))
		}
	} else {
		f.Facts = candidateLines(shown, now)
	}
	if more := len(found) - len(shown); more > 0 {
		f.Facts = append(f.Facts, "… "+words.Count(more)+" more")
	}
	return f
}

// candidateLines returns a line for each session: ID, title, project and age.
func candidateLines(rows []sessions.Row, now time.Time) []string {
	short := map[string]bool{}
	for i := range rows {
		short[place.ShortID(rows[i].ID)] = true
	}
	id, name, project := 0, 0, 0
	cells := make([][4]string, len(rows))
	for i := range rows {
		r := &rows[i]
		cells[i] = [4]string{place.ShortID(r.ID), words.Cut(render.Title(r), 40), place.ProjectName(r), render.RowAge(r, now)}
		if len(short) < len(rows) {
			cells[i][0] = out.CleanPath(r.ID)
		}
		id = max(id, ansi.StringWidth(cells[i][0]))
		name = max(name, ansi.StringWidth(cells[i][1]))
		project = max(project, ansi.StringWidth(cells[i][2]))
	}
	lines := make([]string, len(rows))
	for i, c := range cells {
		lines[i] = render.Pad(c[0], id) + "  " + render.Pad(c[1], name) + "    " + render.Pad(c[2], project) + "  " + strings.Repeat(" ", max(4-len(c[3]), 0)) + c[3]
	}
	return lines
}
