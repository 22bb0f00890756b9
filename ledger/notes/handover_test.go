package notes_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/ledger/handover/handovertest"
	"github.com/continuo-tui/continuo/ledger/notes"
)

func holds(h *handover.Handover) *handover.Handover {
	v := &handover.Handover{When: h.When, State: h.State, Refs: h.Refs, Tests: h.Tests}
	current := false
	for _, i := range h.Items {
		if i.Priority = ""; !i.Status.IsOpen() {
			continue
		}
		if i.Status == handover.InProgress && current { // only one item can be the current bead
			i.Status = handover.Open
		}
		current = current || i.Status == handover.InProgress
		v.Items = append(v.Items, i)
	}
	for _, d := range h.Decisions {
		d.Alternatives = nil
		v.Decisions = append(v.Decisions, d)
	}
	for _, q := range h.Questions {
		if q.Answer == "" {
			v.Questions = append(v.Questions, q)
		}
	}
	return v
}

func rewrite(t *testing.T, text []byte, h *handover.Handover) (back *handover.Handover, written []byte) {
	t.Helper()
	written, err := notes.WriteHandover(text, h)
	if err != nil {
		t.Fatal(err)
	}
	return notes.Parse(written).Handover(), written
}

func TestHandoverRandom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		for _, text := range []string{"", "# Notes\r\n\r\nProse.\r\n", string(notes.Template()), spec} {
			old := notes.Parse([]byte(text)).Handover()
			v := handovertest.Random(r, handovertest.Plain())
			back, written := rewrite(t, []byte(text), v)
			if text != spec {
				handovertest.Equal(t, back, holds(v))
			} else if lost := handover.Lost(holds(v), back); lost != nil {
				t.Fatalf("seed %d: %q is lost", seed, lost)
			}
			again, err := notes.WriteHandover(written, v)
			if err != nil || !bytes.Equal(again, written) {
				t.Fatalf("seed %d: writing it again changes\n%s\nto\n%s", seed, written, again)
			}
			old.When, old.State, old.Items = time.Time{}, "", nil // replaced
			if lost := handover.Lost(old, back); lost != nil {
				t.Fatalf("seed %d: older entries are lost: %q", seed, lost)
			}
		}
	}
}

func TestHandoverWild(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		v := handovertest.Random(rand.New(rand.NewPCG(seed, 2)), handovertest.Wild())
		back, _ := rewrite(t, nil, v)
		handovertest.SameEntries(t, back, holds(v))
	}
}

func TestHandoverExamples(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"corona", "loa-2026-05-12.dated-decision-logs", "loa-archive-cycle042", "loa-finn", "loa-v0.9.0", "mibestats", "template"} {
		v := notes.Parse(readExample(t, name)).Handover()
		back, _ := rewrite(t, nil, v)
		if lost := handover.Lost(v, back); lost != nil {
			t.Errorf("%s: lost %q", name, lost)
		}
		if more := handover.Lost(back, v); more != nil {
			t.Errorf("%s: invented %q", name, more)
		}
	}
}

func TestHandoverIntoExamples(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("CONTINUO_EXAMPLES")
	if dir == "" {
		t.Skip("CONTINUO_EXAMPLES is not set")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "002", "NOTES.*.md"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		old := notes.Parse(text).Handover()
		v := handovertest.Random(rand.New(rand.NewPCG(7, 7)), handovertest.Plain())
		back, _ := rewrite(t, text, v)
		if lost := handovertest.Entries(handover.Lost(holds(v), back)); lost != nil { // a table may have no column for a field
			t.Errorf("%s: lost %q", filepath.Base(file), lost)
		}
		old.When, old.State = time.Time{}, ""
		old.Refs = slices.DeleteFunc(old.Refs, func(r handover.Reference) bool { // other identifiers count only if there is no section Lightweight Identifiers
			return r.Purpose == ""
		})
		if lost := handovertest.Entries(handover.Lost(old, back)); lost != nil {
			t.Errorf("%s: older entries are lost: %q", filepath.Base(file), lost)
		}
	}
}

