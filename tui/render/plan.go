package render

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/transcript"
)

// PlanPart is a part of what is about to be done: a label and what stands beside it. The parts stand in the order of
// the screens: Touched, Removed, But, Stays, Undo.
type PlanPart struct {
	Name  string
	Lines []PlanLine
}

// PlanLine is a fact of a plan. Its texts may be foreign; they are drawn clean.
type PlanLine struct {
	Glyph Span // none: no glyph
	Ink   Ink  // the zero value is Text
	Text  string
	Right string // at the right edge
	Whole bool   // a path or a command: it is to be copied, so it is not broken; only a terminal cuts it in the middle
	Cut   bool   // a row of a table: it is cut, not broken
}

// planAt is the column of the facts of a plan, behind its labels.
const planAt = 11

// PlanLines draws parts, a blank line between them; indent cells are free at the left. Where it is no terminal that
// shows them, what is to be copied is not cut.
func PlanLines(parts []PlanPart, st *Styles, indent, width int, terminal bool) []*Line {
	return planLines(parts, st, indent, width, math.MaxInt, terminal)
}

// PlanHead draws the first lines of parts for a terminal, at most so many.
func PlanHead(parts []PlanPart, st *Styles, indent, width, most int) []*Line {
	lines := planLines(parts, st, indent, width, most, true)
	return lines[:min(len(lines), max(most, 0))]
}

// planLines stops when it has so many.
func planLines(parts []PlanPart, st *Styles, indent, width, most int, terminal bool) []*Line {
	var lines []*Line
	for i := range parts {
		if i > 0 {
			lines = append(lines, NewLine(st, width))
		}
		name := parts[i].Name
		for j := range parts[i].Lines {
			if len(lines) >= most {
				return lines
			}
			lines = append(lines, parts[i].Lines[j].draw(name, st, indent, width, terminal)...)
			name = ""
		}
	}
	return lines
}

// PlanText is the same as text, a line each.
func PlanText(parts []PlanPart, st *Styles, width int, terminal bool) string {
	var b strings.Builder
	for _, l := range PlanLines(parts, st, 0, width, terminal) {
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	return b.String()
}

func (f *PlanLine) draw(name string, st *Styles, indent, width int, terminal bool) []*Line {
	at := indent + planAt
	if f.Glyph.Text != "" {
		at += 2
	}
	right := ansi.StringWidth(f.Right)
	if right > 0 {
		right += 2
	}
	ink := f.Ink
	if ink == 0 {
		ink = Text
	}
	var lines []*Line
	for i, text := range f.fit(max(width-at-right, 1), terminal) {
		room := max(width, at+ansi.StringWidth(text)+right)
		l := NewLine(st, room).To(indent).Put(Heading, name).To(indent + planAt)
		name = ""
		if i == 0 && f.Glyph.Text != "" {
			l.Spans(f.Glyph)
		}
		l.To(at).Put(ink, text)
		if i == 0 && right > 0 {
			l.Right(room, Span{Muted, f.Right})
		}
		lines = append(lines, l)
	}
	return lines
}

// fit makes lines of a fact.
func (f *PlanLine) fit(room int, terminal bool) []string {
	text := strings.ReplaceAll(transcript.Clean(f.Text), "\n", " ") // columns in it stay
	switch {
	case f.Whole && !terminal:
		return []string{text}
	case f.Whole:
		return []string{CutMiddle(text, room)}
	case f.Cut:
		return []string{Cut(text, room)}
	}
	if f.Ink == Code {
		return wrapCode(text, room)
	}
	return Wrap(text, room)
}
