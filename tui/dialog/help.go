package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/match"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

const (
	helpColumn = 38 // width of a column
	helpKey    = 15 // width of a key
	helpField  = 30 // width of the filter
	helpInner  = 2*helpColumn + 2
	helpFrame  = 5 // the borders, a blank line on each side, and the filter
)

// helpLine is a heading, a key or, if zero, a blank line.
type helpLine struct {
	heading string
	show    string
	words   string
	off     string
}

// Help lists the keys of a screen.
type Help struct {
	base
	of   string
	row  About
	keys []screen.Binding
	in   field.Field // filter
	at   int         // index of the first visible line when the list scrolls
}

// About explains the badge of the selected row, above the keys. The zero value shows nothing.
type About struct {
	Glyph, Word render.Span
	Text        string
}

// NewHelp returns the list of a screen's keys. of is the name of the screen.
func NewHelp(of string, row About, keys []screen.Binding) *Help {
	return &Help{of: of, row: row, keys: keys, in: field.New(field.Words)}
}

// about draws the badge, its explanation and a blank line. It returns nil without a badge.
func (d *Help) about(left, width int) []*render.Line {
	if d.row.Word.Text == "" {
		return nil
	}
	var lines []*render.Line
	for i, s := range render.Wrap(d.row.Word.Text+": "+d.row.Text, max(width-left-3, 1)) {
		l := d.line(width).To(left)
		if word := d.row.Word; i == 0 && strings.HasPrefix(s, word.Text) {
			l.Spans(d.row.Glyph).To(left + 2).Spans(word)
			s = s[len(word.Text):]
		}
		lines = append(lines, l.To(left+2).Put(render.Muted, s))
	}
	return append(lines, d.line(width))
}

// Says implements screen.Dialog. The help doesn't draw messages.
func (*Help) Says() bool { return false }

// Keys implements screen.Screen.
func (*Help) Keys() []screen.Binding {
	return append([]screen.Binding{
		on(closeIt, 0, "?", "esc", "enter", "f1"),
		on(by, -1, "up"), on(by, 1, "down"), on(by, -page, "pgup"), on(by, page, "pgdown"),
	}, screen.Common(screen.Quit)...)
}

// Do implements screen.Screen.
func (d *Help) Do(do screen.Intent) []screen.Effect {
	if do.Name == closeIt {
		return pop()
	}
	d.at = min(max(d.at+do.N, 0), max(len(d.linesWith(d.in.Text()))-1, 0))
	return nil
}

// Typed implements screen.Typed. A first q closes the dialog, because no key's name starts with q.
func (d *Help) Typed(msg tea.Msg) []screen.Effect {
	if d.in.Type(msg) {
		d.at = 0
	}
	if d.in.Text() == "q" {
		return pop()
	}
	return nil
}

// Click implements screen.Screen.
func (*Help) Click(int, int) []screen.Effect { return pop() }

// linesWith lists the keys that contain all words, by group.
func (d *Help) linesWith(words string) []helpLine {
	var lines []helpLine
	for _, group := range screen.Groups() {
		first := true
		for _, b := range d.keys {
			if b.Group != group || b.Help == "" || b.Gone || !match.HasWords(b.Show+" "+b.Help+" "+b.Group, words) {
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

// isFull reports whether the list covers the whole screen, without a filter.
func (d *Help) isFull(lines []helpLine) bool {
	return d.f.Width < From || len(lines)/2+6+len(d.about(2, helpInner)) > d.f.Height
}

// rows returns the height of the two columns without a filter.
func (d *Help) rows(lines []helpLine) int {
	all := d.linesWith("")
	return max(half(all), len(all)-half(all)-1, half(lines), len(lines)-half(lines)-1)
}

// Cursor implements screen.Dialog.
func (d *Help) Cursor() (x, y int, ok bool) {
	lines := d.linesWith(d.in.Text())
	if d.isFull(lines) {
		return 0, 0, false
	}
	_, before := d.in.Seen(helpField)
	height, width := d.rows(lines)+helpFrame+len(d.about(2, helpInner)), min(2*helpColumn+4, d.f.Width-2)
	return (d.f.Width-width)/2 + 3 + before, max((d.f.Height-height)/2, 0) + height - 2, true
}

// Over implements screen.Dialog.
func (d *Help) Over(under []string) {
	lines := d.linesWith(d.in.Text())
	if d.isFull(lines) {
		d.full(under, lines)
		return
	}
	rows := d.rows(lines)
	half := half(lines)
	left, right := lines[:half], lines[half:]
	if len(right) > 0 && right[0] == (helpLine{}) {
		right = right[1:]
	}
	width := min(2*helpColumn+4, d.f.Width-2)
	inner := width - 2
	drawn := append([]*render.Line{d.line(inner)}, d.about(2, inner)...)
	for i := range rows {
		l := d.line(inner).To(2)
		if i < len(left) {
			d.key(l, left[i], 2, 2+helpColumn-2)
		}
		if i < len(right) {
			d.key(l, right[i], 2+helpColumn, inner)
		}
		drawn = append(drawn, l)
	}
	last := d.line(inner).To(2)
	switch {
	case d.in.Text() != "":
		typed, _ := d.in.Seen(helpField)
		last.Put(render.Accent, typed)
		if len(lines) == 0 {
			last.Put(render.Faint, "   no key matches")
		}
	default:
		last.Put(render.Faint, "Faint keys do nothing here. Type to filter.")
	}
	drawn = append(drawn, d.line(inner), last.Right(inner-1, closing()...))
	d.float(under, d.box(drawn, inner, "Keys", d.of), width)
}

// half returns the index at which the second column starts, so that both columns have similar heights.
func half(lines []helpLine) int {
	best := len(lines)
	for i, l := range lines {
		if l == (helpLine{}) && max(i, len(lines)-i) < max(best, len(lines)-best) {
			best = i
		}
	}
	return best
}

func (*Help) key(l *render.Line, h helpLine, from, end int) {
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

// full draws the list over the whole screen. A long list scrolls.
func (d *Help) full(under []string, lines []helpLine) {
	about := d.about(min(4, d.f.Width/8), d.f.Width)
	rows := max(d.f.Height-1-len(about), 1)
	d.at = min(d.at, max(len(lines)-rows, 0))
	all := len(lines)
	lines = lines[d.at:min(d.at+rows, all)]
	drawn := about
	for _, h := range lines {
		l := d.line(d.f.Width)
		d.key(l, h, min(4, d.f.Width/8), d.f.Width)
		drawn = append(drawn, l)
	}
	d.cover(under, drawn, d.closingLine())
	if all > rows && d.f.Height > 1 {
		where := words.Count(d.at+1) + "–" + words.Count(d.at+len(lines)) + " of " + words.Count(all) + "   ↑ ↓"
		l := d.line(d.f.Width).To(1).Put(render.Faint, where)
		under[d.f.Height-1] = l.Right(d.f.Width-1, closing()...).String()
	}
}
