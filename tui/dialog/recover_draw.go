package dialog

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
	"github.com/continuo-tui/continuo/tui/screen"
)

// The columns of the dialog, in cells.
const (
	recoverWhat  = 20 // column of the description of a level
	recoverAbout = 13 // column of the text of the query
	recoverGauge = 12 // width of the gauge
	recoverSize  = 17 // width of a size, such as "431 of 500 tokens"
	recoverHint  = 60 // width of the keys with the label for scrolling
	recoverTall  = 42 // maximum height of the dialog, in rows
	recoverWide  = 88 // width of the keys with their long labels
)

// recoverShape is the layout of the dialog.
type recoverShape struct {
	inner  int  // cells between the borders
	text   int  // width of the text, in cells
	small  bool // the dialog covers the whole screen
	tight  bool // there are no blank lines
	head   []*render.Line
	level  int // index of the first level in head
	levels int // number of levels in head: all, or one
	about  int // index of the query in head; -1 if it isn't shown
	rows   int // height of the text
	upper  int // row of the upper border
}

// shape returns the layout of the dialog.
func (d *Recover) shape() recoverShape {
	g := recoverShape{inner: min(planWidth, d.f.Width-2) - 2, about: -1}
	g.tight = d.f.Height < 30
	if g.small = d.f.Width < From || d.f.Height < 14; g.small {
		g.inner, g.tight = d.f.Width, true
	}
	g.text = max(g.inner-2*min(menuKey, g.inner/8)+1, 1)
	if g.small {
		d.smallHead(&g)
		return g
	}
	blank := func() {
		if !g.tight {
			g.head = append(g.head, d.line(g.inner))
		}
	}
	height := min(d.f.Height-6, recoverTall)
	if g.tight {
		height = d.f.Height - 2
	}
	blank()
	g.level, g.levels = len(g.head), int(recovery.All)
	for _, l := range levels() {
		g.head = append(g.head, d.levelLine(&g, l))
	}
	blank()
	g.about = len(g.head)
	g.head = append(g.head, d.aboutLine(&g))
	if staged := d.stagedLine(&g); staged != nil {
		g.head = append(g.head, staged)
	}
	blank()
	g.head = append(g.head, d.legendLine(g.inner))
	blank()
	last := 3 // the borders and the keys
	if !g.tight {
		last++
	}
	g.rows = max(height-len(g.head)-last, 1)
	g.upper = max((d.f.Height-height)/2, 0)
	return g
}

// smallHead lays out the lines above the text without a border. It leaves out lines that don't fit.
func (d *Recover) smallHead(g *recoverShape) {
	room := max(d.f.Height-1, 1)
	if room >= 8 {
		g.head = append(g.head, d.headLine("Recover", render.Base(d.opts.Dir)))
	}
	g.level = len(g.head)
	if room >= 5 {
		g.levels = int(recovery.All)
	}
	for _, l := range levels() {
		if room >= 5 || l == d.level {
			g.head = append(g.head, d.levelLine(g, l))
		}
	}
	if room >= 6 || d.typing && room >= 2 {
		g.about = len(g.head)
		g.head = append(g.head, d.aboutLine(g))
	}
	if staged := d.stagedLine(g); staged != nil && room >= 12 {
		g.head = append(g.head, staged)
	}
	if room >= 12 {
		g.head = append(g.head, d.legendLine(g.inner))
	}
	g.rows = max(room-len(g.head), 0)
}

// legendLine draws the rule above the text, with a legend of the marks in the text.
func (d *Recover) legendLine(width int) *render.Line {
	legend := ""
	if a := d.at(d.level); a.known != nil && a.known.Legend != "" {
		legend = " " + a.known.Legend + " "
	}
	after := min(2, width)
	n := width - ansi.StringWidth(legend) - after
	if n < after {
		n, legend = width-after, ""
	}
	return d.line(width).Put(render.Rule, strings.Repeat("─", n)).Put(render.Faint, legend).Put(render.Rule, strings.Repeat("─", after))
}

