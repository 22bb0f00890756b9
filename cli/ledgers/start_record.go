package ledgers

import (
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
)

// StartRecord describes a start page for programs.
func StartRecord(p *survey.Start) *out.Record {
	r := out.NewRecord().Set("project", p.Ledger.Project.Root).Set("steps", p.Steps).Set("missing", out.OrEmpty(p.Ledger.Missing))
	ready := r.List("ready")
	for i := range p.Ready {
		putStartBead(ready.Add(), &p.Ready[i]).Line("ready", "id status p title")
	}
	if r.Set("bead", nil); p.Bead != nil {
		putStartBead(r.In("bead"), p.Bead).Line("bead", "id status p title")
	}
	r.Set("recovery", recoveredRecord(&p.Result))
	for line := range strings.Lines(p.Result.Text) {
		if line = strings.TrimRight(transcript.Clean(line), "\n"); strings.TrimSpace(line) != "" {
			// A path keeps its blanks.
			r.Tab("line", out.Path(strings.ReplaceAll(line, "\t", "    "))).Line("recovery", "line")
		}
	}
	identifiers := r.List("identifiers")
	for i := range p.Checked {
		c := &p.Checked[i]
		identifiers.Add().Set("ref", c.Ref.String()).Set("status", c.Status).Set("at", c.At).Set("to", c.To).Set("purpose", c.Purpose).Set("line", c.Line).
			Tab("note", identifierNote(&c.Check)).Line("identifier", "status ref note")
	}
	if r.Set("state", p.State); p.State != "" {
		r.Line("state", "state")
	}
	entries.PutDisagreements(r, &p.Ledger.Truth)
	for _, missing := range p.Ledger.Missing {
		r.Fact("missing", missing)
	}
	for _, s := range p.Steps {
		ok := "no"
		if s.OK {
			ok = "yes"
		}
		r.Fact("step", s.Name, ok, s.Source, s.Why)
	}
	return r
}

func putStartBead(r *out.Record, b *beads.Bead) *out.Record {
	return r.Set("id", b.ID).Set("title", b.Title).Set("status", b.Status).Set("priority", b.Priority).Set("type", b.Type).Set("assignee", b.Assignee).
		Set("next", out.OrEmpty(b.Next)).Set("blockers", out.OrEmpty(b.Blockers)).Tab("p", "P"+strconv.Itoa(b.Priority))
}
