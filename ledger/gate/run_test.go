package gate_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/trajectory"
)

const (
	agent = "implementing-tasks"
	day   = "2026-11-22"
)

// collect reads a trajectory of one record a line, as a file of the agent, or of nobody.
func collect(t *testing.T, c *gate.Collector, name, text string) gate.Claims {
	t.Helper()
	f := trajectory.File{Path: "/p/" + name, Agent: agent, Day: day}
	if name == day+".jsonl" {
		f.Agent = ""
	}
	if !c.Wants(&f) {
		t.Fatalf("%s is not wanted", name)
	}
	c.Open(&f)
	n := 0
	for line := range strings.Lines(text) {
		n++
		c.Line([]byte(line))
		r := trajectory.Record{File: f.Path, Line: n, Lines: 1, Agent: f.Agent}
		if err := json.Unmarshal([]byte(line), &r.Fields); err != nil {
			t.Fatalf("line %d: %v", n, err)
		}
		for key, to := range map[string]*string{"phase": &r.Phase, "agent": &r.Agent} {
			_ = json.Unmarshal(r.Fields[key], to)
		}
		var ts string
		if json.Unmarshal(r.Fields["ts"], &ts) == nil {
			r.At, _ = time.Parse(time.RFC3339, ts)
		}
		c.Record(&r)
	}
	c.Shut(&f, trajectory.Stats{Records: n})
	return c.Claims()
}

// own is the trajectory of the agent for the day.
func own(t *testing.T, text string) gate.Claims {
	t.Helper()
	return collect(t, gate.NewCollector(agent, day), agent+"-"+day+".jsonl", text)
}

// lines are n times a record.
func lines(n int, record string) string { return strings.Repeat(record+"\n", n) }

const (
	cited   = `{"phase":"cite","claim":"c","grounding":"citation"}`
	assumed = `{"phase":"cite","claim":"Users like it dark","grounding":"assumption"}`
)

func facts(c gate.Claims) gate.Facts {
	f := gate.Facts{Mode: gate.Simplified, Config: ledger.DefaultConfig(), Agent: agent, Day: day, Claims: c, NotesFile: "/p/NOTES.md"}
	f.Notes = notes.Parse([]byte("# Notes\n\n## Decision Log\n"))
	f.Config.Grounding.Enforcement = ledger.Strict
	return f
}

