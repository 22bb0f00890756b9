package recovery

import (
	"os"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/ledger/beads"
)

// specFacts returns the NOTES.md and the bead of spec 002, with values instead of placeholders.
func specFacts(t *testing.T) (*Facts, string) {
	t.Helper()
	text, err := os.ReadFile("testdata/spec002/NOTES.md")
	if err != nil {
		t.Fatal(err)
	}
	g, err := beads.Read(t.Context(), "testdata/spec002/.beads", nil)
	if err != nil || len(g.Beads) != 1 {
		t.Fatalf("%+v, %v", g, err)
	}
	filled := strings.NewReplacer(
		"Where we left off, what's next", "Tokens rotate. Clock skew is next.",
		"Decision Title", "Authentication of refresh", "What we decided", "A refresh authenticates the client", "Why we decided it", "A stolen token is not enough.",
		"Open question 1", "Is 15 minutes enough?", "Open question 2", "Who rotates the keys?",
	).Replace(string(text))
	return factsOf(filled, g), filled
}

// TestTieredLedgerRecovery is the golden test of spec 002, section “Tiered Ledger Recovery”.
func TestTieredLedgerRecovery(t *testing.T) {
	t.Parallel()
	f, text := specFacts(t)
	for level, want := range map[Level]string{
		Where: `Reasoning state: Tokens rotate. Clock skew is next. [N]
Bead: beads-x7y8 Task description (in progress) [BN]
Last checkpoint: 2024-01-15T14:30:00Z, 2 years ago [N]
Decision 2024-01-15: beads-x7y8: Add 15-minute grace period [B]
Decision 2024-01-15: Authentication of refresh [N]
  A refresh authenticates the client [N]
Decision 2024-01-15: beads-x7y8: Use rotating refresh tokens [B]
Next: Implement clock skew tolerance (±30 seconds) [B]
Next: Add refresh token blacklist for logout [B]
Question: Should grace period be configurable per-client? [B]
Question: Is 15 minutes enough? [N]
Question: Who rotates the keys? [N]
${PROJECT_ROOT}/src/auth/jwt.ts:45-67  Token validation logic [N]
${PROJECT_ROOT}/src/auth/refresh.ts:12-34  Refresh flow [N]
[N NOTES.md, B bead]
`,
		Topic: `## Session continuity
Tokens rotate. Clock skew is next. [N]
## Decisions, 1 of 3 matches
- 2024-01-15: Authentication of refresh [N]
  A refresh authenticates the client. A stolen token is not enough. [N]
[N NOTES.md]
`,
		All: text,
	} {
		r := Recover(f, Ask{Level: level, Query: "authentication decision"})
		if r.Text != want || level != All && r.Tokens > r.Budget {
			t.Errorf("level %d has %d of %d tokens:\n%s\nwant\n%s", level, r.Tokens, r.Budget, r.Text, want)
		}
	}
}
