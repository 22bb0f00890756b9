package cli

import (
	"context"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/transcript"
)

// writeNote writes an entry: its place is found anew in what is there then, so nothing that somebody else has written
// since is lost. but is what went wrong besides.
func writeNote(ctx context.Context, env *Env, n *noting) (but string, err error) {
	n.id, but, err = writeNotes(ctx, env, &n.project, "a note", n.plan)
	return but, err
}

// notKept says that nothing was written, because what takes it back could not be kept.
func notKept(env *Env, what string, err error) error {
	return unkept(env, "What "+what+" changes", err, "Nothing was written.")
}

// unkept says that the journal could not keep what there was before; nothing says that so nothing was done.
func unkept(env *Env, what string, err error, nothing string) error {
	return &out.Failure{
		What:  what + " is kept before, so that it can be taken back, and that failed: " + out.Reason(err) + ". " + nothing,
		Facts: []string{env.tilde(journalDir(env))}, Cause: err,
	}
}

// what names what was done, for the journal.
func (n *noting) what() string {
	e := &n.entry
	text := map[notes.EntryKind]string{
		notes.EntryDecision: "Noted a decision", notes.EntryQuestion: "Noted a question", notes.EntryNext: "Noted a next step",
		notes.EntryHandoff: "Noted a handoff", notes.EntryScenario: "Noted a scenario",
	}[e.Kind]
	if n.bead {
		text += " on " + transcript.CleanLine(e.Bead)
	}
	if title := noteTitle(e); title != "" {
		text += ": " + words.Cut(title, noteCells)
	}
	return text
}

// noteCells is how much of an entry its name in the journal has, in cells.
const noteCells = 60

// noteTitle is an entry on one line.
func noteTitle(e *notes.Entry) string {
	text := e.Title
	if text == "" {
		text = e.Text
	}
	if e.Kind == notes.EntryHandoff {
		text = e.Session
	}
	return transcript.CleanLine(text)
}

// said says what was written, and where.
func (n *noting) said() string {
	if n.bead {
		return upperFirst(n.noun()) + " is a comment of " + transcript.CleanLine(n.entry.Bead) + " now. br sync --flush-only writes it to .beads/issues.jsonl."
	}
	return upperFirst(n.noun()) + " is in " + baseName(n.project.Notes) + " at line " + words.Count(n.place.Line) + ", below “" + transcript.CleanLine(n.place.Section) + "”."
}

// notedJSON is an entry that is written, or would be.
type notedJSON struct {
	Kind    notes.EntryKind `json:"kind"`
	Root    string          `json:"root"`
	Path    string          `json:"path"` // NOTES.md; "" it goes to the bead
	Bead    string          `json:"bead"`
	Section string          `json:"section"`
	New     bool            `json:"newSection"`
	Line    int             `json:"line"` // 0 of a bead
	Text    string          `json:"text"` // as it stands there
	At      out.Time        `json:"at"`   // that the entry says
}

func (n *noting) report() *notedJSON {
	r := &notedJSON{Kind: n.entry.Kind, Root: n.project.Root, Bead: n.entry.Bead, At: out.Time(n.entry.At), Text: n.comment}
	if !n.bead {
		r.Path, r.Section, r.New, r.Line, r.Text = n.project.Notes, n.place.Section, n.place.Made, n.place.Line, string(n.place.Text)
	}
	return r
}

// beadComment is an entry as a comment of a bead. Spec 002 has the forms of a decision and a handoff; the others are made
// like them.
func beadComment(e *notes.Entry) string {
	var b strings.Builder
	line := func(name, text string) {
		if text != "" {
			b.WriteString("\n" + name + ": " + text)
		}
	}
	switch e.Kind {
	case notes.EntryDecision:
		text := e.Title
		if e.Text != "" {
			text = e.Text
		}
		b.WriteString("DECISION: " + text)
		line("Rationale", e.Rationale)
		for _, ev := range e.Evidence {
			line("Evidence", evidenceWords(ev))
		}
		for _, s := range e.Scenarios {
			line("Test scenario", s)
		}
	case notes.EntryHandoff:
		b.WriteString("HANDOFF:")
		line("Session", e.Session)
		line("NOTES ref", e.NotesRef)
		line("Trajectory", e.Trajectory)
		line("Grounding ratio", e.Ratio)
	case notes.EntryQuestion:
		b.WriteString("QUESTION: " + e.Text)
	case notes.EntryNext:
		b.WriteString("NEXT STEP: " + e.Text)
	case notes.EntryScenario:
		b.WriteString("TEST SCENARIO: " + e.Text)
		line("Type", e.Type)
		line("Expected", e.Expected)
	}
	return b.String()
}

// evidenceWords is a piece of evidence with its quote.
func evidenceWords(e notes.Evidence) string {
	if e.Quote == "" {
		return e.Ref.String()
	}
	return e.Ref.String() + " " + "`" + e.Quote + "`"
}
