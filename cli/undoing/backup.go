package undoing

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// completeEntry completes ENTRY with all known projects' trash entries.
func completeEntry(env *place.Env) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		l, err := backups.Read(cmd.Context(), env, nil)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		// An unreadable trash has no completions.
		list, _, _ := backups.ReadTrash(cmd.Context(), backups.MemoryFolders(cmd.Context(), env, l, find.Scope{}))
		all := make([]find.Candidate, len(list))
		for i := range list {
			all[i] = find.Candidate{Word: list[i].Entry.ID, About: list[i].What() + " of " + place.BaseName(list[i].Project)}
		}
		return find.Completions(all, typed), find.CandidatesOnly
	}
}

// NewBackupCmd returns the command continuo backup undo.
func NewBackupCmd(env *place.Env, o *out.Output) *cobra.Command {
	var ask backups.Ask
	var w writing.Flags
	cmd := &cobra.Command{
		Use:   "undo [ENTRY]",
		Short: "Undo the last discard, prune or restore",
		Long: `Undo the newest discard, prune or restore in this project, or an ENTRY of any trash.
To list the entries: continuo backup list --trash. Backups and markers are restored byte
for byte. Undoing a restore removes the restored session, unless the session has grown or
is open. Nothing is overwritten.

Exit codes: 1 you said no, 2 an error or there is no terminal to ask in, 3 no such
entry.`,
		Example:           `  continuo backup undo --dry-run`,
		ValidArgsFunction: completeEntry(env),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return out.Usage("undo takes one entry of the trash, not "+out.Count(len(args), "word")+".", "continuo backup list --trash")
			}
			ask.Words, ask.Line = args, writing.CommandLine(cmd, args)
			return runBackupUndo(cmd.Context(), env, o, &ask, w)
		},
	}
	find.AddProject(cmd, &ask.Project)
	writing.AddFlags(cmd, &w)
	return cmd
}

// runBackupUndo undoes an entry of the trash, or a restore.
func runBackupUndo(ctx context.Context, env *place.Env, o *out.Output, ask *backups.Ask, w writing.Flags) error {
	l, err := backups.Read(ctx, env, &backups.Ask{Project: ask.Project})
	if err != nil {
		return err
	}
	writing.Store(env).FinishInterrupted(ctx)
	look, err := ReadJournal(ctx, env, o, l.Dirs)
	if err != nil {
		return err
	}
	e, err := trashEntryNamed(ctx, env, l, ask)
	restore, failed := newestRestore(ctx, env, l, look, ask)
	if failed != nil {
		return failed
	}
	if restore != nil && (err != nil || restore.At.After(e.Entry.At)) {
		return look.undo(ctx, []string{restore.ID}, w, ask.Line)
	}
	if err != nil {
		return err
	}
	return look.undoEntry(ctx, e, w, ask.Line)
}

// newestRestore returns the restore with an ID or, for "", this project's newest restore that can be undone. It
// returns nil if there is none.
func newestRestore(ctx context.Context, env *place.Env, l *backups.Rows, look *journalEntries, ask *backups.Ask) (*journal.Entry, error) {
	folders := []string(nil)
	if len(ask.Words) == 0 || ask.Project != "" {
		s, err := backups.ScopeOf(ctx, env, l, ask)
		if err != nil {
			return nil, err
		}
		folders = backups.MemoryFolders(ctx, env, l, s)
	}
	for i := range look.Entries {
		e := &look.Entries[i]
		named := len(ask.Words) > 0 && len(ask.Words[0]) >= backups.LeastName && strings.HasPrefix(e.ID, ask.Words[0])
		here := folders == nil || slices.ContainsFunc(e.Where, func(dir string) bool { return slices.Contains(folders, dir) })
		if e.Kind == journal.Restore && here && (named || len(ask.Words) == 0 && e.Undone == "") {
			return e, nil
		}
	}
	return nil, nil
}

