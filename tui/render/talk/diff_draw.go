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
	minDigits = 4         // cells of a line number
	maxNumber = 9_999_999 // a patch with a greater line number is drawn without numbers
	maxIndent = 1 << 10   // blanks before a line of code; more are cut like other text
)

// diffLayout has the columns of a diff.
type diffLayout struct {
	digits           int // of a number, 0 without numbers
	narrow           bool
	left, sign, code int // columns; the background of changed lines starts at column left
	indent           int // common indent, which is left out
}

// layout returns the layout of a diff: old number, new number, sign, code. text is the column of the text around it. On
// a narrow screen there is one number and no common indent. Without a patch there are no numbers.
func (c fileDiff) layout(text int, narrow bool, lines int) diffLayout {
	d := diffLayout{digits: c.digits(), narrow: narrow, left: text + 2}
	d.sign = d.left
	if d.digits > 0 {
		d.sign += d.digits + 1
		if !narrow {
			d.sign += d.digits + 2
		}
	}
	d.code = d.sign + 2
	if !narrow {
		return d
	}
	d.indent = maxIndent
	for l := range c.lines() {
		if lines--; lines < 0 {
			break
		}
		if code, _ := codeOf(l.text, maxIndent); l.sign != signGap && l.sign != signNote && code != "" {
			d.indent = min(d.indent, indentOf(code))
		}
	}
	return d
}

// digits returns the width of the numbers of a patch, 0 if they are implausible.
func (c fileDiff) digits() int {
	largest := 0
	for i := range c.Hunks {
		h := &c.Hunks[i]
		if h.OldStart < 0 || h.NewStart < 0 || max(h.OldStart, h.NewStart) > maxNumber {
			return 0
		}
		largest = max(largest, h.OldStart+len(h.Lines), h.NewStart+len(h.Lines))
	}
	if len(c.Hunks) == 0 {
		return 0
	}
	return max(minDigits, len(number(largest)))
}

// codeOf returns code as one line with tabs expanded, and whether it is the whole line. Of a long line it reads only
// about width cells.
func codeOf(text string, width int) (code string, all bool) {
	some := head(text, width)
	code = render.Untab(transcript.Clean(strings.TrimSuffix(some, "\r")))
	return strings.TrimRight(strings.ReplaceAll(code, "\n", " "), " "), len(some) == len(text)
}

// indentOf returns the number of leading blanks.
func indentOf(code string) int { return len(code) - len(strings.TrimLeft(code, " ")) }

// diff draws a change. Long lines are cut in an Open part and wrapped in a Whole one.
func (b *body) diff(c fileDiff, open int) {
	b.rows = b.limit(open)
	d := c.layout(b.p.text(), !b.p.o.hasTimes(), b.rows)
	var left hidden
	for l := range c.lines() {
		switch {
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

// diffRows draws a line of a diff. It returns false if the line was cut without a mark.
func (b *body) diffRows(l diffLine, d diffLayout) bool {
	width := max(b.p.o.Width-d.code, 1)
	if b.fold != Whole {
		code, all := codeOf(l.text, width+d.indent)
		code = code[min(d.indent, indentOf(code)):]
		if !all || ansi.StringWidth(code) > width {
			b.more = true
			code = words.Cut(code+"…", width)
		}
		b.diffRow(l, d, false, code)
		return true
	}
	code, all := codeOf(l.text, b.bytes/4)
	b.bytes -= len(code) + 1
	code = code[min(d.indent, indentOf(code)):]
	rows := []string{code}
	if ansi.StringWidth(code) > width {
		rows = strings.Split(ansi.Hardwrap(code, width, true), "\n")
	}
	if len(rows) > b.rows {
		rows, all = rows[:b.rows], false
	}
	for i, r := range rows {
		b.diffRow(l, d, i > 0, words.Cut(r, width))
	}
	return all
}

// diffRow draws a row. Further rows of a line have no number and no sign.
func (b *body) diffRow(l diffLine, d diffLayout, further bool, code string) {
	text, numbers, sign := render.Text, render.Faint, render.Faint
	switch l.sign {
	case signAdded:
		text, numbers, sign = render.Text.On(render.Added), render.Faint.On(render.Added), render.Good.On(render.Added)
	case signRemoved:
		text, numbers, sign = render.Text.On(render.Removed), render.Faint.On(render.Removed), render.Bad.On(render.Removed)
	case signNote:
		text = render.Faint
	}
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
		line.Put(numbers, gutter)
	}
	if l.sign != signAdded && l.sign != signRemoved {
		b.add(line.To(d.code).Put(text, code))
		return
	}
	mark := string(l.sign)
	if further {
		mark = " "
	}
	line.Put(sign, mark).Put(text, " "+code)
	line.Put(text, strings.Repeat(" ", max(b.p.o.Width-line.At(), 0))) // fill the row in all themes, so that the cells are the same
	b.add(line)
}

// number formats a line number; "" for 0.
func number(n int) string {
	if n <= 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func flushRight(s string, width int) string { return strings.Repeat(" ", max(width-len(s), 0)) + s }
