package ledgerlines

import (
	"testing"

	"github.com/continuo-tui/continuo/ledger/beads"
)

// TestBeadText: a comment that contains an entry is shown as this entry.
func TestBeadText(t *testing.T) {
	t.Parallel()
	b := &beads.Bead{
		Description: "One check.",
		Comments:    []beads.Comment{{Author: "ada", Text: "DECISION: Leeway is 30 s\nRationale: Hosts drift"}, {Author: "bo", Text: "Looks good"}, {Author: "ada", Text: "HANDOFF: s-1"}},
		Decisions:   []beads.Decision{{Text: "Leeway is 30 s", Rationale: "Hosts drift"}},
		Handoffs:    []beads.Handoff{{Session: "s-1"}},
		Scenarios:   []beads.Scenario{{Name: "A holiday", Expected: "closed"}},
	}
	const want = "One check.\n\nDecision: Leeway is 30 s · Hosts drift\n\nHandoff: s-1\n\nTest scenario: A holiday · closed\n\nbo: Looks good"
	if got := BeadText(b); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
