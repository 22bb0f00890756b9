package search

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/transcript"
)

// Lengths in bytes of the parts of a snippet.
const (
	snippetBefore = 80
	snippetAfter  = 160
	maxMark       = 120
)

// snippet returns one clean line with the text around the first match, and the ranges of the matches in the line. It
// begins at the start of the sentence, code line or table row, or at a word if that is too far away. It ends with the
// paragraph or line. An ellipsis marks a cut end.
func snippet(e excerpt) (line string, marks []query.Span) {
	e.text = untagged(e.text, e.spans)
	lines := e.lines()
	start, end, whole := 0, boundary(e.text, min(len(e.text), snippetBefore+snippetAfter)), true
	if len(e.spans) > 0 {
		start, whole = e.start(lines)
		end = e.end(lines)
	}
	cut := end < len(e.text) && !slices.ContainsFunc(lines, func(l textLine) bool { return l.end == end })
	text := e.plain(lines, start, end)
	for !whole && start < e.spans[0].Start && strings.IndexByte(" \t\n"+separator+removed, text[start]) >= 0 {
		start++
	}
	var b strings.Builder
	if !whole {
		b.WriteString("…")
	}
	at := start
	for _, s := range e.spans {
		if s = trimmed(text, s); s.Start >= end {
			break
		}
		if s.Start == s.End {
			continue
		}
		piece(&b, text[at:s.Start])
		to := max(boundary(text, min(s.End, s.Start+maxMark)), s.Start) // a search for bytes can match inside a rune
		from := b.Len()
		b.WriteString(transcript.CleanLine(string(text[s.Start:to])))
		if b.Len() > from {
			marks = append(marks, query.Span{Start: from, End: b.Len()})
		}
		at, end = to, max(end, to)
	}
	piece(&b, text[at:end])
	line = strings.TrimRight(b.String(), " ")
	if cut {
		line += "…"
	}
	return line, marks
}

// start returns the offset of the snippet. whole is true if a sentence or line starts there.
func (e *excerpt) start(lines []textLine) (at int, whole bool) {
	first := e.spans[0].Start
	low := max(first-snippetBefore, 0)
	i := lineOf(lines, first)
	for i > 0 && !lines[i].opens {
		i--
	}
	if l := lines[i]; l.kind == prose || l.kind == heading {
		if n := sentence(e.text[max(l.start, low):first]); n > 0 {
			return max(l.start, low) + n, true
		}
	}
	if l := lines[i]; l.start >= low && (l.start > 0 || !e.inLine) {
		return l.start, true
	}
	window := e.text[low:first]
	if bar := bytes.LastIndexByte(window, '|'); bar >= 0 && lines[i].kind == table {
		return low + bar + 1, false
	}
	low = boundary(e.text, low)
	if blank := bytes.IndexAny(e.text[low:first], " \t\n"); blank >= 0 {
		return low + blank + 1, false
	}
	return low, low == 0 && !e.inLine
}

// sentence returns the offset of the last sentence of a text, or 0.
func sentence(text []byte) int {
	for i := len(text) - 2; i > 0; i-- {
		if !unicode.IsSpace(rune(text[i])) || bytes.IndexByte([]byte(".?!"), text[i-1]) < 0 {
			continue
		}
		next := bytes.TrimLeftFunc(text[i:], unicode.IsSpace)
		if r, _ := utf8.DecodeRune(next); len(next) == 0 || !unicode.IsLower(r) { // not after "e.g."
			return i + 1
		}
	}
	return 0
}

// end returns the end of the snippet: that of the paragraph or line with the last match that isn't a repetition.
// After a heading, it is the end of the paragraph below.
func (e *excerpt) end(lines []textLine) int {
	limit := e.spans[0].Start + snippetAfter
	last := e.spans[0]
	for i, s := range e.spans {
		if s.Start < limit && !repeats(e.text, e.spans[:i], s) {
			last = s
		}
	}
	i := lineOf(lines, max(last.End-1, last.Start))
	if lines[i].kind == heading {
		for i+1 < len(lines) && lines[i+1].kind == blank {
			i++
		}
		i = min(i+1, len(lines)-1)
	}
	for i+1 < len(lines) && !lines[i+1].opens {
		i++
	}
	if lines[i].end > limit {
		return boundary(e.text, max(limit, 0))
	}
	return lines[i].end
}

// untagged returns a text with blanks for the client's tags, except tags with a match.
func untagged(text []byte, spans []query.Span) []byte {
	const longest = 32 // maximum length of a tag in bytes
	out := text
	for at := 0; ; at++ {
		i := bytes.IndexByte(text[at:], '<')
		if i < 0 {
			return out
		}
		at += i
		end := bytes.IndexByte(text[at:min(at+longest, len(text))], '>') + 1
		if end == 0 || !transcript.IsTag(strings.TrimPrefix(string(text[at+1:at+end-1]), "/")) ||
			slices.ContainsFunc(spans, func(s query.Span) bool { return s.Start < at+end && s.End > at }) {
			continue
		}
		if &out[0] == &text[0] {
			out = bytes.Clone(text)
		}
		copy(out[at:], bytes.Repeat([]byte(" "), end))
	}
}

// trimmed removes white space at the ends of a match.
func trimmed(text []byte, s query.Span) query.Span {
	inner := bytes.TrimLeftFunc(text[s.Start:s.End], unicode.IsSpace)
	start := s.End - len(inner)
	return query.Span{Start: start, End: start + len(bytes.TrimRightFunc(inner, unicode.IsSpace))}
}

// piece writes a text between two matches as one clean line. White space at an end becomes one space.
func piece(b *strings.Builder, text []byte) {
	s := transcript.Clean(strings.ReplaceAll(strings.ReplaceAll(string(text), removed, ""), separator, " · "))
	words := strings.TrimSpace(s)
	if b.Len() > 0 && s != strings.TrimLeftFunc(s, unicode.IsSpace) && !strings.HasSuffix(b.String(), " ") {
		b.WriteByte(' ')
	}
	b.WriteString(transcript.CleanLine(words))
	if words != "" && s != strings.TrimRightFunc(s, unicode.IsSpace) {
		b.WriteByte(' ')
	}
}

// boundary returns the start of the rune that contains an offset.
func boundary(text []byte, at int) int {
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}
