package demo

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ledger writes what the first project keeps of itself besides its sessions (spec 002): NOTES.md, the beads, and as much
// of its code as these speak of. The dates are those of the decisions, before now.
func (h *hooks) ledger() error {
	project := filepath.Join(h.options.Root, projectName(0))
	at := func(ago time.Duration) time.Time { return h.options.Now.Add(-ago).UTC() }
	stamps := strings.NewReplacer(
		"{leeway}", at(3*time.Hour).Format(time.RFC3339),
		"{guests}", at(4*time.Hour).Format(time.RFC3339),
		"{hours}", at(28*time.Hour).Format(time.RFC3339),
		"{waitlist}", at(3*24*time.Hour).Format(time.RFC3339),
		"{limits}", at(7*24*time.Hour).Format(time.RFC3339),
		"{checked}", at(2*time.Hour).Format(time.RFC3339),
		"{reset}", at(9*24*time.Hour).Format(time.RFC3339),
	)
	for name, text := range map[string]string{
		"grimoires/loa/NOTES.md":  notesText,
		".beads/issues.jsonl":     beadsText,
		"src/auth/clock.go":       clockText,
		"src/auth/jwt.go":         teahouseJWT,
		"src/auth/guest.go":       teahouseGuest,
		"src/hours/model.go":      hoursText,
		"src/rules/calendar.go":   calendarText,
		"src/waitlist/promote.go": promoteText,
		"src/limit/bucket.go":     bucketText + strings.Repeat("// One more line.\n", 4),
	} {
		path := filepath.Join(project, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("demo ledger: %w", err)
		}
		content := bytes.TrimPrefix([]byte(stamps.Replace(md(text))), []byte("\n"))
		if err := h.stats.file(path, content, at(2*time.Hour)); err != nil {
			return err
		}
	}
	return h.trajectory(project)
}

const notesText = `
# Agent Working Memory (NOTES.md)

> What outlives a context. Manual edits are preserved.

## Active Sub-Goals

- [x] Give the clock a file of its own
- [ ] Move guest tokens onto Claims.Expired
- [ ] Move admin tokens onto Claims.Expired
- [ ] Delete the day constant
- [ ] Say in the runbook how far hosts may drift

## Discovered Technical Debt

| ID | Description | Severity | Found By | Sprint |
|----|-------------|----------|----------|--------|
| TD-001 | The admin console compares days as well | HIGH | implementing-tasks | S02 |
| TD-002 | Two fixtures carry tokens that never expire | LOW | reviewing-code | S02 |
| TD-003 | Opening hours are parsed in the template | MEDIUM | riding-codebase | S01 |

## Blockers & Dependencies

None

## Session Continuity
<!-- CRITICAL: Load this section FIRST after /clear (~100 tokens) -->

### Active Context
- **Current Bead**: tea-41 (one check for every kind of token)
- **Last Checkpoint**: {checked}
- **Reasoning State**: Moving guest and admin tokens onto Claims.Expired. Guest is done, admin is next.

### Lightweight Identifiers
<!-- Absolute paths only - retrieve full content on-demand -->
| Identifier | Purpose | Last Verified |
|------------|---------|---------------|
| ${PROJECT_ROOT}/src/auth/clock.go:12 | The leeway | 14:25:00Z |
| ${PROJECT_ROOT}/src/auth/jwt.go:8-18 | Check, the verifier | 14:25:00Z |
| ${PROJECT_ROOT}/src/auth/guest.go:6-16 | CheckGuest, a copy of it | 14:28:00Z |
| ${PROJECT_ROOT}/src/hours/model.go:8 | A rule has a span | 14:30:00Z |
| ${PROJECT_ROOT}/src/limit/bucket.go:140 | Refill of a bucket | 14:31:00Z |

### Pending Questions
<!-- Carry forward across sessions -->
- [ ] Do guest tokens keep their own issuer after the merge?
- [ ] Who may edit hours of a tenant that is suspended?
- [ ] Is a waitlist place worth a text message, or is mail enough?
- [x] Does the archive need the raw tokens?

## Decision Log
<!-- Decisions survive context wipes - permanent record -->

#### {leeway} - Leeway is 30 s for every token kind, and lives beside the clock
**Decision**: One constant, Leeway, is added on both sides of every comparison of times.
**Rationale**: A stolen token must not live a minute longer; hosts drift by 4 s at worst.
**Evidence**:
- ~const Leeway = 30 * time.Second~ [${PROJECT_ROOT}/src/auth/clock.go:12]
- ~func Check(raw string, now time.Time) (*Claims, error) {~ [${PROJECT_ROOT}/src/auth/jwt.go:8]
**Test Scenarios**:
1. A token inside the leeway is refreshed
2. A token at the edge of the leeway is refused
3. A clock that runs backwards refuses nothing

#### {guests} - Guest tokens go through the same verifier as members
**Decision**: CheckGuest goes, and its callers call Check.
**Rationale**: Two copies of one check drift apart; this one did in March.
**Evidence**:
- ~// A copy of Check, from before the guests had claims.~ [${PROJECT_ROOT}/src/auth/guest.go:11]

#### {hours} - Opening hours are rules; a holiday is a rule with a span of one day
**Decision**: One model, with a span and a priority.
**Rationale**: Two tables drifted apart twice. One model needs one migration and one page.
**Evidence**:
- ~Span     time.Duration // a holiday has one day~ [${PROJECT_ROOT}/src/hours/model.go:5]
- ~type Calendar struct~ [${PROJECT_ROOT}/src/hours/calendar.go:31]

#### {waitlist} - The waitlist promotes on cancel, not on a timer
**Decision**: Cancel calls Promote in its own transaction.
**Rationale**: A timer promotes guests who already left the page.
**Evidence**:
- ~func Promote(slot Slot) (Guest, bool) {~ [${PROJECT_ROOT}/src/waitlist/promote.go:4]

#### {limits} - Rate limits are per calendar, not per address
**Decision**: The bucket of a request is that of its calendar.
**Rationale**: Tea houses share one address behind a proxy.
**Evidence**:
- ~b.tokens = min(b.size, b.tokens+refill)~ [${PROJECT_ROOT}/src/limit/bucket.go:140]

#### {reset} - Guest sessions never survive a password reset
**Decision**: A reset raises the epoch of the account, and a session of an older one is refused.
**Rationale**: Whoever resets a password wants everybody out.

## Learnings

- The staging host runs 2 s behind.
`

