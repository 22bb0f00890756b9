package render

import (
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/change"
)

// TestPlanHead: PlanHead returns the first lines of PlanLines.
func TestPlanHead(t *testing.T) {
	t.Parallel()
	st := NewStyles(None)
	parts := []change.Part{{Name: "Touched"}, {Name: "Undo", Lines: []change.Line{{Text: "u"}}}}
	for range 3_000 {
		parts[0].Lines = append(parts[0].Lines, change.Line{Text: "one fact, and another"})
	}
	all := PlanLines(parts, st, 3, 24, true)
	for _, most := range []int{-1, 0, 1, 7, 100, len(all), len(all) + 1} {
		head := PlanHead(parts, st, 3, 24, most)
		if len(head) != min(max(most, 0), len(all)) {
			t.Errorf("%d lines for at most %d", len(head), most)
		}
		for i := range head {
			if head[i].String() != all[i].String() {
				t.Fatalf("line %d: %q, want %q", i, head[i], all[i])
			}
		}
	}
}

func TestPlanHeadWork(t *testing.T) { //nolint:paralleltest // it counts allocations
	st := NewStyles(None)
	parts := []change.Part{{Name: "Touched", Lines: make([]change.Line, 3_000)}}
	for i := range parts[0].Lines {
		parts[0].Lines[i].Text = "one fact, and another"
	}
	head := testing.AllocsPerRun(3, func() { PlanHead(parts, st, 3, 24, 20) })
	all := testing.AllocsPerRun(3, func() { PlanLines(parts, st, 3, 24, true) })
	if head > all/20 {
		t.Errorf("%.0f allocations for 20 lines of 3000, which take %.0f", head, all)
	}
}

// TestPlanRecord: a JSON record is wrapped after a comma.
func TestPlanRecord(t *testing.T) {
	t.Parallel()
	record := `{"phase":"session_handoff","grounding_ratio":0.97,"total_claims":39,"grounded_claims":38,"notes_refs":["NOTES.md:53"],"bead":"a name with spaces"}`
	parts := []change.Part{{Name: "Record", Lines: []change.Line{{Tone: change.Code, Text: record}}}}
	whole := ""
	for line := range strings.Lines(PlanText(parts, NewStyles(None), 60, true)) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "Record"))
		if !strings.HasSuffix(line, ",") && !strings.HasSuffix(line, "}") && !strings.HasSuffix(line, "name") && !strings.HasSuffix(line, "with") {
			t.Errorf("%q ends within a word", line)
		}
		whole += line
	}
	if strings.ReplaceAll(whole, " ", "") != strings.ReplaceAll(record, " ", "") {
		t.Errorf("the lines together are %s", whole)
	}
}
