package render

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
)

// Span is a piece of text in one ink. The text must be clean and without a newline.
type Span struct {
	Ink  Ink
	Text string
}

// Line builds one line from left to right. It cuts text that exceeds its width, so the result is never wider.
type Line struct {
	styles   *Styles
	width    int
	at       int  // cells written
	selected bool // the background is that of the selected row
	full     bool // text was cut; nothing more is added
	b        strings.Builder
}

// NewLine returns an empty line of at most width cells.
func NewLine(s *Styles, width int) *Line { return &Line{styles: s, width: max(width, 0)} }

// Select sets whether the following text has the background of the selected row.
func (l *Line) Select(on bool) *Line {
	l.selected = on
	return l
}

// Put appends text and cuts it at the end of the line with "…".
func (l *Line) Put(ink Ink, text string) *Line { return l.put(ink, text, l.width) }

// Spans appends each span.
func (l *Line) Spans(spans ...Span) *Line {
	for _, s := range spans {
		l.Put(s.Ink, s.Text)
	}
	return l
}

// PutUntil appends text and cuts it with "…" so that it ends before the column.
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
		return l.To(end) // a cut before a wide character leaves one cell free
	}
	l.b.WriteString(l.styles.paint(ink, text, l.selected))
	l.at += w
	return l
}

// To fills the line with blanks up to the column. It does nothing if the line is already longer.
func (l *Line) To(column int) *Line {
	if n := min(column, l.width) - l.at; n > 0 {
		l.b.WriteString(l.styles.paint(Text, strings.Repeat(" ", n), l.selected && l.styles.sel[Text] != ""))
		l.at += n
	}
	return l
}

// Right appends the spans so that they end before the column. It omits them if they would touch the text already
// written.
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

// String returns the line as drawn so far.
func (l *Line) String() string { return l.b.String() }

// SpansWidth returns the width of the spans in cells.
func SpansWidth(spans []Span) int {
	n := 0
	for _, s := range spans {
		n += ansi.StringWidth(s.Text)
	}
	return n
}

// PutStyled is Put for text that can contain its own styles, such as rendered markdown.
func (l *Line) PutStyled(ink Ink, text string) *Line {
	if !strings.Contains(text, "\x1b") {
		return l.Put(ink, text)
	}
	text = words.Cut(text, l.width-l.at)
	l.b.WriteString(text)
	l.at += ansi.StringWidth(text)
	return l
}

// Gauge appends a progress line of width cells: heavy for the done part, a hairline for the rest.
func (l *Line) Gauge(done, total, width int) *Line { return l.GaugeIn(Accent, done, total, width) }

// GaugeIn is Gauge in another ink. Accent is for the main value of a screen.
func (l *Line) GaugeIn(ink Ink, done, total, width int) *Line {
	if total <= 0 || width <= 0 {
		return l
	}
	n := min(max(done, 0), total) * width / total
	return l.Put(ink, strings.Repeat("━", n)).Put(Rule, strings.Repeat("─", width-n))
}

// Pad returns a line of exactly width cells, filled with blanks or cut. The line can contain styles.
func Pad(line string, width int) string {
	w := ansi.StringWidth(line)
	if w > width {
		line = words.Cut(line, width)
		w = ansi.StringWidth(line)
	}
	return line + strings.Repeat(" ", max(width-w, 0))
}

// PadLeft returns a text right-aligned in a column of width cells, with at least one blank before it.
func PadLeft(text string, width int) string {
	return strings.Repeat(" ", max(width-ansi.StringWidth(text), 1)) + text
}

// Wrap cleans a text and breaks it into lines of at most width cells: at spaces, or within a word that is longer than a
// line. It doesn't break at hyphens, because half of an address or a command option could be taken for a whole one. It
// keeps the line breaks of the text. A width below 1 gives no lines.
func Wrap(text string, width int) []string {
	if width < 1 {
		return nil
	}
	text = strings.TrimRight(Untab(transcript.Clean(text)), "\n ")
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if ansi.StringWidth(line) <= width { // most lines fit; Wrap costs a copy
			lines = append(lines, strings.TrimRight(line, " "))
			continue
		}
		for part := range strings.SplitSeq(unhyphenated(line, func(s string) string { return ansi.Wrap(s, width, "") }), "\n") {
			// Cut matters only for wide characters in a width of 1.
			lines = append(lines, words.Cut(strings.TrimRight(part, " "), width))
		}
	}
	return lines
}

// Opening wraps a text and returns at most the first n lines. If there are more, the last one ends with "…".
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

// wrapCode is Wrap for code. A line without spaces, such as a JSON record, also breaks after commas.
func wrapCode(text string, width int) []string {
	var lines []string
	for _, line := range Wrap(text, math.MaxInt32) {
		if ansi.StringWidth(line) > width {
			line = unhyphenated(line, func(s string) string { return ansi.Wrap(s, width, ",") })
		}
		lines = append(lines, Wrap(line, width)...)
	}
	return lines
}

// joinedHyphen is the non-breaking hyphen. It replaces hyphens during wrapping.
const joinedHyphen = string(rune(0x2011))

// unhyphenated calls wrap with non-breaking hyphens in place of hyphens, and restores them in the result. A text that
// already contains non-breaking hyphens goes to wrap unchanged.
func unhyphenated(text string, wrap func(string) string) string {
	if !strings.Contains(text, "-") || strings.Contains(text, joinedHyphen) {
		return wrap(text)
	}
	return strings.ReplaceAll(wrap(strings.ReplaceAll(text, "-", joinedHyphen)), joinedHyphen, "-")
}

// Untab replaces each tab with four blanks, because ansi.StringWidth counts a tab as 0 cells and terminals as up to
// eight.
func Untab(s string) string { return strings.ReplaceAll(s, "\t", "    ") }
