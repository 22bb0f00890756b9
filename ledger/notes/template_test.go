package notes

import (
	"strings"
	"testing"
)

// TestTemplate checks that the template has the sections of the fact sheet without entries, and that entries can be
// inserted.
func TestTemplate(t *testing.T) {
	t.Parallel()
	n := Parse(Template())
	var titles []string
	for _, s := range n.Sections {
		if s.Level == 2 {
			titles = append(titles, s.Title)
		}
	}
	if got := strings.Join(titles, " | "); got != "Active Sub-Goals | Discovered Technical Debt | Blockers & Dependencies | Session Continuity | Decision Log" {
		t.Error(got)
	}
	if c := n.Continuity(); c.Section < 0 || c.First+c.State+c.Bead != "" || len(n.Decisions())+len(n.Questions())+len(n.Items(KindGoals)) != 0 {
		t.Errorf("%+v, %v", c, n.Decisions())
	}
	for _, e := range []Entry{
		{Kind: EntryDecision, Title: "Thirty seconds", Rationale: "Hosts drift"},
		{Kind: EntryNext, Text: "Pour"},
		{Kind: EntryHandoff, Session: "3f9ac1e0", Trajectory: "a.jsonl:span", Ratio: "0.97", NotesRef: "NOTES.md:1"},
	} {
		place, err := n.Insert(e)
		if err != nil || place.Made {
			t.Errorf("%s: %v, %+v", e.Kind, err, place)
		}
		if after := Parse(place.Apply(Template())); len(after.Sections) < len(n.Sections) {
			t.Errorf("%s: %d of %d sections", e.Kind, len(after.Sections), len(n.Sections))
		}
	}
}
