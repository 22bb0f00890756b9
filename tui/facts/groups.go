package facts

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/stats"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// kinds returns the number of tokens of each kind, and the sum of all kinds.
func kinds(u transcript.Usage) (list []kind, whole int64) {
	return []kind{{"cache read", u.CacheRead}, {"cache write", u.CacheWrite}, {"output", u.Output}, {"input", u.Input}},
		u.Input + u.Output + u.CacheRead + u.CacheWrite
}

type kind struct {
	name string
	n    int64
}

// fromCache returns a sentence about the share of the input that came from the cache.
func fromCache(u transcript.Usage) string {
	return fmt.Sprintf("%.0f %% of the input came from the cache.", 100*stats.CacheShare(u))
}

func (c *column) tokens() {
	u := c.Tokens()
	list, whole := kinds(u)
	if whole == 0 {
		return
	}
	c.group("Tokens by kind", "", render.Span{Ink: render.Muted, Text: render.Tokens(whole)})
	for i, k := range list {
		ink := render.Muted
		if i == 0 {
			ink = render.Accent
		}
		c.gauge(ink, k.name, label, k.n, whole, render.Span{Ink: render.Text, Text: render.PadLeft(render.Tokens(k.n), 7)})
	}
	c.put(c.line().Put(render.Faint, fromCache(u)))
}

// modelName returns the short name of a model, such as opus, or the full name if the short one isn't unique. The number
// of sub-agents follows if only they used the model.
func modelName(f *stats.Figures, m *stats.Model) string {
	short := render.Model([]string{m.Name})
	name := m.Name
	if short != "" && !slices.ContainsFunc(f.Models, func(o stats.Model) bool { return o.Name != m.Name && render.Model([]string{o.Name}) == short }) {
		name = short
	}
	if !m.Agent {
		return name
	}
	only := !slices.ContainsFunc(f.Models, func(o stats.Model) bool { return o.Agent && o.Name != m.Name })
	if only && f.Agents > 0 {
		return name + " in " + words.Counted(f.Agents, "sub-agent", "sub-agents")
	}
	return name + " in sub-agents"
}

func (c *column) models() {
	if len(c.Models) == 0 {
		return
	}
	values := func(ink render.Ink, output, messages string) []render.Span {
		return []render.Span{{Ink: ink, Text: render.PadLeft(output, number)}, {Ink: ink, Text: render.PadLeft(messages, number)}}
	}
	c.group("Tokens by model", "", values(render.Faint, "output", "messages")...)
	for i := range c.Models {
		m := &c.Models[i]
		c.row(render.Text, modelName(c.Figures, m), values(render.Muted, render.Tokens(m.Tokens.Output), words.Count(m.Messages))...)
	}
}

func (c *column) tools() {
	if len(c.Tools) == 0 {
		return
	}
	const most = 20 // cells of a name
	c.group("Tools", "", render.Span{Ink: render.Faint, Text: "calls"})
	tools, labels := c.Tools, 0
	if len(tools) > 2*fewRows {
		tools = tools[:2*fewRows]
	}
	for _, t := range tools {
		labels = max(labels, min(ansi.StringWidth(t.Name), most)+3)
	}
	for _, t := range tools {
		c.gauge(render.Muted, t.Name, labels, int64(t.Calls), int64(tools[0].Calls), render.Span{Ink: render.Text, Text: render.PadLeft(words.Count(t.Calls), number)})
	}
	if n := len(c.Tools) - len(tools); n > 0 {
		c.row(render.Faint, "… "+words.Count(n)+" more")
	}
}

// session draws the facts that identify the session and its file.
func (c *column) session() {
	if c.scope != ofSession {
		return
	}
	row := &c.opts.Row
	c.group("Session", "")
	if row.ContextTokens > 0 {
		if price := render.ReadAgain(&c.opts.Prices, row, c.frame.Now); price != "" {
			c.pair("context", render.Text, render.Tokens(row.ContextTokens)+" tokens")
			for _, s := range render.Wrap(words.Sentence(price), c.width-c.line().At()) {
				c.put(c.line().Put(render.Faint, s))
			}
		}
	}
	if c.Errors > 0 {
		c.pair("API errors", render.Text, words.Count(c.Errors))
	}
	c.pair("client", render.Text, row.Version)
	if row.Bytes > 0 {
		c.pair("size", render.Text, words.Size(row.Bytes))
	}
	c.pair("id", render.Text, screen.ShortID(row.ID))
	c.pair("folder", render.Faint, render.Folder(row.Workdir, c.frame.Home))
	c.pair("file", render.Faint, render.Folder(row.Path, c.frame.Home))
}
