package dialog

import (
	"reflect"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

const (
	pastWidth = 104
	pastMost  = 20 // number of actions in the journal
	pastLeast = 3  // minimum number of rows in the list
	// Lines outside the list and the preview: borders, head, rule, heading, blank lines, keys.
	pastFrame = 9
	pastNote  = "Each action can be undone separately. Undo can itself be undone. The list survives a restart."
)

// The columns of the list, in cells.
const (
	pastWhen  = 3
	pastWhat  = 20
	pastWhere = 16 // width of the column
	pastCan   = 19 // width of "no, cannot be read" and a blank
)

// UndoList lists the last actions. The user can undo one of them.
type UndoList struct {
	base
	known   screen.LastActions
	draw    Draw
	canCopy bool
	list    blocks.List // list of the actions
	top     int         // index of the first visible line of the preview
	seen    seen
	shapes  pastShapes // cached layout
}

// NewUndoList returns a list of the known actions.
func NewUndoList(known screen.LastActions, draw Draw, canCopy bool) *UndoList {
	return &UndoList{known: known, draw: draw, canCopy: canCopy, list: blocks.List{Items: blocks.Choices(len(known.Actions))}}
}

// Keys implements screen.Screen.
func (d *UndoList) Keys() []screen.Binding {
	copies := on(copied, 0, "y")
	copies.Gone = !d.canCopy
	return append([]screen.Binding{
		on(enter, 0, "enter"),
		on(by, -1, "up", "k", "ctrl+p"), on(by, 1, "down", "j", "ctrl+n"),
		on(scroll, -page, "pgup", "ctrl+u"), on(scroll, page, "pgdown", "ctrl+d"),
		copies, on(closeIt, 0, "esc", "q", "U"),
	}, screen.Common(screen.Quit)...)
}

// Do implements screen.Screen.
func (d *UndoList) Do(do screen.Intent) []screen.Effect {
	switch do.Name {
	case enter:
		return d.undoChosen()
	case by:
		d.to(d.list.At + do.N)
	case scroll:
		d.scroll(do.N)
	case copied:
		if a := d.chosen(); a != nil {
			return []screen.Effect{screen.Copy{Name: "the description", Text: a.What + "\n" + partsText(a.Parts)}}
		}
	case closeIt:
		return pop()
	}
	return nil
}

// Wheel implements screen.Screen.
func (d *UndoList) Wheel(_, _, rows int) []screen.Effect {
	d.to(d.list.At + rows/screen.Notch)
	return nil
}

// Took implements screen.Screen. The bar stays on its action or, if this action is gone, on its row.
func (d *UndoList) Took(msg tea.Msg) []screen.Effect {
	known, ok := msg.(screen.LastActions)
	if !ok {
		return nil
	}
	was := ""
	if a := d.chosen(); a != nil {
		was = a.ID
	}
	d.list.Items = blocks.Choices(len(known.Actions))
	if d.known = known; known.Err != nil {
		return nil
	}
	if i := slices.IndexFunc(known.Actions, func(a screen.PastAction) bool { return a.ID == was }); i >= 0 {
		d.to(i)
	}
	d.to(d.list.At)
	d.seen = seen{} // the preview may be different
	return nil
}

// Planned implements screen.Planner. It carries out an undo without asking if the plan equals the preview. All lines of
// the preview must have been visible.
func (d *UndoList) Planned(plan screen.Plan) ([]screen.Effect, bool) {
	a := d.chosen()
	if a == nil || plan.Change.Past != a.ID || plan.Verb == "" || !reflect.DeepEqual(plan.Parts, a.Parts) {
		return nil, false
	}
	if l := d.shape().lower; !d.seen.all(&l) {
		return nil, false
	}
	return []screen.Effect{screen.CarryOut{Plan: plan}}, true
}

func (d *UndoList) chosen() *screen.PastAction {
	if d.list.At < len(d.known.Actions) {
		return &d.known.Actions[d.list.At]
	}
	return nil
}

// undoChosen requests a new plan for undoing the selected action.
func (d *UndoList) undoChosen() []screen.Effect {
	a := d.chosen()
	switch {
	case a == nil:
		return pop()
	case a.Off || a.Back:
		return tell(a.What + ": " + a.Can)
	}
	return []screen.Effect{screen.Ask{Change: screen.Change{Kind: screen.ChangeUndo, Past: a.ID}}}
}

func pastHeading(a *screen.PastAction) string {
	switch {
	case a.Back:
		return "Already undone"
	case a.Off:
		return "Can't be undone"
	}
	return "Preview"
}

// Over implements screen.Dialog.
func (d *UndoList) Over(under []string) {
	g := d.shape()
	line := func() *render.Line { return d.line(g.inner) }
	about := words.Count(len(d.known.Actions)) + " of your last " + words.Count(pastMost) + " actions"
	var drawn []*render.Line
	if g.small {
		drawn = append(drawn, d.headLine("Undo", about))
	} else {
		drawn = append(drawn, line())
	}
	switch c := &d.known; {
	case len(c.Actions) > 0:
		drawn = append(drawn, d.action(&g, &screen.PastAction{When: "when", What: "what you did", Where: "where", Can: "can be undone"}, false, true))
		for _, s := range d.list.Visible() {
			drawn = append(drawn, d.action(&g, &c.Actions[s.Item], s.Item == d.list.At, false))
		}
	case c.Err != nil:
		drawn = append(drawn, d.textLines(&g, render.Span{Ink: render.BadBold, Text: "✗"}, "The undo list could not be read. "+d.sentence(c.Err))...)
	case c.Known:
		drawn = append(drawn, d.textLines(&g, render.Span{}, "Nothing to undo yet.")...)
	default:
		drawn = append(drawn, d.textLines(&g, render.Span{}, "Reading…")...)
	}
	last := d.orMessage(d.keysLine(&g), g.inner)
	if g.small {
		d.cover(under, append(append(drawn, line()), g.below...), last)
		return
	}
	if len(g.below) > 0 {
		drawn = append(drawn, line(), line().Put(render.Rule, strings.Repeat("─", g.inner)), line())
		drawn = append(drawn, g.below...)
	}
	drawn = append(drawn, line(), last)
	d.floatAt(under, d.box(drawn, g.inner, "Undo", about), g.inner+2, d.upper(&g))
}

func (d *UndoList) textLines(g *pastShape, glyph render.Span, text string) []*render.Line {
	var drawn []*render.Line
	indent := min(menuKey, g.inner/8)
	for i, s := range render.Wrap(text, max(g.inner-2*indent-2, 1)) {
		l := d.line(g.inner).To(indent)
		if glyph.Text != "" && i == 0 {
			l.Spans(glyph)
		}
		if glyph.Text != "" {
			l.To(indent + 2)
		}
		drawn = append(drawn, l.Put(render.Text, s))
	}
	return drawn
}

// action draws an action or, if head is true, the names of the columns. The project is left out below 90 cells, the
// state below 60, the time below 36.
func (d *UndoList) action(g *pastShape, a *screen.PastAction, chosen, head bool) *render.Line {
	l := d.line(g.inner).Select(chosen)
	glyph, ink := render.Span{Ink: render.Faint, Text: "·"}, render.Text
	switch {
	case a.Back:
		glyph, ink = render.Span{Ink: render.Faint, Text: "✓"}, render.Faint
	case a.Off:
		glyph, ink = render.Span{Ink: render.Bad, Text: "✗"}, render.Faint
	case head:
		glyph, ink = render.Span{}, render.Faint
	}
	muted := render.Muted
	if ink == render.Faint {
		muted = render.Faint
	}
	if chosen {
		ink = render.Strong
		l.Put(render.AccentBold, "▌")
	}
	l.To(1).Spans(glyph)
	can := transcript.CleanLine(a.Can)
	what, end := pastWhat, g.inner-menuKey
	if g.inner < 36 {
		what, end = pastWhen, g.inner-1
	} else {
		l.To(pastWhen).PutUntil(muted, transcript.CleanLine(a.When), pastWhat-1)
	}
	if g.inner >= 60 {
		end -= ansi.StringWidth(can) + 2
	}
	where := g.inner - menuKey - pastCan - pastWhere
	if g.inner >= 90 {
		l.To(what).PutUntil(ink, transcript.CleanLine(a.What), where-2)
		l.To(where).PutUntil(muted, transcript.CleanLine(a.Where), end)
	} else {
		l.To(what).PutUntil(ink, transcript.CleanLine(a.What), end)
	}
	if g.inner >= 60 {
		l.Right(g.inner-menuKey, render.Span{Ink: muted, Text: can})
	}
	if chosen {
		l.To(g.inner)
	}
	return l
}

func (d *UndoList) keysLine(g *pastShape) *render.Line {
	k := newPanelKeys(&d.base, g.inner, "close")
	if a := d.chosen(); a != nil {
		l := &g.lower
		if len(l.lines) > l.rows {
			k.more(l.top+l.rows < len(l.lines))
		}
		switch {
		case a.Off || a.Back:
		case d.seen.all(l):
			k.put("enter", "undo")
		default:
			k.put("enter", "show")
		}
		if len(d.known.Actions) > 1 {
			k.put("↑ ↓", "choose")
		}
		if d.canCopy {
			k.put("y", "copy")
		}
	}
	return k.end()
}

// Click implements screen.Screen. A click selects an action. A click outside closes the list.
func (d *UndoList) Click(x, y int) []screen.Effect {
	g := d.shape()
	first, left := 2, 0
	if !g.small {
		box := rect((d.f.Width-g.inner-2)/2, d.upper(&g), g.inner+2, g.height())
		if !box.Has(x, y) {
			return pop()
		}
		first, left = box.Y+3, box.X
	}
	if i := d.list.Item(y - first); i >= 0 && x >= left {
		d.to(i)
	}
	return nil
}
