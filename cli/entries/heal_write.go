package entries

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/heal"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// HealWriting writes all files of a heal, or none.
type HealWriting struct {
	Env   *place.Env
	Look  *HealLook
	Made  []string         // planned files, with the names of the steps
	why   map[string]error // path → why it can't be written
	Taken map[string]bool  // files that another program has written; skipped
}

// errFilled means that another program has written the file, so it needs no repair.
var errFilled = errors.New("written meanwhile")

// Plan plans to write every file that is missing or blank now. It skips unwritable files.
func (w *HealWriting) Plan(ctx context.Context) (change.Change, error) {
	c := change.Change{
		Kind: string(journal.Note), What: healName(w.Look), Where: []string{w.Look.ledger.Project.Root},
		Unkept: true, // no content is replaced
	}
	w.Made, w.why = nil, map[string]error{}
	planned := maps.Clone(w.Taken) // through a link, two names may be the same file
	for i := range w.Look.Steps {
		for _, f := range w.Look.Steps[i].Files {
			op, err := w.op(ctx, f)
			switch {
			case errors.Is(err, errFilled) || err == nil && planned[op.Path()]:
			case err != nil:
				w.why[f.Path] = err
			default:
				planned[op.Path()] = true
				w.Made, c.Ops = append(w.Made, f.Path), append(c.Ops, op)
			}
		}
	}
	return c, ctx.Err()
}

// op plans to write one file.
func (w *HealWriting) op(ctx context.Context, f heal.File) (change.Op, error) {
	root := w.Look.ledger.Project.Root
	was, _, err := ledger.ReadText(ctx, root, f.Path, ledger.MaxNotes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		was = nil
	case err != nil:
		return change.Op{}, err
	case !isBlank(was) || len(was) > journal.MaxBefore:
		return change.Op{}, errFilled
	}
	op, err := ledger.ReplaceOp(root, f.Path, was, f.Text)
	if err == nil {
		err = ledger.CheckOp(&op)
	}
	op.Loose = true                                // another program may write the file first
	op.Stays = f.Path == healRecord(w.Env, w.Look) // the record is appended next
	return op, err
}

// write writes the files. It returns the ID of the journal entry, or "" if there is nothing to undo. The result
// but is a warning, or "".
func (w *HealWriting) write(ctx context.Context) (id, but string, err error) {
	shown, err := w.Plan(ctx)
	for err == nil && len(shown.Ops) > 0 {
		var did act.Done
		if did, err = writing.Store(w.Env).Do(ctx, &shown, w.Plan); w.LeaveOut(err) {
			shown, err = w.Plan(ctx)
			continue
		}
		but = writing.LostBy(&did)
		if but == "" && slices.ContainsFunc(did.Ops, func(o change.Op) bool { return !o.Stays }) {
			id = did.ID
		}
		break
	}
	return id, but, writing.Failure(w.Env, err, "healing", w.failure)
}

// LeaveOut reports whether another program has just written a file, and adds that file to w.Taken.
func (w *HealWriting) LeaveOut(err error) bool {
	op, ok := errors.AsType[*change.OpError](err)
	_, half := errors.AsType[*act.HalfError](err)
	_, taken := errors.AsType[*change.TakenError](err)
	if !ok || half || !taken && !errors.Is(err, change.ErrChanged) || w.Taken[op.Path] {
		return false
	}
	w.Taken[op.Path] = true
	return true
}

// failure returns the error for the user.
func (w *HealWriting) failure(err error) error {
	if op, ok := errors.AsType[*change.OpError](err); ok {
		return &out.Failure{What: w.Env.Tilde(op.Path) + " could not be written: " + out.Reason(op.Err) + ". Nothing was healed.", Cause: err}
	}
	if errors.Is(err, disk.ErrLocked) || errors.Is(err, change.ErrChanged) {
		err = ledger.ErrBusy
	}
	return &out.Failure{What: "Nothing was healed: " + out.Reason(err) + ".", Cause: err}
}
