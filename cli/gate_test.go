package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui"
)

const (
	gateDay  = "2026-11-21"
	gateFile = "grimoires/loa/a2a/trajectory/implementing-tasks-" + gateDay + ".jsonl"
	gateLog  = "# Notes\n\n## Session Continuity\n\n- **Last Checkpoint**: 2026-11-01T10:00:00Z\n\n## Decision Log\n\n### 2026-11-20T10:00:00Z - Leeway is 30 s\n\n**Evidence**:\n" +
		"- `const leeway = 30` [${PROJECT_ROOT}/src/clock.go:9]\n"
	gateCited   = `{"phase":"cite","claim":"c","grounding":"citation"}` + "\n"
	gateAssumed = `{"phase":"cite","claim":"Users like it dark","grounding":"assumption"}` + "\n"
)

func (w *noteWorld) read(name string) string {
	text, err := os.ReadFile(w.path(name))
	if err != nil {
		return "-"
	}
	return string(text)
}

func (w *noteWorld) look(ask ledgers.GateAsk) ledgers.GateLook {
	w.t.Helper()
	ask.Dir, ask.Day = w.project, gateDay
	l, err := ledgers.LookGate(w.t.Context(), w.deps().Env, ask)
	if err != nil {
		w.t.Fatal(err)
	}
	return l
}

func TestLookGateWritesNothing(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, gateLog)
	w.write(gateFile, gateCited)
	before := gateTree(t, w.home)
	l := w.look(ledgers.GateAsk{GateAsk: survey.GateAsk{Full: true}})
	if l.Report.Verdict != gate.Passed || len(l.Report.Steps) != 7 || l.Handoff.Phase != "session_handoff" {
		t.Errorf("%+v", l.Report)
	}
	if after := gateTree(t, w.home); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

func gateTree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		b.WriteString(path + " " + info.ModTime().String() + "\n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestGateEnforcement checks the precedence of the three keys, and a broken config.
func TestGateEnforcement(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config  string
		want    ledger.Enforcement
		source  string
		verdict gate.Verdict
	}{
		"none":                        {"", ledger.Warn, "", gate.Passed},
		"the script's":                {"grounding_enforcement: strict\ngrounding:\n  enforcement: warn\n", ledger.Strict, "grounding_enforcement", gate.Rejected},
		"the shipped one":             {"grounding:\n  enforcement: strict\nsynthesis_checkpoint:\n  grounding_enforcement: warn\n", ledger.Strict, "grounding.enforcement", gate.Rejected},
		"the protocol's":              {"synthesis_checkpoint:\n  grounding_enforcement: strict\n", ledger.Strict, "synthesis_checkpoint.grounding_enforcement", gate.Rejected},
		"disabled":                    {"grounding_enforcement: disabled\n", ledger.Disabled, "grounding_enforcement", gate.Passed},
		"blocks in warn":              {"gate:\n  block: [1]\n", ledger.Warn, "", gate.Rejected},
		"no word":                     {"grounding:\n  enforcement: stricct\n", ledger.Warn, "", gate.Unsure},
		"no YAML":                     {"grounding:\n  enforcement: [strict\n", ledger.Warn, "", gate.Unsure},
		"a slip that does not matter": {"session_continuity:\n  level1_tokens: many\n", ledger.Warn, "", gate.Passed},
	} {
		w := newNoteWorld(t)
		w.write(notesFile, gateLog)
		w.write(gateFile, gateAssumed)
		if c.config != "" {
			w.write(ledger.ConfigName, c.config)
		}
		r := w.look(ledgers.GateAsk{}).Report
		if r.Enforcement != c.want || r.Source != c.source || r.Verdict != c.verdict {
			t.Errorf("%s: %s by %q, %s; want %s by %q, %s", name, r.Enforcement, r.Source, r.Verdict, c.want, c.source, c.verdict)
		}
		if c.verdict == gate.Unsure && len(r.Reasons()) == 0 {
			t.Errorf("%s: it does not say why", name)
		}
	}
}