const beadsText = `
{"id":"tea-37","title":"Take the day constant out of src/auth","status":"open","priority":2,"issue_type":"task","created_at":"2026-11-12T09:00:00Z","updated_at":"2026-11-12T09:00:00Z","dependencies":[{"issue_id":"tea-37","depends_on_id":"tea-41","type":"blocks","created_at":"2026-11-12T09:00:00Z"}]}
{"id":"tea-38","title":"Tell the runbook how far hosts may drift","status":"open","priority":3,"issue_type":"docs","created_at":"2026-11-12T09:05:00Z","updated_at":"2026-11-12T09:05:00Z"}
{"id":"tea-40","title":"Sweep fixtures whose tokens never expire","status":"open","priority":1,"issue_type":"chore","created_at":"2026-11-14T16:20:00Z","updated_at":"2026-11-14T16:20:00Z"}
{"id":"tea-41","title":"One check for every kind of token","description":"Members, guests and the admin console each compare times in a way of their own.","status":"in_progress","priority":1,"issue_type":"task","assignee":"ada","created_at":"2026-11-15T10:00:00Z","updated_at":"2026-11-20T18:40:00Z","comments":[{"id":1,"issue_id":"tea-41","author":"ada","text":"DECISION: Leeway is 30 s for every token kind\nRationale: Hosts drift by 4 s at worst\nEvidence: ${PROJECT_ROOT}/src/auth/clock.go:12","created_at":"2026-11-20T18:30:00Z"}]}
{"id":"tea-29","title":"Cache menus at the edge","status":"closed","priority":2,"issue_type":"feature","created_at":"2026-10-30T08:00:00Z","updated_at":"2026-11-03T12:00:00Z","closed_at":"2026-11-03T12:00:00Z","close_reason":"done"}
`

const clockText = `
// Package auth verifies the tokens of members and guests.
package auth

import "time"

// Clock is what tells the time. Tests bring their own.
type Clock interface{ Now() time.Time }

// Leeway is how far two hosts may disagree.
//
// It is added on both sides of a comparison.
const Leeway = 30 * time.Second
`

const hoursText = `
package hours

// Rule says when a tea house is open.
type Rule struct {
	Days     Weekdays
	From, To Minutes
	Span     time.Duration // a holiday has one day
	Priority int
}
`

// calendarText is where the calendar has gone.
const calendarText = `
package rules

// Calendar has the rules of a tea house, the strongest first.
type Calendar struct {
	Rules []Rule
}
`

const promoteText = `
package waitlist

// Promote offers a slot that became free to who waits the longest.
func Promote(slot Slot) (Guest, bool) {
	for _, g := range slot.Waiting() {
		if !g.Left() {
			return g, true
		}
	}
	return Guest{}, false
}
`

const bucketText = `
package limit

// Take takes a token out of the bucket of a calendar.
func (b *Bucket) Take() bool {
	b.fill()
	if b.tokens == 0 {
		return false
	}
	b.tokens--
	return true
}
`
