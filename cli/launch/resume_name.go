package launch

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger/snapshot"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// namedToResume returns the row with a given name. A backup or document needs its path or complete file name.
func namedToResume(ctx context.Context, env *place.Env, arg find.SessionArg, o *resumeOptions) (sessions.Row, error) {
	row, err := keptPath(ctx, env, arg.Word)
	if row == nil && err == nil {
		var found sessions.Row
		found, _, err = find.Session(ctx, env, arg)
		row = &found
		if err != nil || row.Kind != sessions.KindSession {
			if row, err = keptName(ctx, env, arg.Word, row, err); err != nil {
				return sessions.Row{}, err
			}
		}
	}
	switch {
	case err != nil:
		return sessions.Row{}, err
	case row.Kind == sessions.KindSession && o.ask.Take != "":
		return *row, out.Usage("--take is for a backup or a document, and this is a session. Leave it out.", "continuo resume --help")
	case row.Kind == sessions.KindDocument && o.ask.Fork:
		return *row, out.Usage("A document begins a new session, so there is nothing to fork. Leave --fork out.")
	}
	return *row, nil
}

// keptPath returns the backup or document at a path, or nil.
func keptPath(ctx context.Context, env *place.Env, word string) (*sessions.Row, error) {
	path, ok := backups.NamedPath(env, word)
	if ext := filepath.Ext(word); !ok && (ext == ".md" || ext == ".jsonl" || filepath.Base(word) == snapshot.Name) {
		path, ok = env.Abs(word), true
	}
	if !ok {
		return nil, nil
	}
	row, err := find.FileRow(env, path)
	if row == nil || err != nil {
		return nil, nil // a name or a title; find reports other errors
	}
	if place.MemoryProject(row.Path) != "" {
		row.Kind = sessions.KindBackup
	}
	if row.Kind == sessions.KindSession {
		return nil, nil
	}
	opts, err := place.CatalogOptions(env)
	if err != nil {
		return nil, err
	}
	row.Workdir = memoryFolder(ctx, env, row)
	opts.Dirs, opts.Cwd, opts.Also = nil, "", []string{row.Workdir}
	rows, _ := env.Open(opts).List(ctx, true) // a missing directory has no rows
	for _, r := range rows {
		if r.Path == row.Path || place.RealPath(r.Path) == place.RealPath(row.Path) {
			return &r, nil
		}
	}
	return row, ctx.Err()
}

// keptName returns the backup or document with a file name, in any known project. found and err come from looking up
// word as a session.
func keptName(ctx context.Context, env *place.Env, word string, found *sessions.Row, err error) (*sessions.Row, error) {
	name := strings.TrimSuffix(strings.TrimSuffix(word, ".jsonl"), ".md")
	if err == nil && found.ID == name {
		return found, nil
	}
	l, problem := backups.Read(ctx, env, nil)
	if problem != nil {
		return nil, problem
	}
	rows := slices.DeleteFunc(slices.Clone(l.Rows), func(r sessions.Row) bool { return r.Kind == sessions.KindSession || r.ID != name })
	switch {
	case len(rows) == 1:
		return &rows[0], nil
	case len(rows) > 1:
		return nil, find.Ambiguous(rows, name, env.Now())
	case err != nil:
		return nil, err
	}
	return nil, &out.Failure{
		Code:  out.ExitNone,
		What:  "No session has the ID or title " + out.Quoted(word) + ". A " + string(found.Kind) + " matches: give its full name.",
		Hints: []string{env.Command("resume", transcript.CleanLine(found.ID))},
	}
}
