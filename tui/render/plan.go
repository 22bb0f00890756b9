package render

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
)

// planAt is the start column of a plan's text, after the labels.
const planAt = 11

// PlanLines returns the lines of parts, with a blank line between parts. Each line starts with indent blanks. If
// terminal is false, paths and commands (change.Line.Whole) are never cut.
func PlanLines(parts []change.Part, st *Styles, indent, width int, terminal bool) []*Line {
	return planLines(parts, st, indent, width, math.MaxInt, terminal)
}

// PlanHead returns at most limit lines of parts, from the start, for a terminal.
func PlanHead(parts []change.Part, st *Styles, indent, width, limit int) []*Line {
	lines := planLines(parts, st, indent, width, limit, true)
	return lines[:min(len(lines), max(limit, 0))]
}

// planLines is like PlanLines, but stops when there are at least limit lines.
func planLines(parts []change.Part, st *Styles, indent, width, limit int, terminal bool) []*Line {
	var lines []*Line
	for i := range parts {
		if i > 0 {
			lines = append(lines, NewLine(st, width))
		}
		name := parts[i].Name
		for j := range parts[i].Lines {
			if len(lines) >= limit {
				return lines
			}
			lines = append(lines, drawPlan(&parts[i].Lines[j], name, st, indent, width, terminal)...)
			name = ""
		}
	}
	return lines
}

// PlanText returns the lines of PlanLines as one text.
func PlanText(parts []change.Part, st *Styles, width int, terminal bool) string {
	var b strings.Builder
	for _, l := range PlanLines(parts, st, 0, width, terminal) {
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	return b.String()
}

func drawPlan(f *change.Line, name string, st *Styles, indent, width int, terminal bool) []*Line {
	at := indent + planAt
	if f.Mark != "" {
		at += 2
	}
	right := ansi.StringWidth(f.Right)
	if right > 0 {
		right += 2
	}
	ink := ToneInk(f.Tone)
	var lines []*Line
	for i, text := range fitPlan(f, max(width-at-right, 1), terminal) {
		room := max(width, at+ansi.StringWidth(text)+right)
		l := NewLine(st, room).To(indent).Put(Heading, name).To(indent + planAt)
		name = ""
		if i == 0 && f.Mark != "" {
			l.Spans(markSpan(f.Mark))
		}
		l.To(at).Put(ink, text)
		if i == 0 && right > 0 {
			l.Right(room, Span{Muted, f.Right})
		}
		lines = append(lines, l)
	}
	return lines
}

// fitPlan wraps or cuts the text of a plan's line to room cells.
func fitPlan(f *change.Line, room int, terminal bool) []string {
	text := strings.ReplaceAll(transcript.Clean(f.Text), "\n", " ") // runs of blanks align columns
	switch {
	case f.Whole && !terminal:
		return []string{text}
	case f.Whole:
		return []string{words.CutMiddle(text, room)}
	case f.Cut:
		return []string{words.Cut(text, room)}
	}
	if f.Tone == change.Code {
		return wrapCode(text, room)
	}
	return Wrap(text, room)
}

func markSpan(m change.Mark) Span {
	ink := Faint
	switch m {
	case change.Good:
		ink = Good
	case change.Warn:
		ink = Warn
	case change.Bad:
		ink = Bad
	case change.Note:
	}
	return Span{ink, string(m)}
}

// ToneInk returns the ink of a tone.
func ToneInk(t change.Tone) Ink {
	switch t {
	case change.Muted:
		return Muted
	case change.Faint:
		return Faint
	case change.Code:
		return Code
	case change.Plus:
		return Good
	case change.Minus:
		return Bad
	}
	return Text
}
