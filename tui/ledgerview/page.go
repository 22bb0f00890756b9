// Package ledgerview shows the ledger of one project: an outline, and beside it what the bar of the outline stands on.
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

// Options say what there is to look at ledgers with.
type Options struct {
	Context   context.Context // of the program
	Ledgers   Ledgers
	Now       func() time.Time
	CanChange bool
	CanOpen   bool
	// Prose renders a text as markdown.
	Prose func(text string, prose, code int, s *render.Styles) []string
	// Newest is the newest session of some in folders that the lists know, nil none.
	Newest func(in []string, is func(*sessions.Row) bool) *sessions.Row
}

// Page is the ledger of one project. What it shows comes as a whole from Ledgers. The bars stand on what is known by its
// kind, title and line, not on a row of the screen: a file that grows meanwhile does not move them. Until To it is about no
// project.
type Page struct {
	opts    Options
	dir     string
	gen     int  // of the projects that it was about; 0 none yet
	shown   bool // its tab is
	ticking bool // a look at the clock is on its way
	ctx     context.Context
	cancel  context.CancelFunc
	f       screen.Frame

	facts  *ledgerFacts // nil until the first answer
	err    error        // of the last look
	slow   bool         // it takes long enough to say so
	asking bool         // a look is on its way
	again  bool         // it is to be looked at once more after that
	asked  time.Time    // when the last look began whose answer is there
	at     time.Time    // when the answer was found that is shown

	inside  bool // the keys act in what is shown beside the outline
	alone   bool // the outline has the whole width
	typing  bool // the filter of the pane where the keys act
	outline ledgerList
	content ledgerContent
}

// New is a page that is about no project yet.
func New(opts Options) *Page { return &Page{opts: opts} }

// To makes it about a project, and has that looked at: its tab is shown. It keeps what it knows of the project that it was
// about already. narrow says that there is no room beside the outline.
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

// about begins with another project.
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

// Forgive forgets that the last look failed: it may not by now.
func (p *Page) Forgive() { p.err = nil }

// LastPassed is when the gate of a project was passed last, the full one or the other; a zero time is never. It reports
// whether that is known here.
func (p *Page) LastPassed(dir string, full bool) (at time.Time, known bool) {
	if p.dir != dir || p.facts == nil {
		return time.Time{}, false
	}
	return p.facts.logged.lastPassed(full)
}

// Open implements screen.Screen. To asks for what is shown.
func (p *Page) Open() []screen.Effect { return nil }

// Reopened implements screen.Reopened: something of it may have been mended.
func (p *Page) Reopened() []screen.Effect { return p.ask() }

// Close implements screen.Screen.
func (p *Page) Close() []screen.Effect { return nil }

// Subject implements screen.Screen. The session that a checkpoint here is about is the newest of the project.
func (p *Page) Subject() screen.Subject {
	return screen.Subject{Dir: p.dir, Row: p.newest(func(*sessions.Row) bool { return true })}
}

// newest is the newest session of the project among some.
func (p *Page) newest(is func(*sessions.Row) bool) *sessions.Row {
	if p.gen == 0 {
		return nil
	}
	return p.opts.Newest([]string{p.dir, p.root()}, is)
}

// ask has the ledger looked at. One look is on its way at a time.
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

// looked takes a look in. What is shown stands while a later look fails.
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

// ticked is called each second while the tab is shown: it says how old it is, and is looked at again when that is long ago.
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
