package gate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/notes"
)

const log = `# Notes

## Session Continuity

**Current bead**: tea-41

## Active Sub-Goals

- [ ] Holidays

## Decision Log

### 2026-11-20T10:00:00Z - Opening hours are rules

**Decision**: Rules.
**Evidence**:
- ` + "`func open()`" + ` [${PROJECT_ROOT}/src/calendar.go:31]

### 2026-11-14T10:00:00Z - Limits are per calendar

**Decision**: Per calendar.
**Evidence**:
- ` + "`limit := 3`" + ` [${PROJECT_ROOT}/src/bucket.go:140]

### 2026-11-13T10:00:00Z - No evidence

**Decision**: None.

## Open Questions

- [ ] Which zone?
`

// baked is evidence for the last decision of the log.
const baked = "`const a = 1` [${PROJECT_ROOT}/src/a.go:1]"

func TestDecisions(t *testing.T) {
	t.Parallel()
	n := notes.Parse([]byte(log))
	run := func(block []int, checks ...ledger.Check) gate.Step {
		f := facts(gate.Claims{})
		f.Notes, f.Config.Gate.Block = n, block
		f.Evidence = [][]ledger.Check{{checks[0]}, {checks[1]}, {{Status: ledger.Holds}}}
		r := gate.Run(&f)
		if want := map[gate.Status]gate.Verdict{gate.Fail: gate.Rejected, gate.Unknown: gate.Unsure}[r.Steps[2].Status]; want != "" && r.Verdict != want {
			t.Errorf("%s gives %s", r.Steps[2].Status, r.Verdict)
		}
		return r.Steps[2]
	}
	holds := ledger.Check{Status: ledger.Holds}
	s := run(nil, holds, holds)
	if s.Status != gate.Pass || s.Figure != "2 of 3 decisions verified" || !strings.Contains(strings.Join(s.More, " "), "1 decision has no evidence") {
		t.Errorf("all hold: %+v", s)
	}
	s = run(nil, ledger.Check{Status: ledger.NoFile, Quoted: true, To: "src/model.go", At: 97}, ledger.Check{Status: ledger.NoLine, Quoted: true, Lines: 112})
	if s.Status != gate.Warning || s.Blocks || s.Figure != "2 of 3 point to missing code" {
		t.Errorf("two point to missing code: %+v", s)
	}
	if x := s.Findings[0]; x.Was != "${PROJECT_ROOT}/src/calendar.go:31" || x.Now != "${PROJECT_ROOT}/src/model.go:97" || x.Ref != "src/calendar.go:31" || x.Line != 17 || x.What != "file is gone" {
		t.Errorf("the first is %+v", x)
	}
	if x := s.Findings[1]; x.Was != "" || x.What != "line 140 of a file with 112" || x.Fix != "correct the entry or mark it superseded" {
		t.Errorf("the second is %+v", x)
	}
	if got := len(s.Findings); got != 3 || s.Findings[2].Title != "No evidence" || s.Findings[2].Line != 25 || !s.Findings[2].Mild {
		t.Errorf("decisions without evidence aren't listed last: %+v", s.Findings)
	}
	if s = run([]int{3}, holds, holds); s.Status != gate.Fail || s.Figure != "1 of 3 decisions without evidence" || s.Findings[0].Mild {
		t.Errorf("one without evidence, in a blocking step: %+v", s)
	}
	n = notes.Parse([]byte(strings.Replace(log, "**Decision**: None.", "**Decision**: None.\n**Evidence**:\n- "+baked, 1)))
	s = run([]int{3}, ledger.Check{Status: ledger.NoQuote, Quoted: true}, holds)
	if s.Status != gate.Fail || !s.Blocks || s.Note != "blocks" || s.Figure != "1 of 3 points to missing code" {
		t.Errorf("it blocks: %+v", s)
	}
	s = run([]int{3}, ledger.Check{Status: ledger.Moved, Quoted: true, At: 40}, holds)
	if s.Status != gate.Pass || len(s.Findings) != 1 || !s.Findings[0].Mild || s.Findings[0].Now != "${PROJECT_ROOT}/src/calendar.go:40" {
		t.Errorf("moved: %+v", s)
	}
	unread := ledger.Check{Status: ledger.Unreadable, Problem: "permission denied"}
	if s = run(nil, unread, holds); s.Status != gate.Pass || !strings.Contains(strings.Join(s.More, " "), "src/calendar.go:31: permission denied") {
		t.Errorf("unreadable: %+v", s)
	}
	if s = run([]int{3}, unread, holds); s.Status != gate.Unknown {
		t.Errorf("unreadable, in a blocking step: %+v", s)
	}
}

