package notes_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
)

// now is later than all times in the files.
func now() time.Time { return time.Date(2026, 11, 22, 3, 4, 5, 0, time.UTC) }

func entries() map[notes.EntryKind]notes.Entry {
	ref := ledger.Ref{Path: "src/a.go", From: 12, To: 14, Form: ledger.FormRooted, Raw: "${PROJECT_ROOT}/src/a.go:12-14"}
	return map[notes.EntryKind]notes.Entry{
		notes.EntryDecision: {
			Kind: notes.EntryDecision, At: now(), Title: "Keep one clock", Text: "One clock for all | of them", Rationale: "Two drift",
			Evidence: []notes.Evidence{{Ref: ref, Quote: "func now() `x`"}}, Scenarios: []string{"Happy", "Edge", "Error"}, Bead: "br-1",
		},
		notes.EntryQuestion: {Kind: notes.EntryQuestion, At: now(), Text: "Which clock?"},
		notes.EntryNext:     {Kind: notes.EntryNext, At: now(), Text: "Set the clock"},
		notes.EntryHandoff: {
			Kind: notes.EntryHandoff, At: now(), Text: "The clock is set", Session: "sess-002", NotesRef: "grimoires/loa/NOTES.md:45-67",
			Trajectory: "trajectory/impl-2026-11-22.jsonl:span-abc", Ratio: "0.97",
		},
		notes.EntryScenario: {Kind: notes.EntryScenario, At: now(), Text: "At the boundary", Type: "edge_case", Expected: "No logout"},
	}
}

// insert inserts an entry and checks the properties of all insertions.
func insert(t *testing.T, text []byte, e notes.Entry) (string, *notes.Notes) {
	t.Helper()
	was := notes.Parse(text)
	in, err := was.Insert(e)
	if err != nil {
		t.Fatalf("insert: %v", err)
	}
	after := in.Apply(text)
	if !bytes.Equal(after[:in.At], text[:in.At]) || !bytes.Equal(after[in.At+len(in.Text):], text[in.At:]) {
		t.Fatal("other bytes are changed")
	}
	if back, _, _, ok := change.TakeOut(after, in.Text, in.At); !ok || !bytes.Equal(back, text) {
		t.Fatalf("removing the entry: %v", ok)
	}
	if in.At > 0 && text[in.At-1] != '\n' && in.At != len(text) && in.At != 3 {
		t.Fatalf("inserted into the middle of a line, at %d", in.At)
	}
	n := notes.Parse(after)
	tile(t, n)
	made := 0
	for _, s := range n.Sections {
		if s.Start >= in.At && s.Start < in.At+len(in.Text) {
			made++
		}
	}
	if len(n.Sections) != len(was.Sections)+made {
		t.Fatalf("%d sections and %d new ones became %d", len(was.Sections), made, len(n.Sections))
	}
	return string(in.Text), n
}

func TestInsertExamples(t *testing.T) {
	t.Parallel()
	for _, want := range examples() {
		for kind, e := range entries() {
			t.Run(want.name+"/"+string(kind), func(t *testing.T) {
				t.Parallel()
				text := readExample(t, want.name)
				for name, text := range map[string][]byte{"lf": text, "crlf": bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")), "cut": bytes.TrimRight(text, "\n")} {
					added, n := insert(t, text, e)
					if crlf := strings.Count(added, "\r\n"); name == "crlf" && crlf != strings.Count(added, "\n") || name != "crlf" && crlf > 0 {
						t.Errorf("%s: line ends are mixed: %q", name, added)
					}
					found(t, notes.Parse(text), n, e)
				}
			})
		}
	}
}

// found checks that an entry can be read back.
func found(t *testing.T, was, n *notes.Notes, e notes.Entry) {
	t.Helper()
	switch e.Kind {
	case notes.EntryDecision:
		if len(n.Decisions()) != len(was.Decisions())+1 {
			t.Fatalf("%d decisions became %d", len(was.Decisions()), len(n.Decisions()))
		}
		d := n.Decisions()[0]
		if d.Title != "Keep one clock" || d.When.Format(time.DateOnly) != "2026-11-22" || !strings.HasPrefix(d.Rationale, "Two drift") {
			t.Errorf("the newest decision is %+v", d)
		}
		if len(d.Evidence) != 1 || d.Evidence[0].Ref.Path != "src/a.go" || d.Evidence[0].Ref.To != 14 || d.Evidence[0].Quote != "func now() `x`" {
			t.Errorf("its evidence is %+v", d.Evidence)
		}
		if text, _, _ := strings.Cut(d.Decision, "\nTest Scenario: "); text != "One clock for all | of them" {
			t.Errorf("its text is %q", d.Decision)
		}
	case notes.EntryState, notes.EntryBead, notes.EntryReference:
		t.Fatalf("%s is tested elsewhere", e.Kind)
	case notes.EntryQuestion:
		q := n.Questions()
		if len(q) != len(was.Questions())+1 || q[len(q)-1].Text != "Which clock?" {
			t.Errorf("questions %+v", q)
		}
	case notes.EntryNext, notes.EntryScenario:
		kind, text := notes.KindGoals, "Set the clock"
		if e.Kind == notes.EntryScenario {
			kind, text = notes.KindScenarios, "**At the boundary** (edge_case): No logout"
		}
		got := n.Items(kind)
		if len(got) != len(was.Items(kind))+1 || got[len(got)-1].Text != text {
			t.Errorf("items %+v", got)
		}
	case notes.EntryHandoff:
		c := n.Continuity()
		if c.Section < 0 || !strings.Contains(c.First, "The clock is set") && c.State == "" && !strings.Contains(c.First, "New session") {
			t.Errorf("continuity %+v", c)
		}
	}
}

func TestInsertNothing(t *testing.T) {
	t.Parallel()
	for _, e := range []notes.Entry{{Kind: notes.EntryQuestion, Text: " \n"}, {Kind: "other", Text: "x"}, {}} {
		if _, err := notes.Parse(nil).Insert(e); !errors.Is(err, notes.ErrNoPlace) {
			t.Errorf("%+v: %v", e, err)
		}
	}
}
