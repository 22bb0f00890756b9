package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
)

// The columns of the dialog, in cells.
const (
	recoverWhat  = 20 // what a level is
	recoverAbout = 13 // the words
	recoverGauge = 12 // width
	recoverSize  = 17 // width of "431 of 500 tokens"
	recoverHint  = 60 // that they need with the name of the key that scrolls
	recoverTall  = 42 // rows of the dialog at most
	recoverWide  = 88 // that the keys need with all their words
)

// recoverShape is how the dialog is laid out on the screen.
type recoverShape struct {
	inner  int  // cells between the borders
	text   int  // cells of the text
	small  bool // it takes the whole screen
	tight  bool // without blank lines
	head   []*render.Line
	level  int // line of head with the first level
	levels int // that are shown: all, or only the one under the bar
	about  int // line of head with the words, -1 none
	rows   int // of the text
	upper  int // row of the screen that its upper border is on
}

// recoverShape lays the dialog out.
func (m *model) recoverShape() recoverShape {
	g := recoverShape{inner: min(planWidth, m.width-2) - 2, about: -1}
	g.tight = m.height < 30
	if g.small = m.width < panelFrom || m.height < 14; g.small {
		g.inner, g.tight = m.width, true
	}
	g.text = max(g.inner-2*min(menuKey, g.inner/8)+1, 1)
	if g.small {
		m.smallHead(&g)
		return g
	}
	blank := func() {
		if !g.tight {
			g.head = append(g.head, m.recoverLine(&g))
		}
	}
	height := min(m.height-6, recoverTall)
	if g.tight {
		height = m.height - 2
	}
	blank()
	g.level, g.levels = len(g.head), int(recovery.All)
	for _, l := range levels() {
		g.head = append(g.head, m.levelLine(&g, l))
	}
	blank()
	g.about = len(g.head)
	g.head = append(g.head, m.aboutLine(&g))
	if staged := m.stagedLine(&g); staged != nil {
		g.head = append(g.head, staged)
	}
	blank()
	g.head = append(g.head, m.recoverLine(&g).Put(render.Rule, strings.Repeat("─", g.inner)))
	blank()
	last := 3 // the borders, the keys
	if !g.tight {
		last++
	}
	g.rows = max(height-len(g.head)-last, 1)
	g.upper = max((m.height-height)/2, 0)
	return g
}

// smallHead lays out what stands above the text on a screen that the dialog has for itself: of it, what has room.
func (m *model) smallHead(g *recoverShape) {
	r, room := m.panel.recover, max(m.height-1, 1)
	if room >= 8 {
		g.head = append(g.head, m.headLine("Recover", render.Base(r.dir)))
	}
	g.level = len(g.head)
	if room >= 5 {
		g.levels = int(recovery.All)
	}
	for _, l := range levels() {
		if room >= 5 || l == r.level {
			g.head = append(g.head, m.levelLine(g, l))
		}
	}
	if room >= 6 || r.typing && room >= 2 {
		g.about = len(g.head)
		g.head = append(g.head, m.aboutLine(g))
	}
	if staged := m.stagedLine(g); staged != nil && room >= 12 {
		g.head = append(g.head, staged)
	}
	if room >= 12 {
		g.head = append(g.head, m.recoverLine(g).Put(render.Rule, strings.Repeat("─", g.inner)))
	}
	g.rows = max(room-len(g.head), 0)
}

func (m *model) recoverLine(g *recoverShape) *render.Line { return render.NewLine(m.styles, g.inner) }

