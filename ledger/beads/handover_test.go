package beads

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/handover/handovertest"
)

func commented(at time.Time, texts ...string) *Bead {
	b := &Bead{ID: "beads-x7y8", Title: "Rotate tokens", Status: "in_progress", Priority: 2}
	for _, text := range texts {
		c := Comment{Text: text, At: at}
		b.Comments = append(b.Comments, c)
		b.take(&c)
	}
	return b
}

// holds returns a handover without the fields that comments can't store.
func holds(h *handover.Handover) *handover.Handover {
	v := &handover.Handover{When: h.When, Session: h.Session, Gate: handover.Gate{Ratio: h.Gate.Ratio, Counted: h.Gate.Counted}, Tests: h.Tests}
	v.Items = []handover.Item{commented(time.Time{}).Item()}
	for _, i := range h.Items {
		if i.Status.IsOpen() {
			i.Priority, i.Status = "", handover.Open
			v.Items = append(v.Items, i)
		}
	}
	for _, d := range h.Decisions {
		d.When, d.Title, d.Alternatives = h.When, "", nil
		v.Decisions = append(v.Decisions, d)
	}
	for _, q := range h.Questions {
		if q.Answer == "" {
			v.Questions = append(v.Questions, q)
		}
	}
	for _, r := range h.Refs {
		if strings.HasSuffix(r.Ref.Path, "/NOTES.md") {
			v.Refs = append(v.Refs, handover.Reference{Ref: r.Ref})
		}
	}
	return v
}

// TestHandoverRandom: writing a handover a second time adds only the handoff.
func TestHandoverRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 4))
		for _, texts := range []handovertest.Texts{handovertest.Plain(), handovertest.Wild()} {
			v := handovertest.Random(r, texts)
			v.Refs = append(v.Refs, handover.Reference{Ref: ledger.Ref{Path: "grimoires/loa/NOTES.md", From: 1, To: 1 + r.IntN(9), Form: ledger.FormRooted}})
			comments := commented(v.When).HandoverComments(v)
			b := commented(v.When, comments...)
			handovertest.Equal(t, b.Handover(), holds(v))
			again := b.HandoverComments(v)
			if len(again) != 1 || again[0] != comments[len(comments)-1] { // each handover adds a handoff
				t.Fatalf("seed %d: added again: %q", seed, again)
			}
		}
	}
}

// TestCLIExtensions checks the comments of spec 002, section CLI Extensions.
func TestCLIExtensions(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, 1, 15, 14, 30, 0, 0, time.UTC)
	h := &handover.Handover{
		When: at, Session: "sess-003", Gate: handover.Gate{Ratio: 0.96, Counted: true},
		Refs: []handover.Reference{{Ref: ledger.Ref{Path: "grimoires/loa/NOTES.md", From: 93, To: 120, Form: ledger.FormRooted}}},
		Decisions: []handover.Decision{{
			When: at, Text: "Use RSA256 for JWT signing", Why: "Industry standard, key rotation support",
			Evidence: []handover.Evidence{{Ref: ledger.Ref{Path: "src/auth/jwt.ts", From: 23, To: 25, Form: ledger.FormRooted}, Quote: "sign()"}},
		}},
		Items:     []handover.Item{{Title: "Clock skew", Marks: []handover.Mark{handover.MarkNotes}}, {ID: "beads-2", Title: "Logout", Marks: []handover.Mark{handover.MarkBead}}},
		Questions: []handover.Question{{Text: "Per client?"}, {Text: "Leeway?", Answer: "30 s"}},
		Tests:     []handover.Test{{Name: "Token expires", Type: "edge_case", Expected: "Grace"}},
	}
	want := []string{
		"DECISION: Use RSA256 for JWT signing\nRationale: Industry standard, key rotation support\nEvidence: ${PROJECT_ROOT}/src/auth/jwt.ts:23-25 `sign()`",
		"TEST SCENARIO: Token expires\nType: edge_case\nExpected: Grace",
		"NEXT STEP: Clock skew",
		"QUESTION: Per client?",
		"HANDOFF:\nSession: sess-003\nEnded: 2024-01-15T14:30:00Z\nNOTES ref: ${PROJECT_ROOT}/grimoires/loa/NOTES.md:93-120\nGrounding ratio: 0.96",
	}
	got := commented(at).HandoverComments(h)
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	back := commented(at, got...).Handover()
	if lost := handover.Lost(h, back); strings.Join(lost, "; ") != "1 task; 1 question" { // the other bead and the answered question
		t.Errorf("%q is lost", lost)
	}
	if i := back.Items[0]; i.ID != "beads-x7y8" || i.Status != handover.InProgress || i.Written != "in_progress" || i.Priority != "2" || string(i.Marks) != "B" {
		t.Errorf("the bead is %+v", i)
	}
}

// TestHandoverExamples copies the handover of each real bead to another bead.
func TestHandoverExamples(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"beads_rust.with-comments", "clarvis.bd", "loa-finn", "sigil"} {
		r := &reader{g: &Graph{}}
		if err := r.lines(t.Context(), "issues.jsonl", example(t, "beads-issues."+name+".jsonl")); err != nil {
			t.Fatal(err)
		}
		r.finish()
		for _, id := range r.g.IDs() {
			b, ok := r.g.Find(id)
			if !ok {
				continue
			}
			v := b.Handover()
			if i := v.Items[0]; i.ID != id || i.Title != b.Title {
				t.Errorf("%s: %+v", id, i)
			}
			v.Items = v.Items[1:]
			back := commented(v.When, commented(v.When).HandoverComments(v)...).Handover()
			if lost := handover.Lost(v, back); lost != nil {
				t.Errorf("%s: lost %q", id, lost)
			}
		}
	}
}

func FuzzHandover(f *testing.F) {
	f.Add("Leeway is 30 s", "Clocks differ.", "src/a.go:3-5")
	f.Add("Rationale: x\nEvidence: y\n\\Type: z", "`", "NOTES ref: a\r\n\x00")
	f.Fuzz(func(t *testing.T, text, why, more string) {
		if strings.TrimSpace(text) == "" || strings.Contains(text+why+more, `\`) { // reading can't distinguish a backslash in the text from an added one
			return
		}
		at := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
		h := &handover.Handover{When: at, Session: "s", Decisions: []handover.Decision{{When: at, Text: text, Why: why}}, Tests: []handover.Test{{Name: text, Expected: why, Type: more}}, Questions: []handover.Question{{Text: text}}}
		if lost := handover.Lost(h, commented(at, commented(at).HandoverComments(h)...).Handover()); lost != nil {
			t.Fatalf("%q is lost", lost)
		}
	})
}
