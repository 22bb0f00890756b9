package undoing

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// journalEntries are the journal's entries when it was read.
type journalEntries struct {
	Env      *place.Env
	o        *out.Output
	dirs     []string // Claude config directories
	Shelf    *backups.ShelfLook
	Entries  []journal.Entry // newest first
	Problems []string        // errors of reading the journal
	Spare    int64           // bytes that the list's comparisons may still read; negative means no limit
}

// ListReads is the first value of Spare for the list. 64 MB take about 0.1 s, and the browser's start reads the
// list. Without Spare, the list compares files only by size. A single undo compares whole files.
const ListReads = 64 << 20

// mayRead reports whether bytes may be read, and subtracts them from Spare.
func (l *journalEntries) mayRead(bytes int64) bool {
	switch {
	case l.Spare < 0:
		return true
	case bytes > l.Spare:
		return false
	}
	l.Spare -= bytes
	return true
}

// ReadJournal reads the journal. It returns an error only if ctx ends.
func ReadJournal(ctx context.Context, env *place.Env, o *out.Output, dirs []string) (*journalEntries, error) {
	l := &journalEntries{Env: env, o: o, dirs: dirs, Spare: -1, Shelf: backups.LookShelf(env, dirs)}
	if place.JournalDir(env) == "" {
		return l, nil
	}
	entries, problems := place.OpenJournal(env).List(ctx)
	l.Entries = entries
	for _, err := range problems {
		l.Problems = append(l.Problems, out.Sentence(err.Error()))
	}
	return l, ctx.Err()
}

// UndoPlan describes how to undo a journal entry. Building it has no side effects.
type UndoPlan struct {
	Entry journal.Entry
	Back  bool // already undone
	// Off says in a few words why the action can't be undone, such as "trash emptied"; else "".
	Off   string
	why   []string            // reasons as sentences
	hints []string            // commands that undo a part
	trash *backups.Discarding // backups to move to the trash
	way   *act.Way            // all other steps
	Plan  *writing.Plan
	newer *UndoPlan // newest skipped action with changed files
}

// refuse adds reasons against an undo. It keeps the first off.
func (w *UndoPlan) refuse(off string, why ...string) {
	if w.Off == "" {
		w.Off = off
	}
	w.why = append(w.why, why...)
}

// UndoPlan plans to undo an action. It returns an error only if ctx ends.
func (l *journalEntries) UndoPlan(ctx context.Context, e *journal.Entry) (*UndoPlan, error) {
	w := &UndoPlan{Entry: *e, Plan: &writing.Plan{Report: writing.Report{Action: "undo"}}}
	var err error
	switch {
	case e.Undone != "":
		w.Back = true
	case e.Kind == journal.Backup && e.Of == "":
		err = l.toTrash(ctx, w)
	default:
		err = l.lookOps(ctx, w)
	}
	if err == nil {
		l.draw(w)
	}
	return w, errors.Join(err, ctx.Err())
}

// toTrash plans to trash the backups that an action created. They aren't deleted: they may be the only copies.
// If all backups are missing, it refuses the undo.
func (l *journalEntries) toTrash(ctx context.Context, w *UndoPlan) error {
	paths := map[string][]string{}
	var gone []string
	var bytes int64
	made := w.Entry.Ops
	for i := range made {
		if fi, err := os.Lstat(made[i].Path()); err == nil {
			bytes += fi.Size()
		}
	}
	compared := l.mayRead(3 * bytes) // for the checksum, the backup and the transcript
	for i := range made {
		path := made[i].Path()
		project := place.MemoryProject(path)
		if _, err := os.Lstat(path); err != nil || project == "" {
			gone = append(gone, path)
			continue
		}
		if compared {
			verdict, err := backup.Verify(ctx, path, made[i].Sum, "")
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil || verdict != backup.VerdictSum {
				w.refuse("changed since", out.CleanPath(path)+" has changed, so it stays.")
			}
		}
		paths[project] = append(paths[project], path)
	}
	if len(paths) == 0 {
		w.refuse("gone since", "The backups no longer exist.")
	}
	if w.Off == "" && !compared {
		w.Plan.Add("Touched", change.Line{Text: out.Count(len(made)-len(gone), "file") + ", " + words.Size(bytes) + ", to the trash"})
	}
	if w.Off != "" || !compared {
		return nil
	}
	rows, err := l.Shelf.In(ctx, paths)
	if err != nil {
		return err
	}
	w.trash, err = backups.PlanEach(ctx, l.Env, rows, paths, func(m *backup.Memory) (backup.DiscardPlan, error) {
		return m.PlanDiscard(ctx, paths[m.Project()])
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		w.refuse("cannot be read", out.AsFailure(err).What)
		return nil
	}
	w.trash.Others = nil // the plan lists no other backups
	for _, path := range gone {
		w.why = append(w.why, strings.TrimSuffix(place.BaseName(path), ".jsonl")+" is gone already")
	}
	return nil
}

// Leaves returns the files that the undo removes.
func (w *UndoPlan) Leaves() []string {
	var paths []string
	if w.way != nil {
		u := sortOps(w.way.Change.Ops)
		for _, o := range slices.Concat(u.trashed, u.sessions, u.gone) {
			paths = append(paths, o.Path())
		}
		for _, o := range u.moved {
			if o.Away {
				paths = append(paths, o.Path())
			}
		}
	}
	if w.trash != nil {
		for path := range w.trash.Rows {
			paths = append(paths, path)
		}
	}
	return paths
}