// TestGrounding holds the documented cases of step 1 (fact sheet 002, grounding-check.sh).
func TestGrounding(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text     string
		set      func(*ledger.Config)
		status   gate.Status
		figure   string
		verdict  gate.Verdict
		original string // what the original comes to, where that is said
	}{
		"19 of 20": {text: lines(19, cited) + assumed, status: gate.Pass, figure: "0.95 of 0.95 needed", verdict: gate.Passed},
		"37 of 39": {text: lines(37, cited) + lines(2, assumed), status: gate.Fail, figure: "0.948 of 0.95 needed", verdict: gate.Rejected},
		"37 of 39 warns": {
			text: lines(37, cited) + lines(2, assumed), set: func(c *ledger.Config) { c.Grounding.Enforcement = ledger.Warn },
			status: gate.Warning, figure: "0.948 of 0.95 needed", verdict: gate.Passed,
		},
		"half":      {text: cited + "\n" + assumed, status: gate.Fail, figure: "0.50 of 0.95 needed", verdict: gate.Rejected},
		"no claims": {status: gate.Pass, figure: "1.00 of 0.95 needed", verdict: gate.Passed},
		"no claims must not pass": {
			set:    func(c *ledger.Config) { c.Grounding.ZeroClaimPasses = false },
			status: gate.Fail, figure: "no claims", verdict: gate.Rejected,
		},
		"written with spaces": {
			text: lines(1, `{"phase": "cite", "grounding": "assumption"}`), status: gate.Fail, figure: "0.00 of 0.95 needed", verdict: gate.Rejected,
			original: "1.00 by the original script, which cannot see 1 claim",
		},
		"other phases push nothing up": {
			text: lines(2, assumed) + lines(40, `{"phase":"act","grounding":"citation"}`), status: gate.Fail, figure: "0.00 of 0.95 needed", verdict: gate.Rejected,
			original: "20.00 by the original script, which counts what is grounded in records of any phase",
		},
		"an object": {text: `{"phase":"cite","grounding":{"type":"code_reference"}}`, status: gate.Pass, figure: "1.00 of 0.95 needed", verdict: gate.Passed, original: "0.00 by"},
		"inference": {text: `{"phase":"cite","grounding":"inference"}`, status: gate.Fail, figure: "0.00 of 0.95 needed", verdict: gate.Rejected},
		"one of each citation": {
			text:   `{"phase":"cite","citations":[{"code":"x","path":"a.go","line":3},{"path":"a.go"}]}`,
			status: gate.Fail, figure: "0.50 of 0.95 needed", verdict: gate.Rejected, original: "0.00 by the original",
		},
		"citations that have the grounding of their record": {
			text: `{"phase":"cite","grounding":"user_input","citations":["message 3",{}]}`, status: gate.Pass, figure: "1.00 of 0.95 needed", verdict: gate.Passed,
		},
		"an assumption is a claim": {text: cited + "\n" + `{"phase":"assumption","grounding":"citation"}`, status: gate.Fail, figure: "0.50 of 0.95 needed", verdict: gate.Rejected},
		"disabled":                 {text: assumed, set: func(c *ledger.Config) { c.Grounding.Enforcement = ledger.Disabled }, status: gate.Off, figure: "off", verdict: gate.Passed},
		"the checkpoint is off": {
			text: assumed, set: func(c *ledger.Config) { c.Checkpoint.Enabled = false }, status: gate.Warning, figure: "0.00 of 0.95 needed", verdict: gate.Passed,
		},
		"a threshold of three digits": {
			text: lines(37, cited) + lines(2, assumed), set: func(c *ledger.Config) { c.Grounding.Threshold = 0.945 },
			status: gate.Pass, figure: "0.948 of 0.945 needed", verdict: gate.Passed,
		},
		"not quite all": {
			text: lines(999, cited) + assumed, set: func(c *ledger.Config) { c.Grounding.Threshold = 1 },
			status: gate.Fail, figure: "0.999 of 1.00 needed", verdict: gate.Rejected,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := facts(own(t, c.text))
			if c.set != nil {
				c.set(&f.Config)
			}
			r := gate.Run(&f)
			s := r.Steps[0]
			if s.Status != c.status || s.Figure != c.figure || r.Verdict != c.verdict {
				t.Errorf("%s %q, verdict %s; want %s %q, %s", s.Status, s.Figure, r.Verdict, c.status, c.figure, c.verdict)
			}
			if more := strings.Join(s.More, " "); c.original != "" && !strings.Contains(more, c.original) {
				t.Errorf("more is %q, want %q in it", more, c.original)
			}
			if r.Ratio > 1 {
				t.Errorf("the ratio is %v", r.Ratio)
			}
		})
	}
}

func TestGroundingSaysWhereAndWhatToDo(t *testing.T) {
	t.Parallel()
	f := facts(own(t, lines(3, cited)+assumed+"\n"+`{"phase":"cite","claim":"It \u001b[31mexpires"}`))
	r := gate.Run(&f)
	found := r.Steps[0].Findings
	if len(found) != 2 {
		t.Fatalf("%d findings: %+v", len(found), found)
	}
	if x := found[0]; x.Title != "Users like it dark" || x.Line != 4 || x.File != "/p/"+agent+"-"+day+".jsonl" || !strings.Contains(x.What, "assumption") {
		t.Errorf("the first is %+v", x)
	}
	if x := found[1]; x.Title != "It expires" || x.Line != 5 || !strings.Contains(x.Fix, "[ASSUMPTION]") {
		t.Errorf("the second is %+v", x)
	}
	why := strings.Join(r.Reasons(), "\n")
	for _, want := range []string{"Grounding: 0.60 of 0.95 needed, 3 of 5 claims cite a source", "  Users like it dark: is an assumption; find"} {
		if !strings.Contains(why, want) {
			t.Errorf("the reasons are\n%s\nwithout %q", why, want)
		}
	}
}

