// Package facts implements the page with the facts of a session: time, tokens, files, tools, commands and pull
// requests. The values are the same as those of `continuo stats`.
package facts

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/transcript/stats"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Source counts the figures of sessions.
type Source interface {
	// Figures counts the transcript of a row, and the transcripts of its sub-agents.
	Figures(ctx context.Context, row sessions.Row) (stats.Figures, error)
}

// Options configure the page.
type Options struct {
	Context context.Context // context of the program
	Source  Source
	Row     sessions.Row
	Prices  resume.Prices // prices from the config of the user
}

// Page is the screen with the facts. It counts when it is opened, and when the user asks for it again.
type Page struct {
	opts    Options
	ctx     context.Context // ends when the page is closed
	cancel  context.CancelFunc
	gen     int            // generation of the last count
	figures *stats.Figures // nil before the first answer
	err     error          // error of the last count
	all     bool           // the key enter was pressed, so all rows of the lists are shown

	lines []string
	top   int // index of the first visible line
	frame screen.Frame
}

// New returns the page for a row.
func New(opts Options) *Page { return &Page{opts: opts} }

// countedMsg is the result of a count.
type countedMsg struct {
	gen     int
	figures stats.Figures
	err     error
}

// Open implements screen.Screen. It starts to count.
func (p *Page) Open() []screen.Effect {
	p.ctx, p.cancel = context.WithCancel(p.opts.Context)
	return p.count()
}

// Close implements screen.Screen.
func (p *Page) Close() []screen.Effect {
	p.cancel()
	return nil
}

func (p *Page) count() []screen.Effect {
	p.gen++
	ctx, source, row, gen := p.ctx, p.opts.Source, p.opts.Row, p.gen
	return []screen.Effect{screen.Cmd(func() tea.Msg {
		f, err := source.Figures(ctx, row)
		return countedMsg{gen, f, err}
	})}
}

// Took implements screen.Screen.
func (p *Page) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case countedMsg:
		if msg.gen != p.gen {
			return nil
		}
		if p.err = msg.err; p.err == nil {
			p.figures = &msg.figures
		}
	case screen.Rows:
		if i := slices.IndexFunc(msg.Came, func(row sessions.Row) bool { return row.Path == p.opts.Row.Path }); i >= 0 {
			p.opts.Row = msg.Came[i]
		}
	}
	return nil
}

// Name implements screen.Screen.
func (p *Page) Name() string { return "Facts" }

// showAll is the intent of the key enter.
const showAll = "show-all"

// Keys implements screen.Screen.
func (p *Page) Keys() []screen.Binding {
	label := ""
	switch f := p.figures; {
	case f == nil || len(f.Files) <= fewRows+1 && len(f.Tools) <= fewRows+1:
	case p.all:
		label = "first rows"
	default:
		label = "all rows"
	}
	return slices.Concat([]screen.Binding{
		{Keys: []string{"enter"}, Show: "enter", Label: label, Help: "all files and tools, or the first ones", Group: screen.GroupThis, Do: screen.Intent{Name: showAll}},
	}, screen.Common(screen.Facts, screen.Resume, screen.CopyMenu, screen.Export, screen.Fresh), []screen.Binding{
		{Keys: []string{"esc"}, Show: "esc", Label: "back", Help: "back, close, clear", Group: screen.GroupEverywhere, Do: screen.Intent{Name: screen.Clear}},
		{Name: "back", Keys: []string{"q"}, Show: "q", Help: "back", Group: screen.GroupEverywhere, Do: screen.Intent{Name: screen.Leave}},
	}, screen.Common(screen.Project, screen.Search, screen.Palette, screen.Help, screen.Suspend, screen.Quit), screen.Movement("line"))
}

// Do implements screen.Screen.
func (p *Page) Do(do screen.Intent) []screen.Effect {
	rows := p.frame.Layout.Body.H
	switch do.Name {
	case screen.Move:
		p.scroll(do.N)
	case screen.Page:
		p.scroll(do.N * max(rows-1, 1))
	case screen.Half:
		p.scroll(do.N * max(rows/2, 1))
	case screen.ToEnd:
		p.scroll(do.N * len(p.lines))
	case screen.Fresh:
		return p.count()
	case screen.Clear, screen.Leave:
		return []screen.Effect{screen.Pop{}}
	case showAll:
		p.all = !p.all
	}
	return nil
}

func (p *Page) scroll(delta int) {
	p.top = min(max(p.top+delta, 0), max(len(p.lines)-p.frame.Layout.Body.H, 0))
}

// Click implements screen.Screen.
func (p *Page) Click(int, int) []screen.Effect { return nil }

// Wheel implements screen.Screen.
func (p *Page) Wheel(_, _, rows int) []screen.Effect {
	p.scroll(rows)
	return nil
}

// Shape implements screen.Screen.
func (p *Page) Shape(int, int) screen.Shape { return screen.Shape{} }

// Fit implements screen.Screen.
func (p *Page) Fit(f screen.Frame) []screen.Effect {
	if p.frame = f; f.Front && f.Layout.Body.W > 0 {
		p.lines = p.draw()
		p.scroll(0)
	}
	return nil
}

// Subject implements screen.Screen.
func (p *Page) Subject() screen.Subject {
	row := &p.opts.Row
	return screen.Subject{Row: row, Dir: row.Project}
}
