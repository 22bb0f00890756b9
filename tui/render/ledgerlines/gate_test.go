package ledgerlines

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/tui/render"
)

// gateReport returns the report of the mock screens.
func gateReport() *gate.Report {
	at := func(day int) time.Time { return time.Date(2026, 11, day, 10, 0, 0, 0, time.UTC) }
	const notes = "/home/ada/code/teahouse/grimoires/loa/NOTES.md"
	return &gate.Report{
		Mode: gate.Full, Enforcement: ledger.Strict, Agent: "implementing-tasks", Day: "2026-11-21", At: at(21), Verdict: gate.Rejected,
		Ratio: 38.0 / 39, Threshold: .95,
		Steps: []gate.Step{
			{
				N: 1, Name: "Grounding", Status: gate.Pass, Blocks: true, Figure: "0.97 (needs 0.95)", Note: "38 of 39 claims cite a source",
				Original: []string{"1.00 by the original script, which cannot see 2 records that are written with spaces"},
			},
			{N: 2, Name: "Negative grounding", Status: gate.Pass, Blocks: true, Figure: "0 unverified", Note: "3 ghosts, each with two queries"},
			{
				N: 3, Name: "Decision log", Status: gate.Fail, Blocks: true, Figure: "2 of 14 point to missing code", Note: "blocks", Lost: 2,
				Findings: []gate.Finding{
					{
						Title: "Opening hours are rules; a holiday is a rule with a span of one day", When: at(20), Ref: "${PROJECT_ROOT}/src/hours/calendar.go:31",
						What: "file is gone since 4f2c9ab", Fix: "point it at `src/hours/model.go:97`, where the quoted line now stands", File: notes, Line: 268,
						Was: "calendar.go:31", Now: "model.go:97",
					},
					{
						Title: "Rate limits are per calendar, not per address", When: at(14), Ref: "${PROJECT_ROOT}/src/limit/bucket.go:140", What: "line 140 of a file with 112",
						Fix: "the quote is nowhere in the tree: correct the entry or mark it superseded", File: notes, Line: 301,
					},
				},
				More: []string{"The other 12 decisions verified: 8 identifiers found as quoted, 1 moved."},
			},
			{N: 4, Name: "Bead", Status: gate.Pass, Figure: "tea-41 in progress", Note: "it has decisions and next steps"},
			{N: 5, Name: "Handoff", Status: gate.Pass, Figure: "record ready", Note: "will append 1 line to today's trajectory"},
			{N: 6, Name: "Decay to identifiers", Status: gate.Pass, Figure: "41 kB → 2.2 kB", Note: "every large file has an identifier"},
			{N: 7, Name: "Test scenarios", Status: gate.Warning, Figure: "2 of 3 wanted", Note: "warns only"},
		},
	}
}

func TestGateGolden(t *testing.T) {
	t.Parallel()
	for _, width := range []int{20, 40, 80, 100, 200} {
		var b strings.Builder
		for _, line := range GateLines(gateReport(), "Nothing was written.", GateOptions{Width: width, Styles: render.NewStyles(render.Dark), Now: time.Date(2026, 11, 21, 15, 52, 0, 0, time.UTC)}) {
			if w := ansi.StringWidth(line); w > width {
				t.Errorf("%d cells of %d: %q", w, width, line)
			}
			b.WriteString(strings.TrimRight(ansi.Strip(line), " ") + "\n")
		}
		golden(t, fmt.Sprint("gate-", width), b.String())
	}
}

func TestGateVerdict(t *testing.T) {
	t.Parallel()
	o := GateOptions{Width: 200, Styles: render.NewStyles(render.None)}
	for name, test := range map[string]struct {
		change func(*gate.Report)
		want   string
	}{
		"rejected": {func(*gate.Report) {}, "✗ Failed. 5 passed, 1 failed, 1 warning. 2 decisions point to missing code. Fix them before /clear. Nothing was written."},
		"passed": {func(r *gate.Report) {
			r.Verdict, r.Steps = gate.Passed, r.Steps[:2]
		}, "✓ Passed. 2 passed. Nothing was written."},
		"with a warning": {func(r *gate.Report) {
			r.Verdict, r.Mode = gate.Passed, gate.Simplified
			r.Steps = r.Steps[:3]
			r.Steps[2].Status, r.Steps[2].Lost = gate.Warning, 1002
		}, "△ Passed. 2 passed, 1 warning. 1,002 decisions point to missing code (warning only). Nothing was written."},
		"unsure": {func(r *gate.Report) {
			r.Verdict, r.Steps = gate.Unsure, r.Steps[:3]
			r.Steps[0].Status, r.Steps[1].Status, r.Steps[2].Status = gate.Unknown, gate.Off, gate.Off
			r.Steps[2].Lost = 0
		}, "✗ Could not be checked. 1 not checked, 2 off. Nothing was written."},
		"one decision": {func(r *gate.Report) {
			r.Steps[2].Lost = 1
		}, "✗ Failed. 5 passed, 1 failed, 1 warning. 1 decision points to missing code. Fix it before /clear. Nothing was written."},
		"no decision": {func(r *gate.Report) {
			r.Steps[2].Lost, r.Steps[2].Findings = 0, []gate.Finding{{Title: "NOTES.md", What: "is not there"}}
		}, "✗ Failed. 5 passed, 1 failed, 1 warning. Nothing was written."},
	} {
		r := gateReport()
		test.change(r)
		if got := strings.Join(GateVerdictLines(r, "Nothing was written.", o), "\n"); got != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestGateHostile(t *testing.T) {
	t.Parallel()
	const evil = "a\x1b]0;x\a\x1b[2Jb\r\nc\t\u202e`d`"
	s := gate.Step{N: 3, Name: evil, Figure: evil, Note: evil, More: []string{evil}, Status: gate.Fail, Findings: []gate.Finding{
		{Title: evil, Ref: evil, What: evil, Fix: evil, File: "/x/" + evil, Line: 1, Was: "a", Now: "b"}, {}, {What: evil},
	}}
	r := &gate.Report{Mode: gate.Full, Enforcement: evil, Steps: []gate.Step{s}, Verdict: gate.Rejected}
	for _, screen := range []bool{false, true} {
		for width := range 130 {
			o := GateOptions{Width: width, Styles: render.NewStyles(render.None), Screen: screen}
			lines := GateLines(r, evil, o)
			for i := range s.Findings {
				lines = append(lines, GateFindingLines(&s, i, o, GateLook{Chosen: true})...)
			}
			for _, line := range append(lines, GateStepLines(&s, o, GateLook{Folded: true})...) {
				if strings.ContainsAny(line, "\x1b\a\r\n\t\u202e") || ansi.StringWidth(line) > width {
					t.Fatalf("%d cells: %q", width, line)
				}
			}
		}
	}
}
