package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/render"
)

const (
	helpColumn = 38 // cells of one column of keys
	helpKey    = 15 // cells of the key in it
)

// helpLine is a heading, a key, or a blank line (neither).
type helpLine struct {
	heading string
	show    string
	words   string
	off     string
}

func (m *model) openHelp() tea.Cmd {
	m.panel = panel{kind: helpPanel}
	return nil
}

// helpLines lists the keys of the pane behind the panel, by group, as far as they have the words that are typed.
func (m *model) helpLines() []helpLine { return m.helpWith(m.panel.input) }

func (m *model) helpWith(words string) []helpLine {
	var lines []helpLine
	keys := m.keysBehind()
	for _, b := range m.terms() {
		keys = append(keys, bound{Binding: b.now(m)})
	}
	for _, group := range groups() {
		first := true
		for _, b := range keys {
			if b.Group != group || b.Help == "" || b.Gone || !has(b.Show+" "+b.Help+" "+b.Group, words) {
				continue
			}
			if first && len(lines) > 0 {
				lines = append(lines, helpLine{})
			}
			if first {
				lines = append(lines, helpLine{heading: group})
			}
			first = false
			lines = append(lines, helpLine{show: b.Show, words: b.Help, off: b.Off})
		}
	}
	return lines
}

// has reports whether a text has every word of a pattern.
func has(text, pattern string) bool {
	text = strings.ToLower(text)
	for word := range strings.FieldsSeq(strings.ToLower(pattern)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// drawHelp puts the panel of keys over the screen.
func (m *model) drawHelp(screen []string) {
	lines := m.helpLines()
	if m.width < panelFrom || len(lines)/2+6 > m.height {
		m.helpFull(screen, lines)
		return
	}
	all := m.helpWith("")
	rows := max(half(all), len(all)-half(all)-1) // it does not shrink while one types
	half := half(lines)
	left, right := lines[:half], lines[half:]
	if len(right) > 0 && right[0] == (helpLine{}) {
		right = right[1:]
	}
	width := min(2*helpColumn+4, m.width-2)
	inner := width - 2
	name := m.top().screen.Name()
	drawn := []*render.Line{render.NewLine(m.styles, inner)}
	for i := range max(len(left), len(right), rows) {
		l := render.NewLine(m.styles, inner).To(2)
		if i < len(left) {
			m.helpKey(l, left[i], 2, 2+helpColumn-2)
		}
		if i < len(right) {
			m.helpKey(l, right[i], 2+helpColumn, inner)
		}
		drawn = append(drawn, l)
	}
	last := render.NewLine(m.styles, inner).To(2)
	switch {
	case m.panel.input != "":
		last.Put(render.Accent, m.panel.input)
		if len(lines) == 0 {
			last.Put(render.Faint, "   no key has these words")
		}
	default:
		last.Put(render.Faint, "Faint keys are off here. Type to narrow.")
	}
	drawn = append(drawn, render.NewLine(m.styles, inner), last.Right(inner-1, closing()...))
	m.float(screen, m.box(drawn, inner, "Keys", name), width)
}

// half is where the second column begins: at the group that leaves the columns most alike.
func half(lines []helpLine) int {
	best := len(lines)
	for i, l := range lines {
		if l == (helpLine{}) && max(i, len(lines)-i) < max(best, len(lines)-best) {
			best = i
		}
	}
	return best
}

func (m *model) helpKey(l *render.Line, h helpLine, from, end int) {
	if h == (helpLine{}) {
		return
	}
	l.To(from)
	if h.heading != "" {
		l.PutUntil(render.Heading, h.heading, end)
		return
	}
	key, words := render.Strong, render.Muted
	if h.off != "" {
		key, words = render.Faint, render.Faint
		h.words += " (" + h.off + ")"
	}
	l.PutUntil(key, h.show, end).To(from+helpKey).PutUntil(words, h.words, end)
}

// helpFull lists the keys on the whole screen, as many as there is room for; the arrows scroll.
func (m *model) helpFull(screen []string, lines []helpLine) {
	rows := max(m.height-1, 1)
	m.panel.at = min(m.panel.at, max(len(lines)-rows, 0))
	all := len(lines)
	lines = lines[m.panel.at:min(m.panel.at+rows, all)]
	drawn := make([]*render.Line, 0, len(lines))
	for _, h := range lines {
		l := render.NewLine(m.styles, m.width)
		m.helpKey(l, h, min(4, m.width/8), m.width)
		drawn = append(drawn, l)
	}
	m.cover(screen, drawn, m.closingLine())
	if all > rows && m.height > 1 {
		where := words.Count(m.panel.at+1) + "–" + words.Count(m.panel.at+len(lines)) + " of " + words.Count(all) + "   ↑ ↓"
		l := render.NewLine(m.styles, m.width).To(1).Put(render.Faint, where)
		screen[m.height-1] = l.Right(m.width-1, closing()...).String()
	}
}
