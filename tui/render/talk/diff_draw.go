package talk

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

const (
	minDigits = 4         // minimum cells for a line number
	maxNumber = 9_999_999 // a larger line number hides all line numbers
	maxIndent = 1 << 10   // maximum blanks before a line of code
	lineCells = 512       // cells of a line that an Open part reads
	lineRows  = 4         // maximum rows of a line in an Open part
)

// shownLine is a line of a diff with its code, highlighted spans and changed words.
type shownLine struct {
	diffLine
	code  string // without control characters
	all   bool   // code has the whole line
	inked []render.Span
	words []bounds // the changed words
}

// diffLayout has the columns of a diff.
type diffLayout struct {
	digits           int // digits of a line number; 0 without line numbers
	narrow           bool
	left, sign, code int // columns; the background starts at left
	indent           int // common indentation, which isn't drawn
}

// layout returns the columns of a diff: the old line number, the new line number, the sign and the code. text is the
// column of the text around the diff, and width is the number of columns. On a narrow screen, a line has one number. The
// indentation that all lines share isn't drawn on a narrow screen, or if a line would be too long. Without a patch, there are no line numbers.
func (c fileDiff) layout(text, width int, narrow bool, lines []shownLine) diffLayout {
	d := diffLayout{digits: c.digits(), narrow: narrow, left: text + 2}
	d.sign = d.left
	if d.digits > 0 {
		d.sign += d.digits + 1
		if !narrow {
			d.sign += d.digits + 2
		}
	}
	d.code = d.sign + 2
	indent := maxIndent
	for _, l := range lines {
		if l.sign != signGap && l.sign != signNote && l.code != "" {
			indent = min(indent, indentOf(l.code))
			narrow = narrow || d.code+ansi.StringWidth(l.code) > width
		}
	}
	if narrow {
		d.indent = indent
	}
	return d
}

// digits returns the width of the line numbers, or 0 if the numbers are unknown or implausible.
func (c fileDiff) digits() int {
	largest := 0
	for i := range c.Hunks {
		h := &c.Hunks[i]
		if h.OldStart < 0 || h.NewStart < 0 || max(h.OldStart, h.NewStart) > maxNumber {
			return 0
		}
		largest = max(largest, h.OldStart+len(h.Lines), h.NewStart+len(h.Lines))
	}
	switch {
	case c.whole && len(c.Edits) == 1:
		largest = countLines(c.Edits[0].New)
	case len(c.Hunks) == 0:
		return 0
	}
	return max(minDigits, len(number(largest)))
}

// codeOf returns the start of a line of code with expanded tabs. all reports whether the line is complete.
func codeOf(text string, width int) (code string, all bool) {
	some := head(text, width)
	code = render.Untab(transcript.Clean(strings.TrimSuffix(some, "\r")))
	return strings.TrimRight(strings.ReplaceAll(code, "\n", " "), " "), len(some) == len(text)
}

// indentOf returns the number of blanks at the start of a line of code.
func indentOf(code string) int { return len(code) - len(strings.TrimLeft(code, " ")) }

// diff draws a change of a file. An Open part cuts a very long line.
func (b *body) diff(c fileDiff, file string, open int) {
	b.rows = b.limit(open)
	lines, left := b.diffLines(c)
	b.highlightDiff(file, lines)
	markWords(lines)
	d := c.layout(b.p.text(), b.p.o.Width, !b.p.o.hasTimes(), lines)
	for i := range lines {
		switch l := &lines[i]; {
		case b.rows > 0 && b.bytes > 0 && l.sign == signGap:
			b.add(b.p.line().To(d.sign).Put(render.Faint, "…"))
		case b.rows > 0 && b.bytes > 0:
			left.cut = !b.diffRows(l, d)
		case l.sign != signGap:
			left.lines++
		}
	}
	if left.is() {
		b.add(b.p.line().To(d.sign).Put(render.Faint, b.restText(left)))
	}
}

// diffLines returns the lines of a change that may fit, and counts the other lines.
func (b *body) diffLines(c fileDiff) (lines []shownLine, left hidden) {
	bytes := b.bytes
	for l := range c.lines() {
		if len(lines) >= b.rows || bytes <= 0 {
			if l.sign != signGap {
				left.lines++
			}
			continue
		}
		cells := lineCells
		if b.fold == Whole {
			cells = bytes / 4
		}
		s := shownLine{diffLine: l}
		s.code, s.all = codeOf(l.text, cells)
		bytes -= len(s.code) + 1
		lines = append(lines, s)
	}
	return lines, left
}