func TestRequiredStructure(t *testing.T) {
	t.Parallel()
	const text = `# Agent Working Memory (NOTES.md)

## Session Continuity

### Active Context
- **Current Bead**: beads-x7y8 (Rotate tokens)
- **Last Checkpoint**: 2024-01-15T14:30:00Z
- **Reasoning State**: The leeway is in, the retry is next.

### Lightweight Identifiers
| Identifier | Purpose | Last Verified |
|---|---|---|
| ${PROJECT_ROOT}/src/auth/jwt.ts:45-67 | Token validation |  |

### Pending Questions

- [ ] Per client?

## Active Sub-Goals

- [ ] Clock skew (beads-1)

## Blockers

- [ ] Keys are missing

## Decision Log

#### 2024-01-15T10:30:00Z - Tokens rotate
**Decision**: Use rotating refresh tokens
**Rationale**: Prevents replay
**Evidence**:
- ` + "`rotate()`" + ` [${PROJECT_ROOT}/src/auth/refresh.ts:12]

## Test Scenarios

- **Token expires** (edge_case): Grace period
`
	h := notes.Parse([]byte(text)).Handover()
	want := &handover.Handover{
		When: time.Date(2024, 1, 15, 14, 30, 0, 0, time.UTC), State: "The leeway is in, the retry is next.",
		Items: []handover.Item{
			{ID: "beads-x7y8", Title: "Rotate tokens", Status: handover.InProgress},
			{Title: "Keys are missing", Status: handover.Blocked},
			{ID: "beads-1", Title: "Clock skew", Status: handover.Open},
		},
		Decisions: []handover.Decision{{
			When: time.Date(2024, 1, 15, 10, 30, 0, 0, time.UTC), Title: "Tokens rotate", Text: "Use rotating refresh tokens", Why: "Prevents replay",
			Evidence: []handover.Evidence{{Ref: ref(t, "${PROJECT_ROOT}/src/auth/refresh.ts:12"), Quote: "rotate()"}},
		}},
		Questions: []handover.Question{{Text: "Per client?"}},
		Refs:      []handover.Reference{{Ref: ref(t, "${PROJECT_ROOT}/src/auth/jwt.ts:45-67"), Purpose: "Token validation"}},
		Tests:     []handover.Test{{Name: "Token expires", Type: "edge_case", Expected: "Grace period"}},
	}
	handovertest.Equal(t, h, want)
	for _, i := range h.Items {
		if string(i.Marks) != "N" {
			t.Errorf("%q has the marks %q", i.Title, string(i.Marks))
		}
	}
	if _, written := rewrite(t, nil, want); string(written) != text {
		t.Errorf("written as\n%s", written)
	}
}

func ref(t *testing.T, s string) ledger.Ref {
	t.Helper()
	r, ok := ledger.ParseRef(s)
	if !ok {
		t.Fatalf("%q is not an identifier", s)
	}
	return r
}

