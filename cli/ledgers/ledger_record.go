package ledgers

import (
	"cmp"
	"time"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// ledgerRecord describes a ledger for programs. Unknown values are null, "" or 0.
func ledgerRecord(l *survey.Ledger) *out.Record {
	r := out.NewRecord().Set("root", out.Path(l.Project.Root)).Set("path", nil).Set("config", orNull(l.Project.ConfigFile)).
		Set("written", out.Time(l.Written)).Set("checked", out.Time(l.At)).Set("tokens", 0).Set("continuity", nil)
	if n := l.Notes; n != nil {
		r.Set("path", out.Path(l.Project.Notes)).Set("tokens", recovery.Tokens(string(n.Text)))
	}
	r.Line("ledger", "root path written")
	sections, decisions, questions, identifiers := r.List("sections"), r.List("decisions"), r.List("questions"), r.List("identifiers")
	r.Set("beads", nil).Set("staged", nil)
	if n := l.Notes; n != nil {
		putContinuity(r, n)
		for i := range n.Sections {
			putSection(sections.Add(), n, i).Line("section", "level line last count tokens title")
		}
		for _, d := range n.Decisions() {
			putDecision(decisions.Add(), l, &d)
		}
		for _, q := range n.Questions() {
			questions.Add().Set("text", q.Text).Set("since", out.Time(q.Since)).Set("line", q.Line).Line("question", "line since text")
		}
	}
	for i := range l.Checked {
		c := &l.Checked[i]
		identifier := identifiers.Add().Set("line", c.Line).Set("purpose", c.Purpose).Set("verified", c.Verified).Set("quote", c.Quote)
		putPlace(identifier, c.Ref, c.Check).Line("identifier", "line ref status purpose")
	}
	if g := l.Beads; g != nil && len(g.Beads) > 0 {
		putBeads(r.In("beads"), g, l.At)
	}
	entries.PutDisagreements(r, &l.Truth)
	if !l.Staged.IsZero() {
		r.In("staged").Set("at", out.Time(l.Staged)).Set("tokens", l.StagedN).Line("staged", "at tokens")
	}
	problems := ledgerProblems(l)
	r.Set("problems", out.OrEmpty(problems)).Lines("problem", problems)
	return r
}

func putContinuity(r *out.Record, n *notes.Notes) {
	c := n.Continuity()
	in := r.In("continuity").Set("line", 0).Set("bead", c.Bead).Set("beadText", c.BeadText).Set("checkpoint", out.Time(c.Checkpoint)).
		Set("state", c.State).Set("first", c.First).Set("older", c.Older).Tab("about", cmp.Or(c.State, c.First))
	in.Line("continuity", "bead checkpoint about")
	if c.Section < 0 { // a pipe has this line even without the section
		r.Set("continuity", nil)
		return
	}
	in.Set("line", n.Sections[c.Section].Line)
}

// putSection describes a section. The field count is null if the entries aren't counted.
func putSection(r *out.Record, n *notes.Notes, i int) *out.Record {
	s := &n.Sections[i]
	r.Set("title", s.Title).Set("kind", s.Kind).Set("level", s.Level).Set("line", s.Line).Set("last", s.Last).Set("count", nil)
	if s.Count >= 0 {
		r.Set("count", s.Count)
	}
	return r.Set("tokens", recovery.Tokens(string(n.Text[s.Start:s.End])))
}

func putDecision(r *out.Record, l *survey.Ledger, d *notes.Decision) {
	r.Set("when", out.Time(d.When)).Set("dayOnly", d.Day).Set("title", d.Title).Set("decision", d.Decision).Set("rationale", d.Rationale).
		Set("by", d.By).Set("line", d.Line).Set("last", d.Last).Line("decision", "line when title rationale")
	evidence := r.List("evidence")
	for i := range d.Evidence {
		e := &d.Evidence[i]
		putPlace(evidence.Add().Set("line", e.Line).Set("quote", e.Quote), e.Ref, l.Evidence[survey.BackingOf(e)]).Line("evidence", "line ref status quote")
	}
	r.Set("scenarios", out.OrEmpty(d.Scenarios))
}

// putPlace describes an identifier and its check. The field status is "" if unchecked. The field now is the new
// line of moved code. The field lines is the length of a file that is too short.
func putPlace(r *out.Record, ref ledger.Ref, c ledger.Check) *out.Record {
	r.In("place").Set("path", ref.Path).Set("from", ref.From).Set("to", ref.To).Set("status", c.Status).Set("now", c.At).
		Set("lines", c.Lines).Set("maybeAt", c.To).Set("problem", c.Problem)
	return r.Tab("ref", ref.String()).Tab("status", c.Status)
}

// putBeads counts the beads, and lists open ones. In JSON, a bead is in one list. In a pipe, the numbers are
// br's, which counts a ready bead in progress twice.
func putBeads(r *out.Record, g *beads.Graph, at time.Time) {
	list := func(key string, group []*beads.Bead) *out.List {
		l := r.List(key)
		for _, b := range group {
			l.Add().Set("id", b.ID).Set("title", b.Title).Set("status", b.Status).Set("priority", b.Priority).Set("waitsFor", out.OrEmpty(g.WaitsFor(b)))
		}
		return l
	}
	groups := g.Groups(at)
	r.Set("all", len(g.Beads))
	list("ready", groups.Ready)
	inProgress := list("inProgress", groups.InProgress)
	list("blocked", groups.Blocked)
	r.Set("unread", len(g.Problems)).Tab("readyNow", len(g.Ready(at))).Tab("started", len(groups.InProgress)).Tab("blockedNow", len(g.Blocked(at)))
	r.Line("beads", "readyNow started blockedNow")
	inProgress.Line("bead", "id status title")
}
