package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/render"
)

// command is one line of the palette: an intent by its name.
type command struct {
	name, group, key string
	off              string // why it does nothing now
	do               intent
	lit              []int // what matched of the name
}

const (
	paletteWidth = 72
	paletteRows  = 14
	paletteGroup = 34 // column of what it belongs to
)

// openPalette lists what can be done here: everything that has a key, and the tabs.
func (m *model) openPalette() tea.Cmd {
	p := panel{kind: palettePanel}
	for _, b := range m.keysBehind() {
		if b.Help == "" || b.do == nil || b.Gone || slices.ContainsFunc(b.Keys, isPlain) {
			continue
		}
		p.all = append(p.all, command{name: sentenceCase(b.Help), group: b.Group, key: b.Show, off: b.Off, do: func(*model) tea.Cmd { return b.do() }})
	}
	for tab := range tabs {
		if m.hasTab(tab) && (m.onPage() || m.onBase() && tab != m.tab) {
			p.all = append(p.all, command{name: tabName(tab), group: groupTab, do: func(m *model) tea.Cmd { return m.toTab(tab) }})
		}
	}
	p.all = append(append(p.all, m.gates()...), m.pairs()...)
	slices.SortStableFunc(p.all, func(a, b command) int {
		return slices.Index(groups(), a.group) - slices.Index(groups(), b.group)
	})
	p.narrow("")
	m.panel = p
	return nil
}

// isPlain reports whether a key needs no name: it opened the palette, or it closes it.
func isPlain(key string) bool { return key == ":" || key == "esc" || key == "ctrl+c" }

// gates are the commands that run the gate of the project that is here, as the checkpoint menu has them.
func (m *model) gates() []command {
	dir := m.recoverDir()
	if m.onGate() || dir == "" {
		return nil
	}
	var mn menu
	m.offerGates(&mn, dir)
	var list []command
	for _, it := range mn.items {
		list = append(list, command{name: it.name, group: groupThis, key: strings.TrimSpace(m.keyOf("checkpoint") + " " + it.key), off: it.off, do: it.do})
	}
	return list
}

// pairs are the commands whose two keys share a line of help.
func (m *model) pairs() []command {
	if !m.isReading() {
		return nil
	}
	var list []command
	add := func(name, key string, do intent) {
		list = append(list, command{name: name, group: groupRead, key: key, do: do})
	}
	what := "prompt"
	if m.isDocument() {
		what = "section"
	}
	add("Next "+what, "}", (*model).nextPrompt)
	add("Previous "+what, "{", (*model).previousPrompt)
	if m.hasBounds() {
		add("Next compaction boundary", "]", (*model).nextBound)
		add("Previous compaction boundary", "[", (*model).previousBound)
	}
	if m.hasSearch() {
		add("Next match", "n", (*model).nextPlace)
		add("Previous match", "N", (*model).previousPlace)
	}
	add("Go to the start", "g", (*model).toFirst)
	add("Go to the end", "G", (*model).toLast)
	return list
}

func sentenceCase(s string) string {
	return strings.ToUpper(s[:1]) + s[1:]
}

// names make commands a source of fuzzy.
type names []command

func (n names) String(i int) string { return n[i].name }
func (n names) Len() int            { return len(n) }

// matching returns the commands that match what was typed, best first.
func matching(all []command, input string) []command {
	if strings.TrimSpace(input) == "" {
		return all
	}
	var shown []command
	for _, m := range fuzzy.FindFrom(strings.TrimSpace(input), names(all)) {
		c := all[m.Index]
		c.lit = m.MatchedIndexes
		shown = append(shown, c)
	}
	return shown
}

// inPanel moves the bar of the palette.
func inPanel(delta int) intent {
	return func(m *model) tea.Cmd {
		p := &m.panel
		last := len(p.shown) - 1
		if p.kind == helpPanel {
			last = len(m.helpLines()) - 1
		}
		p.at = min(max(p.at+delta, 0), max(last, 0))
		return nil
	}
}

// runChosen closes the palette and does what the bar stands on.
func (m *model) runChosen() tea.Cmd {
	p := m.panel
	m.panel = panel{}
	if p.at >= len(p.shown) {
		return nil
	}
	c := p.shown[p.at]
	if c.off != "" {
		m.status.say(c.name + ": " + c.off)
		return nil
	}
	return c.do(m)
}

// drawPalette puts the palette over the screen.
func (m *model) drawPalette(screen []string) {
	p, inner := &m.panel, paletteWidth-2
	small := m.width < panelFrom || m.height < 10
	rows := min(paletteRows, m.height-6)
	if small {
		inner, rows = m.width, m.height-3
	}
	rows = max(rows, 1)
	field := render.NewLine(m.styles, inner).To(2).Put(render.AccentBold, ": ").Put(render.Accent, p.input)
	field.Right(inner-2, render.Span{Ink: render.Faint, Text: words.Count(len(p.shown)) + " of " + words.Count(len(p.all))})
	rule := render.NewLine(m.styles, inner).Put(render.Rule, strings.Repeat("─", inner))
	drawn := []*render.Line{field, rule}
	p.win.Show(p.at-min(p.at, rows/2), 0, len(p.shown), rows, blocks.OneRow)
	for _, s := range p.win.Visible(len(p.shown), rows, blocks.OneRow) {
		drawn = append(drawn, m.paletteLine(p.shown[s.Item], s.Item == p.at, inner))
	}
	if len(p.shown) == 0 {
		drawn = append(drawn, render.NewLine(m.styles, inner).To(4).Put(render.Muted, "Nothing is called that."))
	}
	if small {
		m.cover(screen, drawn, m.closingLine())
		return
	}
	for len(drawn) < min(rows, len(p.all))+2 { // it does not shrink while one types
		drawn = append(drawn, render.NewLine(m.styles, inner))
	}
	last := render.NewLine(m.styles, inner).To(2).Put(render.Strong, "enter").Put(render.Muted, " run").Right(inner-1, closing()...)
	m.float(screen, m.box(append(drawn, render.NewLine(m.styles, inner), last), inner, "Commands", ""), paletteWidth)
}

func (m *model) paletteLine(c command, chosen bool, inner int) *render.Line {
	l := render.NewLine(m.styles, inner)
	name, group := render.Text, render.Faint
	if chosen {
		l.Put(render.AccentBold, "▌")
		name = render.Strong
	}
	if c.off != "" {
		name = render.Faint
		c.group = "(" + c.off + ")"
	}
	end := min(paletteGroup, inner-12)
	l.To(3)
	for _, s := range render.LitSpans(c.name, c.lit, name) {
		l.PutUntil(s.Ink, s.Text, end)
	}
	l.To(paletteGroup).PutUntil(group, c.group, inner-12)
	return l.Right(inner-2, render.Span{Ink: render.Muted, Text: " " + c.key})
}
