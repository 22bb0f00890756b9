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

// collect collects a trajectory. name is its file name, which may contain an agent.
func collect(t *testing.T, c *gate.Collector, name, text string) gate.Claims {
	t.Helper()
	f := trajectory.File{Path: "/p/" + name, Agent: strings.TrimSuffix(strings.TrimSuffix(name, day+".jsonl"), "-"), Day: day}
	if !c.Wants(&f) {
		t.Fatalf("Wants refuses %s", name)
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

func own(t *testing.T, text string) gate.Claims {
	t.Helper()
	return collect(t, gate.NewCollector(agent, day, agent), agent+"-"+day+".jsonl", text)
}

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

// TestBeforeClearGrounding checks step 1 of spec 002. The cases come from the original script, grounding-check.sh.
func TestBeforeClearGrounding(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text     string
		set      func(*ledger.Config)
		status   gate.Status
		figure   string
		verdict  gate.Verdict
		original string // sentence about the result of the original script
	}{
		"19 of 20": {text: lines(19, cited) + assumed, status: gate.Pass, figure: "0.95 (needs 0.95)", verdict: gate.Passed},
		"37 of 39": {text: lines(37, cited) + lines(2, assumed), status: gate.Fail, figure: "0.948 (needs 0.95)", verdict: gate.Rejected},
		"37 of 39 warns": {
			text: lines(37, cited) + lines(2, assumed), set: func(c *ledger.Config) { c.Grounding.Enforcement = ledger.Warn },
			status: gate.Warning, figure: "0.948 (needs 0.95)", verdict: gate.Passed,
		},
		"half":      {text: cited + "\n" + assumed, status: gate.Fail, figure: "0.50 (needs 0.95)", verdict: gate.Rejected},
		"no claims": {status: gate.Pass, figure: "–", verdict: gate.Passed},
		"no claims must not pass": {
			set:    func(c *ledger.Config) { c.Grounding.ZeroClaimPasses = false },
			status: gate.Fail, figure: "–", verdict: gate.Rejected,
		},
		"written with spaces": {
			text: lines(1, `{"phase": "cite", "grounding": "assumption"}`), status: gate.Fail, figure: "0.00 (needs 0.95)", verdict: gate.Rejected,
			original: "The original script has 1.00: it finds 0 of 1 claims.",
		},
		"other phases push nothing up": {
			text: lines(2, assumed) + lines(40, `{"phase":"act","grounding":"citation"}`), status: gate.Fail, figure: "0.00 (needs 0.95)", verdict: gate.Rejected,
			original: "The original script has 20.00: it counts every phase.",
		},
		"an object": {text: `{"phase":"cite","grounding":{"type":"code_reference"}}`, status: gate.Pass, figure: "1.00 (needs 0.95)", verdict: gate.Passed, original: "has 0.00: it accepts"},
		"inference": {text: `{"phase":"cite","grounding":"inference"}`, status: gate.Fail, figure: "0.00 (needs 0.95)", verdict: gate.Rejected},
		"one of each citation": {
			text:   `{"phase":"cite","citations":[{"code":"x","path":"a.go","line":3},{"path":"a.go"}]}`,
			status: gate.Fail, figure: "0.50 (needs 0.95)", verdict: gate.Rejected, original: "The original script has 0.00",
		},
		"citations that have the grounding of their record": {
			text: `{"phase":"cite","grounding":"user_input","citations":["message 3",{}]}`, status: gate.Pass, figure: "1.00 (needs 0.95)", verdict: gate.Passed,
		},
		"an assumption is a claim": {text: cited + "\n" + `{"phase":"assumption","grounding":"citation"}`, status: gate.Fail, figure: "0.50 (needs 0.95)", verdict: gate.Rejected},
		"disabled":                 {text: assumed, set: func(c *ledger.Config) { c.Grounding.Enforcement = ledger.Disabled }, status: gate.Off, figure: "off", verdict: gate.Passed},
		"the checkpoint is off": {
			text: assumed, set: func(c *ledger.Config) { c.Checkpoint.Enabled = false }, status: gate.Warning, figure: "0.00 (needs 0.95)", verdict: gate.Passed,
		},
		"a threshold of three digits": {
			text: lines(37, cited) + lines(2, assumed), set: func(c *ledger.Config) { c.Grounding.Threshold = 0.945 },
			status: gate.Pass, figure: "0.948 (needs 0.945)", verdict: gate.Passed,
		},
		"not quite all": {
			text: lines(999, cited) + assumed, set: func(c *ledger.Config) { c.Grounding.Threshold = 1 },
			status: gate.Fail, figure: "0.999 (needs 1.00)", verdict: gate.Rejected,
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
			if more := strings.Join(s.Original, " "); c.original != "" && !strings.Contains(more, c.original) {
				t.Errorf("more is %q, want %q in it", more, c.original)
			}
			if r.Ratio > 1 {
				t.Errorf("the ratio is %v", r.Ratio)
			}
		})
	}
}

