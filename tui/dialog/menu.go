package dialog

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Menu shows facts, and below the facts the items to choose from.
type Menu struct {
	MenuOptions
	base
	seen    seen
	at      int // index of the selected item
	top     int // index of the first visible line
	clicked int // index plus 1 of the last clicked item, or 0
}

// MenuOptions configure a menu.
type MenuOptions struct {
	Title, About string // shown on the upper edge
	Points       []Point
	Items        []Offer
	Note         string // text below the items
	ID           string // session ID; displayed commands have a short form
	Verb         string // label of the key enter for items without Verb
	Plan         bool   // the items have commands to copy
	At           int    // index of the first selected item, if enabled
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
	Last string // when the item last ran; only in a Handover dialog
	Run  string // command that the item runs, as it is displayed
	Line string // the same command for a shell, to be copied
	Off  string // why the item is disabled
	Verb string // label of the key enter
	Slow bool   // the key of the item selects it without running it
	Do   screen.Effect

	About  string  // subject on the upper edge while the item is selected
	Copies *Copies // shown below the items while the item is selected
	Gap    bool    // if there is room, a blank line precedes the item
}

// Learned has new values of Offer.Off and Offer.Last, by Offer.Key. HandoverOptions.Ask returns it.
type Learned struct{ Off, Last map[string]string }

const (
	menuWidth = 80
	menuKey   = 3 // column of the key
	menuName  = 6
	page      = 8 // number of lines that pgup and pgdown scroll
	menuFrame = 5 // the borders, a blank line on each side, and the keys
)

// NewMenu returns a menu. It selects MenuOptions.At or, if this item is disabled, the first enabled item.
func NewMenu(o MenuOptions) *Menu {
	d := &Menu{MenuOptions: o, at: o.At}
	if d.at >= len(o.Items) || o.Items[d.at].Off != "" {
		d.at = max(slices.IndexFunc(o.Items, func(it Offer) bool { return it.Off == "" }), 0)
	}
	return d
}

// Fit implements screen.Screen. Before the first drawing, it scrolls to the selected item.
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

// Typed implements screen.Typed. A letter chooses the item with this key.
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
	if !d.showItem() { // the item runs only after all its lines were visible
		return nil
	}
	it := d.Items[d.at]
	if it.Off != "" {
		return tell(it.Name + ": " + it.Off)
	}
	return append(pop(), it.Do)
}

// toItem scrolls to the selected item, or to the start of a long item.
func (d *Menu) toItem(g *shape) {
	if len(g.items) > 0 {
		s := g.items[d.at]
		d.top = min(max(g.top, s.to-g.rows), s.from)
	}
}

// isShown reports whether the user has seen the selected item. All its lines must be visible. Of a long item, one line
// must be visible, and every line must have been visible before.
func (d *Menu) isShown(g *shape) bool {
	s, end := g.items[d.at], g.top+g.rows
	if s.to-s.from <= g.rows {
		return g.top <= s.from && s.to <= end
	}
	return s.from < end && g.top < s.to && !slices.Contains(d.seen.with(g)[s.from:s.to], false)
}

// showItem is isShown, but scrolls to the next unseen line of the item if the result is false.
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

// Click implements screen.Screen. A click selects an item, and a second click runs it.
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
