package cli

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
)

const helpBackupUndo = `
continuo backup undo [ENTRY] takes back what was discarded, pruned or restored: the newest of that in this project, or
an entry of any trash, which continuo backup list --trash names.

  --project PATH            the newest in another project
  --dry-run                 the plan, and nothing else
  --yes                     do it without a question
  --json                    the plan, and what was done, as one object (its fields: continuo help backup)

Backups and markers come back as they were, byte for byte. The file that a restore made goes, unless it was written to
since or is open. Where another file is in the place of one, nothing is done. What one action did in several projects
continuo undo takes back at once.

Exit: 1 when you said no · 2 when it could not be done, or nobody could be asked · 3 when there is no such entry.
`

func newBackupUndoCmd(env *Env, o *out.Output) *cobra.Command {
	var ask backupAsk
	var w writeFlags
	cmd := &cobra.Command{
		Use:  "undo",
		Long: helpBackupUndo,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return out.Usage("undo takes one entry of the trash, not "+out.Count(len(args), "word")+".", "continuo backup list --trash")
			}
			ask.words, ask.line = args, commandLine(cmd, args)
			return undoDeed(cmd.Context(), env, o, &ask, w)
		},
	}
	addProject(cmd, &ask)
	addWriteFlags(cmd, &w)
	return cmd
}

// undoDeed takes back an entry of the trash, or a restore.
func undoDeed(ctx context.Context, env *Env, o *out.Output, ask *backupAsk, w writeFlags) error {
	l, err := readBackups(ctx, env, &backupAsk{project: ask.project})
	if err != nil {
		return err
	}
	actStore(env).Recover(ctx)
	look, err := lookPast(ctx, env, o, l.dirs)
	if err != nil {
		return err
	}
	e, err := trashEntryNamed(ctx, env, l, ask)
	restore, failed := newestRestore(ctx, env, l, look, ask)
	if failed != nil {
		return failed
	}
	if restore != nil && (err != nil || restore.At.After(e.deed.At)) {
		return look.undo(ctx, []string{restore.ID}, w, ask.line)
	}
	if err != nil {
		return err
	}
	return look.undoEntry(ctx, e, w, ask.line)
}

// newestRestore returns the newest restore of this project that was not undone, or the one whose id is named; nil is none.
func newestRestore(ctx context.Context, env *Env, l *backupRows, look *pastLook, ask *backupAsk) (*journal.Entry, error) {
	folders := []string(nil)
	if len(ask.words) == 0 || ask.project != "" {
		s, err := backupScope(ctx, env, l, ask)
		if err != nil {
			return nil, err
		}
		folders = memoryFolders(ctx, env, l, s)
	}
	for i := range look.entries {
		e := &look.entries[i]
		named := len(ask.words) > 0 && len(ask.words[0]) >= leastName && strings.HasPrefix(e.ID, ask.words[0])
		here := folders == nil || slices.ContainsFunc(e.Where, func(dir string) bool { return slices.Contains(folders, dir) })
		if e.Kind == journal.Restore && here && (named || len(ask.words) == 0 && e.Undone == "") {
			return e, nil
		}
	}
	return nil, nil
}

// undoEntry takes back an entry of the trash, which the journal may not know.
func (l *pastLook) undoEntry(ctx context.Context, e *trashEntry, flags writeFlags, line string) error {
	c := change.Change{Kind: string(journal.Undo), What: act.TookBack + e.what(), Where: []string{e.project}, Unkept: true}
	for i := range l.entries {
		if slices.ContainsFunc(l.entries[i].Ops, func(o change.Op) bool {
			return projectOf(&o) == e.project && backup.EntryOf(o.To) == e.deed.ID
		}) {
			c.Of = l.entries[i].ID
		}
	}
	plan := func(ctx context.Context) (now change.Change, err error) {
		now = c
		m, err := backup.OpenMemory(e.project)
		if err != nil {
			return now, err
		}
		defer func() { _ = m.Close() }() // it is only read
		u, ops, err := m.PutBack(ctx, e.deed.ID)
		now.Ops, now.Report = ops, &u
		return now, err
	}
	shown, err := plan(ctx)
	if err != nil {
		return memoryFailure(l.env, e.project, err)
	}
	if len(shown.Ops) == 0 {
		return &out.Failure{What: upperFirst(e.what()) + ", " + words.Moment(l.env.now(), e.deed.At) + ": it was taken back already."}
	}
	w := &wayBack{entry: journal.Entry{Where: c.Where}, plan: &deedPlan{report: deedJSON{Action: "undo", Entries: []string{e.deed.ID}}, line: line}}
	w.way = &act.Way{Change: shown}
	p := w.plan
	p.add("Takes back", change.Line{Text: words.Moment(l.env.now(), e.deed.At) + ", " + e.what() + " of " + baseName(e.project)})
	l.drawOps(w)
	if u, ok := shown.Report.(*backup.Undone); ok {
		for _, v := range u.Gone {
			p.add("But", warning("backup "+out.CleanPath(v.Path)+" is neither in the trash nor in its place: somebody else took it"))
		}
	}
	p.add("Undo", change.Line{Text: e.again() + " does it again."})
	return proceed(ctx, l.o, flags, p, func(ctx context.Context) ([]string, error) {
		done, err := actStore(l.env).Do(ctx, &shown, plan)
		if err != nil {
			return nil, actFailure(l.env, err, "taking it back", func(err error) error { return memoryFailure(l.env, e.project, err) })
		}
		if lost := lostBy(&done); lost != "" {
			p.report.Problems = append(p.report.Problems, lost)
		}
		return []string{saidOps(done.Ops)}, nil
	})
}

