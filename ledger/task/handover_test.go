package task

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/handover/handovertest"
)

func written(t *testing.T, h *handover.Handover) *Checkpoint {
	t.Helper()
	c := FromHandover(h)
	c.ID, c.Name, c.Session, c.Type, c.At = "ckpt-2025-12-04-001", "ckpt-2025-12-04-001", h.Session, SessionEnd, h.When
	back := parseCheckpoint(c.Name, c.file())
	for _, p := range back.Problems {
		if p.Field != "gate" && p.Field != "session_id" && p.Field != "summary" { // the plan sets these
			t.Fatalf("%v in:\n%s", p, c.file())
		}
	}
	return back
}

// holds returns a handover without the fields that a checkpoint can't store.
func holds(h *handover.Handover) *handover.Handover {
	v := &handover.Handover{
		When: h.When, Session: h.Session, Git: h.Git, State: h.State, Ran: h.Ran, Gate: handover.Gate{Name: h.Gate.Name}, Step: h.Step, Resume: h.Resume,
	}
	for _, i := range h.Items {
		if i.Status.IsOpen() {
			v.Items = append(v.Items, handover.Item{ID: i.ID, Title: i.Title})
		}
	}
	for _, d := range h.Decisions {
		v.Decisions = append(v.Decisions, handover.Decision{When: h.When, Text: d.Text, Why: d.Why, Alternatives: d.Alternatives})
	}
	return v
}

func TestHandoverRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 5))
		for _, texts := range []handovertest.Texts{handovertest.Plain(), handovertest.Wild()} {
			h := handovertest.Random(r, texts)
			handovertest.Equal(t, written(t, h).Handover(), holds(h))
		}
	}
}

func TestHandoverSection32(t *testing.T) {
	t.Parallel()
	c := parseCheckpoint("ckpt-2025-12-04-001", example(t, "section-3.2.json"))
	h := c.Handover()
	at := time.Date(2025, 12, 4, 10, 30, 0, 0, time.UTC)
	handovertest.Equal(t, h, &handover.Handover{
		When: at, Session: "session-abc123", State: "Completed unit test implementation", Ran: handover.Ran{Passing: 12, Pending: 2}, Gate: handover.Gate{Name: "G4"}, Step: "3",
		Resume: "Continue from G4 step 4, implement refresh tokens",
		Items:  []handover.Item{{Title: "Implement refresh token logic"}, {Title: "Add rate limiting"}},
		Decisions: []handover.Decision{{
			When: at, Text: "Use JWT for session tokens", Why: "Stateless, industry standard", Alternatives: []string{"Session cookies", "OAuth opaque tokens"},
		}},
	})
	if string(h.Items[0].Marks) != "T" {
		t.Errorf("%q", h.Items[0].Marks)
	}
	if lost := handover.Lost(h, written(t, h).Handover()); lost != nil {
		t.Errorf("%q is lost", lost)
	}
	h.Questions, h.Outcome = []handover.Question{{Text: "Per client?"}}, "partial"
	if lost := handover.Lost(h, written(t, h).Handover()); strings.Join(lost, "; ") != "1 question; outcome partial" {
		t.Errorf("%q is lost", lost)
	}
}
