package notes_test

import (
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/ledger/notes"
)

// spec has the structure of spec 002, filled in.
const spec = `# Agent Working Memory (NOTES.md)

## Session Continuity
<!-- CRITICAL: Load this section FIRST after /clear (~100 tokens) -->

### Active Context
- **Current Bead**: beads-x7y8 (refresh tokens)
- **Last Checkpoint**: 2024-01-15T14:30:00Z
- **Reasoning State**: Guest is done,
  admin is next

### Lightweight Identifiers
<!-- Absolute paths only -->
| Identifier | Purpose | Last Verified |
|------------|---------|---------------|
| ${PROJECT_ROOT}/src/auth/jwt.ts:45-67 | Token validation logic | 14:25:00Z |
| ${PROJECT_ROOT}/src/auth/refresh.ts:12-34 | Refresh flow | 14:28:00Z |

### Decision Log
<!-- Decisions survive context wipes -->

#### 2024-01-15T14:30:00Z - Add a grace period
**Decision**: Wait 15 minutes
**Rationale**: A token must not live
a minute longer
**Evidence**:
- ` + "`graceMs = 900000` [${PROJECT_ROOT}/src/auth/jwt.ts:52]" + `
**Test Scenarios**:
1. Happy
2. Edge
3. Error

#### 2024-01-16T01:30:00+02:00 — Rotate tokens
**Decision:** Rotate
` + "```" + `
## Decision Log
#### 2024-01-17T00:00:00Z - in a fence
` + "```" + `

### Pending Questions
- [ ] Per client? (since 2024-01-02)
- [x] Settled
- [ ] [Question that needs resolution]
`

func TestSpec(t *testing.T) {
	t.Parallel()
	n := notes.Parse([]byte(spec))
	tile(t, n)
	checkDecisions(t, n, []dec{
		{day: "2024-01-15", line: 33, last: 38, title: "Rotate tokens", more: "Rotate\n```"},
		{day: "2024-01-15", line: 22, last: 31, title: "Add a grace period", rationale: "A token must not live\na minute longer", more: "Wait 15 minutes", withoutText: false},
	})
	d := n.Decisions()[1]
	if len(d.Evidence) != 1 || d.Evidence[0].Quote != "graceMs = 900000" || d.Evidence[0].Ref.Path != "src/auth/jwt.ts" || d.Evidence[0].Ref.From != 52 || d.Evidence[0].Line != 27 {
		t.Errorf("evidence %+v", d.Evidence)
	}
	if strings.Join(d.Scenarios, "|") != "Happy|Edge|Error" {
		t.Errorf("scenarios %q", d.Scenarios)
	}
	if q := n.Questions(); len(q) != 1 || q[0].Text != "Per client? (since 2024-01-02)" || q[0].Line != 41 || q[0].Since.Day() != 2 {
		t.Errorf("questions %+v", q)
	}
	if id := n.Identifiers(); len(id) != 2 || id[0].Purpose != "Token validation logic" || id[0].Verified != "14:25:00Z" || id[1].Ref.Path != "src/auth/refresh.ts" || id[1].Ref.To != 34 {
		t.Errorf("identifiers %+v", id)
	}
	c := n.Continuity()
	if c.Bead != "beads-x7y8" || c.BeadText != "refresh tokens" || c.State != "Guest is done, admin is next" || c.CheckedAs != "2024-01-15T14:30:00Z" || c.Checkpoint.Hour() != 14 || c.First != "" || c.Older != 0 {
		t.Errorf("continuity %+v", c)
	}
}

// TestResumption checks which sections are read if there is no Session Continuity.
func TestResumption(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"## Next Session\n\nStart with the clock.\n":                                                "Start with the clock.",
		"## ▶ RESUME HERE\n\n- **Reasoning State**: Half way.\n":                                    "Half way.",
		"# Notes\n\n### Handoff: 2026-01-02\n\nOne.\n\n### Handoff: 2026-01-03\n\nTwo.\n":           "Two.",
		"## Continue with\n\nThe docs.\n":                                                           "The docs.",
		"## Next steps (done)\n\nThe docs.\n":                                                       "",
		"## ✅ Next: the docs\n\nWritten.\n":                                                         "",
		"## Next.js\n\nIt renders.\n\n## What is next\n\nThe docs.\n":                               "",
		"## Nextcloud\n\nIt syncs.\n":                                                               "",
		"## Next steps\n\nThe docs.\n\n## Session Continuity\n\n- **Reasoning State**: Half way.\n": "Half way.",
		"## Next steps\n\nThe docs.\n\n## Session Continuity\n":                                     "",
	} {
		n := notes.Parse([]byte(text))
		if h := n.Handover(); h.State != want {
			t.Errorf("%q: %q, not %q", text, h.State, want)
		}
		if has := strings.Contains(text, "Session Continuity"); (n.Continuity().Section >= 0) != has {
			t.Errorf("%q: the section to write to is %d", text, n.Continuity().Section)
		}
	}
}