// trashEntryNamed is the deed that is meant: of the whole machine when it is named, else the newest one here.
func trashEntryNamed(ctx context.Context, env *Env, l *backupRows, ask *backupAsk) (*trashEntry, error) {
	s := scope{}
	if len(ask.words) == 0 || ask.project != "" {
		var err error
		if s, err = backupScope(ctx, env, l, ask); err != nil {
			return nil, err
		}
	}
	list, problems, err := readTrash(ctx, memoryFolders(ctx, env, l, s))
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, emptyTrashFailure(ctx, env, l, len(ask.words) == 0 || ask.project != "", problems)
	}
	if len(ask.words) > 0 {
		word := ask.words[0]
		exact := slices.ContainsFunc(list, func(e trashEntry) bool { return e.deed.ID == word })
		list = slices.DeleteFunc(list, func(e trashEntry) bool {
			return e.deed.ID != word && (exact || len(word) < leastName || !strings.HasPrefix(e.deed.ID, word))
		})
		if len(list) > 1 {
			f := &out.Failure{What: out.Count(len(list), "entry") + " of the trash begin with " + out.Quoted(word) + ". Say more of it, or the project with --project PATH."}
			f.What = strings.Replace(f.What, "entrys", "entries", 1)
			for _, e := range list[:min(len(list), candidatesMax)] {
				f.Facts = append(f.Facts, out.CleanPath(e.deed.ID)+"  "+e.what()+" of "+env.tilde(e.project))
			}
			return nil, f
		}
	}
	if len(ask.words) == 0 { // of one that was taken back something else may be left
		list = slices.DeleteFunc(list, func(e trashEntry) bool { return !e.has(ctx) })
		if len(list) == 0 {
			return nil, emptyTrashFailure(ctx, env, l, true, problems)
		}
	}
	if len(list) == 0 {
		return nil, &out.Failure{
			Code: out.ExitNone, What: "No entry of the trash has the name " + out.Quoted(ask.words[0]) + ". See which there are.", Facts: problems,
			Hints: []string{"continuo backup list --trash"},
		}
	}
	return &list[0], nil
}

// has reports whether an entry has something to take back. Where that can't be told it is said when it is planned.
func (e *trashEntry) has(ctx context.Context) bool {
	m, err := backup.OpenMemory(e.project)
	if err != nil {
		return true
	}
	defer func() { _ = m.Close() }() // it is only read
	_, ops, err := m.PutBack(ctx, e.deed.ID)
	return err != nil || len(ops) > 0
}

// emptyTrashFailure says that there is nothing to take back, and where there is something, if only here is nothing.
func emptyTrashFailure(ctx context.Context, env *Env, l *backupRows, here bool, problems []string) error {
	f := &out.Failure{Code: out.ExitNone, What: "Nothing is in the trash, so there is nothing to take back.", Facts: problems}
	if here {
		f.What = "Nothing is in the trash here, so there is nothing to take back."
		if list, _, _ := readTrash(ctx, memoryFolders(ctx, env, l, scope{})); len(list) > 0 {
			f.Hints = []string{"continuo backup list --trash   shows what other projects have"}
		}
	}
	return f
}

// isOpen reports whether a client has a session open, or may have: an entry of the registry that cannot be understood
// may be its.
func isOpen(ctx context.Context, env *Env, dirs []string, id string) bool {
	for _, dir := range dirs {
		list, errs := sessions.ReadRegistry(ctx, dir, sessions.SystemProbe())
		open := slices.ContainsFunc(list, func(l sessions.Live) bool { return l.SessionID == id })
		if open || len(errs) > 0 || len(startingOf(ctx, env, &sessions.Row{Session: sessions.Session{ID: id, Dir: dir}})) > 0 {
			return true
		}
	}
	return false
}

// again is the command line that does it again.
func (e *trashEntry) again() string {
	words := []string{"continuo", "backup", string(e.deed.Kind)}
	if e.deed.Kind == backup.DeedDiscard {
		for i := range e.deed.Moves {
			words = append(words, strings.TrimSuffix(filepath.Base(e.deed.Moves[i].Name), ".jsonl"))
		}
	}
	return shellLine(words)
}

// onlyCopies counts the backups of a deed of which no transcript has every byte, and those that could not be compared.
func (l *backupRows) onlyCopies(ctx context.Context, deed *backup.Deed) (only, unknown int, err error) {
	_, unlisted := errors.AsType[*sessions.UnlistedError](l.problem)
	for _, m := range deed.Moves {
		b := backupRow{}
		b.row.Path = filepath.Join(deed.Path, filepath.FromSlash(m.Name))
		b.row.Of = backup.Owner(&backup.Backup{Path: b.row.Path})
		for i := range l.rows {
			if r := &l.rows[i]; r.Kind == sessions.KindSession && !r.Deleted && r.ID == b.row.Of {
				b.live = r.Path
			}
		}
		b.row.Unsearched = unlisted && b.live == ""
		if err := b.compare(ctx, true); err != nil {
			return only, unknown, err
		}
		switch {
		case b.held():
		case b.relation == "":
			unknown++
		default:
			only++
		}
	}
	return only, unknown, nil
}