func TestManyUngroundedClaimsAreCounted(t *testing.T) {
	t.Parallel()
	f := facts(own(t, lines(1_200, assumed)))
	r := gate.Run(&f)
	if s := r.Steps[0]; len(s.Findings)+s.Left != 1_200 || len(s.Findings) != 50 {
		t.Errorf("%d findings, %d left", len(s.Findings), s.Left)
	}
	if why := r.Reasons(); !slices.Contains(why, "  and 1197 more") {
		t.Errorf("the reasons are %q", why)
	}
}

// TestGhosts holds the matrix, and every form of record that the fact sheet names.
func TestGhosts(t *testing.T) {
	t.Parallel()
	const two = `"query1":"sso login","results1":0,"query2":"identity provider","results2":0`
	for name, c := range map[string]struct {
		text   string
		set    func(*ledger.Negative)
		figure string
		status gate.Status
	}{
		"confirmed":            {text: `{"phase":"negative_ground","claim":"no SSO",` + two + `,"doc_mentions":2}`, figure: "0 unverified", status: gate.Pass},
		"highly ambiguous":     {text: `{"phase":"negative_ground","claim":"no SSO",` + two + `,"doc_mentions":3}`, figure: "0 unverified, 1 highly ambiguous", status: gate.Fail},
		"in the code":          {text: `{"phase":"negative_ground","claim":"no SSO","query1":"sso","results1":1,"query2":"saml","results2":0,"doc_mentions":9}`, figure: "0 unverified", status: gate.Pass},
		"one query":            {text: `{"phase":"negative_ground","claim":"no SSO","query1":"sso","results1":0}`, figure: "1 unverified", status: gate.Fail},
		"a query not finished": {text: `{"phase":"negative_ground","claim":"no SSO","query1":"sso","results1":0,"query2":"saml"}`, figure: "1 unverified", status: gate.Fail},
		"the same query":       {text: `{"phase":"zero_results","claim":"no SSO","query1":"sso login","results1":0,"query2":"Login  SSO","results2":0}`, figure: "1 unverified", status: gate.Fail},
		"the same query, allowed": {
			text: `{"phase":"zero_results","claim":"no SSO","query1":"sso","result1":0,"query2":"sso","result2":0}`,
			set:  func(n *ledger.Negative) { n.RequireDiverseQueries = false }, figure: "0 unverified", status: gate.Pass,
		},
		"feature and underlines": {
			text:   `{"phase":"negative_grounding","feature":"SSO","query_1":"sso","results_1":0,"query_2":"saml","results_2":0,"doc_mentions":5,"ambiguity":"HIGH","confirmed_ghost":false,"requires_human_audit":true}`,
			figure: "0 unverified, 1 highly ambiguous", status: gate.Fail,
		},
		"result1":              {text: `{"phase":"ghost_detection","feature":"SSO","query1":"sso","result1":"0","query2":"saml","result2":[],"classification":"CONFIRMED GHOST"}`, figure: "0 unverified", status: gate.Pass},
		"ghost":                {text: `{"phase":"ghost_detection","feature":"SSO",` + two + `,"classification":"GHOST","ambiguity":"high"}`, figure: "0 unverified, 1 highly ambiguous", status: gate.Fail},
		"status alone":         {text: `{"phase":"ghost_detection","feature":"SSO","status":"high_ambiguity"}`, figure: "1 unverified", status: gate.Fail},
		"unverified by status": {text: `{"phase":"negative_ground","claim":"no SSO",` + two + `,"status":"unverified"}`, figure: "1 unverified", status: gate.Fail},
		"confirmed by status without a query": {
			text: `{"phase":"negative_ground","claim":"no SSO","status":"confirmed_ghost"}`, figure: "1 unverified", status: gate.Fail,
		},
		"a later record": {
			text:   `{"phase":"negative_ground","claim":"no SSO","query1":"sso","results1":0}` + "\n" + `{"phase":"negative_grounding","feature":"No  sso",` + two + `}`,
			figure: "0 unverified", status: gate.Pass,
		},
		"a later record that is graver": {
			text:   `{"phase":"negative_ground","claim":"no SSO",` + two + `}` + "\n" + `{"phase":"negative_ground","claim":"no SSO","doc_mentions":4}`,
			figure: "0 unverified, 1 highly ambiguous", status: gate.Fail,
		},
		"the second query alone": {
			text:   `{"phase":"negative_ground","claim":"no SSO","query1":"sso","results1":0}` + "\n" + `{"phase":"negative_ground","query2":"identity provider","results2":0}`,
			figure: "0 unverified", status: gate.Pass,
		},
		"audited by a person": {
			text:   `{"phase":"negative_ground","claim":"no SSO",` + two + `,"doc_mentions":5,"status":"high_ambiguity"}` + "\n" + `{"phase":"negative_ground","claim":"no SSO","status":"confirmed_ghost","audited_by":"mei"}`,
			figure: "0 unverified", status: gate.Pass,
		},
		"does not block":      {text: `{"phase":"negative_ground","claim":"no SSO"}`, set: func(n *ledger.Negative) { n.StrictModeBlocks = false }, figure: "1 unverified", status: gate.Warning},
		"off":                 {text: `{"phase":"negative_ground","claim":"no SSO"}`, set: func(n *ledger.Negative) { n.Enabled = false }, figure: "off", status: gate.Off},
		"a list of queries":   {text: `{"phase":"negative_ground","claim":"no SSO","queries":[{"query":"sso","results":0},{"query":"saml","hits":0}]}`, figure: "0 unverified", status: gate.Pass},
		"queries not logged":  {text: `{"phase":"negative_ground","claim":"no SSO","results1":0,"results2":0}`, figure: "1 unverified", status: gate.Fail},
		"three of them asked": {text: `{"phase":"negative_ground","claim":"no SSO",` + two + `}`, set: func(n *ledger.Negative) { n.QueryCount = 3 }, figure: "1 unverified", status: gate.Fail},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := facts(own(t, c.text))
			if c.set != nil {
				c.set(&f.Config.Grounding.Negative)
			}
			r := gate.Run(&f)
			if s := r.Steps[1]; s.Figure != c.figure || s.Status != c.status {
				t.Errorf("%s %q, want %s %q; %+v", s.Status, s.Figure, c.status, c.figure, f.Claims.Ghosts)
			}
			if want := c.status == gate.Fail; want != (r.Verdict == gate.Rejected) {
				t.Errorf("the verdict is %s", r.Verdict)
			}
		})
	}
}

