package search

import (
	"bytes"
	"slices"
	"strings"
	"time"
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

// clip returns a copy of the part of a text that is needed for the snippet, and the matches in that part.
func clip(text []byte, spans []query.Span) ([]byte, []query.Span) {
	const spare = 32 // additional bytes, so that the function snippet sees whole tags and can tell whether text was cut
	first := 0
	if len(spans) > 0 {
		spans = spans[densest(text, spans):]
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

// snippet returns one clean line with the part of a text around the matches, and the places of the matches in the line.
// An end that is cut has an ellipsis. If markdown is true, the snippet starts at the start of the line with the first
// match, and markdown marks are removed.
func snippet(text []byte, spans []query.Span, markdown bool) (line string, marks []query.Span) {
	text = untagged(text, spans)
	if len(spans) == 0 {
		end := boundary(text, min(len(text), snippetBefore+snippetAfter))
		var b strings.Builder
		piece(&b, text[:end], markdown, lineStart)
		return strings.TrimRight(b.String(), " "), nil
	}
	first := densest(text, spans)
	start := max(0, spans[first].Start-snippetBefore)
	if i := bytes.LastIndexByte(text[start:spans[first].Start], '\n'); i >= 0 && markdown {
		start += i + 1
	} else if start > 0 {
		start = boundary(text, start)
		if i := strings.IndexAny(string(text[start:spans[first].Start]), " \t"); i >= 0 {
			start += i + 1
		}
	}
	end := boundary(text, min(len(text), spans[first].Start+snippetAfter))
	var b strings.Builder
	if !startsLine(text, start) && len(bytes.TrimSpace(text[:start])) > 0 {
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
		piece(&b, text[at:s.Start], markdown, lineAt(text, at))
		to := max(boundary(text, min(s.End, s.Start+maxMark)), s.Start) // a match of bytes may be inside a rune
		from := b.Len()
		b.WriteString(transcript.CleanLine(string(text[s.Start:to])))
		if b.Len() > from {
			marks = append(marks, query.Span{Start: from, End: b.Len()})
		}
		at, end = to, max(end, to)
	}
	piece(&b, text[at:end], markdown, lineAt(text, at))
	line = strings.TrimRight(b.String(), " ")
	if end < len(text) {
		line += "…"
	}
	return line, marks
}

// untagged replaces the tags of the client in a text by blanks, except tags that contain a match.
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

// trimmed removes white space at the ends of a match, so that this space stays in the parts around the match.
func trimmed(text []byte, s query.Span) query.Span {
	inner := bytes.TrimLeftFunc(text[s.Start:s.End], unicode.IsSpace)
	start := s.End - len(inner)
	return query.Span{Start: start, End: start + len(bytes.TrimRightFunc(inner, unicode.IsSpace))}
}

// piece writes a text between two matches as one clean line. White space at an end of the text is replaced by one
// space.
func piece(b *strings.Builder, text []byte, markdown bool, from place) {
	s := transcript.Clean(string(text))
	if markdown {
		s = unmarked(s, from)
	}
	words := strings.TrimSpace(s)
	if b.Len() > 0 && s != strings.TrimLeftFunc(s, unicode.IsSpace) && !strings.HasSuffix(b.String(), " ") {
		b.WriteByte(' ')
	}
	b.WriteString(transcript.CleanLine(words))
	if words != "" && s != strings.TrimRightFunc(s, unicode.IsSpace) {
		b.WriteByte(' ')
	}
}

// place is where in a line of a text a piece begins.
type place uint8

const (
	inLine place = iota
	inTable
	lineStart
)

// lineAt returns where in its line a piece begins.
func lineAt(text []byte, at int) place {
	switch {
	case startsLine(text, at):
		return lineStart
	case bytes.HasPrefix(bytes.TrimLeft(text[bytes.LastIndexByte(text[:at], '\n')+1:at], " "), []byte("|")):
		return inTable
	}
	return inLine
}

// startsLine reports whether a line of a text begins at a place.
func startsLine(text []byte, at int) bool { return at == 0 || text[at-1] == '\n' }

// unmarked removes markdown marks from a text: marks at the start of lines, fences, the lines of tables, and strong
// emphasis. It puts a dot between the items of a list.
func unmarked(s string, from place) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		text := line
		if from == lineStart {
			text = strings.TrimLeft(line, " ")
			switch {
			case strings.HasPrefix(text, "```"):
				text = " "
			case strings.HasPrefix(text, "|"):
				from = inTable
			default:
				if item := afterMarks(text); len(item) < len(text) {
					if text = item; b.Len() > 0 {
						text = "· " + item
					}
				}
			}
		}
		if from == inTable {
			text = strings.NewReplacer("|", " ", "---", "").Replace(text)
		}
		from = lineStart
		b.WriteString(strings.ReplaceAll(text, "**", ""))
	}
	return b.String()
}

// afterMarks removes marks at the start of a line: marks of headings, quotes, lists and tasks, and the time of an entry
// of a ledger.
func afterMarks(line string) string {
	for {
		was := line
		if heading := strings.TrimLeft(line, "#"); strings.HasPrefix(heading, " ") {
			line = heading[1:]
		}
		for _, mark := range []string{"> ", "- ", "* ", "+ ", "[ ] ", "[x] "} {
			line = strings.TrimPrefix(line, mark)
		}
		if item := strings.TrimLeft(line, "0123456789"); len(item) < len(line) && strings.HasPrefix(item, ". ") {
			line = item[2:]
		}
		if first, rest, _ := strings.Cut(line, " "); isTime(first) {
			line = rest
		}
		if line == was {
			return line
		}
	}
}

func isTime(word string) bool {
	_, err := time.Parse(time.RFC3339, word)
	return err == nil
}

// boundary returns the start of the rune that contains the byte at an index.
func boundary(text []byte, at int) int {
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// densest returns the index of the best first match for a snippet. This is the match that the most different matches
// follow closely. If there are several, it is the one for which the snippet contains the most bytes of matches.
func densest(text []byte, spans []query.Span) int {
	const (
		near    = 40 // number of bytes of a snippet that a list shows
		looked  = 200
		windows = 8 // maximum number of matches to compare
	)
	best, most := 0, 0
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
		if n += different * snippetAfter; n > most {
			best, most = i, n
		}
	}
	return best
}

// repeats reports whether an earlier match has the same letters as s.
func repeats(text []byte, earlier []query.Span, s query.Span) bool {
	return slices.ContainsFunc(earlier, func(e query.Span) bool { return bytes.EqualFold(text[e.Start:e.End], text[s.Start:s.End]) })
}