func (d *Recover) levelLine(g *recoverShape, l recovery.Level) *render.Line {
	a, chosen := d.at(l), d.level == l
	key := min(menuKey, g.inner/8)
	line := d.line(g.inner).Select(chosen)
	nameInk := render.Bold
	if chosen {
		nameInk = render.Strong
		line.Put(render.AccentBold, "▌")
	}
	name, what := levelWords(l)
	if l == recovery.All && a.isInstead() {
		what = "from other sources"
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

// aboutLine draws the line of level 2's query.
func (d *Recover) aboutLine(g *recoverShape) *render.Line {
	key := min(menuKey, g.inner/8)
	end := g.inner - 2
	line := d.line(g.inner).To(key).Put(render.Strong, "/").Put(render.Muted, " about")
	line.To(min(recoverAbout, g.inner/3))
	if d.about.Text() != "" || d.typing && d.prompted() == "" {
		typed, _ := d.about.Seen(max(end-line.At(), 1))
		return line.Put(render.Accent, typed)
	}
	a := d.at(recovery.Topic)
	query, from := d.prompted(), "from your last prompt"
	if query == "" && a.known != nil {
		from = "newest entries"
	}
	if a.known == nil {
		from = ""
	}
	room := end - line.At() - ansi.StringWidth(from) - 2
	if query != "" && room < 12 {
		from, room = "", end-line.At()
	}
	ink := render.Text
	if d.typing {
		ink = render.Faint
	}
	line.Put(ink, words.Cut(query, max(room, 0)))
	return line.Right(end, render.Span{Ink: render.Faint, Text: " " + from})
}

// stagedLine returns the line about the staged recovery, or nil.
func (d *Recover) stagedLine(g *recoverShape) *render.Line {
	if d.staged.IsZero() {
		return nil
	}
	what := "a recovery"
	if d.stagedN > 0 {
		what = render.Tokens(int64(d.stagedN)) + " tokens"
	}
	text := "Staged " + words.Ago(d.f.Now, d.staged) + ": " + what + " for the next start."
	line := d.line(g.inner).To(min(menuKey, g.inner/8)).Put(render.Warn, "△ ").PutUntil(render.Text, text, g.inner-2)
	if more := "  S replaces it, x removes it."; d.opts.CanStage && line.At()+len(more) < g.inner-1 {
		line.Put(render.Muted, more)
	}
	return line
}

// body returns the visible rows of the selected level. below means that more rows follow.
func (d *Recover) body(g *recoverShape) (lines []*render.Line, below bool) {
	a := d.at(d.level)
	indent := min(menuKey, g.inner/8)
	put := func(spans ...render.Span) {
		lines = append(lines, d.line(g.inner).To(indent).Spans(spans...))
	}
	body := d.recovered(g)
	switch {
	case body != nil:
		n, all := body.Upto(d.top + g.rows + 1)
		d.top = min(d.top, max(n-g.rows, 0))
		for i := d.top; i < min(n, d.top+g.rows); i++ {
			put(body.Row(i)...)
		}
		if n == 0 {
			put(render.Span{Ink: render.Muted, Text: "There is nothing to recover."})
		}
		return lines, n > d.top+g.rows || !all
	case a.err != nil:
		glyph := "✗ "
		for _, s := range render.Wrap(d.sentence(a.err), max(g.text-2, 1)) {
			put(render.Span{Ink: render.BadBold, Text: glyph}, render.Span{Ink: render.Text, Text: s})
			glyph = "  "
		}
	case a.slow:
		put(render.Span{Ink: render.Muted, Text: "Reading…"})
	}
	return lines[:min(len(lines), g.rows)], false
}

// Over implements screen.Dialog.
func (d *Recover) Over(under []string) {
	g := d.shape()
	body, below := d.body(&g)
	for len(body) < g.rows {
		body = append(body, d.line(g.inner))
	}
	if !g.small && !g.tight {
		body = append(body, d.line(g.inner))
	}
	body, last := d.orLongMessage(body, d.keysLine(&g, below), g.inner)
	drawn := append(g.head[:len(g.head):len(g.head)], body...)
	if g.small {
		d.cover(under, drawn, last)
		return
	}
	d.floatAt(under, d.box(append(drawn, last), g.inner, "Recover", render.Base(d.opts.Dir)), g.inner+2, g.upper)
}

// keysLine draws the last line of the dialog.
func (d *Recover) keysLine(g *recoverShape, below bool) *render.Line {
	if d.typing {
		k := newPanelKeys(&d.base, g.inner, "cancel")
		k.put("enter", "done")
		if d.about.Text() == "" && d.prompted() != "" {
			k.put("tab", "use these words")
		}
		return k.end()
	}
	k := newPanelKeys(&d.base, g.inner, "close")
	switch {
	case below && g.inner < recoverHint:
		k.hint("…")
	case below:
		k.hint("pgdn …")
	case d.top > 0:
		k.hint("pgup …")
	}
	put := k.put
	if d.noTakeReason() != "" {
		put = k.off
	}
	put("enter", "new session")
	switch {
	case !d.opts.CanStage:
	case g.inner < recoverWide || below || d.top > 0:
		put("S", "stage")
	default:
		put("S", "stage for the next start")
	}
	put("y", "copy")
	put("E", "export")
	if d.canUnstage() {
		k.put("x", "unstage")
	}
	return k.end()
}

// Cursor implements screen.Dialog. The cursor is in the field of the query.
func (d *Recover) Cursor() (x, y int, ok bool) {
	g := d.shape()
	if g.about < 0 || !d.typing {
		return 0, 0, false
	}
	at := min(recoverAbout, g.inner/3)
	_, before := d.about.Seen(max(g.inner-2-at, 1))
	if x = at + before; g.small {
		return min(x, max(d.f.Width-1, 0)), g.about, d.f.Height > g.about
	}
	return x + (d.f.Width-g.inner)/2, g.upper + 1 + g.about, true
}

// Click implements screen.Screen. A click selects a level or the field. A click outside closes the dialog.
func (d *Recover) Click(x, y int) []screen.Effect {
	g := d.shape()
	line := y
	if !g.small {
		height := len(g.head) + g.rows + 3
		if !g.tight {
			height++
		}
		if !rect((d.f.Width-g.inner-2)/2, g.upper, g.inner+2, height).Has(x, y) {
			return pop()
		}
		line -= g.upper + 1
	}
	if line == g.about {
		d.startAbout()
		return nil
	}
	for i, l := range levels() {
		if line == g.level+i && i < g.levels {
			d.typing = false
			d.toLevel(l)
			return nil
		}
	}
	return nil
}
