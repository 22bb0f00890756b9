package render

import (
	"math"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
)

// Span is a piece of text in one ink. The text must be clean and must not contain a newline.
type Span struct {
	Ink  Ink
	Text string
}

// Line builds one line from left to right. It cuts text that doesn't fit, so the result is never wider than the
// width of the line.
type Line struct {
	styles   *Styles
	width    int
	at       int  // number of cells written so far
	selected bool // the background is the background of the selected row
	full     bool // text was cut, so nothing more is added
	b        strings.Builder
}

// NewLine returns an empty line of at most width cells.
func NewLine(s *Styles, width int) *Line { return &Line{styles: s, width: max(width, 0)} }

// Select sets whether text that is appended later has the background of the selected row.
func (l *Line) Select(on bool) *Line {
	l.selected = on
	return l
}

// Put appends text. At the end of the line, it cuts the text with "…".
func (l *Line) Put(ink Ink, text string) *Line { return l.put(ink, text, l.width) }

// Spans appends the given spans.
func (l *Line) Spans(spans ...Span) *Line {
	for _, s := range spans {
		l.Put(s.Ink, s.Text)
	}
	return l
}

// PutUntil appends text. It cuts the text with "…" so that the text ends before a column.
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
		return l.To(end) // if the cut is before a wide character, one cell stays free
	}
	l.b.WriteString(l.styles.paint(ink, text, l.selected))
	l.at += w
	return l
}

// To appends blanks up to a column. It does nothing if the line is already longer.
func (l *Line) To(column int) *Line {
	if n := min(column, l.width) - l.at; n > 0 {
		l.b.WriteString(l.styles.paint(Text, strings.Repeat(" ", n), l.selected && l.styles.sel[Text] != ""))
		l.at += n
	}
	return l
}

// Right appends spans so that they end before a column. It omits them if they would touch the existing text.
func (l *Line) Right(column int, spans ...Span) *Line {
	w := SpansWidth(spans)
	start := min(column, l.width) - w
	if w == 0 || start < l.at || l.at > 0 && start == l.at && !strings.HasPrefix(spans[0].Text, " ") {
		return l
	}
	return l.To(start).Spans(spans...)
}

// At returns the number of cells written so far.
func (l *Line) At() int { return l.at }

// String returns the line as built so far.
func (l *Line) String() string { return l.b.String() }

// SpansWidth returns the total width of the spans in cells.
func SpansWidth(spans []Span) int {
	n := 0
	for _, s := range spans {
		n += ansi.StringWidth(s.Text)
	}
	return n
}

// PutStyled does the same as Put, but its text may already contain styles. An example is rendered markdown.
func (l *Line) PutStyled(ink Ink, text string) *Line {
	if !strings.Contains(text, "\x1b") {
		return l.Put(ink, text)
	}
	text = words.Cut(text, l.width-l.at)
	l.b.WriteString(text)
	l.at += ansi.StringWidth(text)
	return l
}

// Gauge appends a progress bar of width cells. The done part is heavy, and the rest is a hairline.
func (l *Line) Gauge(done, total, width int) *Line { return l.GaugeIn(Accent, done, total, width) }

// GaugeIn does the same as Gauge, but in another ink. The ink Accent is for the main value of a screen.
func (l *Line) GaugeIn(ink Ink, done, total, width int) *Line {
	if total <= 0 || width <= 0 {
		return l
	}
	n := min(max(done, 0), total) * width / total
	return l.Put(ink, strings.Repeat("━", n)).Put(Rule, strings.Repeat("─", width-n))
}

// Pad returns a line of exactly width cells. It cuts the line or appends blanks. The line may contain styles.
func Pad(line string, width int) string {
	w := ansi.StringWidth(line)
	if w > width {
		line = words.Cut(line, width)
		w = ansi.StringWidth(line)
	}
	return line + strings.Repeat(" ", max(width-w, 0))
}

// PadLeft aligns a text to the right in a column of width cells. At least one blank precedes the text.
func PadLeft(text string, width int) string {
	return strings.Repeat(" ", max(width-ansi.StringWidth(text), 1)) + text
}

// Wrap cleans a text and breaks it into lines of at most width cells. It breaks at spaces, or inside a word that
// is longer than a line. It doesn't break at hyphens, because a part of an address or of a command's option could
// look like a whole one. It keeps the line breaks of the text. For a width below 1, it returns no lines.
func Wrap(text string, width int) []string {
	if width < 1 {
		return nil
	}
	text = strings.TrimRight(Untab(transcript.Clean(text)), "\n ")
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if ansi.StringWidth(line) <= width { // most lines fit, and wrapping costs a copy
			lines = append(lines, strings.TrimRight(line, " "))
			continue
		}
		for part := range strings.SplitSeq(unbroken(line, func(s string) string { return ansi.Wrap(s, width, "") }), "\n") {
			// Cut has an effect only if the width is 1 and a character is wide.
			lines = append(lines, words.Cut(strings.TrimRight(part, " "), width))
		}
	}
	return lines
}

// Opening wraps a text and returns the first n lines. If there are more lines, the last returned line ends with
// "…".
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

// WrapIndented is Wrap for the source of a program: a long line continues two columns to the right of its own first
// character, at most in the middle of the width, and further left if a word needs the room.
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
		if short[0] != "" { // else the line begins further right than the width
			rows = append(rows, short[0])
		}
		for _, row := range Wrap(strings.TrimLeft(rest, " "), width-indent) {
			rows = append(rows, strings.Repeat(" ", indent)+row)
		}
	}
	return rows
}

// wrapCode is Wrap for code. A line without spaces, such as a JSON record, also breaks after commas.
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

// The characters at which text doesn't break: the non-breaking hyphen and the non-breaking space. During wrapping, they
// stand in for every hyphen, and for the space between a number and its unit.
const (
	joinedHyphen = string(rune(0x2011))
	joinedSpace  = string(rune(0xa0))
)

// unbroken replaces the characters that must not end a line, calls wrap, and restores these characters in the result.
// They are hyphens, and the space in "30 s". A text that already contains a non-breaking hyphen keeps all its hyphens,
// and the same applies to spaces.
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

// joinUnits replaces the space between a number and a unit, as in "30 s" or "1.4 MB", by a non-breaking space.
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

// Untab replaces each tab by four blanks. For ansi.StringWidth a tab has 0 cells, but on a terminal it has up to
// eight.
func Untab(s string) string { return strings.ReplaceAll(s, "\t", "    ") }
