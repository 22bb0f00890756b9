// Package facts implements the page with the facts of a session, of its project or of all projects. `continuo stats`
// has the same values.
package facts

import (
	"context"
	"iter"
	"slices"
	"time"

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
	// FiguresOf counts what happened in sessions between two times, and the active sessions. It skips unreadable files
	// and returns the first error.
	FiguresOf(ctx context.Context, rows []sessions.Row, from, to time.Time) (f stats.Figures, active int, err error)
}

// Options configure the page.
type Options struct {
	Context context.Context // context of the program
	Source  Source
	Row     sessions.Row
	Rows    iter.Seq[*sessions.Row] // the sessions and backups of the lists
	Prices  resume.Prices           // prices from the user's config
}

// Page is the screen of the facts. It counts when it is opened, when the scope changes, and on request.
type Page struct {
	opts   Options
	ctx    context.Context // ends when the page is closed
	cancel context.CancelFunc
	stop   context.CancelFunc // cancels the last count
	gen    int                // generation of the last count
	scope  scope
	known  [scopes]*counted // nil until the scope is counted

	opened map[group]bool // these lists show all their rows
	bar    spot           // the selected row; a drawing updates its position
	spots  []spot
	lines  []string
	top    int // first visible line
	frame  screen.Frame
}

// counted is the result of a count.
type counted struct {
	stats.Figures
	active   int       // number of active sessions; only for a wider scope
	from, to time.Time // zero for a session
	err      error
}

type countedMsg struct {
	gen int
	counted
}

// New returns the page of a row.
func New(opts Options) *Page { return &Page{opts: opts, opened: map[group]bool{}} }

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

// Took implements screen.Screen.
func (p *Page) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case countedMsg:
		if msg.gen == p.gen {
			p.known[p.scope] = &msg.counted
		}
	case screen.Rows:
		if i := slices.IndexFunc(msg.Came, func(row sessions.Row) bool { return row.Path == p.opts.Row.Path }); i >= 0 {
			p.opts.Row = msg.Came[i]
		}
	}
	return nil
}

// figures returns the figures of the scope, or nil.
func (p *Page) figures() *stats.Figures {
	if c := p.known[p.scope]; c != nil && c.failed() == nil {
		return &c.Figures
	}
	return nil
}

// failed returns the error of a count that found no sessions.
func (c *counted) failed() error {
	if c.active > 0 {
		return nil
	}
	return c.err
}

// Shape implements screen.Screen.
func (p *Page) Shape(int, int) screen.Shape { return screen.Shape{} }

// Fit implements screen.Screen.
func (p *Page) Fit(f screen.Frame) []screen.Effect {
	if p.frame = f; f.Front && f.Layout.Body.W > 0 {
		p.draw()
	}
	return nil
}

// Subject implements screen.Screen.
func (p *Page) Subject() screen.Subject {
	row := &p.opts.Row
	return screen.Subject{Row: row, Dir: row.Project}
}