func TestWithoutNotes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set     func(*gate.Facts)
		status  gate.Status
		verdict gate.Verdict
	}{
		"none":           {func(f *gate.Facts) { f.Notes = nil }, gate.Warning, gate.Passed},
		"no log":         {func(f *gate.Facts) { f.Notes = notes.Parse([]byte("# Notes\n")) }, gate.Warning, gate.Passed},
		"no log, blocks": {func(f *gate.Facts) { f.Notes, f.Config.Gate.Block = notes.Parse(nil), []int{3} }, gate.Fail, gate.Rejected},
		"unreadable":     {func(f *gate.Facts) { f.Notes, f.NotesTrouble = nil, "It is no text." }, gate.Unknown, gate.Unsure},
	} {
		f := facts(gate.Claims{})
		c.set(&f)
		if r := gate.Run(&f); r.Steps[2].Status != c.status || r.Verdict != c.verdict {
			t.Errorf("%s: %s, %s", name, r.Steps[2].Status, r.Verdict)
		}
	}
}

func TestDecisionsBare(t *testing.T) {
	t.Parallel()
	f := facts(gate.Claims{})
	f.Notes = notes.Parse([]byte("# Notes\n\n## Decision Log\n\n### 2026-11-20T10:00:00Z - A\n\n**Decision**: a.\n\n### 2026-11-19T10:00:00Z - B\n\n**Decision**: b.\n"))
	for _, c := range []struct {
		block  []int
		status gate.Status
		want   gate.Verdict
	}{{nil, gate.Warning, gate.Passed}, {[]int{3}, gate.Fail, gate.Rejected}} {
		f.Config.Gate.Block = c.block
		r := gate.Run(&f)
		s := r.Steps[2]
		if s.Status != c.status || r.Verdict != c.want || s.Figure != "2 decisions without evidence" || len(s.Findings) != 2 || s.Findings[1].Title != "B" || s.Findings[1].Line != 9 {
			t.Errorf("%v: %s, %+v", c.block, r.Verdict, s)
		}
		if rejected := slices.Contains(r.Reasons(), "  B: has no evidence; add evidence below the decision: - `quoted code` [${PROJECT_ROOT}/path:line]"); rejected != (c.want == gate.Rejected) {
			t.Errorf("%v: %q", c.block, r.Reasons())
		}
	}
}

func TestDecisionsTogether(t *testing.T) {
	t.Parallel()
	f := facts(gate.Claims{})
	f.Config.Gate.Block = []int{3}
	f.Notes = notes.Parse([]byte("# Notes\n\n## Decision Log\n\n### 2026-11-20T10:00:00Z - A\n\n**Evidence**:\n- `a` [${PROJECT_ROOT}/a.go:1]\n- `b` [${PROJECT_ROOT}/a.go:2]\n\n" +
		"### 2026-11-19T10:00:00Z - B\n\n**Evidence**:\n" + strings.Repeat("- `b` [${PROJECT_ROOT}/b.go:1]\n", 100)))
	gone, moved := ledger.Check{Status: ledger.NoFile}, ledger.Check{Status: ledger.Moved, Quoted: true, At: 4}
	many := []ledger.Check{gone, gone, gone}
	for len(many) < 100 {
		many = append(many, moved)
	}
	f.Evidence = [][]ledger.Check{{moved, gone}, many}
	r := gate.Run(&f)
	s := r.Steps[2]
	if len(s.Findings) != 50 || s.Left != 52 || s.Findings[0].Title != "A" || s.Findings[0].Mild || s.Findings[1].Title != "A" || !s.Findings[1].Mild || s.Findings[2].Title != "B" {
		t.Errorf("%d findings, %d left: %+v", len(s.Findings), s.Left, s.Findings[:min(3, len(s.Findings))])
	}
	if why := r.Reasons(); !slices.Contains(why, "  and 1 more") { // 4 findings fail the step
		t.Errorf("%q", why)
	}
}
