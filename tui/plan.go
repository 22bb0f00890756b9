package tui

import (
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

const (
	planWidth = 92
	planFrame = 7 // lines around the parts: borders, a blank line each side, rule, note, keys
	planNote  = "Nothing has been touched yet."
)

// openPlan puts a plan on the screen. The dialog that it was asked in comes back with esc.
func (m *model) openPlan(plan Plan) tea.Cmd {
	var under *panel
	if p := m.panel; p.kind == recoverPanel || p.kind == notePanel {
		under = &p
	}
	m.panel = panel{kind: planPanel, plan: &plan, under: under}
	return nil
}

// planShape is how a plan is laid out on the screen.
func (m *model) planShape() menuShape {
	plan := m.panel.plan
	g := menuShape{inner: min(planWidth, m.width-2) - 2}
	frame := planFrame
	if plan.Verb == "" { // a report has no note
		frame--
	}
	room := max(m.height-frame, 1)
	if g.small = m.width < panelFrom || m.height < 12; g.small {
		g.inner, room = m.width, max(m.height-1, 1)
		g.lines = append(g.lines, m.headLine(transcript.CleanLine(plan.Title), transcript.CleanLine(plan.About)), m.menuLine(&g))
	}
	g.lines = append(g.lines, m.planDrawn(g.inner)...)
	if g.small && plan.Verb != "" {
		g.lines = append(g.lines, m.menuLine(&g))
		g.lines = append(g.lines, m.menuText(&g, planNote)...)
	}
	g.rows = min(len(g.lines), room)
	g.top = min(max(m.panel.top, 0), len(g.lines)-g.rows)
	g.upper = max((m.height-g.rows-frame)/2, 0)
	return g
}

// planDrawn are the lines of the plan, drawn once for a width and a theme.
func (m *model) planDrawn(inner int) []*render.Line {
	p := &m.panel
	if p.drawn == nil || p.drawnIn != inner || p.drawnWith != m.styles {
		indent := min(menuKey, inner/8)
		p.drawn, p.drawnIn, p.drawnWith = m.planLines(p.plan.Parts, m.styles, indent, inner-indent, math.MaxInt), inner, m.styles
	}
	return p.drawn
}

// isSeen reports whether all of a plan has been on the screen, at the width that it has now.
func (m *model) isSeen(g *menuShape) bool {
	seen := make([]bool, len(g.lines))
	if p := &m.panel; len(p.seen) == len(seen) && p.seenIn == g.inner {
		copy(seen, p.seen)
	}
	for i := range g.rows {
		seen[g.top+i] = true
	}
	return !slices.Contains(seen, false)
}

// scrollPlan scrolls what has no room, never past a line that was not seen.
func scrollPlan(delta int) intent {
	return func(m *model) tea.Cmd {
		g := m.planShape()
		m.see(&g)
		m.panel.top = min(max(g.top+min(max(delta, -g.rows), g.rows), 0), len(g.lines)-g.rows)
		return nil
	}
}

// takePlan does what the plan says: nothing is done that one has not seen.
func (m *model) takePlan() tea.Cmd {
	g := m.planShape()
	m.see(&g)
	switch i := slices.Index(m.panel.seen, false); {
	case i >= 0:
		m.panel.top = min(i, len(g.lines)-g.rows)
		return nil
	case m.panel.plan.Verb == "":
		return m.closePanel()
	}
	return m.carryOut(*m.panel.plan)
}

// copyPlan copies the command that does the same, or the plan.
func (m *model) copyPlan() tea.Cmd {
	plan := m.panel.plan
	if plan.Command != "" {
		return m.copyText("the command", plan.Command)
	}
	return m.copyText(planNoun(plan), m.partsText(plan.Parts))
}

// planNoun is what a plan is called that has no command: one that does nothing is a report.
func planNoun(plan *Plan) string {
	if plan.Verb == "" {
		return "the report"
	}
	return "the plan"
}

// partsText is what a plan says, as text.
func (m *model) partsText(parts []change.Part) string {
	return render.PlanText(parts, render.NewStyles(render.None), planWidth, false)
}

func (m *model) canCopy() bool { return m.Actions != nil }

// drawPlan puts a plan over the screen.
func (m *model) drawPlan(screen []string) {
	g, plan := m.planShape(), m.panel.plan
	lines := g.lines[g.top : g.top+g.rows]
	last := m.orSaid(m.planKeys(&g), g.inner)
	if g.small {
		m.cover(screen, lines, last)
		return
	}
	drawn := append([]*render.Line{m.menuLine(&g)}, lines...)
	drawn = append(drawn, m.menuLine(&g), m.menuLine(&g).Put(render.Rule, strings.Repeat("─", g.inner)))
	if plan.Verb != "" {
		drawn = append(drawn, m.menuLine(&g).To(menuKey).Put(render.Muted, planNote))
	}
	m.floatAt(screen, m.box(append(drawn, last), g.inner, transcript.CleanLine(plan.Title), transcript.CleanLine(plan.About)), g.inner+2, g.upper)
}

// planKeys is the last line of a plan.
func (m *model) planKeys(g *menuShape) *render.Line {
	plan := m.panel.plan
	k := newPanelKeys(m, g.inner, "cancel")
	if plan.Verb == "" {
		k = newPanelKeys(m, g.inner, "close")
	}
	if len(g.lines) > g.rows {
		k.more(g.top+g.rows < len(g.lines))
	}
	switch {
	case !m.isSeen(g):
		k.put("enter", "show")
	case plan.Verb != "":
		k.put("enter", transcript.CleanLine(plan.Verb))
	}
	if m.canCopy() && plan.Command == "" {
		k.put("y", "copy "+planNoun(plan))
	} else if m.canCopy() {
		k.put("y", "copy the command")
	}
	return k.end()
}

// panelKeys is the last line of a panel: what the keys do, and at the right how to leave.
type panelKeys struct {
	line  *render.Line
	right []render.Span
	width int
}

func newPanelKeys(m *model, width int, leave string) *panelKeys {
	return &panelKeys{
		line: render.NewLine(m.styles, width).To(min(menuKey, width/8)), width: width - min(menuKey, width/8),
		right: []render.Span{{Ink: render.Strong, Text: "esc"}, {Ink: render.Muted, Text: " " + leave}},
	}
}

// more says that there is more to be seen: below, or above.
func (k *panelKeys) more(below bool) {
	text := "↑ ↓"
	if below {
		text = "↓ …"
	}
	k.hint(text)
}

// hint puts a hint beside what leaves.
func (k *panelKeys) hint(text string) {
	k.right = append([]render.Span{{Ink: render.Faint, Text: text + "  "}}, k.right...)
}

func (k *panelKeys) put(key, word string) { k.in(render.Strong, render.Muted, key, word) }

// off is for a key that does nothing now: pressing it says why.
func (k *panelKeys) off(key, word string) { k.in(render.Faint, render.Faint, key, word) }

func (k *panelKeys) in(keyInk, ink render.Ink, key, word string) {
	gap := ""
	if k.line.At() > menuKey {
		gap = "   "
	}
	if k.line.At()+render.SpansWidth([]render.Span{{Text: gap + key + " " + word}})+2 <= k.width-render.SpansWidth(k.right) {
		k.line.Put(render.Text, gap).Put(keyInk, key).Put(ink, " "+word)
	}
}

func (k *panelKeys) end() *render.Line { return k.line.Right(k.width, k.right...) }

// clickPlan closes the plan with a click beside it.
func (m *model) clickPlan(x, y int) tea.Cmd {
	g := m.planShape()
	frame := planFrame
	if m.panel.plan.Verb == "" {
		frame--
	}
	if !g.small && !box((m.width-g.inner-2)/2, g.upper, g.inner+2, g.rows+frame).Has(x, y) {
		return m.closePanel()
	}
	return nil
}
