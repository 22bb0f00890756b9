package dialog

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Menu offers several items, of which the user can choose one. A list of facts is above the items.
type Menu struct {
	MenuOptions
	base
	seen    seen
	at      int // index of the selected item
	top     int // index of the first visible line
	clicked int // number of the item that was clicked last, from 1
}

// MenuOptions configure a menu.
type MenuOptions struct {
	Title, About string // both are on the upper edge
	Points       []Point
	Items        []Offer
	Note         string // text below the items
	ID           string // session ID in the commands; it is shown in a short form, and copied in full
	Verb         string // label of the key enter for items without a label of their own
	Plan         bool   // items have a command, which can be copied
	At           int    // index of the item that is selected first, if that item is enabled
}

// Point is a fact above the items.
type Point struct {
	Glyph        render.Span
	What, Detail string
}

// Offer is an item of a menu.
type Offer struct {
	Key  string // one letter
	Name string
	Note string
	Last string // when the item was run last; only in a dialog of the type Handover
	Run  string // command that the item runs, in the form that is shown
	Line string // the same command in the form for a shell, which is copied
	Off  string // why the item is disabled
	Verb string // label of the key enter
	Slow bool   // the key of the item only selects it
	Do   screen.Effect

	About  string  // subject on the upper edge while the item is selected
	Copies *Copies // shown below the items while this item is selected
	Gap    bool    // if there is room, a blank line is before the item
}

// Learned is an answer of HandoverOptions.Ask. It has new values of Offer.Off and Offer.Last. The keys of both maps
// are values of Offer.Key.
type Learned struct{ Off, Last map[string]string }

const (
	menuWidth = 80
	menuKey   = 3 // column of the key
	menuName  = 6
	page      = 8 // number of lines by which pgup and pgdown scroll
	menuFrame = 5 // lines that aren't items: the borders, a blank line on each side, and the keys
)

// NewMenu returns a menu in which the first enabled item is selected.
func NewMenu(o MenuOptions) *Menu {
	d := &Menu{MenuOptions: o, at: o.At}
	if d.at >= len(o.Items) || o.Items[d.at].Off != "" {
		d.at = max(slices.IndexFunc(o.Items, func(it Offer) bool { return it.Off == "" }), 0)
	}
	return d
}

// Fit implements screen.Screen. It scrolls to the item that MenuOptions.At selects.
func (d *Menu) Fit(f screen.Frame) []screen.Effect {
	first := d.f.Styles == nil
	d.f = f
	if first && d.At > 0 {
		g := d.shape()
		d.toItem(&g)
	}
	return nil
}

// Keys implements screen.Screen.
func (d *Menu) Keys() []screen.Binding {
	copies := on(copied, 0, "y")
	copies.Gone = !d.Plan
	return append([]screen.Binding{
		on(enter, 0, "enter"),
		on(by, -1, "up", "k", "ctrl+p"), on(by, 1, "down", "j", "ctrl+n", "tab"),
		on(scroll, -page, "pgup", "ctrl+u"), on(scroll, page, "pgdown", "ctrl+d"),
		copies, on(closeIt, 0, "esc", "q"),
	}, screen.Common(screen.Quit)...)
}

// Do implements screen.Screen.
func (d *Menu) Do(do screen.Intent) []screen.Effect {
	switch do.Name {
	case enter:
		return d.take()
	case by:
		d.at = min(max(d.at+do.N, 0), max(len(d.Items)-1, 0))
		d.clicked = 0
		g := d.shape()
		d.seen.see(&g)
		d.toItem(&g)
	case scroll:
		g := d.shape()
		d.seen.see(&g)
		d.top = g.scrolled(do.N)
	case copied:
		return d.copyRun()
	case closeIt:
		return pop()
	}
	return nil
}

// Typed implements screen.Typed. A letter chooses the item that has it as its key.
func (d *Menu) Typed(msg tea.Msg) []screen.Effect {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok || key.Text == "" {
		return nil
	}
	for i := range d.Items {
		if it := &d.Items[i]; it.Key == key.Text {
			d.at, d.clicked = i, 0
			if it.Slow {
				d.showItem()
				return nil
			}
			return d.take()
		}
	}
	return nil
}

// Wheel implements screen.Screen.
func (d *Menu) Wheel(_, _, rows int) []screen.Effect {
	return d.Do(screen.Intent{Name: scroll, N: rows})
}

// take runs the selected item.
func (d *Menu) take() []screen.Effect {
	if d.at >= len(d.Items) {
		return pop()
	}
	if !d.showItem() { // an item can only be run after all its lines were visible
		return nil
	}
	it := d.Items[d.at]
	if it.Off != "" {
		return tell(it.Name + ": " + it.Off)
	}
	return append(pop(), it.Do)
}

// toItem scrolls to the selected item. If the item is higher than the view, toItem scrolls to the start of the
// item.
func (d *Menu) toItem(g *shape) {
	if len(g.items) > 0 {
		s := g.items[d.at]
		d.top = min(max(g.top, s.to-g.rows), s.from)
	}
}

// isShown reports whether the selected item is fully visible. If the item is higher than the view, a part of it
// must be visible, and all its lines must have been visible at some time.
func (d *Menu) isShown(g *shape) bool {
	s, end := g.items[d.at], g.top+g.rows
	if s.to-s.from <= g.rows {
		return g.top <= s.from && s.to <= end
	}
	return s.from < end && g.top < s.to && !slices.Contains(d.seen.with(g)[s.from:s.to], false)
}

// showItem reports whether the selected item is fully visible. If it isn't, showItem scrolls to the next line of
// the item that the user hasn't seen.
func (d *Menu) showItem() bool {
	g := d.shape()
	d.seen.see(&g)
	if d.isShown(&g) {
		return true
	}
	s := g.items[d.at]
	if unseen := slices.Index(d.seen.lines[s.from:s.to], false); unseen > 0 && s.to-s.from > g.rows && s.from < g.top+g.rows && g.top < s.to {
		d.top = min(s.from+unseen, len(g.lines)-g.rows)
		return false
	}
	d.toItem(&g)
	return false
}

// copyRun copies the command of the selected item.
func (d *Menu) copyRun() []screen.Effect {
	if d.at < len(d.Items) {
		it, id := d.Items[d.at], d.ID
		if run := cmp.Or(it.Line, strings.Replace(it.Run, id[:min(8, len(id))], id, 1)); run != "" && it.Off == "" {
			return []screen.Effect{screen.Copy{Name: "the command", Text: run}}
		}
	}
	return tell("There is no command here to copy.")
}

// Click implements screen.Screen. The first click on an item selects the item, and the second click runs it. A
// click outside of the menu closes the menu.
func (d *Menu) Click(x, y int) []screen.Effect {
	g := d.shape()
	upper := g.upper
	if !g.small {
		if !rect((d.f.Width-g.inner-2)/2, upper, g.inner+2, g.rows+menuFrame).Has(x, y) {
			return pop()
		}
		upper += 2
	}
	line := y - upper + g.top
	for i, s := range g.items {
		if line >= s.from && line < s.to && y >= upper && y < upper+g.rows {
			if d.clicked == i+1 {
				return d.take()
			}
			d.at, d.clicked = i, i+1
		}
	}
	return nil
}
