package cli

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

// projectRecord describes a project for --json and pipes. A missing object is null.
func projectRecord(p *survey.Project) *out.Record {
	r := out.NewRecord().Set("path", out.Path(p.Dir)).Set("name", filepath.Base(p.Dir)).Set("checked", out.Time(p.Checked)).
		Tab("base", out.Path(place.BaseName(p.Dir)))
	r.Line("project", "base path")
	if r.Set("git", nil); p.Git != nil {
		putGit(r.In("git"), p)
	}
	if r.Set("last", nil); p.Last != nil {
		putLast(r.In("last"), p.Last)
	}
	for i, step := range p.Next {
		r.Fact("next", strconv.Itoa(i+1), step, p.NextFrom)
	}
	r.In("next").Set("from", p.NextFrom).Set("steps", out.OrEmpty(p.Next)).Set("openTodos", p.Todos).Set("inDocuments", p.TodosIn).
		Line("todos", "openTodos inDocuments")
	putNeeds(r, p)
	if r.Set("context", nil); p.Context != nil {
		c := p.Context
		r.In("context").Set("path", c.Path).Set("updated", out.Time(c.Updated)).Set("bytes", c.Bytes).Set("memoryBytes", c.Memory).
			Set("aboutTokens", c.Tokens()).Set("stale", c.Stale(p.Checked)).Set("heavy", c.Heavy()).Tab("base", filepath.Base(c.Path)).
			Tab("old", out.Word(c.Stale(p.Checked), "stale")).Tab("long", out.Word(c.Heavy(), "heavy")).Line("context", "base updated bytes old long")
	}
	putHooks(r.In("hooks"), &p.Hooks)
	rows := r.In("sessions").Set("count", p.All)
	rows.Line("sessions", "count")
	table := find.ListTable(nil)
	table.Columns = find.ListColumns()
	table.Put(rows, "newest", "session", out.Pointers(p.Sessions))
	// The counts leave out the sessions in newest.
	rows.Set("purgedSoon", p.Purged).Set("purgedBy", out.Time(p.PurgedBy))
	documents := r.In("documents").Set("count", p.Documents).Set("newest", nil)
	if d := p.Document; d != nil {
		documents.Set("newest", out.Object(find.ListColumns(), d))
		r.Fact("document", d.ID, out.When(d.When()), d.Status, render.Title(d))
	}
	kept := r.List("kept")
	for _, k := range p.Kept {
		kept.Add().Set("name", k.Name).Set("files", k.Files).Set("bytes", k.Bytes).Set("newest", out.Time(k.Newest)).
			Tab("lower", strings.ToLower(k.Name)).Line("kept", "lower files bytes newest")
	}
	r.Set("unread", out.OrEmpty(p.Unread)).Lines("unread", p.Unread)
	return r
}

// putGit adds the git repository. Unknown numbers are null.
func putGit(r *out.Record, p *survey.Project) {
	g := p.Git
	r.Set("branch", g.Branch).Set("ahead", nil).Set("behind", nil).Set("changed", nil).Set("worktrees", p.Trees)
	if g.Known {
		r.Set("ahead", g.Ahead).Set("behind", g.Behind).Set("changed", g.Changed)
	}
	r.Line("git", "branch ahead behind changed worktrees")
}

func putLast(r *out.Record, l *survey.Last) {
	r.Set("id", l.Row.ID).Set("path", l.Row.Path).Set("name", l.Row.Name).Set("time", out.Time(l.Row.Last)).Set("prompt", l.Prompt).Set("answer", l.Answer).
		Tab("title", render.Title(&l.Row))
	r.Line("last", "id time title")
	r.Line("prompt", "prompt")
	r.Line("answer", "answer")
}

func putNeeds(r *out.Record, p *survey.Project) {
	needs := r.List("needs")
	for _, n := range p.Needs {
		needs.Add().Set("kind", n.Kind).Set("count", n.N).Set("about", n.More).Set("path", n.Path).Set("by", out.Time(n.By)).Line("needs", "kind count about by")
	}
	r.Set("notKnown", out.OrEmpty(p.NotKnown))
	for _, what := range p.NotKnown {
		r.Fact("needs", "not known", "", what, "")
	}
	if len(p.Needs)+len(p.NotKnown) == 0 {
		r.Fact("needs", "nothing", "0", "", "")
	}
}

func putHooks(r *out.Record, h *survey.Hooks) {
	r.Set("trouble", h.Trouble)
	events := r.List("events")
	for _, e := range h.Events {
		events.Add().Set("event", e.Event).Set("state", e.State).Set("installed", out.Time(e.Since)).Set("fired", out.Time(e.Fired)).
			Set("endedWithout", e.Ended).Set("why", e.Why).Line("hook", "event state installed fired")
	}
	if h.Trouble != "" {
		r.Line("hooks", "trouble")
	}
}