// levelLine draws a level: its key, name, what it is, and how much of its budget it takes.
func (m *model) levelLine(g *recoverShape, l recovery.Level) *render.Line {
	r := m.panel.recover
	a, chosen := r.at(l), r.level == l
	key := min(menuKey, g.inner/8)
	line := m.recoverLine(g).Select(chosen)
	nameInk := render.Bold
	if chosen {
		nameInk = render.Strong
		line.Put(render.AccentBold, "▌")
	}
	name, what := levelWords(l)
	if l == recovery.All && a.isInstead() {
		what = "all that there is instead"
	}
	size, sizeInk := "…", render.Faint
	switch {
	case a.known != nil && !a.slow:
		size, sizeInk = ledgerlines.RecoveredSize(a.known), render.Muted
	case a.err != nil && !a.asking:
		size, sizeInk = "✗ not read", render.Bad
	}
	end := g.inner - 2
	if g.small {
		end = g.inner - 1
	}
	line.To(key).Put(render.Strong, string(rune('0'+l))).To(2*key).Put(nameInk, name)
	gauge := end - recoverSize - 1 - recoverGauge
	if gauge < recoverWhat+ansi.StringWidth("state and the last three decisions")+2 {
		gauge = end - recoverSize
	}
	if gauge-recoverWhat >= 20 {
		line.To(recoverWhat).PutUntil(render.Muted, what, gauge-2)
	}
	if gauge < end-recoverSize {
		line.To(gauge)
		switch {
		case a.known == nil || a.slow:
		case a.known.Budget > 0:
			line.GaugeIn(render.Muted, a.known.Tokens, a.known.Budget, recoverGauge)
		default:
			line.Put(render.Faint, "no limit")
		}
	}
	line.Right(end, render.Span{Ink: sizeInk, Text: " " + size})
	if chosen {
		line.To(g.inner)
	}
	return line
}

// aboutLine draws the words that level 2 is about.
func (m *model) aboutLine(g *recoverShape) *render.Line {
	r := m.panel.recover
	key := min(menuKey, g.inner/8)
	end := g.inner - 2
	line := m.recoverLine(g).To(key).Put(render.Strong, "/").Put(render.Muted, " about")
	line.To(min(recoverAbout, g.inner/3))
	if r.about != "" || r.typing && r.prompted() == "" {
		return line.Put(render.Accent, cutStart(r.about, max(end-line.At(), 1)))
	}
	a := r.at(recovery.Topic)
	said, from := r.prompted(), "from your last prompt"
	if said == "" && a.known != nil {
		from = "what is newest"
	}
	if a.known == nil {
		from = ""
	}
	room := end - line.At() - ansi.StringWidth(from) - 2
	if said != "" && room < 12 {
		from, room = "", end-line.At()
	}
	ink := render.Text
	if r.typing {
		ink = render.Faint
	}
	line.Put(ink, words.Cut(said, max(room, 0)))
	return line.Right(end, render.Span{Ink: render.Faint, Text: " " + from})
}

// stagedLine says that a recovery waits for the next start already; nil: none does.
func (m *model) stagedLine(g *recoverShape) *render.Line {
	r := m.panel.recover
	if r.staged.IsZero() {
		return nil
	}
	what := "a recovery"
	if r.stagedN > 0 {
		what = render.Tokens(int64(r.stagedN)) + " tokens"
	}
	text := "Staged " + render.Ago(m.now, r.staged) + ": " + what + " for the next start."
	line := m.recoverLine(g).To(min(menuKey, g.inner/8)).Put(render.Warn, "△ ").PutUntil(render.Text, text, g.inner-2)
	if more := "  S replaces it, x takes it away."; m.canStage() && line.At()+len(more) < g.inner-1 {
		line.Put(render.Muted, more)
	}
	return line
}

