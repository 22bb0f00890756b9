package notes_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/ledger/notes"
)

func TestInsertRowWhole(t *testing.T) {
	t.Parallel()
	heads := []string{"Q", "When", "Date", "Test", "Expected", "Type", "Bead", "#", "", "Status", "Summary", "Agent", "Session", "Timestamp", "Question", "Decision", "Rationale", "Decided By", "Notes", "Evidence", "Title"}
	sections := map[notes.EntryKind]string{
		notes.EntryDecision: "Decision Log", notes.EntryQuestion: "Open Questions", notes.EntryNext: "Active Sub-Goals",
		notes.EntryHandoff: "Session Continuity", notes.EntryScenario: "Test Scenarios",
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for kind, e := range entries() {
		e.Text = "precious \\\nand | more"
		for range 400 {
			var head []string
			for range 1 + rnd.IntN(5) {
				head = append(head, heads[rnd.IntN(len(heads))])
			}
			text := "## " + sections[kind] + "\n\n| " + strings.Join(head, " | ") + " |\n|" + strings.Repeat("---|", len(head)) + "\n"
			in, err := notes.Parse([]byte(text)).Insert(e)
			if err != nil {
				t.Fatalf("%s into %q: %v", kind, text, err)
			}
			given := []string{"precious", "and", "more", e.Rationale, e.Bead, e.Type, e.Expected, e.Session, e.NotesRef, e.Trajectory, e.Ratio}
			if kind == notes.EntryDecision {
				given = append(given, e.Title)
			}
			for _, v := range e.Evidence {
				given = append(given, v.Ref.Raw)
			}
			for _, s := range append(given, e.Scenarios...) {
				s = strings.ReplaceAll(s, "|", `\|`)
				if !bytes.Contains(in.Text, []byte(s)) && !bytes.Contains(in.Text, []byte(strings.ReplaceAll(s, `\|`, "|"))) {
					t.Fatalf("%s: %q is not in %q below %q", kind, s, in.Text, head)
				}
			}
		}
	}
}

// TestInsertRow: without a column for the main text, a column of unknown purpose has it.
func TestInsertRow(t *testing.T) {
	t.Parallel()
	question := notes.Entry{Kind: notes.EntryQuestion, At: now(), Text: "PRECIOUS", Bead: "br-1"}
	scenario := notes.Entry{Kind: notes.EntryScenario, At: now(), Text: "Edge", Type: "edge_case", Expected: "it holds"}
	for _, test := range []struct {
		e          notes.Entry
		head, want string
	}{
		{question, "| Q | When |", "| PRECIOUS<br>Bead: br-1 | 2026-11-22T03:04:05Z |"},
		{question, "| # | When | Why |", "|  | 2026-11-22T03:04:05Z | PRECIOUS<br>Bead: br-1 |"},
		{question, "| When |", "| 2026-11-22T03:04:05Z<br>PRECIOUS<br>Bead: br-1 |"},
		{question, "| Question | Bead |", "| PRECIOUS | br-1 |"},
		{scenario, "| Test | Expected |", "| Edge<br>Type: edge_case | it holds |"},
		{scenario, "| Name | Type |", "| Edge<br>Expected: it holds | edge_case |"},
	} {
		section := map[notes.EntryKind]string{notes.EntryQuestion: "Open Questions", notes.EntryScenario: "Test Scenarios"}[test.e.Kind]
		text := "## " + section + "\n" + test.head + "\n|" + strings.Repeat("-|", strings.Count(test.head, "|")-1) + "\n"
		in, err := notes.Parse([]byte(text)).Insert(test.e)
		if err != nil || string(in.Text) != test.want+"\n" {
			t.Errorf("%s: %q %v, want %q", test.head, in.Text, err, test.want)
		}
	}
}

func TestInsertLine(t *testing.T) {
	t.Parallel()
	for kind, e := range entries() {
		for _, text := range []string{"", "text\n", "# N\n\n## Session Continuity\n\nHere.\n\n## Blockers\n"} {
			in, err := notes.Parse([]byte(text)).Insert(e)
			if err != nil {
				t.Fatal(err)
			}
			line := strings.Split(string(in.Apply([]byte(text))), "\n")[in.Line-1]
			want := map[notes.EntryKind]string{notes.EntryDecision: e.Title, notes.EntryHandoff: "Handoff"}[kind]
			if want == "" {
				want = strings.Split(e.Text, "\n")[0]
			}
			if !strings.Contains(line, want) {
				t.Errorf("%s into %q: line %d is %q", kind, text, in.Line, line)
			}
		}
	}
}
