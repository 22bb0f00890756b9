package undoing

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// resultText describes the result of an undo.
func resultText(ops []change.Op) string {
	u := sortOps(ops)
	goes := func(o *change.Op) bool { return o.Verb == change.Remove }
	markers := slices.DeleteFunc(slices.Clone(u.markers), goes)
	switch {
	case len(u.moved) > 0:
		return sessionsText(u.moved)
	case len(u.trashed) > 0:
		if len(u.trashed) == 1 {
			return "1 backup is in the trash."
		}
		return out.Count(len(u.trashed), "backup") + " are in the trash."
	case len(u.back)+len(markers)+len(u.sessions) > 0:
		var parts []string
		if n := len(u.back); n > 0 {
			parts = append(parts, out.Count(n, "backup"))
		}
		if n := len(markers); n > 0 {
			parts = append(parts, out.Count(n, "marker"))
		}
		message := "Undone: " + words.AndList(parts) + " restored."
		if len(parts) == 0 {
			message = "Undone."
		}
		if len(u.sessions) > 0 {
			message += " The restored session is removed."
		}
		return message
	case len(u.markers) > 0 && len(u.made)+len(u.gone)+len(u.lines) == 0:
		return "Undone: " + out.Count(len(u.markers), "marker") + " removed."
	}
	return filesText(&u)
}

// filesText describes the result for documents and ledgers.
func filesText(u *undoneOps) string {
	if len(u.lines) == 1 && len(u.made)+len(u.gone) == 0 {
		o := u.lines[0]
		name := filepath.Base(o.Name)
		switch {
		case o.Verb == change.Insert:
			return "Restored in " + out.CleanPath(name) + "."
		case o.Sum == "":
			return out.CleanPath(name) + " is removed, because it would be empty."
		}
		return "Removed from " + out.CleanPath(name) + "; the rest is unchanged."
	}
	back, gone := len(u.made)+len(u.lines), len(u.gone)
	switch {
	case back+gone == 0:
		return "Undone."
	case back == 1 && gone == 0:
		return out.CleanPath(filepath.Base(u.made[0].Name)) + " has its previous text."
	case back == 0 && gone == 1:
		return out.CleanPath(filepath.Base(u.gone[0].Name)) + " is removed."
	case gone == 0:
		return "Restored: " + out.Count(back, "file") + "."
	case back == 0:
		return "Removed: " + out.Count(gone, "file") + "."
	}
	return "Restored: " + out.Count(back, "file") + ". Removed: " + out.Count(gone, "file") + "."
}

// result is the result of an undo.
type result struct {
	Said    string
	entries []string // new trash entries
	Lost    string   // warning about an incomplete journal, or ""
}

// Apply carries out an undo plan.
func (l *journalEntries) Apply(ctx context.Context, w *UndoPlan) (result, error) {
	did, err := l.undone(ctx, w)
	if err != nil {
		return result{}, err
	}
	back := result{Said: resultText(did.Ops), Lost: writing.LostBy(&did)}
	entries := map[string]bool{}
	for i := range did.Ops {
		o := &did.Ops[i]
		if id := backup.EntryOf(o.To); id != "" && !entries[o.Dir+id] {
			entries[o.Dir+id] = true
			back.entries = append(back.entries, id)
		}
	}
	return back, nil
}

func (l *journalEntries) undone(ctx context.Context, w *UndoPlan) (act.Done, error) {
	if w.trash != nil {
		c := act.UndoOf(&w.Entry)
		c.Where = nil // set by the plan
		did, err := backups.DiscardAll(ctx, l.Env, w.trash, c)
		return did.Done, err
	}
	store := writing.Store(l.Env)
	did, err := store.Do(ctx, &w.way.Change, store.UndoPlan(&w.Entry))
	return did, writing.Failure(l.Env, err, "an undo", func(err error) error {
		if op, ok := errors.AsType[*change.OpError](err); ok {
			for i := range w.Entry.Ops {
				if o := w.Entry.Ops[i]; o.Path() == op.Path {
					_, why := l.refusedOp(&change.Refusal{Op: o, Err: op.Err})
					return &out.Failure{What: why, Cause: err}
				}
			}
		}
		return &out.Failure{What: "It was not undone: " + strings.TrimSuffix(out.Reason(err), ".") + ".", Cause: err}
	})
}