// undoEntry undoes a trash entry. The journal may lack the entry's action.
func (l *journalEntries) undoEntry(ctx context.Context, e *backups.TrashEntry, flags writing.Flags, line string) error {
	c := change.Change{Kind: string(journal.Undo), What: act.Undid + e.What(), Where: []string{e.Project}, Unkept: true}
	for i := range l.Entries {
		if slices.ContainsFunc(l.Entries[i].Ops, func(o change.Op) bool {
			return backups.ProjectOf(&o) == e.Project && backup.EntryOf(o.To) == e.Entry.ID
		}) {
			c.Of = l.Entries[i].ID
		}
	}
	plan := func(ctx context.Context) (now change.Change, err error) {
		now = c
		m, err := backup.OpenMemory(e.Project)
		if err != nil {
			return now, err
		}
		defer func() { _ = m.Close() }() // nothing was written
		u, ops, err := m.Trash().PutBack(ctx, e.Entry.ID)
		now.Ops, now.Report = ops, &u
		return now, err
	}
	shown, err := plan(ctx)
	if err != nil {
		return backups.MemoryFailure(l.Env, e.Project, err)
	}
	if len(shown.Ops) == 0 {
		return &out.Failure{What: out.UpperFirst(e.What()) + ", " + words.Moment(l.Env.Now(), e.Entry.At) + ": it was already undone."}
	}
	w := &UndoPlan{Entry: journal.Entry{Where: c.Where}, Plan: &writing.Plan{Report: writing.Report{Action: "undo", Entries: []string{e.Entry.ID}}, Line: line}}
	w.way = &act.Way{Change: shown}
	p := w.Plan
	p.Add("Undoes", change.Line{Text: words.Moment(l.Env.Now(), e.Entry.At) + ", " + e.What() + " of " + place.BaseName(e.Project)})
	l.drawOps(w)
	if u, ok := shown.Report.(*backup.Undone); ok {
		for _, v := range u.Gone {
			p.Add("But", writing.Warning("backup "+out.CleanPath(v.Path)+" is neither in the trash nor at its original path: another program moved it"))
		}
	}
	p.Add("Undo", change.Line{Text: e.Again() + " redoes it."})
	return writing.Proceed(ctx, l.o, flags, p, func(ctx context.Context) ([]string, error) {
		done, err := writing.Store(l.Env).Do(ctx, &shown, plan)
		if err != nil {
			return nil, writing.Failure(l.Env, err, "an undo", func(err error) error { return backups.MemoryFailure(l.Env, e.Project, err) })
		}
		if lost := writing.LostBy(&done); lost != "" {
			p.Report.Problems = append(p.Report.Problems, lost)
		}
		return []string{resultText(done.Ops)}, nil
	})
}

// trashEntryNamed returns the named trash entry, in any project. Without a name, it returns this project's
// newest entry.
func trashEntryNamed(ctx context.Context, env *place.Env, l *backups.Rows, ask *backups.Ask) (*backups.TrashEntry, error) {
	s := find.Scope{}
	if len(ask.Words) == 0 || ask.Project != "" {
		var err error
		if s, err = backups.ScopeOf(ctx, env, l, ask); err != nil {
			return nil, err
		}
	}
	list, problems, err := backups.ReadTrash(ctx, backups.MemoryFolders(ctx, env, l, s))
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, emptyTrashFailure(ctx, env, l, len(ask.Words) == 0 || ask.Project != "", problems)
	}
	if len(ask.Words) > 0 {
		word := ask.Words[0]
		exact := slices.ContainsFunc(list, func(e backups.TrashEntry) bool { return e.Entry.ID == word })
		list = slices.DeleteFunc(list, func(e backups.TrashEntry) bool {
			return e.Entry.ID != word && (exact || len(word) < backups.LeastName || !strings.HasPrefix(e.Entry.ID, word))
		})
		if len(list) > 1 {
			f := &out.Failure{What: out.Count(len(list), "entry") + " in the trash begin with " + out.Quoted(word) + ". Type more of the ID, or add --project PATH."}
			f.What = strings.Replace(f.What, "entrys", "entries", 1)
			for _, e := range list[:min(len(list), find.CandidatesMax)] {
				f.Facts = append(f.Facts, out.CleanPath(e.Entry.ID)+"  "+e.What()+" of "+env.Tilde(e.Project))
			}
			return nil, f
		}
	}
	if len(ask.Words) == 0 { // a partly restored entry may still have backups
		list = slices.DeleteFunc(list, func(e backups.TrashEntry) bool { return !e.Has(ctx) })
		if len(list) == 0 {
			return nil, emptyTrashFailure(ctx, env, l, true, problems)
		}
	}
	if len(list) == 0 {
		return nil, &out.Failure{
			Code: out.ExitNone, What: "No entry of the trash has the name " + out.Quoted(ask.Words[0]) + ". List the trash.", Facts: problems,
			Hints: []string{"continuo backup list --trash"},
		}
	}
	return &list[0], nil
}

// emptyTrashFailure returns the error for an empty trash. If here is set, a hint lists the trash of other
// projects.
func emptyTrashFailure(ctx context.Context, env *place.Env, l *backups.Rows, here bool, problems []string) error {
	f := &out.Failure{Code: out.ExitNone, What: "The trash is empty. Nothing to undo.", Facts: problems}
	if here {
		f.What = "The trash of this project is empty. Nothing to undo."
		if list, _, _ := backups.ReadTrash(ctx, backups.MemoryFolders(ctx, env, l, find.Scope{})); len(list) > 0 {
			f.Hints = []string{"continuo backup list --trash   lists the trash of other projects"}
		}
	}
	return f
}
