package render

import (
	"math"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
)

// Span is a text in one ink. The text must be clean and on one line.
type Span struct {
	Ink  Ink
	Text string
}

// Line builds a line from left to right. Text that doesn't fit is cut, so that the line is never too wide.
type Line struct {
	styles   *Styles
	width    int
	at       int  // number of cells so far
	selected bool // new text gets the background of the selected row
	full     bool // text was cut, so no more text is added
	b        strings.Builder
}

// NewLine returns an empty line of at most width cells.
func NewLine(s *Styles, width int) *Line { return &Line{styles: s, width: max(width, 0)} }

// Select sets whether new text gets the background of the selected row.
func (l *Line) Select(on bool) *Line {
	l.selected = on
	return l
}

// Put appends a text, and cuts it with "…" if it doesn't fit.
func (l *Line) Put(ink Ink, text string) *Line { return l.put(ink, text, l.width) }

// Spans appends the given spans.
func (l *Line) Spans(spans ...Span) *Line {
	for _, s := range spans {
		l.Put(s.Ink, s.Text)
	}
	return l
}

// PutUntil appends a text, and cuts it with "…" so that it ends before a column.
func (l *Line) PutUntil(ink Ink, text string, column int) *Line {
	return l.put(ink, text, min(column, l.width))
}

func (l *Line) put(ink Ink, text string, end int) *Line {
	if text == "" || l.full || l.at >= end {
		return l
	}
	text = words.PlainEmoji(text)
	w := ansi.StringWidth(text)
	if w > end-l.at {
		text = words.Cut(text, end-l.at)
		w = ansi.StringWidth(text)
		l.b.WriteString(l.styles.paint(ink, text, l.selected))
		l.at += w
		l.full = end == l.width
		return l.To(end) // a cut wide character can leave one free cell
	}
	l.b.WriteString(l.styles.paint(ink, text, l.selected))
	l.at += w
	return l
}

// To appends blanks up to a column, unless the line is already longer.
func (l *Line) To(column int) *Line {
	if n := min(column, l.width) - l.at; n > 0 {
		l.b.WriteString(l.styles.paint(Text, strings.Repeat(" ", n), l.selected && l.styles.sel[Text] != ""))
		l.at += n
	}
	return l
}

// Right appends spans that end before a column. It omits spans that would touch the text before them.
func (l *Line) Right(column int, spans ...Span) *Line {
	w := SpansWidth(spans)
	start := min(column, l.width) - w
	if w == 0 || start < l.at || l.at > 0 && start == l.at && !strings.HasPrefix(spans[0].Text, " ") {
		return l
	}
	return l.To(start).Spans(spans...)
}

// At returns the number of cells so far.
func (l *Line) At() int { return l.at }

// String returns the line.
func (l *Line) String() string { return l.b.String() }

// SpansWidth returns the total width of the spans in cells.
func SpansWidth(spans []Span) int {
	n := 0
	for _, s := range spans {
		n += ansi.StringWidth(s.Text)
	}
	return n
}

// PutStyled is like Put, for a text that already has styles, such as rendered markdown.
func (l *Line) PutStyled(ink Ink, text string) *Line {
	if !strings.Contains(text, "\x1b") {
		return l.Put(ink, text)
	}
	text = words.Cut(text, l.width-l.at)
	l.b.WriteString(text)
	l.at += ansi.StringWidth(text)
	return l
}

// Gauge appends a progress bar of width cells.
func (l *Line) Gauge(done, total, width int) *Line { return l.GaugeIn(Accent, done, total, width) }

// GaugeIn is like Gauge, with another ink. Accent is for the main value of a screen.
func (l *Line) GaugeIn(ink Ink, done, total, width int) *Line {
	if total <= 0 || width <= 0 {
		return l
	}
	n := min(max(done, 0), total) * width / total
	return l.Put(ink, strings.Repeat("━", n)).Put(Rule, strings.Repeat("─", width-n))
}

// Pad cuts or fills a line, so that it has exactly width cells. The line may have styles.
func Pad(line string, width int) string {
	w := ansi.StringWidth(line)
	if w > width {
		line = words.Cut(line, width)
		w = ansi.StringWidth(line)
	}
	return line + strings.Repeat(" ", max(width-w, 0))
}

// PadLeft aligns a text at the right of a column of width cells, with at least one blank before it.
func PadLeft(text string, width int) string {
	return strings.Repeat(" ", max(width-ansi.StringWidth(text), 1)) + text
}

