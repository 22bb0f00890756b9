package browse

import (
	"context"
	"errors"
	"strings"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/tui"
)

// planNote plans an entry for the ledger of a project.
func (c Changes) planNote(ctx context.Context, plan *tui.Plan) (*writing.Plan, error) {
	asked := &plan.Change
	if asked.Note == nil {
		return nil, &out.Failure{What: "Nothing to write. Fill in the form."}
	}
	ask := &entries.NoteAsk{Dir: asked.Dir, Entry: *asked.Note, Bead: asked.Bead, Undo: c.undoKey()}
	// The form can't say that evidence is missing, so the plan does.
	ask.NoEvidence = ask.Entry.Kind == notes.EntryDecision && len(ask.Entry.Evidence) == 0
	n, err := entries.LookNote(ctx, c.Env, ask)
	// Show all details of this error.
	if f, ok := errors.AsType[*out.Failure](err); ok && f.Code == out.ExitNo {
		plan.Title, plan.About = noteTitleOf(ask.Entry.Kind), entries.NoteTitle(&ask.Entry)
		p := &writing.Plan{}
		p.Add("Touched", change.Line{Text: "Nothing: it is incomplete. Fix the points below."})
		var wrong []change.Line
		for _, why := range f.Facts {
			field, what, _ := strings.Cut(why, ": ")
			plan.Wrong = append(plan.Wrong, tui.Wrong{Field: field, Why: what})
			wrong = append(wrong, change.Line{Mark: change.Bad, Text: why})
		}
		p.Add("But", wrong...)
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	plan.Title, plan.About, plan.Verb = noteTitleOf(n.Entry.Kind), entries.NoteTitle(&n.Entry), "write"
	if !ask.Bead {
		ask.Entry.Bead = "" // a bead would turn the entry into a comment
	}
	plan.Command = c.Env.Command(entries.NoteWords(ask)...)
	plan.Held = Doing(func(ctx context.Context) (tui.Done, error) {
		but, err := entries.WriteNote(ctx, c.Env, n)
		if err != nil {
			return tui.Done{}, err
		}
		message := n.Said()
		if !n.Bead {
			message += " " + c.undoKey() + " removes it."
		}
		return tui.Done{Said: message, But: but}, nil
	})
	return &writing.Plan{Parts: entries.NotePlan(c.Env, n)}, nil
}

// noteTitleOf returns the title for a plan.
func noteTitleOf(kind notes.EntryKind) string {
	switch kind {
	case notes.EntryDecision:
		return "Note a decision"
	case notes.EntryQuestion:
		return "Note a question"
	case notes.EntryNext:
		return "Note a next step"
	case notes.EntryHandoff:
		return "Note a handoff"
	case notes.EntryScenario:
		return "Note a scenario"
	case notes.EntryState:
		return "Note the state"
	case notes.EntryBead:
		return "Note the current bead"
	case notes.EntryReference:
		return "Note a reference"
	}
	return "Note"
}
