package cli

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// pastLook is one look at what was done.
type pastLook struct {
	env      *Env
	o        *out.Output
	dirs     []string // Claude config dirs
	shelf    *shelfLook
	entries  []journal.Entry // newest first
	problems []string        // what of the journal could not be read
	spare    int64           // bytes that a list may still read of what is to be compared; below 0 there is no limit
}

// pastReads bounds what a list reads: 64 MB take some 0.1 s, and the browser asks at its start. What is larger is judged
// by its size, and compared when it is planned.
const pastReads = 64 << 20

// mayRead takes from what may be read.
func (l *pastLook) mayRead(bytes int64) bool {
	switch {
	case l.spare < 0:
		return true
	case bytes > l.spare:
		return false
	}
	l.spare -= bytes
	return true
}

// lookPast reads the journal. The error is that of ctx.
func lookPast(ctx context.Context, env *Env, o *out.Output, dirs []string) (*pastLook, error) {
	l := &pastLook{env: env, o: o, dirs: dirs, spare: -1, shelf: lookShelf(env, dirs)}
	if journalDir(env) == "" {
		return l, nil
	}
	entries, problems := openJournal(env).List(ctx)
	l.entries = entries
	for _, err := range problems {
		l.problems = append(l.problems, out.Sentence(err.Error()))
	}
	return l, ctx.Err()
}

// wayBack is what taking an action back comes to. Nothing was touched for it.
type wayBack struct {
	entry journal.Entry
	back  bool        // it was taken back
	off   string      // why it cannot be, in a word or two: "trash emptied"; "" it can
	why   []string    // the same in sentences
	hints []string    // commands for a part of it
	trash *discarding // backups that go there
	way   *act.Way    // what else is done
	plan  *deedPlan
	newer *wayBack // the newest that was passed over for this one because it was changed since
}

// refuse says why an action cannot be taken back: the first reason counts for the column.
func (w *wayBack) refuse(off string, why ...string) {
	if w.off == "" {
		w.off = off
	}
	w.why = append(w.why, why...)
}

// wayBack finds the way back from an action. The error is that of ctx.
func (l *pastLook) wayBack(ctx context.Context, e *journal.Entry) (*wayBack, error) {
	w := &wayBack{entry: *e, plan: &deedPlan{report: deedJSON{Action: "undo"}}}
	var err error
	switch {
	case e.Undone != "":
		w.back = true
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

// toTrash plans to move backups that were made to the trash: they may be the only copies by now. Those that are not there any
// more are left out, as long as there is one.
func (l *pastLook) toTrash(ctx context.Context, w *wayBack) error {
	paths := map[string][]string{}
	var gone []string
	var bytes int64
	made := w.entry.Ops
	for i := range made {
		if fi, err := os.Lstat(made[i].Path()); err == nil {
			bytes += fi.Size()
		}
	}
	compared := l.mayRead(3 * bytes) // its sum, and with its transcript
	for i := range made {
		path := made[i].Path()
		project := memoryProject(path)
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
				w.refuse("changed since", out.CleanPath(path)+" is not what was made, so it stays.")
			}
		}
		paths[project] = append(paths[project], path)
	}
	if len(paths) == 0 {
		w.refuse("gone since", "No backup of it is in its place any more.")
	}
	if w.off == "" && !compared {
		w.plan.add("Touched", change.Line{Text: out.Count(len(made)-len(gone), "file") + ", " + words.Size(bytes) + ", to the trash"})
	}
	if w.off != "" || !compared {
		return nil
	}
	rows, err := l.shelf.in(ctx, paths)
	if err != nil {
		return err
	}
	w.trash, err = planEach(ctx, l.env, rows, paths, func(m *backup.Memory) (backup.DiscardPlan, error) {
		return m.PlanDiscard(ctx, paths[m.Project()])
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		w.refuse("cannot be read", out.AsFailure(err).What)
		return nil
	}
	w.trash.others = nil // it goes without saying
	for _, path := range gone {
		w.why = append(w.why, strings.TrimSuffix(baseName(path), ".jsonl")+" is gone already")
	}
	return nil
}

func lowerFirst(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToLower(s[:1]) + s[1:]
}

func upperFirst(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
