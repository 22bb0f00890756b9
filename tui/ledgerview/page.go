// Package ledgerview shows the ledger of a project: an outline, and beside it the selected part.
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
	// Newest returns the newest matching session in some folders, nil if there is none.
	Newest func(in []string, match func(*sessions.Row) bool) *sessions.Row
}

// Page is the screen of a ledger. A bar is on an entry, which is identified by kind, title and line. So the bar stays
// on the entry when the file grows. Before the first call of To, the page has no project.
type Page struct {
	opts    Options
	dir     string
	gen     int  // generation of the project, 0 before the first
	shown   bool // the tab is shown
	ticking bool // a clock message is on its way
	ctx     context.Context
	cancel  context.CancelFunc
	f       screen.Frame

	facts  *ledgerFacts // nil before the first answer
	err    error        // error of the last read
	slow   bool         // the read takes long, so a message is shown
	asking bool         // the ledger is being read
	again  bool         // read again after the current read
	asked  time.Time    // start of the last answered read
	at     time.Time    // end of the read that is shown

	inside  bool // the pane beside the outline has the focus
	alone   bool // the outline has the whole width
	typing  bool // the filter of the focused pane has the cursor
	outline ledgerList
	content ledgerContent
}

// New returns a page without a project.
func New(opts Options) *Page { return &Page{opts: opts} }

// To shows the tab for a project and reads its ledger. Known facts of the same project stay. narrow reports that there
// is no room beside the outline.
func (p *Page) To(dir string, narrow bool) []screen.Effect {
	p.about(dir)
	p.shown, p.typing = true, false
	p.inside = p.inside && !narrow
	gen := p.gen
	effects := append(p.ask(), screen.Cmd(screen.After(p.ctx, screen.Quiet, func() tea.Msg { return slowMsg{gen} })))
	if !p.ticking {
		effects = append(effects, p.nextTick())
	}
	return effects
}

// about switches to another project.
func (p *Page) about(dir string) {
	if p.gen > 0 && p.dir == dir {
		return
	}
	if p.gen > 0 {
		p.cancel()
	}
	*p = Page{opts: p.opts, dir: dir, gen: p.gen + 1, ticking: p.ticking, f: p.f}
	p.outline.field, p.content.field = field.New(field.Words), field.New(field.Words)
	p.content.texts = &ledgerTexts{}
	p.outline.List = blocks.List{Items: &p.outline, At: -1, Text: true}
	p.content.list = p.content.newList()
	p.ctx, p.cancel = context.WithCancel(p.opts.Context)
}

// Left is called when another tab is shown.
func (p *Page) Left() { p.shown, p.typing = false, false }

// Forgive clears the error of the last read, because the cause may be gone.
func (p *Page) Forgive() { p.err = nil }

// LastPassed returns when the full or simplified gate of a project last passed; a zero time means never. known reports
// whether the page has the answer.
func (p *Page) LastPassed(dir string, full bool) (at time.Time, known bool) {
	if p.dir != dir || p.facts == nil {
		return time.Time{}, false
	}
	return p.facts.logged.lastPassed(full)
}

// Open implements screen.Screen. It does nothing, because the method To reads the ledger.
func (p *Page) Open() []screen.Effect { return nil }

// Reopened implements screen.Reopened. Problems may have been fixed, so it reads the ledger again.
func (p *Page) Reopened() []screen.Effect { return p.ask() }

// Close implements screen.Screen.
func (p *Page) Close() []screen.Effect { return nil }

// Subject implements screen.Screen. Its row, for a checkpoint, is the newest session of the project.
func (p *Page) Subject() screen.Subject {
	return screen.Subject{Dir: p.dir, Row: p.newest(func(*sessions.Row) bool { return true })}
}

// newest returns the newest matching session of the project, nil if there is none.
func (p *Page) newest(match func(*sessions.Row) bool) *sessions.Row {
	if p.gen == 0 {
		return nil
	}
	return p.opts.Newest([]string{p.dir, p.root()}, match)
}

// ask reads the ledger. Only one read runs at a time.
func (p *Page) ask() []screen.Effect {
	switch {
	case p.gen == 0:
		return nil
	case p.asking:
		p.again = true
		return nil
	}
	p.asking, p.again = true, false
	return []screen.Effect{screen.Cmd(look(p.ctx, p.opts.Ledgers, p.dir, p.facts, p.opts.Now, p.gen))}
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
			return p.looked(msg)
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
		return p.ask()
	}
	return nil
}

// looked takes the result of a read. If it failed, the previous ledger stays.
func (p *Page) looked(msg lookedMsg) []screen.Effect {
	p.asking, p.slow, p.asked = false, false, msg.asked
	var effects []screen.Effect
	if p.err = msg.err; msg.err == nil {
		p.facts, p.at = msg.facts, msg.at
		effects = append(effects, screen.HasLedger{Dir: p.dir, Has: !p.facts.None}, screen.Clock{Now: msg.at})
	}
	if p.again {
		effects = append(effects, p.ask()...)
	}
	return effects
}

// ticked updates the shown age each second and reads a stale ledger again.
func (p *Page) ticked(now time.Time) []screen.Effect {
	if p.ticking = false; !p.shown {
		return nil
	}
	effects := []screen.Effect{screen.Clock{Now: now}, p.nextTick()}
	if p.f.Awake && p.f.Front && !p.asking && now.Sub(p.asked) >= stale {
		effects = append(effects, p.ask()...)
	}
	return effects
}
