// Package project shows the page of a project: its last session, what needs attention, its newest sessions, and its
// memory.
package project

import (
	"context"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Options configure the page.
type Options struct {
	Context  context.Context // ends with the program
	Projects Projects
	Now      func() time.Time
	Dir      string
	// Row returns the row of a file, or nil.
	Row func(path string) *sessions.Row
	// Behind is the row that was open in the reader before this page, or nil.
	Behind *sessions.Row
}

// Page is the screen of a project. The bar stays on its item when the page changes. Rows of sessions come from the
// lists.
type Page struct {
	opts   Options
	ctx    context.Context // cancelled when the screen is closed
	cancel context.CancelFunc
	facts  *survey.Project // nil before the first answer
	err    error           // error of the last read
	slow   bool            // the first read is slow, so a message is shown
	asking bool            // the project is being read
	asked  time.Time       // when the last finished read began
	again  bool            // the project has changed during the running read
	due    bool            // a read is scheduled

	bar     survey.Item
	touched bool // the user has moved the bar
	top     int  // index of the first visible line
	page    render.ProjectPage
	drawn   drawInputs
	frame   screen.Frame
}

// New returns the page for a project.
func New(opts Options) *Page { return &Page{opts: opts} }

// Again returns a new page with the bar and the scroll position of the closed page p.
func (p *Page) Again() *Page {
	return &Page{opts: p.opts, facts: p.facts, bar: p.bar, touched: p.touched, top: p.top}
}

// Open implements screen.Screen. It reads the project.
func (p *Page) Open() []screen.Effect {
	p.ctx, p.cancel = context.WithCancel(p.opts.Context)
	return append(p.ask(), p.wait(screen.Quiet, slowMsg{}), p.nextTick())
}

// drawInputs has what the drawn lines depend on, besides the facts.
type drawInputs struct {
	width, rows int
	blanks      bool
	theme       render.Theme
	now         int64 // in seconds, for the ages on the page
	bar         survey.Item
}

// arrived stores the result of a read.
func (p *Page) arrived(facts survey.Project, err error) {
	p.slow = false
	if p.err = err; err == nil {
		facts.Sessions = slices.Clone(facts.Sessions) // renew will change them
		p.facts = &facts
		p.drawn = drawInputs{}
	}
}

// renew replaces the rows of the sessions with the rows of the lists.
func (p *Page) renew() {
	if p.facts == nil {
		return
	}
	for i := range p.facts.Sessions {
		if r := p.opts.Row(p.facts.Sessions[i].Path); r != nil {
			p.facts.Sessions[i] = *r
		}
	}
	p.drawn = drawInputs{}
}

// draw draws the page, unless nothing has changed since the last drawing.
func (p *Page) draw(in drawInputs, o render.ProjectOptions) {
	if p.facts == nil {
		return
	}
	items := p.facts.Items()
	if !slices.Contains(items, p.bar) {
		p.bar, p.touched = survey.Item{}, false
	}
	if in.bar = p.bar; in == p.drawn {
		return
	}
	o.Chosen = p.bar
	p.page = render.DrawProject(p.facts, o)
	if !p.touched && len(items) > 0 {
		if first := p.firstSeen(items, in.rows); first != p.bar {
			p.bar, o.Chosen, in.bar = first, first, first
			p.page = render.DrawProject(p.facts, o)
		}
	}
	p.drawn = in
	p.fit()
}

// firstSeen returns the item to select first: the newest session if it is visible, or the first item.
func (p *Page) firstSeen(items []survey.Item, rows int) survey.Item {
	for _, item := range items {
		if s := p.page.Spot(item); item.Kind == survey.ItemSession && s != nil && s.Y < rows {
			return item
		}
	}
	return items[0]
}

// fit keeps the view inside the page.
func (p *Page) fit() {
	rows := p.frame.Layout.Body.H
	p.top = min(max(p.top, 0), max(len(p.page.Lines)-rows, 0))
}

// scroll moves the view by delta lines. The bar stays in the view.
func (p *Page) scroll(delta int) {
	rows := p.frame.Layout.Body.H
	p.top += delta
	p.fit()
	if s := p.page.Spot(p.bar); s != nil && s.Y >= p.top && s.Y < p.top+rows {
		return
	}
	best, far := -1, 0
	for i := range p.page.Spots {
		s := &p.page.Spots[i]
		if s.Y < p.top || s.Y+s.H > p.top+rows {
			continue
		}
		if d := abs(s.Y - p.top - rows/2); best < 0 || d < far {
			best, far = i, d
		}
	}
	if best >= 0 {
		p.bar, p.touched = p.page.Spots[best].Item, true
	}
}

// move moves the bar by delta items. On the last item, it scrolls.
func (p *Page) move(delta int) {
	step := 1
	if delta < 0 {
		step = -1
	}
	for ; delta != 0; delta -= step {
		i := p.index() + step
		if i < 0 || i >= len(p.page.Spots) {
			p.top += delta
			p.fit()
			return
		}
		p.choose(p.page.Spots[i].Item)
	}
}

// mostItems is more than any page has.
const mostItems = 1 << 10

// index returns the index of the selected item, or -1.
func (p *Page) index() int {
	return slices.IndexFunc(p.page.Spots, func(s render.ProjectSpot) bool { return s.Item == p.bar })
}

// choose selects an item, and scrolls to it.
func (p *Page) choose(item survey.Item) {
	p.bar, p.touched = item, true
	p.reveal()
}

// reveal scrolls until the bar and the line above are visible. This line may be a heading.
func (p *Page) reveal() {
	rows := p.frame.Layout.Body.H
	s := p.page.Spot(p.bar)
	if s == nil {
		return
	}
	from, to := max(s.Y-1, 0), s.Y+s.H
	if from < p.top {
		p.top = from
	}
	if to > p.top+rows {
		p.top = to - rows
	}
	p.fit()
}

// isSeen reports whether the bar is in the view.
func (p *Page) isSeen() bool {
	rows := p.frame.Layout.Body.H
	s := p.page.Spot(p.bar)
	return s != nil && s.Y >= p.top && s.Y < p.top+rows
}

// beside selects the item at the same height in the other column.
func (p *Page) beside(step int) {
	at := p.page.Spot(p.bar)
	if at == nil {
		return
	}
	var best *render.ProjectSpot
	for i := range p.page.Spots {
		s := &p.page.Spots[i]
		if (s.X-at.X)*step > 0 && (best == nil || abs(s.Y-at.Y) < abs(best.Y-at.Y)) {
			best = s
		}
	}
	if best != nil {
		p.choose(best.Item)
	}
}

// hasColumns reports whether the page has items in two columns.
func (p *Page) hasColumns() bool {
	for i := range p.page.Spots {
		if p.page.Spots[i].X != p.page.Spots[0].X {
			return true
		}
	}
	return false
}

// at returns the item at a cell of the view.
func (p *Page) at(x, y int) (survey.Item, bool) {
	for _, s := range p.page.Spots {
		if row := y + p.top - s.Y; row >= 0 && row < s.H && x >= s.X && x < s.X+s.W {
			return s.Item, true
		}
	}
	return survey.Item{}, false
}

// Bar returns the selected item.
func (p *Page) Bar() survey.Item { return p.bar }

// chosen returns the selected session or document, or nil.
func (p *Page) chosen() *sessions.Row {
	if p.facts == nil {
		return nil
	}
	return p.facts.Row(p.bar)
}

// need returns the selected need, or nil.
func (p *Page) need() *survey.Need {
	if p.facts == nil {
		return nil
	}
	return p.facts.Need(p.bar)
}

func abs(n int) int { return max(n, -n) }