// Wrap cleans a text and breaks it into lines of at most width cells. It breaks at spaces, at line breaks of the text,
// and inside very long words. It doesn't break at hyphens, because part of an address or an option could look complete.
// If width is below 1, it returns no lines.
func Wrap(text string, width int) []string {
	if width < 1 {
		return nil
	}
	text = strings.TrimRight(Untab(transcript.Clean(text)), "\n ")
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if ansi.StringWidth(line) <= width { // most lines fit, and wrapping makes a copy
			lines = append(lines, strings.TrimRight(line, " "))
			continue
		}
		for part := range strings.SplitSeq(unbroken(line, func(s string) string { return ansi.Wrap(s, width, "") }), "\n") {
			// Cut is needed only for a wide character in a width of 1.
			lines = append(lines, words.Cut(strings.TrimRight(part, " "), width))
		}
	}
	return lines
}

// Opening wraps a text and returns the first n lines. If there are more lines, the last returned line ends with "…".
func Opening(text string, width, n int) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	lines := Wrap(text, max(width, 1))
	if len(lines) > n {
		lines = lines[:n]
		if last := lines[n-1]; ansi.StringWidth(last)+2 <= width {
			lines[n-1] = last + " …"
		} else {
			lines[n-1] = words.Cut(last+"…", width)
		}
	}
	return lines
}

// WrapIndented is like Wrap, for source code. The further rows of a long line are indented by two more cells. If a long
// word needs the room, they are indented less.
func WrapIndented(text string, width int) []string {
	if width < 1 {
		return nil
	}
	var rows []string
	for _, line := range Wrap(text, math.MaxInt32) {
		short := Wrap(line, width)
		indent := min(len(line)-len(strings.TrimLeft(line, " "))+2, width/2)
		rest, ok := strings.CutPrefix(line, short[0])
		if len(short) == 1 || !ok {
			rows = append(rows, short...)
			continue
		}
		for word := range strings.FieldsSeq(rest) {
			if n := ansi.StringWidth(word); n <= width {
				indent = min(indent, width-n)
			}
		}
		if short[0] != "" { // empty if the indentation is too wide
			rows = append(rows, short[0])
		}
		for _, row := range Wrap(strings.TrimLeft(rest, " "), width-indent) {
			rows = append(rows, strings.Repeat(" ", indent)+row)
		}
	}
	return rows
}

// wrapCode is like Wrap, but also breaks after commas if a line has no spaces, as in a JSON record.
func wrapCode(text string, width int) []string {
	var lines []string
	for _, line := range Wrap(text, math.MaxInt32) {
		if ansi.StringWidth(line) > width {
			line = unbroken(line, func(s string) string { return ansi.Wrap(s, width, ",") })
		}
		lines = append(lines, Wrap(line, width)...)
	}
	return lines
}

// Placeholders during wrapping, so that a line doesn't break there. joinedHyphen replaces hyphens. joinedSpace replaces
// the space between a number and its unit.
const (
	joinedHyphen = string(rune(0x2011))
	joinedSpace  = string(rune(0xa0))
)

// unbroken calls wrap in such a way that no line breaks at a hyphen or in "30 s".
func unbroken(text string, wrap func(string) string) string {
	hyphens := strings.Contains(text, "-") && !strings.Contains(text, joinedHyphen)
	if hyphens {
		text = strings.ReplaceAll(text, "-", joinedHyphen)
	}
	joined := text
	if !strings.Contains(text, joinedSpace) {
		joined = joinUnits(text)
	}
	units := len(joined) > len(text)
	if text = wrap(joined); units {
		text = strings.ReplaceAll(text, joinedSpace, " ")
	}
	if hyphens {
		text = strings.ReplaceAll(text, joinedHyphen, "-")
	}
	return text
}

// joinUnits puts non-breaking spaces between numbers and units, as in "30 s".
func joinUnits(text string) string {
	var b strings.Builder
	done := 0
	for i := 1; i < len(text)-1; i++ {
		if text[i] != ' ' || text[i-1] < '0' || text[i-1] > '9' {
			continue
		}
		unit := text[i+1:]
		if end := strings.IndexFunc(unit, func(r rune) bool { return !unicode.IsLetter(r) && r != '%' }); end >= 0 {
			unit = unit[:end]
		}
		switch unit {
		case "s", "ms", "min", "h", "d", "B", "kB", "KB", "MB", "GB", "%":
			b.WriteString(text[done:i] + joinedSpace)
			done = i + 1
		}
	}
	if done == 0 {
		return text
	}
	return b.String() + text[done:]
}

// Untab replaces each tab with four blanks. ansi.StringWidth counts a tab as 0 cells, but terminals draw up to eight.
func Untab(s string) string { return strings.ReplaceAll(s, "\t", "    ") }
