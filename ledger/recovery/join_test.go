package recovery

import (
	"slices"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/notes"
)

// factsOf returns facts with a NOTES.md, beads, and the handovers of both.
func factsOf(text string, g *beads.Graph, others ...handover.Held) *Facts {
	f := &Facts{Beads: g, Held: others, File: "NOTES.md", Now: time.Date(2026, 11, 21, 18, 0, 0, 0, time.UTC)}
	if text != "" {
		f.Notes = notes.Parse([]byte(text))
		h := f.Notes.Handover()
		f.Held = append(f.Held, handover.Held{Handover: h, Mark: handover.MarkNotes, Name: "NOTES.md", At: h.When})
	}
	if g != nil {
		for i := range g.Beads {
			b := &g.Beads[i]
			f.Held = append(f.Held, handover.Held{Handover: b.Handover(), Mark: handover.MarkBead, Name: b.ID, At: b.Updated})
		}
	}
	return f
}

func day(d int) time.Time { return time.Date(2026, 11, d, 12, 0, 0, 0, time.UTC) }

// joinedNotes is a NOTES.md that repeats or contradicts other stores.
const joinedNotes = `# Notes

## Active Sub-Goals

- [ ] Give the admin tokens the shared check
- [ ] Close the books (tea-3)

## Session Continuity

- **Current Bead**: tea-1 (Guest tokens)
- **Last Checkpoint**: 2026-11-20T12:00:00Z
- **Reasoning State**: Guest is done, admin is next.

### Lightweight Identifiers

- ` + "`${PROJECT_ROOT}/src/clock.go:12`" + ` the clock
- ` + "`${PROJECT_ROOT}/src/gone.go:1`" + `

### Pending Questions

- [ ] Who edits the hours?

## Decision Log

### 2026-11-20T12:00:00Z - Leeway
**Decision**: The leeway is 30 s for every token kind.
**Rationale**: A stolen token must not live longer.

### 2026-11-12T12:00:00Z - Waitlist
**Decision**: Cancel calls Promote.
`

func joinedFacts() *Facts {
	g := &beads.Graph{Beads: []beads.Bead{
		{ID: "tea-1", Title: "Guest tokens", Status: "in_progress", Updated: day(19), Decisions: []beads.Decision{{Text: "Guest tokens share the check of members", At: day(19)}}},
		{ID: "tea-2", Title: "Admin console", Status: "open", Priority: 1, Updated: day(18)},
		{ID: "tea-3", Title: "Books", Status: "closed", Updated: day(18)},
	}}
	document := handover.Held{Mark: handover.MarkDocument, Name: "session-2026-11-21.md", At: day(21), Handover: &handover.Handover{
		State: "The admin console still compares days.",
		Items: []handover.Item{
			{Title: "Describe the leeway", Status: handover.Open, Marks: []handover.Mark{handover.MarkDocument}},
			{Title: "give the **admin tokens** the shared check", Status: handover.Open, Marks: []handover.Mark{handover.MarkDocument}},
		},
		Decisions: []handover.Decision{
			{Title: "Leeway", Text: "The leeway is 60 s for every token kind."},
			{Text: "The docs follow the code"},
		},
		Questions: []handover.Question{{Text: "Who edits the hours"}, {Text: "Is mail enough?", Answer: "Yes"}},
	}}
	document.Text = "## Session Summary\n\nTeapots were counted.\n\n## Current State\n\nThe admin console still compares days.\n"
	f := factsOf(joinedNotes, g, document)
	f.Check = func(ref ledger.Ref, _ string) ledger.Check {
		if ref.Path == "src/gone.go" {
			return ledger.Check{Status: ledger.NoFile}
		}
		return ledger.Check{Status: ledger.Holds}
	}
	return f
}

// TestTruthHierarchy is the golden test of spec 002, section “Truth Hierarchy”: beads come before NOTES.md, and
// NOTES.md before documents.
func TestTruthHierarchy(t *testing.T) {
	t.Parallel()
	r := Recover(joinedFacts(), Ask{Level: Where, Max: 400})
	want := `State: The admin console still compares days. [D]
Bead: tea-1 Guest tokens (in progress) [BN]
Reasoning state: Guest is done, admin is next. [N]
Last checkpoint: 2026-11-20T12:00:00Z, 1 d ago [N]
Decision 2026-11-21: The docs follow the code [D]
Decision 2026-11-20: Leeway [N]
  The leeway is 30 s for every token kind. [N]
Decision 2026-11-19: tea-1: Guest tokens share the check of members [B]
Next: Describe the leeway [D]
Next: give the **admin tokens** the shared check [DN]
Next: Admin console (tea-2) [B]
Question: Who edits the hours? [ND]
Superseded: Leeway: The leeway is 60 s for every token kind. (NOTES.md decides otherwise) [D]
Superseded: Close the books (tea-3) is open (the bead says done) [N]
${PROJECT_ROOT}/src/clock.go:12  the clock [N]
[D document, B bead, N NOTES.md]
`
	if r.Text != want {
		t.Errorf("text is\n%s\nwant\n%s", r.Text, want)
	}
	left := []Left{{"decisions", 1, 1}, {"broken identifiers", 1, 1}}
	if !slices.Equal(r.LeftOut, left) {
		t.Errorf("left out: %v, want %v", r.LeftOut, left)
	}
	if from := []string{"document session-2026-11-21.md", "bead tea-1", "NOTES.md", "bead tea-2"}; !slices.Equal(r.From, from) {
		t.Errorf("from %q", r.From)
	}
	for _, p := range r.Parts {
		for _, l := range p.Lines {
			if l.Mark() == "" || l.Old != (p.Name == "Superseded") {
				t.Errorf("%s: %+v", p.Name, l)
			}
		}
	}
}
