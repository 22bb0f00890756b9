package search

import (
	"bytes"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/sessions/query"
)

// form is the kind of a text.
type form uint8

const (
	markdown form = iota
	prompt        // typed by a person: markdown marks stay
	printed       // printed by a tool: lines aren't joined to paragraphs
)

// excerpt is the part of a text from which a snippet is made.
type excerpt struct {
	text   []byte
	spans  []query.Span // the first one is the match to show
	form   form
	front  bool  // it begins with front matter
	inLine bool  // the excerpt begins within a line
	inRow  bool  // the excerpt begins within a row of a table
	code   fence // state of the fence at the start of the excerpt
	aside  bool  // the first match is in code, a table or a comment
}

// clip copies the part of a text from which its snippet is made.
func clip(text []byte, spans []query.Span, f form) excerpt {
	const spare = 32 // bytes beyond the snippet, so that the function snippet sees whole tags, and whether text was cut
	first := 0
	if len(spans) > 0 {
		spans = spans[best(text, spans, f):]
		first = spans[0].Start
	}
	from := max(0, first-snippetBefore-spare)
	to := min(len(text), first+snippetAfter+maxMark+spare)
	e := excerpt{text: bytes.Clone(text[from:to]), form: f, front: from == 0 && hasFront(text), inLine: from > 0 && text[from-1] != '\n'}
	e.inRow = e.inLine && inRow(text, from)
	if f != printed {
		code := fences{text: text}
		code.open(from - 1) // if the excerpt begins at the start of a line, that line isn't read yet
		e.code = code.fence
		e.aside = code.open(first)
	}
	for _, s := range spans {
		if s.Start >= to {
			break
		}
		e.spans = append(e.spans, query.Span{Start: s.Start - from, End: min(s.End, to) - from})
	}
	return e
}

// best returns the index of the match to show: the one that is closely followed by most different matches. Of equals,
// prose wins over code and tables, then the snippet with the most bytes of matches.
func best(text []byte, spans []query.Span, f form) int {
	const (
		near    = 40 // width of a snippet in a list, in bytes
		looked  = 200
		windows = 8 // maximum number of matches in a window that are compared
	)
	at, most := 0, 0
	code := fences{text: text}
	for i := range spans[:min(len(spans), looked)] {
		n, different := 0, 0
		for k, s := range spans[i:] {
			if s.End > spans[i].Start+snippetAfter {
				break
			}
			n += s.End - s.Start
			if s.End <= spans[i].Start+near && k < windows && !repeats(text, spans[i:i+k], s) {
				different++
			}
		}
		n += different * 2 * snippetAfter
		if f == printed || !code.open(spans[i].Start) {
			n += snippetAfter
		}
		if n > most {
			at, most = i, n
		}
	}
	return at
}

// repeats reports whether an earlier match has the same text in any case.
func repeats(text []byte, earlier []query.Span, s query.Span) bool {
	return slices.ContainsFunc(earlier, func(e query.Span) bool { return bytes.EqualFold(text[e.Start:e.End], text[s.Start:s.End]) })
}

// textLine is a line of an excerpt.
type textLine struct {
	start, end int // end is the offset of its line break
	kind       lineKind
	opens      bool // the line starts a paragraph: it doesn't continue the previous line
}

type lineKind uint8

const (
	prose lineKind = iota
	heading
	code
	table
	blank // also a horizontal rule, a fence or a comment
)

// lines divides the excerpt. There is at least one line.
func (e *excerpt) lines() []textLine {
	var list []textLine
	state, last := e.code, blank
	for at := 0; at <= len(e.text); {
		l := textLine{start: at, end: len(e.text), opens: true}
		if n := bytes.IndexByte(e.text[at:], '\n'); n >= 0 {
			l.end = at + n
		}
		text := string(bytes.TrimSpace(e.text[at:l.end]))
		partial := at == 0 && e.inLine
		switch {
		case text == "":
			l.kind = blank
		case e.form == printed:
			l.kind = code
		case !partial && state.next(e.text[at:l.end], at == 0 && e.front):
			l.kind = blank
		case state.inside:
			l.kind = code
		case partial && e.inRow:
			l.kind = table
		case partial:
			l.kind = prose
		default:
			l.kind = kindOf(text)
			l.opens = l.kind != prose || last != prose || afterMarks(text) != text || strings.HasPrefix(text, "**")
		}
		list, last = append(list, l), l.kind
		at = l.end + 1
	}
	return list
}

// kindOf returns the kind of a line outside code.
func kindOf(text string) lineKind {
	level, _ := mark.Heading(text)
	switch {
	case level > 0:
		return heading
	case mark.IsRule(text) || strings.HasPrefix(text, "<!--") || strings.Trim(text, "|-: ") == "":
		return blank
	case strings.HasPrefix(text, "|"):
		return table
	}
	return prose
}

// lineOf returns the index of the line that contains an offset.
func lineOf(lines []textLine, at int) int {
	i := slices.IndexFunc(lines, func(l textLine) bool { return l.end >= at })
	return max(i, 0)
}
