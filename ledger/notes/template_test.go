package notes

import (
	"strings"
	"testing"
	"time"
)

func TestTemplate(t *testing.T) {
	t.Parallel()
	n := Parse(Template())
	var titles []string
	for _, s := range n.Sections {
		if s.Level > 1 {
			titles = append(titles, strings.Repeat("#", s.Level)+" "+s.Title)
		}
	}
	if got := strings.Join(titles, " | "); got != "## Active Sub-Goals | ## Discovered Technical Debt | ## Blockers & Dependencies | ## Session Continuity | ### Active Context | ### Lightweight Identifiers | ### Pending Questions | ## Decision Log" {
		t.Error(got)
	}
	if c := n.Continuity(); c.Section < 0 || c.First+c.State+c.Bead+c.CheckedAs != "" || len(n.Decisions())+len(n.Questions())+len(n.Identifiers())+len(n.Items(KindGoals)) != 0 {
		t.Errorf("%+v, %v", c, n.Decisions())
	}
	for _, key := range []string{"Current Bead", "Last Checkpoint", "Reasoning State"} {
		if !strings.Contains(string(Template()), "\n- **"+key+"**:\n") {
			t.Errorf("%s is missing", key)
		}
	}
	at := time.Date(2026, 11, 21, 15, 52, 0, 0, time.UTC)
	if text, _, ok := n.Checkpointed(at); !ok || !Parse(text).Continuity().Checkpoint.Equal(at) || !strings.Contains(string(text), "\n- **Last Checkpoint**: 2026-11-21T15:52:00Z\n- **Reasoning State**:\n") {
		t.Errorf("%v\n%s", ok, text)
	}
	for _, e := range []Entry{
		{Kind: EntryDecision, Title: "Thirty seconds", Rationale: "Hosts drift"},
		{Kind: EntryNext, Text: "Pour"},
		{Kind: EntryQuestion, Text: "Which leeway?"},
		{Kind: EntryHandoff, Session: "3f9ac1e0", Trajectory: "a.jsonl:span", Ratio: "0.97", NotesRef: "NOTES.md:1"},
	} {
		place, err := n.Insert(e)
		if err != nil || place.Made {
			t.Errorf("%s: %v, %+v", e.Kind, err, place)
		}
		after := Parse(place.Apply(Template()))
		if len(after.Sections) < len(n.Sections) {
			t.Errorf("%s: %d of %d sections", e.Kind, len(after.Sections), len(n.Sections))
		}
		if e.Kind == EntryQuestion && (len(after.Questions()) != 1 || place.Section != "Pending Questions") {
			t.Errorf("%+v, %v", place, after.Questions())
		}
	}
}