func TestHandoverReplaces(t *testing.T) {
	t.Parallel()
	h := &handover.Handover{When: time.Date(2026, 11, 28, 1, 2, 3, 0, time.UTC), State: "New\nstate", Items: []handover.Item{{ID: "beads-2", Title: "Now", Status: handover.InProgress}}}
	for name, c := range map[string][2]string{
		"keys": {
			"## Session Continuity\n- **Current Bead**: beads-1 (Old)\n  - a remark\n- **Last Checkpoint**: never\n- **Reasoning State**: Old\n  text\n  - with a list\n- Other\n",
			"## Session Continuity\n- **Current Bead**: beads-2 (Now)\n  - a remark\n- **Last Checkpoint**: 2026-11-28T01:02:03Z\n- **Reasoning State**: New state\n- Other\n",
		},
		"lines": {
			"# Session Continuity\r\n\r\nCurrent focus: Old\r\nBead: none\r\nMore: stays\r\n",
			"# Session Continuity\r\n- **Last Checkpoint**: 2026-11-28T01:02:03Z\r\n\r\nCurrent focus: New state\r\nBead: beads-2 (Now)\r\nMore: stays\r\n",
		},
		"placeholders": {
			"## Session Continuity\n### Active Context\n- **Current Bead**: [bead-id] ([task description])\n- **Last Checkpoint**: YYYY-MM-DDTHH:MM:SSZ\n- **Reasoning State**: [Where we left off, what's next]\n",
			"## Session Continuity\n### Active Context\n- **Current Bead**: beads-2 (Now)\n- **Last Checkpoint**: 2026-11-28T01:02:03Z\n- **Reasoning State**: New state\n",
		},
		"table": {
			"## Session Continuity\n| Timestamp | Agent | Summary |\n|---|---|---|\n| 2026-01-02 10:00 | a | Old |\n",
			"## Session Continuity\n- **Current Bead**: beads-2 (Now)\n- **Last Checkpoint**: 2026-11-28T01:02:03Z\n- **Reasoning State**: New state\n\n| Timestamp | Agent | Summary |\n|---|---|---|\n| 2026-01-02 10:00 | a | Old |\n",
		},
		"prose": {
			"## Session Continuity\n\nProse.\n\n```\nFocus: code\n```\n",
			"## Session Continuity\n- **Current Bead**: beads-2 (Now)\n- **Last Checkpoint**: 2026-11-28T01:02:03Z\n- **Reasoning State**: New state\n\nProse.\n\n```\nFocus: code\n```\n",
		},
	} {
		back, written := rewrite(t, []byte(c[0]), h)
		if string(written) != c[1] {
			t.Errorf("%s: written as\n%s", name, written)
		}
		if lost := strings.Join(handover.Lost(h, back), "; "); lost != "the line breaks of the state" {
			t.Errorf("%s: lost: %q", name, lost)
		}
	}
}

// TestHandoverLongTitle: a heading of maximum length ends with a multi-byte letter.
func TestHandoverLongTitle(t *testing.T) {
	t.Parallel()
	for n := range 8 {
		title := strings.Repeat("a", n) + strings.Repeat("é", 40)
		if all := notes.Parse([]byte("## Decision Log — 2026-11-17 (" + title + ")\n\nText.\n")).Decisions(); len(all) != 1 || all[0].Title != title {
			t.Errorf("%q: %+v", title, all)
		}
	}
}

// FuzzHandover writes any handover into any NOTES.md. The decisions of the file must stay.
func FuzzHandover(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s, "Retry", "Leeway is 30 s", "Clocks differ.")
		f.Add(s, "- [x] #\\", "1. <!--\n```", "**Rationale**: |")
	}
	f.Fuzz(func(t *testing.T, text, title, decision, why string) {
		h := &handover.Handover{
			When: time.Date(2026, 11, 28, 1, 2, 3, 0, time.UTC), State: why,
			Items:     []handover.Item{{Title: title}, {ID: "beads-1", Title: decision, Status: handover.InProgress}, {Title: why, Status: handover.Blocked}},
			Decisions: []handover.Decision{{Text: decision, Why: why}},
			Questions: []handover.Question{{Text: title}}, Tests: []handover.Test{{Name: title, Expected: why}},
			Refs: []handover.Reference{{Ref: ledger.Ref{Path: "src/a.go", From: 1, To: 1, Form: ledger.FormRooted}, Purpose: why}},
		}
		back, written := rewrite(t, []byte(text), h)
		if old := len(notes.Parse([]byte(text)).DecisionTitles()); len(back.Decisions) < old {
			t.Fatalf("%d of %d decisions are left", len(back.Decisions), old)
		}
		if handover.Lost(h, back) != nil {
			return
		}
		if again, err := notes.WriteHandover(written, h); err != nil || !bytes.Equal(again, written) {
			t.Fatalf("writing it again changes %q to %q, %v", written, again, err)
		}
	})
}