func TestGroundingOriginal(t *testing.T) {
	t.Parallel()
	const spaced = `{"phase": "cite", "grounding": "citation"}` + "\n"
	for text, want := range map[string]string{
		lines(39, cited) + spaced:                                            "", // also 1.00
		lines(944, cited) + lines(56, assumed):                               "",
		lines(944, cited) + lines(57, assumed) + spaced + spaced:             "",
		lines(1898, cited) + lines(100, assumed) + strings.Repeat(spaced, 3): "The original script has 0.94: it finds 1998 of 2001 claims.",
	} {
		f := facts(own(t, text))
		got := strings.Join(gate.Run(&f).Steps[0].Original, " ")
		if got != want || len(got) > 60 {
			t.Errorf("%q, want %q", got, want)
		}
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
	for _, want := range []string{"Grounding: 0.60 (needs 0.95), 3 of 5 claims cite a source", "  Users like it dark: is an assumption; find"} {
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
	if r = gate.Run(&f); r.Verdict != gate.Passed || len(r.Remarks) != 1 || len(r.Reasons()) != 0 {
		t.Errorf("an error in another key: %s, %q", r.Verdict, r.Reasons())
	}
}

func TestBeforeClearFull(t *testing.T) {
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
	if s := r.Steps[5]; s.Status != gate.Warning || s.Figure != "43000 B → 3034 B" || s.Note != "1 of 2 large files without an identifier" || !strings.Contains(s.Findings[0].Fix, "${PROJECT_ROOT}/src/other.go:1-60") {
		t.Errorf("decay: %+v", s)
	}
	d := f.Handoff(&r, "grimoires/loa/NOTES.md")
	if d.SessionID != "s1" || d.Bead != "tea-41" || !d.Ready || d.EDD || d.Decisions != 3 || !slices.Equal(d.Hints, []string{"Holidays", "Write the test", "Which zone?"}) ||
		!slices.Equal(d.NotesRefs, []string{"${PROJECT_ROOT}/grimoires/loa/NOTES.md:3-6"}) {
		t.Errorf("%+v", d)
	}
	f.BeadProgram, f.Beads.Beads = "bd", f.Beads.Beads[:1]
	if s := gate.Run(&f).Steps[3]; s.Status != gate.Warning || s.Note != "no decisions in it" || !strings.HasPrefix(s.Findings[0].Fix, `continuo note decision "WHAT`) {
		t.Errorf("a bead without decisions: %+v", s)
	}
	f.BeadProgram = ""
	if s := gate.Run(&f).Steps[3]; s.Status != gate.Pass || s.Note != "decisions and next steps are in NOTES.md" {
		t.Errorf("a bead, but no program to write it: %+v", s)
	}
	f.Notes = notes.Parse([]byte("# Notes\n\n## Active Sub-Goals\n\n- [x] Done\n"))
	if s := gate.Run(&f).Steps[3]; s.Status != gate.Warning || s.Note != "no decisions and no next steps in it" {
		t.Errorf("an empty bead: %+v", s)
	}
	f.Beads.Beads[0].Decisions = []beads.Decision{{}}
	if s := gate.Run(&f).Steps[3]; s.Status != gate.Warning || s.Findings[0].Fix != `continuo note next "WHAT IS NEXT" --bead tea-9` {
		t.Errorf("a bead without next steps: %+v", s)
	}
	f.Beads.Beads = nil
	for program, want := range map[string]string{"bd": "claim the current bead: bd update ID --status in_progress", "": "install br or bd, then claim the current bead"} {
		f.BeadProgram, f.BeadInstall = program, "br or bd"
		if s := gate.Run(&f).Steps[3]; s.Status != gate.Warning || s.Figure != "none in progress" || !strings.HasSuffix(s.Findings[0].Fix, want) {
			t.Errorf("no bead in progress: %+v", s)
		}
	}
	f.Beads.Note = "The file may be older."
	if s := gate.Run(&f).Steps[3]; s.Status != gate.Warning || !slices.Equal(s.More, []string{"The file may be older."}) {
		t.Errorf("beads of an older file: %+v", s)
	}
	f.Beads.Shape = ""
	if r := gate.Run(&f); r.Steps[3].Status != gate.Unknown || r.Verdict != gate.Unsure || len(r.Steps[3].More) != 1 {
		t.Errorf("beads of a database that was not asked: %+v", r.Steps[3])
	}
	f.BeadsTrouble = "No."
	if r := gate.Run(&f); r.Steps[3].Status != gate.Unknown || r.Verdict != gate.Unsure {
		t.Errorf("unreadable beads: %+v", r.Steps[3])
	}
}

// TestOthers: if the judged agent has no trajectory, the report names agents that have one.
func TestOthers(t *testing.T) {
	t.Parallel()
	f := facts(gate.Claims{})
	f.Judged, f.Others = agent, []string{"riding-codebase"}
	if s := gate.Run(&f).Steps[0]; !slices.Contains(s.More, agent+" has no trajectory for "+day+"; these agents have one: riding-codebase.") {
		t.Errorf("%+v", s)
	}
}

// TestAllAgents: claims of all agents count, but not the records of continuo.
func TestAllAgents(t *testing.T) {
	t.Parallel()
	const cited, assumed = `{"phase":"cite","grounding":"citation"}`, `{"phase":"cite","grounding":"assumption"}`
	all := gate.NewCollector("", day, agent)
	collect(t, all, agent+"-"+day+".jsonl", lines(3, cited))
	if all.Wants(&trajectory.File{Agent: trajectory.SystemAgent, Day: day}) {
		t.Error("it reads continuo's own records")
	}
	f := facts(collect(t, all, "reviewing-code-"+day+".jsonl", assumed))
	r := gate.Run(&f)
	if f.Claims.Tally.Claims != 4 || r.Verdict != gate.Rejected || !slices.Equal(r.Agents, []string{agent, "reviewing-code"}) || len(r.Steps[0].Findings) != 1 {
		t.Errorf("%+v, %s, %v, %+v", f.Claims.Tally, r.Verdict, r.Agents, r.Steps[0].Findings)
	}

	one := facts(own(t, cited))
	one.Judged, one.Unjudged = agent, collect(t, gate.NewCollector("", day, ""), "reviewing-code-"+day+".jsonl", assumed)
	const want = "1 claim of reviewing-code was not judged, because only claims of " + agent + " are."
	if r := gate.Run(&one); r.Exit() != 2 || r.Steps[0].Status != gate.Unknown || !slices.Contains(r.Steps[0].More, want) {
		t.Errorf("strict: exit %d, %+v", r.Exit(), r.Steps[0])
	}
	one.Config.Grounding.Enforcement = ledger.Warn
	if r := gate.Run(&one); r.Exit() != 0 || !slices.Contains(r.Steps[0].More, want) {
		t.Errorf("warn: exit %d, %+v", r.Exit(), r.Steps[0])
	}
}

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

// TestCheck: the status in a record covers claims, and its verdict covers all steps.
func TestCheck(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text            string
		set             func(*gate.Facts)
		status, verdict string
	}{
		"passed":          {cited, func(*gate.Facts) {}, "pass", "passed"},
		"claims":          {assumed, func(*gate.Facts) {}, "fail", "rejected"},
		"claims, in warn": {assumed, func(f *gate.Facts) { f.Config.Grounding.Enforcement = ledger.Warn }, "fail", "passed"},
		"step 2":          {cited + "\n" + `{"phase":"negative_ground","claim":"no SSO"}`, func(*gate.Facts) {}, "pass", "rejected"},
		"gate.block":      {cited, func(f *gate.Facts) { f.Notes, f.Config.Gate.Block = nil, []int{3} }, "pass", "rejected"},
		"off, and gate.block": {assumed, func(f *gate.Facts) {
			f.Notes, f.Config.Gate.Block, f.Config.Grounding.Enforcement = nil, []int{3}, ledger.Disabled
		}, "off", "rejected"},
		"it could not be read":   {"", func(f *gate.Facts) { f.TrajectoryTrouble = "No." }, "unknown", "unknown"},
		"NOTES.md could not be":  {cited, func(f *gate.Facts) { f.Notes, f.NotesTrouble = nil, "No." }, "pass", "unknown"},
		"the config is not sure": {cited, func(f *gate.Facts) { f.ConfigUnsure = true }, "pass", "unknown"},
	} {
		f := facts(own(t, c.text))
		c.set(&f)
		r := gate.Run(&f)
		if got := r.Check(); got.Status != c.status || got.Verdict != c.verdict {
			t.Errorf("%s: status %s, verdict %s; want %s, %s", name, got.Status, got.Verdict, c.status, c.verdict)
		}
	}
}