// TestGhostsOfNobody: ghosts are logged to a file without an agent, which the original never reads; claims of others are
// not ours.
func TestGhostsOfNobody(t *testing.T) {
	t.Parallel()
	c := gate.NewCollector(agent, day)
	collect(t, c, agent+"-"+day+".jsonl", cited)
	got := collect(t, c, day+".jsonl", `{"phase":"ghost_detection","feature":"SSO","status":"unverified"}`+"\n"+`{"phase":"cite","agent":"other","claim":"x"}`+"\n"+`{"phase":"cite","claim":"y"}`)
	if len(got.Ghosts) != 1 || got.Tally.Claims != 1 || got.OriginalGhosts != 0 {
		t.Errorf("%+v", got)
	}
	f := facts(got)
	if s := gate.Run(&f).Steps[1]; s.Status != gate.Fail || !slices.Contains(s.More, "0 by the original script, which goes by the word that a record has for its status.") {
		t.Errorf("%+v", s)
	}
	for _, other := range []trajectory.File{{Agent: "other", Day: day}, {Agent: agent, Day: "2026-11-21"}} {
		if c.Wants(&other) {
			t.Errorf("%+v is wanted", other)
		}
	}
}

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

func TestDecisions(t *testing.T) {
	t.Parallel()
	n := notes.Parse([]byte(log))
	run := func(block []int, checks ...ledger.Check) gate.Step {
		f := facts(gate.Claims{})
		f.Notes, f.Config.Gate.Block = n, block
		f.Evidence = [][]ledger.Check{{checks[0]}, {checks[1]}, nil}
		r := gate.Run(&f)
		if want := map[gate.Status]gate.Verdict{gate.Fail: gate.Rejected, gate.Unknown: gate.Unsure}[r.Steps[2].Status]; want != "" && r.Verdict != want {
			t.Errorf("%s gives %s", r.Steps[2].Status, r.Verdict)
		}
		return r.Steps[2]
	}
	holds := ledger.Check{Status: ledger.Holds}
	s := run(nil, holds, holds)
	if s.Status != gate.Pass || s.Figure != "2 of 3 decisions hold" || !strings.Contains(strings.Join(s.More, " "), "1 decision names no evidence") {
		t.Errorf("all hold: %+v", s)
	}
	s = run(nil, ledger.Check{Status: ledger.NoFile, Quoted: true, To: "src/model.go", At: 97}, ledger.Check{Status: ledger.NoLine, Quoted: true, Lines: 112})
	if s.Status != gate.Warning || s.Blocks || s.Figure != "2 of 3 rest on code that is not there" {
		t.Errorf("two lead nowhere: %+v", s)
	}
	if x := s.Findings[0]; x.Was != "${PROJECT_ROOT}/src/calendar.go:31" || x.Now != "${PROJECT_ROOT}/src/model.go:97" || x.Ref != "src/calendar.go:31" || x.Line != 17 || x.What != "file is gone" {
		t.Errorf("the first is %+v", x)
	}
	if x := s.Findings[1]; x.Was != "" || x.What != "line 140 of a file with 112" || x.Fix != "correct the entry or mark it superseded" {
		t.Errorf("the second is %+v", x)
	}
	s = run([]int{3}, ledger.Check{Status: ledger.NoQuote, Quoted: true}, holds)
	if s.Status != gate.Fail || !s.Blocks || s.Note != "blocks" || s.Figure != "1 of 3 rests on code that is not there" {
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
		t.Errorf("unreadable, and it blocks: %+v", s)
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

// TestErrorsBlock: what cannot be checked is no pass (fact sheet, contradiction 11).
func TestErrorsBlock(t *testing.T) {
	t.Parallel()
	f := facts(gate.Claims{})
	f.TrajectoryTrouble = "The trajectory cannot be read."
	r := gate.Run(&f)
	if r.Verdict != gate.Unsure || r.Exit() != 2 || r.Count(gate.Unknown) != 2 {
		t.Errorf("%+v", r)
	}
	f = facts(gate.Claims{})
	f.ConfigTrouble, f.ConfigUnsure = []string{"grounding: no word."}, true
	if r = gate.Run(&f); r.Verdict != gate.Unsure || !slices.Contains(r.Reasons(), "grounding: no word.") {
		t.Errorf("broken config: %s, %q", r.Verdict, r.Reasons())
	}
	f.ConfigUnsure = false
	if r = gate.Run(&f); r.Verdict != gate.Passed || len(r.Said) != 1 || len(r.Reasons()) != 0 {
		t.Errorf("a slip elsewhere: %s, %q", r.Verdict, r.Reasons())
	}
}

// TestFull holds the steps 4 to 7.
func TestFull(t *testing.T) {
	t.Parallel()
	f := facts(own(t, `{"type":"test_scenario","name":"A leap day"}`+"\n"+`{"type":"test_scenario","name":"a  leap day"}`))
	f.Mode, f.Notes, f.Size = gate.Full, notes.Parse([]byte(log)), func(n int64) string { return fmt.Sprint(n, " B") }
	f.Evidence = [][]ledger.Check{{{Status: ledger.Holds}}, {{Status: ledger.Holds}}, nil}
	r := gate.Run(&f)
	if len(r.Steps) != 7 || r.Verdict != gate.Passed {
		t.Fatalf("%d steps, %s: %q", len(r.Steps), r.Verdict, r.Reasons())
	}
	for i, want := range []string{"no beads here", "no session", "nothing to drop", "1 of 3 wanted"} {
		if s := r.Steps[3+i]; s.Figure != want || s.N != 4+i {
			t.Errorf("step %d is %q, want %q", s.N, s.Figure, want)
		}
	}
	if s := r.Steps[6]; s.Status != gate.Warning || s.Note != "warns only" {
		t.Errorf("too few scenarios: %+v", s)
	}
	f.Config.Checkpoint.EDDWarnOnly = false
	if r = gate.Run(&f); r.Steps[6].Status != gate.Fail || r.Verdict != gate.Rejected {
		t.Errorf("too few scenarios in strict, not warn only: %+v", r.Steps[6])
	}

	f.Config.Checkpoint.EDDWarnOnly = true
	f.Session = gate.Session{ID: "s1", Output: 900, Bodies: []gate.Body{{Path: "src/calendar.go", Bytes: 40_000}, {Path: "src/other.go", Bytes: 3_000, Lines: 60}}}
	f.Beads = &beads.Graph{Shape: "br", Beads: []beads.Bead{{ID: "tea-9", Status: "in_progress"}, {ID: "tea-41", Status: "in_progress", Decisions: []beads.Decision{{}}, Next: []string{"Write the test"}}}}
	r = gate.Run(&f)
	if s := r.Steps[3]; s.Status != gate.Pass || s.Figure != "tea-41 in progress" {
		t.Errorf("bead: %+v", s)
	}
	if s := r.Steps[5]; s.Status != gate.Warning || s.Figure != "43000 B → 3034 B" || s.Note != "1 of 2 without an identifier" || !strings.Contains(s.Findings[0].Fix, "${PROJECT_ROOT}/src/other.go:1-60") {
		t.Errorf("decay: %+v", s)
	}
	d := f.Handoff(&r, "grimoires/loa/NOTES.md")
	if d.SessionID != "s1" || d.Bead != "tea-41" || !d.Ready || d.EDD || d.Decisions != 3 || !slices.Equal(d.Hints, []string{"Holidays", "Write the test", "Which zone?"}) ||
		!slices.Equal(d.NotesRefs, []string{"${PROJECT_ROOT}/grimoires/loa/NOTES.md:3-6"}) {
		t.Errorf("%+v", d)
	}
	f.Beads.Beads = f.Beads.Beads[:1]
	if s := gate.Run(&f).Steps[3]; s.Status != gate.Warning || s.Note != "no decisions and no next steps in it" {
		t.Errorf("an empty bead: %+v", s)
	}
	f.Beads.Beads = nil
	if s := gate.Run(&f).Steps[3]; s.Status != gate.Warning || s.Figure != "none in progress" {
		t.Errorf("no bead in progress: %+v", s)
	}
	f.BeadsTrouble = "No."
	if r := gate.Run(&f); r.Steps[3].Status != gate.Unknown || r.Verdict != gate.Unsure {
		t.Errorf("unreadable beads: %+v", r.Steps[3])
	}
}

// TestOthers: where the agent has no trajectory of the day, those that have one are named, and not guessed at.
func TestOthers(t *testing.T) {
	t.Parallel()
	f := facts(gate.Claims{})
	f.Others = []string{"riding-codebase"}
	if s := gate.Run(&f).Steps[0]; !slices.Contains(s.More, agent+" has no trajectory of "+day+"; there is one of riding-codebase.") {
		t.Errorf("%+v", s)
	}
}

// TestHostileRecords: whatever a record has in its fields, it is counted as something.
func TestHostileRecords(t *testing.T) {
	t.Parallel()
	for _, value := range []string{`null`, `-1`, `1e999`, `"\u001b[2J"`, `[]`, `{}`, `[[[]]]`, `true`, `"NaN"`, `{"type":null}`, `{"type":["citation"]}`, `[null,1,"x",{"code":1}]`, `"` + strings.Repeat("long ", 9_000) + `"`} {
		got := own(t, `{"phase":"cite","claim":`+value+`,"grounding":`+value+`,"citations":`+value+`}`+"\n"+
			`{"phase":"negative_ground","claim":`+value+`,"query1":`+value+`,"results1":`+value+`,"results2":`+value+`,"queries":`+value+`,"doc_mentions":`+value+`,"status":`+value+`}`)
		f := facts(got)
		f.Mode = gate.Full
		r := gate.Run(&f)
		if r.Verdict != gate.Rejected || got.Tally.Claims < 1 || got.Tally.Grounded() != 0 || len(got.Ghosts) != 1 {
			t.Errorf("%.40s: %s, %+v", value, r.Verdict, got.Tally)
		}
		for _, line := range r.Reasons() {
			if strings.ContainsAny(line, "\x1b\n") || len(line) > 2_000 {
				t.Errorf("%.40s: %q", value, line)
			}
		}
	}
}
