package cli

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/heal"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// healWriting is the files of a heal, which are written together or not at all.
type healWriting struct {
	env   *Env
	look  *healLook
	made  []string         // files that the plan writes, as the steps name them
	why   map[string]error // files that can't be written
	taken map[string]bool  // files of ops that another program wrote at the same time: they are left out
}

// errFilled is returned for a file that has been written since the look: it is what was wanted.
var errFilled = errors.New("written meanwhile")

// plan plans to write every file that is missing or blank now. It leaves out what can't be written.
func (w *healWriting) plan(ctx context.Context) (change.Change, error) {
	c := change.Change{
		Kind: string(journal.Note), What: healName(w.look), Where: []string{w.look.ledger.Project.Root},
		Unkept: true, // it takes no place of anything that says something
	}
	w.made, w.why = nil, map[string]error{}
	planned := maps.Clone(w.taken) // two names may be one file
	for i := range w.look.steps {
		for _, f := range w.look.steps[i].Files {
			op, err := w.op(ctx, f)
			switch {
			case errors.Is(err, errFilled) || err == nil && planned[op.Path()]:
			case err != nil:
				w.why[f.Path] = err
			default:
				planned[op.Path()] = true
				w.made, c.Ops = append(w.made, f.Path), append(c.Ops, op)
			}
		}
	}
	return c, ctx.Err()
}

// op plans to write one file.
func (w *healWriting) op(ctx context.Context, f heal.File) (change.Op, error) {
	root := w.look.ledger.Project.Root
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
	op.Loose = true                                // it is left out if somebody has written the file
	op.Stays = f.Path == healRecord(w.env, w.look) // it is appended to right after
	return op, err
}

// write writes the files. id is that of the action, "" if nothing of it can be undone; but says what went wrong besides.
func (w *healWriting) write(ctx context.Context) (id, but string, err error) {
	shown, err := w.plan(ctx)
	for err == nil && len(shown.Ops) > 0 {
		var did act.Done
		if did, err = actStore(w.env).Do(ctx, &shown, w.plan); w.leaveOut(err) {
			shown, err = w.plan(ctx)
			continue
		}
		but = lostBy(&did)
		if but == "" && slices.ContainsFunc(did.Ops, func(o change.Op) bool { return !o.Stays }) {
			id = did.ID
		}
		break
	}
	return id, but, actFailure(w.env, err, "healing", w.failure)
}

// leaveOut notes the file that another program wrote just now, if that is what went wrong.
func (w *healWriting) leaveOut(err error) bool {
	op, ok := errors.AsType[*change.OpError](err)
	_, half := errors.AsType[*act.HalfError](err)
	_, taken := errors.AsType[*change.TakenError](err)
	if !ok || half || !taken && !errors.Is(err, change.ErrChanged) || w.taken[op.Path] {
		return false
	}
	w.taken[op.Path] = true
	return true
}

// failure explains why no file was written.
func (w *healWriting) failure(err error) error {
	if op, ok := errors.AsType[*change.OpError](err); ok {
		return &out.Failure{What: w.env.tilde(op.Path) + " could not be written: " + out.Reason(op.Err) + ". Nothing was healed.", Cause: err}
	}
	if errors.Is(err, disk.ErrLocked) || errors.Is(err, change.ErrChanged) {
		err = ledger.ErrBusy
	}
	return &out.Failure{What: "Nothing was healed: " + out.Reason(err) + ".", Cause: err}
}
