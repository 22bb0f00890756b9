package entries

import (
	"context"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/transcript"
)

// WriteNote writes an entry into the current file, and keeps other changes. The result but is a warning, or "".
func WriteNote(ctx context.Context, env *place.Env, n *Noting) (but string, err error) {
	n.id, but, err = writeNotes(ctx, env, &n.project, "a note", n.plan)
	return but, err
}

// what describes the entry for the journal.
func (n *Noting) what() string {
	e := &n.Entry
	text := map[notes.EntryKind]string{
		notes.EntryDecision: "Noted a decision", notes.EntryQuestion: "Noted a question", notes.EntryNext: "Noted a next step",
		notes.EntryHandoff: "Noted a handoff", notes.EntryScenario: "Noted a scenario",
		notes.EntryState: "Noted the state", notes.EntryBead: "Noted the current bead", notes.EntryReference: "Noted a reference",
	}[e.Kind]
	if n.Bead {
		text += " on " + transcript.CleanLine(e.Bead)
	}
	if title := NoteTitle(e); title != "" {
		text += ": " + words.Cut(title, NoteCells)
	}
	return text
}

// NoteCells is the maximum width of a journal entry, in cells.
const NoteCells = 60

// NoteTitle returns one line about an entry: its title, its text or, for a handoff, its session.
func NoteTitle(e *notes.Entry) string {
	text := e.Title
	if text == "" {
		text = e.Text
	}
	if e.Kind == notes.EntryHandoff {
		text = e.Session
	}
	return transcript.CleanLine(text)
}

// Said says what was written, and where.
func (n *Noting) Said() string {
	if n.Bead {
		return out.UpperFirst(n.noun()) + " is a comment of " + transcript.CleanLine(n.Entry.Bead) + " now. " + n.program.Flush() + " writes it to .beads/issues.jsonl."
	}
	return out.UpperFirst(n.noun()) + " is in " + place.BaseName(n.project.Notes) + " at line " + words.Count(n.Place.Line) + ", below “" + transcript.CleanLine(n.Place.Section) + "”."
}

func (n *Noting) report() *writing.Noted {
	r := &writing.Noted{Kind: n.Entry.Kind, Root: n.project.Root, Bead: n.Entry.Bead, At: out.Time(n.Entry.At), Text: n.Comment}
	if !n.Bead {
		r.Path, r.Section, r.New, r.Line, r.Text = n.project.Notes, n.Place.Section, n.Place.Made, n.Place.Line, string(n.Place.Text)
	}
	return r
}

// beadComment formats an entry as a comment of a bead.
func beadComment(e *notes.Entry) string {
	switch e.Kind {
	case notes.EntryDecision:
		text := e.Title
		if e.Text != "" {
			text = e.Text
		}
		var evidence []string
		for _, ev := range e.Evidence {
			evidence = append(evidence, beads.EvidenceText(ev.Ref.String(), ev.Quote))
		}
		return beads.DecisionComment(text, e.Rationale, evidence, e.Scenarios)
	case notes.EntryHandoff:
		return beads.HandoffComment(e.Session, time.Time{}, e.NotesRef, e.Trajectory, e.Ratio)
	case notes.EntryQuestion:
		return beads.QuestionComment(e.Text)
	case notes.EntryNext:
		return beads.NextComment(e.Text)
	case notes.EntryScenario:
		return beads.ScenarioComment(e.Text, e.Type, e.Expected)
	case notes.EntryState, notes.EntryBead, notes.EntryReference: // never a comment
	}
	return ""
}
