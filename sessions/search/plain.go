package search

import (
	"bytes"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions/query"
)

// Placeholders in a plain text. Both are control characters, which don't occur in a clean text.
const (
	removed   = "\x1e" // for a byte that is left out
	separator = "\x1f" // for a dot between lines or cells
)

// plain returns a copy of an excerpt's text with the same offsets. From start to end, it has no marks of markdown,
// and separate lines and cells. Matches stay.
func (e *excerpt) plain(lines []textLine, start, end int) []byte {
	p := plainText{text: bytes.Clone(e.text), spans: e.spans, begun: -1}
	for _, mark := range []string{removed, separator} {
		p.replace(0, len(p.text), mark, removed)
	}
	for i, l := range lines {
		if l.end <= start || l.start >= end {
			continue
		}
		if e.form == markdown && l.kind != code {
			p.unmark(l, i > 0 || !e.inLine)
		}
		p.begin(max(l.start, start), l)
	}
	return p.text
}

type plainText struct {
	text  []byte
	spans []query.Span
	begun int // end of the last line that isn't empty; -1 if there is none
}

// unmark removes the markdown marks of a line outside code. whole is true if the text has the start of the line.
func (p *plainText) unmark(l textLine, whole bool) {
	line := string(p.text[l.start:l.end])
	if l.kind == blank {
		p.set(l.start, l.end, removed)
		return
	}
	if whole && l.kind != table {
		text := strings.TrimLeft(line, " ")
		at := l.start + len(line) - len(text)
		p.set(at, at+len(text)-len(afterMarks(text)), removed)
	}
	p.replace(l.start, l.end, "**", removed)
	p.replace(l.start, l.end, "${PROJECT_ROOT}/", removed)
	if l.kind == table {
		p.replace(l.start, l.end, "|", separator)
	}
}

// begin puts a separator between two lines. A table row loses its outer bars.
func (p *plainText) begin(start int, l textLine) {
	line := p.text[start:l.end]
	inner := bytes.Trim(line, " \t\r"+removed+separator)
	if len(inner) == 0 {
		return
	}
	at := bytes.Index(line, inner)
	p.replace(start, start+at, separator, removed)
	p.replace(start+at+len(inner), l.end, separator, removed)
	if p.begun >= 0 && l.opens {
		p.set(p.begun, p.begun+1, separator)
	}
	p.begun = l.end
}

// replace replaces each occurrence of a string in a range.
func (p *plainText) replace(start, end int, old, by string) {
	for start < end {
		i := bytes.Index(p.text[start:end], []byte(old))
		if i < 0 {
			return
		}
		p.set(start+i, start+i+len(old), by)
		start += i + len(old)
	}
}

// set replaces each byte of a range, unless a match is there.
func (p *plainText) set(start, end int, by string) {
	for _, s := range p.spans {
		if s.Start < end && s.End > start {
			return
		}
	}
	copy(p.text[start:end], strings.Repeat(by, end-start))
}

// afterMarks returns a line without marks at its start: those of headings, quotes, lists and tasks, and the time of a
// ledger entry.
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