// highlightDiff highlights the old and the new code of each hunk separately.
func (b *body) highlightDiff(file string, lines []shownLine) {
	texts, of := [][]string{nil, nil}, [][]*shownLine{nil, nil}
	for i := range lines {
		l := &lines[i]
		n := len(texts)
		switch l.sign {
		case signGap:
			texts, of = append(texts, nil, nil), append(of, nil, nil)
			continue
		case signNote:
			continue
		}
		for side, not := range map[int]rune{n - 2: signAdded, n - 1: signRemoved} {
			if l.sign != not {
				texts[side], of[side] = append(texts[side], l.code), append(of[side], l)
			}
		}
	}
	for i, text := range b.highlight(file, texts) {
		for k, spans := range text {
			of[i][k].inked = spans
		}
	}
}

// diffRows draws a line of a diff. It returns false if it cut the line without drawing "…".
func (b *body) diffRows(l *shownLine, d diffLayout) bool {
	width := max(b.p.o.Width-d.code, 1)
	spans, indent := l.spans(), min(d.indent, indentOf(l.code))
	code, all, limit := l.code[indent:], l.all, b.rows
	if b.fold == Whole {
		b.bytes -= len(l.code) + 1
	} else {
		limit = min(limit, lineRows)
	}
	rows := render.WrapIndented(code, width)
	if len(rows) > limit {
		rows, all = rows[:limit], false
	}
	for i, row := range render.Rows(rows, render.CutSpans(spans, indent, len(l.code)), l.ink(render.Text)) {
		if !all && i == len(rows)-1 && b.fold != Whole {
			b.more = true
			text := words.Cut(rows[i]+"…", width)
			row = append(render.CutSpans(row, 0, len(strings.TrimSuffix(text, "…"))), render.Span{Ink: l.ink(render.Text), Text: "…"})
		}
		b.diffRow(l, d, i > 0, row)
	}
	return all || b.fold != Whole
}

func (l *shownLine) ink(ink render.Ink) render.Ink {
	switch l.sign {
	case signAdded:
		return ink.On(render.Added)
	case signRemoved:
		return ink.On(render.Removed)
	}
	return ink
}

// spans returns the code with the background of the line and of its changed words.
func (l *shownLine) spans() []render.Span {
	if l.sign == signNote {
		return []render.Span{{Ink: render.Faint, Text: l.code}}
	}
	spans := l.inked
	if spans == nil {
		spans = []render.Span{{Ink: render.Text, Text: l.code}}
	}
	ground := render.AddedWords
	if l.sign == signRemoved {
		ground = render.RemovedWords
	}
	var out []render.Span
	put := func(from, to int, on func(render.Ink) render.Ink) {
		for _, s := range render.CutSpans(spans, from, to) {
			out = append(out, render.Span{Ink: on(s.Ink), Text: s.Text})
		}
	}
	at := 0
	for _, w := range l.words {
		put(at, w.from, l.ink)
		put(w.from, w.to, func(render.Ink) render.Ink { return render.Text.On(ground) })
		at = w.to
	}
	put(at, len(l.code), l.ink)
	return out
}

// diffRow draws a row of a line. further means that it isn't the first row.
func (b *body) diffRow(l *shownLine, d diffLayout, further bool, code []render.Span) {
	line := b.p.line().To(d.left)
	if d.digits > 0 {
		old, with := number(l.old), number(l.new)
		switch {
		case further:
			old, with = "", ""
		case d.narrow && l.new == 0:
			with = old
		}
		gutter := ""
		if !d.narrow {
			gutter = flushRight(old, d.digits) + " "
		}
		gutter += flushRight(with, d.digits) + strings.Repeat(" ", d.sign-d.left-len(gutter)-d.digits)
		line.Put(l.ink(render.Faint), gutter)
	}
	sign := render.Good
	switch l.sign {
	case signRemoved:
		sign = render.Bad
	case signAdded:
	default:
		b.add(line.To(d.code).Spans(code...))
		return
	}
	mark := string(l.sign)
	if further {
		mark = " "
	}
	text := l.ink(render.Text)
	line.Put(l.ink(sign), mark).Put(text, " ").Spans(code...)
	// Fill the row with blanks in all themes, so that the text of a row doesn't depend on the theme.
	line.Put(text, strings.Repeat(" ", max(b.p.o.Width-line.At(), 0)))
	b.add(line)
}

func number(n int) string {
	if n <= 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func flushRight(s string, width int) string { return strings.Repeat(" ", max(width-len(s), 0)) + s }