func TestGateMissing(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	if output := w.run(out.ExitFailed, "gate"); !strings.Contains(output, "There is nothing to check in") || !strings.Contains(output, "continuo note decision --help") {
		t.Errorf("nothing: %q", output)
	}
	if err := os.RemoveAll(w.path(".git")); err != nil { // not a git repository
		t.Fatal(err)
	}
	w.write(gateFile, gateCited)
	w.write("grimoires/loa/a2a/trajectory/riding-"+gateDay+".jsonl", gateCited)
	if r := w.look(ledgers.GateAsk{}).Report; r.Steps[0].Status != gate.Pass || r.Steps[2].Figure != "no NOTES.md" || r.Verdict != gate.Passed {
		t.Errorf("no NOTES.md: %+v", r)
	}
	r := w.look(ledgers.GateAsk{GateAsk: survey.GateAsk{Agent: "nobody"}}).Report
	if more := strings.Join(r.Steps[0].More, " "); !strings.Contains(more, "2 claims of riding, implementing-tasks were not judged, because only claims of nobody are.") && !strings.Contains(more, "2 claims of implementing-tasks, riding were not judged, because only claims of nobody are.") {
		t.Errorf("another agent: %q", more)
	}
	w.write(notesFile, "binary\x00")
	if r := w.look(ledgers.GateAsk{}).Report; r.Steps[2].Status != gate.Unknown || r.Verdict != gate.Unsure {
		t.Errorf("binary NOTES.md: %+v", r.Steps[2])
	}
	w.run(out.ExitFailed, "gate", "--date", gateDay)
	for _, args := range [][]string{{"x"}, {"--date", "soon"}, {"--agent", "a/b"}, {"--agent", ""}, {"--session", "x"}, {"--record", "--dry-run"}} {
		w.run(out.ExitFailed, append([]string{"gate"}, args...)...)
	}
	w.run(out.ExitNone, "gate", "--project", "nowhere")
}

// TestGateOutside: the trajectory is behind a link out of the project.
func TestGateOutside(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, gateLog)
	elsewhere := filepath.Join(w.home, "elsewhere")
	if err := os.MkdirAll(elsewhere, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(w.path("grimoires/loa/a2a"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, w.path("grimoires/loa/a2a/trajectory")); err != nil {
		t.Skip(err)
	}
	if output := w.run(out.ExitFailed, "gate", "--full"); !strings.Contains(output, "outside the project") {
		t.Errorf("%q", output)
	}
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

// TestGateCommand: each run is logged, except with --dry-run.
func TestGateCommand(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, gateLog)
	w.write(gateFile, gateCited)
	before := gateTree(t, w.project)
	w.run(out.ExitDone, "gate", "--full", "--dry-run", "--date", gateDay)
	if after := gateTree(t, w.project); after != before {
		t.Errorf("a dry run wrote:\n%s\nwas\n%s", after, before)
	}
	for _, day := range []string{"today", "yesterday"} { // trajectory --day takes these words too
		want := now().AddDate(0, 0, map[string]int{"yesterday": -1}[day]).Format(time.DateOnly)
		if output := w.run(out.ExitDone, "gate", "--dry-run", "--date", day); !strings.Contains(output, want) {
			t.Errorf("%s is not %s:\n%s", day, want, output)
		}
	}
	w.run(out.ExitDone, "gate", "--date", gateDay)
	if got := w.read(gateFile); strings.Count(got, "\n") != 2 || !strings.Contains(got, `"phase":"grounding_check","total_claims":1,"grounded_claims":1,`) {
		t.Errorf("simplified: %s", got)
	}
	w.run(out.ExitDone, "gate", "--full", "--date", gateDay)
	if got := w.read(gateFile); strings.Count(got, "\n") != 4 || !strings.Contains(got, `"phase":"session_handoff"`) || !strings.Contains(got, `"notes_refs":["${PROJECT_ROOT}/grimoires/loa/NOTES.md:3-6"]`) {
		t.Errorf("full: %s", got)
	}
	if w.notes() != gateLog {
		t.Errorf("NOTES.md was written to: %q", w.notes())
	}
	w.write(ledger.ConfigName, "grounding_enforcement: strict\n")
	w.write(gateFile, gateAssumed)
	output := w.run(out.ExitNo, "gate", "--full", "--record", "--date", gateDay)
	for _, want := range []string{"✗ Failed.", "was not written to NOTES.md", "Grounding: 0.00 (needs 0.95)", "Users like it dark: is an assumption"} {
		if !strings.Contains(output, want) {
			t.Errorf("rejected: %q is not in\n%s", want, output)
		}
	}
	if got := w.read(gateFile); strings.Contains(got, "session_handoff") || !strings.Contains(got, `"status":"fail"`) || w.notes() != gateLog {
		t.Errorf("rejected, and written: %s", got)
	}
	var j struct {
		Verdict string
		Exit    int
		Steps   []struct{ Findings []struct{ Line int } }
		Written []struct{ Phase string }
		Handoff *struct{ Ready bool } `json:"handoff"`
	}
	out := w.run(out.ExitNo, "gate", "--json", "--date", gateDay)
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&j); err != nil || j.Verdict != "rejected" || j.Exit != 1 || len(j.Steps) != 3 ||
		len(j.Written) != 1 || j.Handoff != nil || j.Steps[0].Findings[0].Line != 1 {
		t.Errorf("%v: %+v of %s", err, j, out)
	}
}

