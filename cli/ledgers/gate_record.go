package ledgers

import (
	"strconv"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger/gate"
)

// Record describes a run for programs. The field source is the config key of the enforcement; null for the
// default. The field original has the counts of spec 002's script. The field handoff is null without --full.
func (run *GateRun) Record(dry bool) *out.Record {
	g := &run.Report
	r := out.NewRecord().Set("verdict", g.Verdict).Set("exit", g.Exit()).Set("mode", g.Mode).Set("enforcement", g.Enforcement).
		Set("source", orNull(g.Source)).Set("root", run.Project.Root).Set("agent", g.Agent).Set("agents", out.OrEmpty(g.Agents)).Set("day", g.Day).Set("at", out.Time(g.At)).
		Set("ratio", g.Ratio).Set("threshold", g.Threshold).Tab("counted", g.Ratio)
	if len(g.Steps) > 0 && g.Steps[0].Status == gate.Unknown {
		r.Tab("counted", nil) // the claims were not counted
	}
	r.Line("gate", "verdict mode enforcement agent day counted threshold")
	putTally(r.In("claims"), g.Tally)
	putTally(r.In("original"), g.Original)
	steps := r.List("steps")
	for i := range g.Steps {
		putStep(steps.Add(), &g.Steps[i])
	}
	r.Set("decisions", g.Decisions).Set("scenarios", g.Scenarios).Set("bead", orNull(g.Bead)).Set("session", orNull(run.Session.ID)).Set("handoff", nil)
	if g.Mode == gate.Full {
		r.Set("handoff", &run.Handoff)
	}
	r.Set("dryRun", dry)
	written := r.List("written")
	r.Set("said", out.OrEmpty(g.Remarks)).Lines("said", g.Remarks)
	for _, w := range run.Written {
		written.Add().Set("phase", w.Phase).Set("path", w.Path).Line("written", "phase path")
	}
	return r.Set("problems", out.OrEmpty(run.But))
}

func putTally(r *out.Record, t gate.Tally) {
	r.Set("claims", t.Claims).Set("grounded", t.Grounded()).Set("citations", t.Citations).Set("references", t.References).
		Set("userInput", t.UserInput).Set("assumptions", t.Assumptions).Set("ratio", t.Ratio())
}

// putStep describes a step. The field more has the remarks. The field left counts the unlisted findings.
func putStep(r *out.Record, s *gate.Step) {
	r.Set("n", s.N).Set("name", s.Name).Set("status", s.Status).Set("blocks", s.Blocks).Set("figure", s.Figure).Set("note", s.Note)
	r.Line("step", "n name status figure note")
	more := out.OrEmpty(s.Remarks())
	r.Set("more", more)
	for _, text := range more {
		r.Tab("text", text).Line("more", "n text")
	}
	findings := r.List("findings")
	for i := range s.Findings {
		x := &s.Findings[i]
		at := x.File
		if x.File != "" && x.Line > 0 {
			at += ":" + strconv.Itoa(x.Line)
		}
		findings.Add().Set("title", x.Title).Set("when", out.Time(x.When)).Set("ref", x.Ref).Set("what", x.What).Set("fix", x.Fix).Set("file", x.File).
			Set("line", x.Line).Set("was", x.Was).Set("now", x.Now).Set("mild", x.Mild).Tab("n", s.N).Tab("at", at).Line("finding", "n at title ref what fix")
	}
	if r.Set("left", s.Left); s.Left > 0 {
		r.Line("left", "n left")
	}
}

// orNull returns a pointer to a text, or nil for "".
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
