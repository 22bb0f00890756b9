package facts

import (
	"fmt"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript/stats"
	"github.com/continuo-tui/continuo/tui/render"
)

// markdown returns all figures as markdown: a heading, a list of numbers, and tables.
func (p *Page) markdown(f *stats.Figures) string {
	var b strings.Builder
	title := render.Title(&p.opts.Row)
	if c := p.known[p.scope]; p.scope != ofSession {
		zone := p.frame.Now.Location()
		title = fmt.Sprintf("%s, %s to %s", p.name(p.scope), c.from.In(zone).Format("Jan 2"), c.to.In(zone).AddDate(0, 0, -1).Format("Jan 2"))
	}
	calls, failed := f.Calls()
	fmt.Fprintf(&b, "# Facts: %s\n\n", title)
	for _, n := range []struct{ name, value string }{
		{"duration", words.Duration(f.Duration())},
		{"active", words.Duration(f.Active)},
		{"messages", words.Count(f.Messages)},
		{"prompts", words.Count(f.Prompts)},
		{"tool calls", words.Count(calls) + ", " + words.Count(failed) + " failed"},
		{"compactions", words.Count(f.Compactions)},
	} {
		if n.value != "" && (n.name != "duration" || p.scope == ofSession) {
			fmt.Fprintf(&b, "- %s: %s\n", n.name, n.value)
		}
	}
	t := table{&b}
	list, whole := kinds(f.Tokens())
	if whole > 0 {
		t.head("Tokens by kind", "kind", "tokens")
		for _, k := range list {
			t.row(k.name, words.Count(int(k.n)))
		}
		fmt.Fprintf(&b, "\n%s\n", fromCache(f.Tokens()))
	}
	t.models(f)
	t.rest(p, f)
	return b.String()
}

// table writes tables.
type table struct{ b *strings.Builder }

func (t table) head(name string, columns ...string) {
	fmt.Fprintf(t.b, "\n## %s\n\n", name)
	t.row(columns...)
	t.b.WriteString("|---" + strings.Repeat("|--:", len(columns)-1) + "|\n")
}

func (t table) row(values ...string) {
	for _, v := range values {
		t.b.WriteString("| " + strings.ReplaceAll(v, "|", `\|`) + " ")
	}
	t.b.WriteString("|\n")
}

func (t table) models(f *stats.Figures) {
	if len(f.Models) > 0 {
		t.head("Tokens by model", "model", "output", "messages")
	}
	for i := range f.Models {
		m := &f.Models[i]
		t.row(modelName(f, m), words.Count(int(m.Tokens.Output)), words.Count(m.Messages))
	}
}

// rest writes the tables of files, failures, pull requests and tools.
func (t table) rest(p *Page, f *stats.Figures) {
	if len(f.Files) > 0 {
		t.head("Files changed", "file", "added", "removed")
	}
	for _, file := range f.Files {
		t.row(p.folder(file.Path), words.Count(file.Added), words.Count(file.Removed))
	}
	if len(f.Failures) > 0 {
		t.head("Failures", "call", "result", "last")
	}
	for i := range f.Failures {
		one, last := &f.Failures[i], ""
		if !one.Last.IsZero() {
			last = strings.TrimSpace(p.clock(one.Last))
		}
		t.row("`"+one.What+"`", why(one), last)
	}
	if len(f.Requests) > 0 {
		t.head("Pull requests", "request", "linked")
	}
	for i := range f.Requests {
		t.row(requestName(&f.Requests[i]), strings.TrimSpace(p.clock(f.Requests[i].Linked)))
	}
	if len(f.Tools) > 0 {
		t.head("Tools", "tool", "calls", "failed")
	}
	for _, tool := range f.Tools {
		t.row(tool.Name, words.Count(tool.Calls), words.Count(tool.Failed))
	}
}
