package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/tui"
)

// planNote plans what the browser has to add to the ledger of a project.
func (c browserChanges) planNote(ctx context.Context, plan *tui.Plan) (*deedPlan, error) {
	asked := &plan.Change
	if asked.Note == nil {
		return nil, &out.Failure{What: "There is nothing to write. Fill the form in."}
	}
	ask := &noteAsk{dir: asked.Dir, entry: *asked.Note, bead: asked.Bead, undo: c.undoKey()}
	// A form has no field for it: what has no evidence is shown as such in its plan.
	ask.noEvidence = ask.entry.Kind == notes.EntryDecision && len(ask.entry.Evidence) == 0
	n, err := lookNote(ctx, c.env, ask)
	if f, ok := errors.AsType[*out.Failure](err); ok && f.Code == out.ExitNo { // all of it, not the first of it as of other errors
		plan.Title, plan.About = noteTitleOf(ask.entry.Kind), noteTitle(&ask.entry)
		p := &deedPlan{}
		p.add("Touched", change.Line{Text: "Nothing: it is not complete. Mend what is below."})
		var wrong []change.Line
		for _, why := range f.Facts {
			field, what, _ := strings.Cut(why, ": ")
			plan.Wrong = append(plan.Wrong, tui.Wrong{Field: field, Why: what})
			wrong = append(wrong, change.Line{Mark: change.Bad, Text: why})
		}
		p.add("But", wrong...)
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	plan.Title, plan.About, plan.Verb = noteTitleOf(n.entry.Kind), noteTitle(&n.entry), "write"
	if !ask.bead {
		ask.entry.Bead = "" // the flag would send it there
	}
	plan.Command = c.env.command(noteWords(ask)...)
	plan.Held = doing(func(ctx context.Context) (tui.Done, error) {
		but, err := writeNote(ctx, c.env, n)
		if err != nil {
			return tui.Done{}, err
		}
		said := n.said()
		if !n.bead {
			said += " " + c.undoKey() + " takes it out."
		}
		return tui.Done{Said: said, But: but}, nil
	})
	return &deedPlan{parts: notePlan(c.env, n)}, nil
}

// noteTitleOf is the title of a plan.
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
	}
	return "Note"
}
