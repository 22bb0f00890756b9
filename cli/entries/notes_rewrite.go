package entries

import (
	"context"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/journal"
)

// RewriteNotes calls rewrite with the current NOTES.md, and writes the result. what is the description in the
// journal, and id the ID of the entry. The result but is a warning, or "".
func RewriteNotes(ctx context.Context, env *place.Env, p *ledger.Project, what string, rewrite func(was []byte) ([]byte, error)) (id, but string, err error) {
	plan := func(ctx context.Context) (c change.Change, err error) {
		was, _, err := readNotes(ctx, p)
		if err != nil {
			return c, err
		}
		now, err := rewrite(was)
		if err == nil && len(was) > journal.MaxBefore {
			err = &out.Failure{What: env.Tilde(p.Notes) + " is larger than 1 MB (limit of undo). Edit it yourself."}
		}
		if err != nil {
			return c, err
		}
		op, err := ledger.ReplaceOp(p.Root, p.Notes, was, now)
		op.Loose = true // other lines may have changed
		return change.Change{Kind: string(journal.Note), What: what, Where: []string{p.Root}, Ops: []change.Op{op}}, err
	}
	return writeNotes(ctx, env, p, "this", plan)
}

// writeNotes carries out a change of NOTES.md. thing names the change in errors.
func writeNotes(ctx context.Context, env *place.Env, p *ledger.Project, thing string, plan act.Planner) (id, but string, err error) {
	done, err := writing.Do(ctx, env, plan)
	return done.ID, writing.LostBy(&done), writing.Failure(env, err, thing, func(err error) error { return NotesFailure(env, p, err) })
}

// RecordCheckpoint writes the time of a passed gate to NOTES.md.
func RecordCheckpoint(ctx context.Context, env *place.Env, p *ledger.Project, at time.Time) (id, but string, err error) {
	return RewriteNotes(ctx, env, p, "Noted the last checkpoint", func(was []byte) ([]byte, error) {
		now, _, ok := notes.Parse(was).Checkpointed(at)
		if !ok {
			return nil, &out.Failure{What: "NOTES.md has no Session Continuity section for the checkpoint. continuo note handoff creates one."}
		}
		return now, nil
	})
}
