package stats

import (
	"fmt"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript/stats"
	"github.com/continuo-tui/continuo/tui/render"
)

// maxFiles is the maximum number of files, and of failures, on a page.
const maxFiles = 20

// page collects the lines of a page for a terminal.
type page struct {
	o     *out.Output
	lines []string
}

// heading begins a section of the page.
func (p *page) heading(text string) {
	p.lines = append(p.lines, "", p.o.Out.Styles.Paint(render.Heading, text))
}

// row adds a line with a name and right-aligned values.
func (p *page) row(name string, values ...string) {
	const value = 12 // cells of a column
	room := max(p.o.Out.Page()-2-value*len(values), 16)
	line := "  " + render.Pad(words.CutMiddle(name, min(room, 48)), min(room, 48))
	for _, v := range values {
		line += render.PadLeft(v, value)
	}
	p.lines = append(p.lines, line)
}

// sessionPage formats the figures of a session for a terminal.
func sessionPage(env *place.Env, o *out.Output, row *sessions.Row, f *stats.Figures) string {
	p := page{o: o}
	p.lines = append(p.lines, o.Out.Styles.Paint(render.Strong, words.Cut(render.Title(row), o.Out.Page())))
	if !f.First.IsZero() {
		zone := env.Now().Location()
		p.lines = append(p.lines, o.Out.Styles.Paint(render.Faint, fmt.Sprintf("%s to %s",
			f.First.In(zone).Format("2006-01-02 15:04"), f.Last.In(zone).Format("2006-01-02 15:04"))))
	}
	p.lines = append(p.lines, "")
	p.row("Duration", spent(f.Duration()))
	p.row("Active", spent(f.Active))
	p.row("Messages", words.Count(f.Messages))
	p.row("Prompts", words.Count(f.Prompts))
	p.row("Compactions", words.Count(f.Compactions))
	p.row("Commands", words.Count(f.Commands))
	p.row("Errors of the API", words.Count(f.Errors))
	p.tokens(f)
	p.tools(f)
	p.failures(env, f)
	p.files(env, row.Workdir, f)
	if len(f.Requests) > 0 {
		p.heading("Pull requests")
		for _, r := range f.Requests {
			p.lines = append(p.lines, fmt.Sprintf("  #%d %s", r.Number, r.URL))
		}
	}
	return out.Page(p.lines)
}

func (p *page) tokens(f *stats.Figures) {
	u := f.Tokens()
	if len(f.Models) == 0 {
		return
	}
	p.heading("Tokens")
	p.row("Cache read", render.Tokens(u.CacheRead))
	p.row("Cache write", render.Tokens(u.CacheWrite))
	p.row("Output", render.Tokens(u.Output))
	p.row("Input", render.Tokens(u.Input))
	p.lines = append(p.lines, fmt.Sprintf("  %.0f %% of the input came from the cache.", 100*stats.CacheShare(u)))
	p.heading("Models")
	p.row("", "output", "messages")
	for _, m := range f.Models {
		name := m.Name
		if m.Agent {
			name += " in sub-agents"
		}
		p.row(name, render.Tokens(m.Tokens.Output), words.Count(m.Messages))
	}
}

func (p *page) tools(f *stats.Figures) {
	if len(f.Tools) == 0 {
		return
	}
	p.heading("Tools: " + callsText(f))
	p.row("", "calls", "failed")
	for _, t := range f.Tools {
		failed := ""
		if t.Failed > 0 {
			failed = words.Count(t.Failed)
		}
		p.row(t.Name, words.Count(t.Calls), failed)
	}
}

// failures adds the failed calls.
func (p *page) failures(env *place.Env, f *stats.Figures) {
	if len(f.Failures) == 0 {
		return
	}
	p.heading("Failures")
	p.row("", "exit", "times", "last")
	for _, one := range f.Failures[max(len(f.Failures)-maxFiles, 0):] {
		exit, last := "", ""
		if one.Exit != 0 {
			exit = words.Count(one.Exit)
		}
		if !one.Last.IsZero() {
			last = one.Last.In(env.Now().Location()).Format("15:04")
		}
		p.row(one.What, exit, words.Count(one.N), last)
	}
}

// files adds the changed files. In the session's folder, paths are relative.
func (p *page) files(env *place.Env, dir string, f *stats.Figures) {
	if len(f.Files) == 0 {
		return
	}
	p.heading("Files changed: " + lines(f))
	for _, file := range f.Files[:min(len(f.Files), maxFiles)] {
		name := env.Tilde(file.Path)
		if rest, ok := strings.CutPrefix(file.Path, dir+"/"); ok && dir != "" {
			name = rest
		}
		p.row(name, "+"+words.Count(file.Added), "−"+words.Count(file.Removed))
	}
	if more := len(f.Files) - maxFiles; more > 0 {
		p.lines = append(p.lines, "  … "+words.Count(more)+" more")
	}
}
