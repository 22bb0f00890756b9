package facts

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// scope selects the sessions to count.
type scope int

const (
	ofSession scope = iota
	ofProject
	ofAll
	scopes // number of scopes
)

// lastDays is the number of days that a wider scope counts, today included.
const lastDays = 30

// has reports whether the page offers a scope.
func (p *Page) has(s scope) bool {
	return s == ofSession || p.opts.Rows != nil && (s == ofAll || p.opts.Row.Project != "")
}

// name returns the name of a scope in the title.
func (p *Page) name(s scope) string {
	switch s {
	case ofProject:
		return render.Base(p.opts.Row.Project)
	case ofAll:
		return "all projects"
	case ofSession, scopes:
	}
	return "session"
}

// widen selects the next scope (1) or the previous one (-1), and counts it if necessary.
func (p *Page) widen(step int) []screen.Effect {
	to := p.scope
	for {
		if to = (to + scope(step) + scopes) % scopes; p.has(to) {
			break
		}
	}
	if to == p.scope {
		return nil
	}
	p.scope, p.top, p.bar = to, 0, spot{}
	if p.known[to] != nil {
		p.gen++ // results for the previous scope come too late
		p.stop()
		return nil
	}
	return p.count()
}

// count starts to count the scope, in place of the previous count.
func (p *Page) count() []screen.Effect {
	if p.stop != nil {
		p.stop()
	}
	p.gen++
	ctx, stop := context.WithCancel(p.ctx)
	p.stop = stop
	source, row, gen := p.opts.Source, p.opts.Row, p.gen
	if p.scope == ofSession {
		return []screen.Effect{screen.Cmd(func() tea.Msg {
			f, err := source.Figures(ctx, row)
			return countedMsg{gen, counted{Figures: f, err: err}}
		})}
	}
	rows := p.rows()
	y, m, d := p.frame.Now.Date()
	to := time.Date(y, m, d+1, 0, 0, 0, 0, p.frame.Now.Location())
	from := to.AddDate(0, 0, -lastDays)
	return []screen.Effect{screen.Cmd(func() tea.Msg {
		f, n, err := source.FiguresOf(ctx, rows, from, to)
		return countedMsg{gen, counted{f, n, from, to, err}}
	})}
}

// rows returns the rows of the scope.
func (p *Page) rows() []sessions.Row {
	var list []sessions.Row
	for row := range p.opts.Rows {
		if p.scope == ofAll || row.Project == p.opts.Row.Project {
			list = append(list, *row)
		}
	}
	return list
}

// title draws the scopes, and the title of the session or the counted days.
func (p *Page) title() (title, rule string) {
	f := &p.frame
	l, under := render.NewLine(f.Styles, f.Width).To(1).Put(render.Strong, "Facts"), render.NewLine(f.Styles, f.Width)
	for s := range scopes {
		if !p.has(s) || p.opts.Rows == nil {
			continue
		}
		ink, name := render.Muted, words.Cut(p.name(s), max(f.Width/4, 8))
		if s == p.scope {
			ink = render.Strong
		}
		l.Put(render.Text, "    ")
		if at := l.At(); s == p.scope {
			under.Put(render.Rule, strings.Repeat("─", at)).Put(render.AccentBold, strings.Repeat("━", ansi.StringWidth(name)))
		}
		l.Put(ink, name)
	}
	about := render.Title(&p.opts.Row)
	if p.scope != ofSession {
		about = ""
		if c := p.known[p.scope]; c != nil {
			zone := f.Now.Location()
			about = c.from.In(zone).Format("Jan 2") + " to " + c.to.In(zone).AddDate(0, 0, -1).Format("Jan 2") + ", " + words.Counted(c.active, "session", "sessions")
		}
	}
	room := max(f.Width-l.At()-4, 0)
	if about = words.Cut(about, room); room >= leastGauge {
		l.Right(f.Width-1, render.Span{Ink: render.Muted, Text: about})
	}
	under.Put(render.Rule, strings.Repeat("─", max(f.Width-under.At(), 0)))
	return l.String(), under.String()
}

func (p *Page) state() string {
	switch c := p.known[p.scope]; {
	case c == nil:
		return "Counting…"
	case c.err != nil:
		return "Incomplete: " + c.err.Error()
	case p.scope == ofSession:
		return "Each message is counted once. Sub-agents are included."
	default:
		return "The last " + words.Count(lastDays) + " days. Each message is counted once. Sub-agents are included."
	}
}
