package search

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/transcript"
)

// Lengths in bytes of the parts of a snippet.
const (
	snippetBefore = 40
	snippetAfter  = 160
	maxMark       = 120
)

// clip returns a copy of the part of a text that its snippet needs, and the matches in that part.
func clip(text []byte, spans []query.Span) ([]byte, []query.Span) {
	const spare = 16 // bytes beyond the snippet, so that snippet sees that text was cut there
	first := 0
	if len(spans) > 0 {
		spans = spans[densest(spans):]
		first = spans[0].Start
	}
	from := max(0, first-snippetBefore-spare)
	to := min(len(text), first+snippetAfter+maxMark+spare)
	var kept []query.Span
	for _, s := range spans {
		if s.Start >= to {
			break
		}
		kept = append(kept, query.Span{Start: s.Start - from, End: min(s.End, to) - from})
	}
	return bytes.Clone(text[from:to]), kept
}

// snippet returns one clean line with the part of a text around its matches, and the places of the matches in the line.
// Cut ends have an ellipsis. markdown means that marks of markdown around the matches are left out.
func snippet(text []byte, spans []query.Span, markdown bool) (line string, marks []query.Span) {
	if len(spans) == 0 {
		end := boundary(text, min(len(text), snippetBefore+snippetAfter))
		var b strings.Builder
		piece(&b, text[:end], markdown, true)
		return strings.TrimRight(b.String(), " "), nil
	}
	first := densest(spans)
	start := max(0, spans[first].Start-snippetBefore)
	if start > 0 {
		start = boundary(text, start)
		if i := strings.IndexAny(string(text[start:spans[first].Start]), " \n\t"); i >= 0 {
			start += i + 1
		}
	}
	end := boundary(text, min(len(text), spans[first].Start+snippetAfter))
	var b strings.Builder
	if start > 0 {
		b.WriteString("…")
	}
	at := start
	for _, s := range spans[first:] {
		if s = trimmed(text, s); s.Start >= end {
			break
		}
		if s.Start == s.End {
			continue
		}
		piece(&b, text[at:s.Start], markdown, startsLine(text, at))
		to := max(boundary(text, min(s.End, s.Start+maxMark)), s.Start) // a search for bytes can match inside a rune
		from := b.Len()
		b.WriteString(transcript.CleanLine(string(text[s.Start:to])))
		if b.Len() > from {
			marks = append(marks, query.Span{Start: from, End: b.Len()})
		}
		at, end = to, max(end, to)
	}
	piece(&b, text[at:end], markdown, startsLine(text, at))
	line = strings.TrimRight(b.String(), " ")
	if end < len(text) {
		line += "…"
	}
	return line, marks
}

// trimmed returns a match without white space at its ends, so that the parts around it keep a space.
func trimmed(text []byte, s query.Span) query.Span {
	inner := bytes.TrimLeftFunc(text[s.Start:s.End], unicode.IsSpace)
	start := s.End - len(inner)
	return query.Span{Start: start, End: start + len(bytes.TrimRightFunc(inner, unicode.IsSpace))}
}

// piece writes a text between two matches as one clean line. White space at an end of the text becomes one space.
func piece(b *strings.Builder, text []byte, markdown, line bool) {
	s := transcript.Clean(string(text))
	if markdown {
		s = unmarked(s, line)
	}
	words := strings.TrimSpace(s)
	if b.Len() > 0 && s != strings.TrimLeftFunc(s, unicode.IsSpace) {
		b.WriteByte(' ')
	}
	b.WriteString(transcript.CleanLine(words))
	if words != "" && s != strings.TrimRightFunc(s, unicode.IsSpace) {
		b.WriteByte(' ')
	}
}

// startsLine reports whether a line of a text begins at a place.
func startsLine(text []byte, at int) bool { return at == 0 || text[at-1] == '\n' }

// unmarked returns a text without the marks of headings, fences, tasks, tables and strong emphasis. begins means that
// the text is the beginning of a line.
func unmarked(s string, begins bool) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		text := strings.TrimLeft(line, " ")
		switch heading := strings.TrimLeft(text, "#"); {
		case !begins:
			text = line
		case strings.HasPrefix(text, "```"):
			text = " "
		case heading != text && strings.HasPrefix(heading, " "):
			text = heading[1:]
		case strings.HasPrefix(text, "- [ ] "), strings.HasPrefix(text, "- [x] "):
			text = text[len("- [ ] "):]
		case strings.HasPrefix(text, "|"):
			text = strings.ReplaceAll(strings.Trim(text, "| \n"), "|", " ") + " "
		}
		begins = true
		b.WriteString(strings.ReplaceAll(text, "**", ""))
	}
	return b.String()
}

// boundary returns the start of the rune that a place is in.
func boundary(text []byte, at int) int {
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// densest returns the index of the best first match of a snippet: the one for which the snippet contains the most bytes
// of matches.
func densest(spans []query.Span) int {
	best, most := 0, 0
	for i := range spans {
		n := 0
		for _, s := range spans[i:] {
			if s.End > spans[i].Start+snippetAfter {
				break
			}
			n += s.End - s.Start
		}
		if n > most {
			best, most = i, n
		}
		if i > 200 {
			break
		}
	}
	return best
}
