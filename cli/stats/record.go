package stats

import (
	"fmt"
	"math"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/stats"
	"github.com/continuo-tui/continuo/tui/render"
)

// sessionRecord describes the figures of a session for --json and for a pipe.
func sessionRecord(row *sessions.Row, f *stats.Figures) *out.Record {
	r := out.NewRecord().Set("id", out.Path(row.ID)).Set("path", out.Path(row.Path)).Set("title", render.Title(row))
	r.Line("session", "id title path")
	putFigures(r, f)
	return r
}

// putFigures adds figures to a record.
func putFigures(r *out.Record, f *stats.Figures) {
	calls, failed := f.Calls()
	added, removed := f.Lines()
	r.Set("first", out.Time(f.First)).Set("last", out.Time(f.Last))
	r.Set("durationSeconds", seconds(f.Duration())).Set("activeSeconds", seconds(f.Active))
	r.Line("time", "first last durationSeconds activeSeconds")
	r.Set("messages", f.Messages).Set("prompts", f.Prompts).Set("compactions", f.Compactions).Set("errors", f.Errors).Set("agents", f.Agents)
	for _, key := range []string{"messages", "prompts", "compactions", "errors", "agents"} {
		r.Line(key, key)
	}
	r.Set("calls", calls).Set("failed", failed).Line("calls", "calls failed")
	tools := r.List("tools")
	for _, t := range f.Tools {
		tools.Add().Set("name", t.Name).Set("calls", t.Calls).Set("failed", t.Failed).Set("inAgents", t.InAgents)
	}
	tools.Line("tool", "name calls failed inAgents")
	putTokens(r.In("tokens"), f.Tokens()).Set("cacheShare", share(f.Tokens())).Line("tokens", "input output cacheRead cacheWrite cacheShare")
	models := r.List("models")
	for _, m := range f.Models {
		putTokens(models.Add().Set("name", m.Name).Set("agent", m.Agent).Set("messages", m.Messages), m.Tokens)
	}
	models.Line("model", "name agent messages input output cacheRead cacheWrite")
	r.Set("added", added).Set("removed", removed).Line("lines", "added removed")
	files := r.List("files")
	for _, file := range f.Files {
		files.Add().Set("path", out.Path(file.Path)).Set("changes", file.Changes).Set("added", file.Added).Set("removed", file.Removed)
	}
	files.Line("file", "path changes added removed")
	r.Set("commands", f.Commands).Set("commandsFailed", f.CommandsFailed).Line("commands", "commands commandsFailed")
	failures := r.List("failures")
	for _, one := range f.Failures {
		failures.Add().Set("what", one.What).Set("exit", one.Exit).Set("times", one.N).Set("last", out.Time(one.Last))
	}
	failures.Line("failure", "what exit times last")
	requests := r.List("pullRequests")
	for _, p := range f.Requests {
		requests.Add().Set("number", p.Number).Set("repository", p.Repository).Set("url", p.URL).Set("linked", out.Time(p.Linked))
	}
	requests.Line("pullRequest", "number repository url linked")
}

func putTokens(r *out.Record, u transcript.Usage) *out.Record {
	return r.Set("input", u.Input).Set("output", u.Output).Set("cacheRead", u.CacheRead).Set("cacheWrite", u.CacheWrite)
}

func seconds(d time.Duration) int64 { return int64(d / time.Second) }

// share returns the cached fraction of the input, rounded to two digits.
func share(u transcript.Usage) float64 { return math.Round(stats.CacheShare(u)*100) / 100 }

// dayTable prints a row for each project, and the sums.
func dayTable(env *place.Env, o *out.Output, from time.Time, list []*project, all *project) error {
	date := from.Format(time.DateOnly)
	if o.JSON {
		r := out.NewRecord().Set("day", date).Set("sessions", all.sessions)
		putFigures(r, &all.figures)
		projects := r.List("projects")
		for _, p := range list {
			one := projects.Add().Set("path", out.Path(p.path)).Set("sessions", p.sessions)
			putFigures(one, &p.figures)
		}
		return r.Print(o, nil)
	}
	table := out.Table[*project]{
		Piped: "path sessions active prompts calls failed tokens files added removed commands pullRequests",
		Shown: "name sessions activeTime prompts calls failed tokensShort files lines",
		Title: "What happened on " + from.Format("Monday, 2 January 2006"),
		Empty: "No session has a message on " + date + ".",
		Columns: []out.Column[*project]{
			{Key: "name", Head: "project", Fill: true, Least: 12, Text: func(p *project) string { return env.Tilde(p.path) }},
			{Key: "path", Value: func(p *project) any { return out.Path(p.path) }},
			{Key: "sessions", Head: "sessions", Right: true, Value: func(p *project) any { return p.sessions }},
			{Key: "active", Value: func(p *project) any { return seconds(p.figures.Active) }},
			{Key: "activeTime", Head: "active", Right: true, Text: func(p *project) string { return spent(p.figures.Active) }},
			{Key: "prompts", Head: "prompts", Right: true, Value: func(p *project) any { return p.figures.Prompts }},
			{Key: "calls", Head: "calls", Right: true, Leave: 3, Value: func(p *project) any { n, _ := p.figures.Calls(); return n }},
			{Key: "failed", Head: "failed", Right: true, Leave: 2, Value: func(p *project) any { _, n := p.figures.Calls(); return n }},
			{Key: "tokens", Value: func(p *project) any { return p.figures.Tokens().Fresh() }},
			{Key: "tokensShort", Head: "tokens", Right: true, Leave: 4, Text: func(p *project) string { return render.Tokens(p.figures.Tokens().Fresh()) }},
			{Key: "files", Head: "files", Right: true, Leave: 5, Value: func(p *project) any { return len(p.figures.Files) }},
			{Key: "added", Value: func(p *project) any { n, _ := p.figures.Lines(); return n }},
			{Key: "removed", Value: func(p *project) any { _, n := p.figures.Lines(); return n }},
			{Key: "lines", Head: "lines", Right: true, Leave: 1, Text: func(p *project) string { return lines(&p.figures) }},
			{Key: "commands", Value: func(p *project) any { return p.figures.Commands }},
			{Key: "pullRequests", Value: func(p *project) any { return len(p.figures.Requests) }},
		},
	}
	for i := range table.Columns {
		table.Columns[i].Ink = render.Text
	}
	sum := ""
	if len(list) > 0 {
		sum = fmt.Sprintf("%s, %s active: %s, %s, %s tokens, %s in %s, %s.", out.Count(all.sessions, "session"), spent(all.figures.Active),
			out.Count(all.figures.Prompts, "prompt"), callsText(&all.figures), render.Tokens(all.figures.Tokens().Fresh()),
			lines(&all.figures), out.Count(len(all.figures.Files), "file"), out.Count(all.figures.Commands, "command"))
	}
	return table.Print(o, list, sum)
}

// lines returns the numbers of added and removed lines.
func lines(f *stats.Figures) string {
	added, removed := f.Lines()
	return "+" + words.Count(added) + " −" + words.Count(removed)
}

// callsText returns the numbers of calls and of failed calls.
func callsText(f *stats.Figures) string {
	calls, failed := f.Calls()
	text := out.Count(calls, "tool call")
	if failed > 0 {
		text += ", " + words.Count(failed) + " failed"
	}
	return text
}

// spent formats a duration; "0 s" for zero.
func spent(d time.Duration) string {
	if text := words.Duration(d); text != "" {
		return text
	}
	return "0 s"
}