func TestGateRecord(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, gateLog)
	w.run(out.ExitDone, "gate", "--record")
	at := now().UTC().Format("2006-01-02T15:04:05Z")
	if want := strings.Replace(gateLog, "2026-11-01T10:00:00Z", at, 1); w.notes() != want {
		t.Fatalf("%q, want %q", w.notes(), want)
	}
	w.run(out.ExitDone, "undo", "--yes")
	if w.notes() != gateLog {
		t.Errorf("%q", w.notes())
	}
	w.write(notesFile, "# Notes\n\n## Decision Log\n")
	if output := w.run(out.ExitFailed, "gate", "--record"); !strings.Contains(output, "no Session Continuity") {
		t.Errorf("%q", output)
	}
}

func (w *noteWorld) change(ask tui.Change) (tui.Plan, browse.Changes, error) {
	c := w.changes()
	p, err := c.Plan(w.t.Context(), ask)
	return p, c, err
}

func (w *noteWorld) changes() browse.Changes {
	d := w.deps()
	return browse.Changes{Env: d.Env, O: d.Output, Again: func() {}}
}

func TestChangeEvidence(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	w.write(notesFile, gateLog)
	x := w.look(ledgers.GateAsk{}).Report.Steps[2].Findings[0]
	if x.Now != "${PROJECT_ROOT}/src/clock.go:3" || !x.Mild {
		t.Fatalf("%+v", x)
	}
	plan, c, err := w.change(tui.Change{Kind: tui.ChangeEvidence, Dir: w.project, Finding: &x})
	if err != nil || plan.Verb != "write" || plan.Title != "Fix the evidence" || !strings.Contains(fmt.Sprint(plan.Parts), "src/clock.go:9 → src/clock.go:3") {
		t.Fatalf("%+v, %v", plan, err)
	}
	w.write(notesFile, gateLog+"- more, written since\n")
	done, err := c.Do(t.Context(), plan)
	if want := strings.Replace(gateLog, "clock.go:9", "clock.go:3", 1) + "- more, written since\n"; err != nil || w.notes() != want || !strings.Contains(done.Said, "clock.go:3") {
		t.Fatalf("%q, %+v, %v", w.notes(), done, err)
	}
	if r := w.look(ledgers.GateAsk{}).Report.Steps[2]; len(r.Findings) != 0 {
		t.Errorf("after it: %+v", r.Findings)
	}
	if _, _, err := w.change(tui.Change{Kind: tui.ChangeEvidence, Dir: w.project, Finding: &x}); err == nil || !strings.Contains(err.Error(), "any more") {
		t.Errorf("once more: %v", err)
	}
	w.run(out.ExitDone, "undo", "--yes")
	if w.notes() != gateLog+"- more, written since\n" {
		t.Errorf("undone: %q", w.notes())
	}
	x.File = w.path("src/clock.go")
	if _, _, err := w.change(tui.Change{Kind: tui.ChangeEvidence, Dir: w.project, Finding: &x}); err == nil {
		t.Error("a fix of another file has a plan")
	}
	if _, _, err := w.change(tui.Change{Kind: tui.ChangeEvidence, Dir: w.project}); err == nil {
		t.Error("a change without a finding has a plan")
	}
}

func jsonWord(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}
