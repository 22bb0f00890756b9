package ledgers

import (
	"math"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger/beads"
)

// beadsRecord describes the groups for programs. The field shape is br, bd, yaml, mixed, or "".
func beadsRecord(l *beadsLook, groups []beadGroup) *out.Record {
	r := out.NewRecord().Set("project", l.project.Root).Set("path", l.project.Beads).Set("shape", l.Shape)
	list := r.List("beads")
	for _, group := range groups {
		for _, b := range group.beads {
			putBead(list.Add(), l, b, groupWord(group.name))
		}
	}
	memories := r.Set("database", l.Database).List("memories")
	for _, m := range l.Memories {
		memories.Add().Set("key", m.Key).Set("text", m.Text)
	}
	problems := r.Set("closed", l.CountClosed()).List("problems")
	for _, p := range l.Problems { // line 0 is the whole file
		problems.Add().Set("path", p.File).Set("line", p.Line).Set("what", p.What)
	}
	return r
}

// putBead describes a bead for programs. group is in-progress, ready, blocked, later, closed or deleted.
func putBead(r *out.Record, l *beadsLook, b *beads.Bead, group string) *out.Record {
	waitsFor := []string{}
	if group != "closed" && group != "deleted" {
		waitsFor = out.OrEmpty(l.WaitsFor(b))
	}
	r.Set("id", b.ID).Set("group", group).Set("title", b.Title).Set("description", b.Description).Set("status", b.Status).Set("priority", b.Priority).
		Set("type", b.Type).Set("assignee", b.Assignee).Set("labels", out.OrEmpty(b.Labels)).Set("created", out.Time(b.Created)).
		Set("updated", out.Time(b.Updated)).Set("closed", out.Time(b.Closed)).Set("deferUntil", out.Time(b.Defer)).Set("waitsFor", waitsFor)
	r.Line("bead", "id group priority type status updated assignee title")
	r.Lines("label", b.Labels)
	if b.Description != "" {
		r.Line("description", "description")
	}
	dependencies, decisions, handoffs, scenarios := r.List("dependencies"), r.List("decisions"), r.List("handoffs"), r.List("testScenarios")
	for _, dep := range b.Deps {
		// A missing bead has empty fields.
		to := dependencies.Add().Set("id", dep.On).Set("type", dep.Type).Set("status", "").Set("title", "")
		if on, ok := l.Find(dep.On); ok {
			to.Set("status", on.Status).Set("title", on.Title)
		}
		to.Line("depends", "id type status title")
	}
	r.Lines("waits", waits(l, b))
	for _, d := range b.Decisions {
		to := decisions.Add().Set("time", out.Time(d.At)).Set("decision", d.Text).Set("rationale", d.Rationale)
		to.Line("decision", "time decision rationale")
		evidence := to.List("evidence")
		for _, e := range d.Evidence {
			evidence.Add().Set("path", e.Path).Set("line", e.Line).Set("quote", e.Quote).Line("evidence", "path line quote")
		}
	}
	for i := range b.Handoffs {
		h := &b.Handoffs[i]
		to := handoffs.Add().Set("session", h.Session).Set("ended", out.Time(h.Ended)).Set("notesRef", h.Notes).Set("trajectoryRef", h.Trajectory).
			Set("groundingRatio", nil).Tab("ratio", ratioWord(h))
		if h.HasRatio && !math.IsNaN(h.Ratio) && !math.IsInf(h.Ratio, 0) { // JSON has no NaN and no infinity
			to.Set("groundingRatio", h.Ratio)
		}
		to.Line("handoff", "ended session notesRef trajectoryRef ratio")
	}
	for _, s := range b.Scenarios {
		scenarios.Add().Set("name", s.Name).Set("type", s.Type).Set("expected", s.Expected).Line("scenario", "name type expected")
	}
	r.Set("nextSteps", out.OrEmpty(b.Next)).Lines("next", b.Next)
	r.Set("blockers", out.OrEmpty(b.Blockers)).Set("questions", out.OrEmpty(b.Questions)).Lines("question", b.Questions)
	comments := r.List("comments")
	for i := range b.Comments {
		c := &b.Comments[i]
		to := comments.Add().Set("author", c.Author).Set("time", out.Time(c.At)).Set("text", c.Text)
		if !c.Entry() {
			to.Line("comment", "time author text")
		}
	}
	return r.Set("path", b.File).Set("line", b.Line)
}
