// Package ledgerview shows the ledger of a project: an outline, and beside it the content of the selected item.
package ledgerview

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Options configure the page.
type Options struct {
	Context   context.Context // ends with the program
	Ledgers   Ledgers
	Now       func() time.Time
	CanChange bool
	CanOpen   bool
	// Prose renders markdown.
	Prose func(text string, prose, code int, s *render.Styles) []string
	// Newest returns the newest matching session in the given folders, or nil.
	Newest func(in []string, match func(*sessions.Row) bool) *sessions.Row
}

// Page is the screen of a ledger. The bar stays on its entry when the file grows. A page has no project before the
// first call of To.
type Page struct {
	opts Options
	reading
	shown   bool // the Ledger tab is the current tab
	ticking bool // a message of the clock is on its way
	f       screen.Frame

	inside  bool // the content pane has the focus
	alone   bool // the outline uses the whole width
	typing  bool // the user is typing the filter of the focused pane
	outline ledgerList
	content ledgerContent
}

// New returns a page that has no project yet.
func New(opts Options) *Page { return &Page{opts: opts} }

// To shows the tab for a project and reads the ledger. For the same project, the current facts stay visible. narrow
// means that there is no room for the content pane.
func (p *Page) To(dir string, narrow bool) []screen.Effect {
	p.about(dir)
	p.shown, p.typing = true, false
	p.inside = p.inside && !narrow
	gen := p.gen
	effects := append(p.ask(&p.opts), screen.Cmd(screen.After(p.ctx, screen.Quiet, func() tea.Msg { return slowMsg{gen} })))
	if !p.ticking {
		effects = append(effects, p.nextTick())
	}
	return effects
}

// about sets the project of the page.
func (p *Page) about(dir string) {
	if p.gen > 0 && p.dir == dir {
		return
	}
	if p.gen > 0 {
		p.cancel()
	}
	*p = Page{opts: p.opts, reading: reading{dir: dir, gen: p.gen + 1}, ticking: p.ticking, f: p.f}
	p.outline.field, p.content.field = field.New(field.Words), field.New(field.Words)
	p.content.texts = &ledgerTexts{}
	p.outline.List = blocks.List{Items: &p.outline, At: -1, Text: true}
	p.content.list = p.content.newList()
	p.ctx, p.cancel = context.WithCancel(p.opts.Context)
}

// Left is called when another tab is shown.
func (p *Page) Left() { p.shown, p.typing = false, false }

// Forgive removes the error of the last read. The cause may be gone.
func (p *Page) Forgive() { p.err = nil }

// LastPassed returns when a gate of a project last passed. A zero time means never. known is false if the page doesn't
// know.
func (p *Page) LastPassed(dir string, full bool) (at time.Time, known bool) {
	if p.dir != dir || p.facts == nil {
		return time.Time{}, false
	}
	return p.facts.logged.lastPassed(full)
}

// Open implements screen.Screen. It does nothing, because To reads the ledger.
func (p *Page) Open() []screen.Effect { return nil }

// Reopened implements screen.Reopened. It reads the ledger again, because problems may have been fixed.
func (p *Page) Reopened() []screen.Effect { return p.ask(&p.opts) }

// Close implements screen.Screen.
func (p *Page) Close() []screen.Effect { return nil }

// Subject implements screen.Screen. Its row is the project's newest session, for a checkpoint.
func (p *Page) Subject() screen.Subject {
	return screen.Subject{Dir: p.dir, Row: p.newest(func(*sessions.Row) bool { return true })}
}

// newest returns the newest matching session of the project, or nil.
func (p *Page) newest(match func(*sessions.Row) bool) *sessions.Row {
	if p.gen == 0 {
		return nil
	}
	return p.opts.Newest([]string{p.dir, p.root()}, match)
}

func (p *Page) nextTick() screen.Effect {
	p.ticking = true
	now := p.opts.Now
	return screen.Cmd(screen.After(p.opts.Context, tick, func() tea.Msg { return screen.Second{Now: now()} }))
}

// Took implements screen.Screen.
func (p *Page) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case lookedMsg:
		if msg.gen == p.gen {
			return p.looked(msg, &p.opts)
		}
	case slowMsg:
		if msg.gen == p.gen {
			p.slow = p.facts == nil && p.err == nil
		}
	case drawnMsg:
		if msg.gen == p.gen {
			p.content.texts.put(msg)
			p.content.rendered(msg)
		}
	case screen.Second:
		return p.ticked(msg.Now)
	case screen.Changed:
		return p.ask(&p.opts)
	}
	return nil
}

// ticked updates the displayed age every second, and reads a stale ledger again.
func (p *Page) ticked(now time.Time) []screen.Effect {
	if p.ticking = false; !p.shown {
		return nil
	}
	effects := []screen.Effect{screen.Clock{Now: now}, p.nextTick()}
	if p.f.Awake && p.f.Front && !p.asking && now.Sub(p.asked) >= stale {
		effects = append(effects, p.ask(&p.opts)...)
	}
	return effects
}
