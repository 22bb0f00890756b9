package talk

import (
	"iter"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// maxContext is the maximum number of unchanged lines before and after a change.
const maxContext = 1

// fileDiff is a change that a call made to a file.
type fileDiff struct {
	transcript.Diff
	whole bool // the edit writes the whole file
}

// spans returns the numbers of added and removed lines: "+3 −11". A cut patch gets "…".
func (c fileDiff) spans() []render.Span {
	added, removed, cut := c.Count()
	spans := LineCounts(added, removed)
	if cut {
		spans = append(spans, render.Span{Ink: render.Faint, Text: " …"})
	}
	return spans
}

// The signs of the lines in a diff.
const (
	signSame    = ' '
	signAdded   = '+'
	signRemoved = '−'
	// A note of the patch about the previous line, such as "No newline at end of file".
	signNote = '\\'
	signGap  = '…' // unchanged lines of the file are left out here
)

type diffLine struct {
	sign     rune
	old, new int    // line numbers before and after the change, or 0
	text     string // may contain control characters
}

// lineOf returns line i of a hunk, without line numbers.
func lineOf(h *transcript.Hunk, i int) diffLine {
	switch sign, text := h.Line(i); sign {
	case '-':
		return diffLine{sign: signRemoved, text: text}
	case '\\':
		return diffLine{sign: signNote, text: strings.TrimPrefix(text, " ")}
	default:
		return diffLine{sign: rune(sign), text: text}
	}
}

// lines iterates over the lines of a change. It reads a line when the caller asks for it.
func (c fileDiff) lines() iter.Seq[diffLine] {
	return func(yield func(diffLine) bool) {
		for i := range c.Hunks {
			if i > 0 && !yield(diffLine{sign: signGap}) || !hunkLines(&c.Hunks[i], yield) {
				return
			}
		}
		for i, e := range c.Edits {
			if i > 0 && !yield(diffLine{sign: signGap}) || !c.editLines(e, yield) {
				return
			}
		}
	}
}

func hunkLines(h *transcript.Hunk, yield func(diffLine) bool) bool {
	old, with := h.OldStart, h.NewStart
	from, to := changed(h)
	for i := range h.Lines {
		d := lineOf(h, i)
		switch d.sign {
		case signAdded:
			d.new = with
			with++
		case signRemoved:
			d.old = old
			old++
		case signSame:
			d.old, d.new = old, with
			old++
			with++
		}
		if (i >= from-maxContext && i < to+maxContext || d.sign == signNote) && !yield(d) {
			return false
		}
	}
	return true
}

// changed returns the range of lines of a hunk from the first changed line to the last one.
func changed(h *transcript.Hunk) (from, to int) {
	from = len(h.Lines)
	for i := range h.Lines {
		if d := lineOf(h, i); d.sign == signAdded || d.sign == signRemoved {
			from, to = min(from, i), i+1
		}
	}
	return from, to
}

func (c fileDiff) editLines(e transcript.Edit, yield func(diffLine) bool) bool {
	number := 0
	head, before, after, tail := e.Split()
	head, tail = lastLines(head, maxContext), firstLines(tail, maxContext)
	for _, part := range []struct {
		sign rune
		text string
	}{{signSame, head}, {signRemoved, before}, {signAdded, after}, {signSame, tail}} {
		for line := range strings.Lines(part.text) {
			if c.whole {
				number++
			}
			if !yield(diffLine{sign: part.sign, new: number, text: strings.TrimSuffix(line, "\n")}) {
				return false
			}
		}
	}
	return true
}

// firstLines returns the first n lines of a text. Each line must end with a line break.
func firstLines(s string, n int) string {
	end := 0
	for ; n > 0 && end < len(s); n-- {
		end += strings.IndexByte(s[end:], '\n') + 1
	}
	return s[:end]
}

func lastLines(s string, n int) string {
	start := len(s)
	for ; n > 0 && start > 0; n-- {
		start = strings.LastIndexByte(s[:start-1], '\n') + 1
	}
	return s[start:]
}
