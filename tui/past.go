package tui

import (
	"reflect"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

const (
	pastWidth = 104
	pastMost  = 20 // actions that the journal keeps
	pastLeast = 3  // rows of the list, where there is little room
	pastFrame = 9  // lines around the list and what is below: borders, head, rule, heading, blank lines, keys
	pastNote  = "Each can be taken back by itself. A step back is an action too. The list survives a restart."
)

// The columns of the list of what was done, in cells.
const (
	pastWhen  = 3
	pastWhat  = 20
	pastWhere = 16 // width
	pastCan   = 19 // width: "taken back at 18:50"
)

// openPast lists what was done. What is known stands there at once.
func (m *model) openPast() tea.Cmd {
	m.panel = panel{kind: pastPanel}
	m.status = status{}
	return m.askPast()
}

// pastChosen is the action under the bar.
func (m *model) pastChosen() *PastAction {
	if c := &m.changes; m.panel.kind == pastPanel && m.panel.at < len(c.past) {
		return &c.past[m.panel.at]
	}
	return nil
}

func (m *model) pastID() string {
	if a := m.pastChosen(); a != nil {
		return a.ID
	}
	return ""
}

// pastTo puts the bar on an action again. One that is not there any more leaves it where it is.
func (m *model) pastTo(id string) {
	if m.panel.kind != pastPanel {
		return
	}
	if i := slices.IndexFunc(m.changes.past, func(a PastAction) bool { return a.ID == id }); i >= 0 {
		m.pastAt(i)
	}
	m.pastAt(m.panel.at)
	m.panel.seen = nil // it may be another way back by now
}

// inPastBy moves the bar.
func inPastBy(delta int) intent {
	return func(m *model) tea.Cmd {
		m.pastAt(m.panel.at + delta)
		return nil
	}
}

// takeBack takes the action under the bar back. It is planned anew, and asked once more where the answer is not what
// stands on the screen.
func (m *model) takeBack() tea.Cmd {
	a := m.pastChosen()
	switch {
	case a == nil:
		return m.closePanel()
	case a.Off || a.Back:
		m.status.say(a.What + ": " + a.Can)
		return nil
	}
	return m.change(Change{Kind: ChangeUndo, Past: a.ID})
}

// isShownPast reports whether a plan is what the panel shows, all of it, about the action under the bar.
func (m *model) isShownPast(plan *Plan) bool {
	a := m.pastChosen()
	if a == nil || plan.Change.Past != a.ID || plan.Verb == "" || !reflect.DeepEqual(plan.Parts, a.Parts) {
		return false
	}
	l := m.pastShape(m.panel.at).lower
	return m.isSeen(&l)
}

func (m *model) copyPast() tea.Cmd {
	a := m.pastChosen()
	if a == nil {
		return nil
	}
	return m.copyText("what it does", a.What+"\n"+m.partsText(a.Parts))
}

func pastHeading(a *PastAction) string {
	switch {
	case a.Back:
		return "It was taken back"
	case a.Off:
		return "It cannot be taken back"
	}
	return "What enter does now"
}

// drawPast puts the list over the screen.
func (m *model) drawPast(screen []string) {
	g := m.pastShape(m.panel.at)
	line := func() *render.Line { return render.NewLine(m.styles, g.inner) }
	about := words.Count(len(m.changes.past)) + " of your last " + words.Count(pastMost) + " actions"
	var drawn []*render.Line
	if g.small {
		drawn = append(drawn, m.headLine("Undo", about))
	} else {
		drawn = append(drawn, line())
	}
	switch c := &m.changes; {
	case len(c.past) > 0:
		drawn = append(drawn, m.pastLine(&g, &PastAction{When: "when", What: "what you did", Where: "where", Can: "can be taken back"}, false, true))
		for i := range g.rows {
			drawn = append(drawn, m.pastLine(&g, &c.past[g.top+i], g.top+i == m.panel.at, false))
		}
	case c.pastErr != nil:
		drawn = append(drawn, m.pastText(&g, render.Span{Ink: render.BadBold, Text: "✗"}, "What was done is not known. "+m.sentence(c.pastErr))...)
	case c.known:
		drawn = append(drawn, m.pastText(&g, render.Span{}, "Nothing was done yet that could be taken back.")...)
	default:
		drawn = append(drawn, m.pastText(&g, render.Span{}, "Looking…")...)
	}
	last := m.orSaid(m.pastKeys(&g), g.inner)
	if g.small {
		m.cover(screen, append(append(drawn, line()), g.below...), last)
		return
	}
	if len(g.below) > 0 {
		drawn = append(drawn, line(), line().Put(render.Rule, strings.Repeat("─", g.inner)), line())
		drawn = append(drawn, g.below...)
	}
	drawn = append(drawn, line(), last)
	m.floatAt(screen, m.box(drawn, g.inner, "Undo", about), g.inner+2, m.pastUpper(&g))
}

func (m *model) pastText(g *pastShape, glyph render.Span, text string) []*render.Line {
	var drawn []*render.Line
	indent := min(menuKey, g.inner/8)
	for i, s := range render.Wrap(text, max(g.inner-2*indent-2, 1)) {
		l := render.NewLine(m.styles, g.inner).To(indent)
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

// pastLine draws an action, or the names of the columns. Where it was done leaves below 90 cells, what can be taken back
// below 60, when below 36: the glyph says the most of it.
func (m *model) pastLine(g *pastShape, a *PastAction, chosen, head bool) *render.Line {
	l := render.NewLine(m.styles, g.inner).Select(chosen)
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

// pastKeys is the last line of the list.
func (m *model) pastKeys(g *pastShape) *render.Line {
	k := newPanelKeys(m, g.inner, "close")
	if a := m.pastChosen(); a != nil {
		l := &g.lower
		if len(l.lines) > l.rows {
			k.more(l.top+l.rows < len(l.lines))
		}
		switch {
		case a.Off || a.Back:
		case m.isSeen(l):
			k.put("enter", "take it back")
		default:
			k.put("enter", "show")
		}
		if len(m.changes.past) > 1 {
			k.put("↑ ↓", "choose")
		}
		if m.canCopy() {
			k.put("y", "copy")
		}
	}
	return k.end()
}

// clickPast chooses what is clicked, and closes the list with a click beside it.
func (m *model) clickPast(x, y int) tea.Cmd {
	g := m.pastShape(m.panel.at)
	first, left := 2, 0
	if !g.small {
		box := screen.Rect{X: (m.width - g.inner - 2) / 2, Y: m.pastUpper(&g), W: g.inner + 2, H: g.height()}
		if !box.Has(x, y) {
			return m.closePanel()
		}
		first, left = box.Y+3, box.X
	}
	if i := y - first; i >= 0 && i < g.rows && x >= left {
		m.pastAt(g.top + i)
	}
	return nil
}