// recoverBody are the rows of the level under the bar that are seen, and whether there are more below.
func (m *model) recoverBody(g *recoverShape) (lines []*render.Line, below bool) {
	r := m.panel.recover
	a := r.at(r.level)
	indent := min(menuKey, g.inner/8)
	put := func(spans ...render.Span) {
		lines = append(lines, m.recoverLine(g).To(indent).Spans(spans...))
	}
	body := m.recovered(g)
	switch {
	case body != nil:
		n, all := body.Upto(r.top + g.rows + 1)
		r.top = min(r.top, max(n-g.rows, 0))
		for i := r.top; i < min(n, r.top+g.rows); i++ {
			put(body.Row(i)...)
		}
		if n == 0 {
			put(render.Span{Ink: render.Muted, Text: "There is nothing to recover here."})
		}
		return lines, n > r.top+g.rows || !all
	case a.err != nil:
		glyph := "✗ "
		for _, s := range render.Wrap(m.sentence(a.err), max(g.text-2, 1)) {
			put(render.Span{Ink: render.BadBold, Text: glyph}, render.Span{Ink: render.Text, Text: s})
			glyph = "  "
		}
	case a.slow:
		put(render.Span{Ink: render.Muted, Text: "Reading…"})
	}
	return lines[:min(len(lines), g.rows)], false
}

// drawRecover puts the dialog over the screen.
func (m *model) drawRecover(screen []string) {
	g := m.recoverShape()
	body, below := m.recoverBody(&g)
	for len(body) < g.rows {
		body = append(body, m.recoverLine(&g))
	}
	if !g.small && !g.tight {
		body = append(body, m.recoverLine(&g))
	}
	body, last := m.orSaidOver(body, m.recoverLast(&g, below), g.inner)
	drawn := append(g.head[:len(g.head):len(g.head)], body...)
	if g.small {
		m.cover(screen, drawn, last)
		return
	}
	m.floatAt(screen, m.box(append(drawn, last), g.inner, "Recover", render.Base(m.panel.recover.dir)), g.inner+2, g.upper)
}

// recoverLast is the last line of the dialog.
func (m *model) recoverLast(g *recoverShape, below bool) *render.Line {
	r := m.panel.recover
	if r.typing {
		k := newPanelKeys(m, g.inner, "as before")
		k.put("enter", "done")
		if r.about == "" && r.prompted() != "" {
			k.put("tab", "these words")
		}
		return k.end()
	}
	k := newPanelKeys(m, g.inner, "close")
	switch {
	case below && g.inner < recoverHint:
		k.hint("…")
	case below:
		k.hint("pgdn …")
	case r.top > 0:
		k.hint("pgup …")
	}
	put := k.put
	if m.whyNotTaken() != "" {
		put = k.off
	}
	put("enter", "new session")
	switch {
	case !m.canStage():
	case g.inner < recoverWide || below || r.top > 0:
		put("S", "stage")
	default:
		put("S", "stage for the next start")
	}
	put("y", "copy")
	put("E", "export")
	if m.canUnstage() {
		k.put("x", "unstage")
	}
	return k.end()
}

// recoverCursor is where the words are typed.
func (m *model) recoverCursor() (x, y int, ok bool) {
	g := m.recoverShape()
	if g.about < 0 {
		return 0, 0, false
	}
	at := min(recoverAbout, g.inner/3)
	x = at + min(ansi.StringWidth(m.panel.recover.about), max(g.inner-2-at, 1))
	if g.small {
		return min(x, max(m.width-1, 0)), g.about, m.height > g.about
	}
	return x + (m.width-g.inner)/2, g.upper + 1 + g.about, true
}

// clickRecover puts the bar on the level that is clicked, begins to type in the field, and closes the dialog with a click
// beside it.
func (m *model) clickRecover(x, y int) tea.Cmd {
	g := m.recoverShape()
	line := y
	if !g.small {
		height := len(g.head) + g.rows + 3
		if !g.tight {
			height++
		}
		if !box((m.width-g.inner-2)/2, g.upper, g.inner+2, height).Has(x, y) {
			return m.closePanel()
		}
		line -= g.upper + 1
	}
	if line == g.about {
		return m.startAbout()
	}
	for i, l := range levels() {
		if line == g.level+i && i < g.levels {
			m.panel.recover.typing = false
			return toLevel(l)(m)
		}
	}
	return nil
}
