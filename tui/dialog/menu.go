package dialog

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Menu lets one choose, behind what one has to know first.
type Menu struct {
	MenuOptions
	base
	seen    seen
	at      int // the item under the bar
	top     int // first line that is seen
	clicked int // the item that was clicked last, from 1
}

// MenuOptions are what is chosen from.
type MenuOptions struct {
	Title, About string // in its upper edge
	Points       []Point
	Items        []Offer
	Note         string // what has been done so far: nothing
	ID           string // of the session that its commands are about
	Verb         string // of enter, for items without their own
	Plan         bool   // of the guard: its items come to commands
	Ask          tea.Cmd
	Cancel       func() // ends what is asked; nil: nothing is
	At           int    // the item that the bar begins on, where that can be chosen
}

// Point is one thing to know.
type Point struct {
	Glyph        render.Span
	What, Detail string
}

// Offer is one thing to choose.
type Offer struct {
	Key  string // one letter
	Name string
	Note string
	Last string // when it was done last, at the right edge
	Run  string // the command that it comes to, in words
	Line string // the same for a shell
	Off  string // why it cannot be chosen
	Verb string // of enter
	Slow bool   // its letter only goes there
	Do   screen.Effect

	About  string  // in the upper edge while the bar is on it
	Copies *Copies // below the choices while the bar is on it
	Gap    bool    // a blank line before it, where there is room
	Below  string  // in the place of the menu's note while the bar is on it
}

// Learned is what the question of a menu has found out of some of its items, by their letters.
type Learned struct{ Off, Last map[string]string }

const (
	menuWidth = 80
	menuKey   = 3 // column of the letter
	menuName  = 6
	page      = 8 // lines that are scrolled at once
	menuFrame = 5 // lines around it: borders, a blank line each side, keys
)

// NewMenu is a menu with the bar on its first item that can be chosen.
func NewMenu(o MenuOptions) *Menu {
	d := &Menu{MenuOptions: o, at: o.At}
	if d.at >= len(o.Items) || o.Items[d.at].Off != "" {
		d.at = max(slices.IndexFunc(o.Items, func(it Offer) bool { return it.Off == "" }), 0)
	}
	return d
}

// Open implements screen.Screen.
func (d *Menu) Open() []screen.Effect {
	if d.Ask == nil {
		return nil
	}
	return []screen.Effect{screen.Cmd(d.Ask)}
}

// Close implements screen.Screen.
func (d *Menu) Close() []screen.Effect {
	if d.Cancel != nil {
		d.Cancel()
	}
	return nil
}

// Fit implements screen.Screen. Where the bar was asked to begin on an item, that is seen.
func (d *Menu) Fit(f screen.Frame) []screen.Effect {
	first := d.f.Styles == nil
	d.f = f
	if first && d.At > 0 {
		g := d.shape()
		d.toItem(&g)
	}
	return nil
}

// Took implements screen.Screen.
func (d *Menu) Took(msg tea.Msg) []screen.Effect {
	if msg, ok := msg.(Learned); ok {
		for i := range d.Items {
			it := &d.Items[i]
			if off, ok := msg.Off[it.Key]; ok {
				it.Off = off
			}
			if last, ok := msg.Last[it.Key]; ok {
				it.Last = last
			}
		}
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

// Typed implements screen.Typed: a letter chooses.
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

// take does what the bar stands on.
func (d *Menu) take() []screen.Effect {
	if d.at >= len(d.Items) {
		return pop()
	}
	if !d.showItem() { // nothing is done that one has not seen
		return nil
	}
	it := d.Items[d.at]
	if it.Off != "" {
		return tell(it.Name + ": " + it.Off)
	}
	return append(pop(), it.Do)
}

// toItem scrolls to the item under the bar: to its start, where there is no room for all of it.
func (d *Menu) toItem(g *shape) {
	if len(g.items) > 0 {
		s := g.items[d.at]
		d.top = min(max(g.top, s.to-g.rows), s.from)
	}
}

// isShown reports whether all of the item under the bar is on the screen; of one that has no room on it, whether all
// of it has been, and some is.
func (d *Menu) isShown(g *shape) bool {
	s, end := g.items[d.at], g.top+g.rows
	if s.to-s.from <= g.rows {
		return g.top <= s.from && s.to <= end
	}
	return s.from < end && g.top < s.to && !slices.Contains(d.seen.with(g)[s.from:s.to], false)
}

// showItem reports whether the item under the bar is shown. Where not, it scrolls on to what has not been seen of it.
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

// copyRun copies the command of the item under the bar.
func (d *Menu) copyRun() []screen.Effect {
	if d.at < len(d.Items) {
		it, id := d.Items[d.at], d.ID
		if run := cmp.Or(it.Line, strings.Replace(it.Run, id[:min(8, len(id))], id, 1)); run != "" && it.Off == "" {
			return []screen.Effect{screen.Copy{Name: "the command", Text: run}}
		}
	}
	return tell("There is no command here to copy.")
}

// Click implements screen.Screen: it chooses what is clicked; a second click takes it, one beside the menu closes it.
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
