// Package project shows the page of one project: where one was, what waits, its sessions and what is kept of them.
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

// Options say of which project the page is, and what there is to look at it with.
type Options struct {
	Context  context.Context // of the program
	Projects Projects
	Now      func() time.Time
	Dir      string
	// Row is what the lists know of a file, nil nothing.
	Row func(path string) *sessions.Row
	// Behind is what was read when it was opened; nil: the list was there.
	Behind *sessions.Row
}

// Page is the page of one project. What it shows comes as a whole from Projects; only the rows of its sessions follow
// what the lists know. The bar stands on an item, which is known by what it is, not by its line.
type Page struct {
	opts   Options
	ctx    context.Context // ends when the page is left
	cancel context.CancelFunc
	facts  *survey.Project // nil until the first answer
	err    error           // of the last look
	slow   bool            // it takes long enough to say so
	asking bool            // a look is on its way
	asked  time.Time       // when the last one began whose answer is there
	again  bool            // something has changed since it began
	due    bool            // a look is due in a moment

	bar     survey.Item
	touched bool // the bar was moved: until then it stands on what is seen
	top     int  // first line that is seen
	page    render.ProjectPage
	drawn   pageLook
	frame   screen.Frame
}

// New is the page of a project.
func New(opts Options) *Page { return &Page{opts: opts} }

// Again is a page that was left, as it was.
func (p *Page) Again() *Page {
	return &Page{opts: p.opts, facts: p.facts, bar: p.bar, touched: p.touched, top: p.top}
}

// Open implements screen.Screen: the project is looked at.
func (p *Page) Open() []screen.Effect {
	p.ctx, p.cancel = context.WithCancel(p.opts.Context)
	return append(p.ask(), p.wait(screen.Quiet, slowMsg{}), p.nextTick())
}

// pageLook is what the lines of a page depend on besides its facts.
type pageLook struct {
	width, rows int
	blanks      bool
	theme       render.Theme
	now         int64 // seconds: ages are drawn
	bar         survey.Item
}

// arrived takes a look in.
func (p *Page) arrived(facts survey.Project, err error) {
	p.slow = false
	if p.err = err; err == nil {
		facts.Sessions = slices.Clone(facts.Sessions) // they are renewed here
		p.facts = &facts
		p.drawn = pageLook{}
	}
}

// renew takes over what the lists know of its rows.
func (p *Page) renew() {
	if p.facts == nil {
		return
	}
	for i := range p.facts.Sessions {
		if r := p.opts.Row(p.facts.Sessions[i].Path); r != nil {
			p.facts.Sessions[i] = *r
		}
	}
	p.drawn = pageLook{}
}

// draw draws the page, when something has changed.
func (p *Page) draw(look pageLook, o render.ProjectOptions) {
	if p.facts == nil {
		return
	}
	items := p.facts.Items()
	if !slices.Contains(items, p.bar) {
		p.bar, p.touched = survey.Item{}, false
	}
	if look.bar = p.bar; look == p.drawn {
		return
	}
	o.Chosen = p.bar
	p.page = render.DrawProject(p.facts, o)
	if !p.touched && len(items) > 0 {
		if first := p.firstSeen(items, look.rows); first != p.bar {
			p.bar, o.Chosen, look.bar = first, first, first
			p.page = render.DrawProject(p.facts, o)
		}
	}
	p.drawn = look
	p.fit()
}

// firstSeen is where the bar begins: on the newest session where that is seen at once, else on the first item.
func (p *Page) firstSeen(items []survey.Item, rows int) survey.Item {
	for _, item := range items {
		if s := p.page.Spot(item); item.Kind == survey.ItemSession && s != nil && s.Y < rows {
			return item
		}
	}
	return items[0]
}

// fit keeps the view within the page.
func (p *Page) fit() {
	rows := p.frame.Layout.Body.H
	p.top = min(max(p.top, 0), max(len(p.page.Lines)-rows, 0))
}

// scroll moves the view; the bar goes with it only as far as it has to.
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

// move moves the bar by so many items. Where there is none further on, the view goes on.
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

// index is the place of the bar among the items, -1 none.
func (p *Page) index() int {
	return slices.IndexFunc(p.page.Spots, func(s render.ProjectSpot) bool { return s.Item == p.bar })
}

// choose puts the bar on an item and shows it.
func (p *Page) choose(item survey.Item) {
	p.bar, p.touched = item, true
	p.reveal()
}

// reveal scrolls as little as possible to show the bar, with the heading over the first of a group.
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

// beside moves the bar to the other column, to the item at about its height.
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

// hasColumns reports whether items stand beside each other.
func (p *Page) hasColumns() bool {
	for i := range p.page.Spots {
		if p.page.Spots[i].X != p.page.Spots[0].X {
			return true
		}
	}
	return false
}

// at is the item at a cell of the view.
func (p *Page) at(x, y int) (survey.Item, bool) {
	for _, s := range p.page.Spots {
		if row := y + p.top - s.Y; row >= 0 && row < s.H && x >= s.X && x < s.X+s.W {
			return s.Item, true
		}
	}
	return survey.Item{}, false
}

// Bar is what the bar stands on.
func (p *Page) Bar() survey.Item { return p.bar }

// chosen is the session or document under the bar, nil when it stands on something else.
func (p *Page) chosen() *sessions.Row {
	if p.facts == nil {
		return nil
	}
	return p.facts.Row(p.bar)
}

// need is what waits under the bar.
func (p *Page) need() *survey.Need {
	if p.facts == nil {
		return nil
	}
	return p.facts.Need(p.bar)
}

func abs(n int) int { return max(n, -n) }
