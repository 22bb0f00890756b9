package recovery

import (
	"bytes"
	"unicode/utf8"
)

// recoverAll returns level 3: NOTES.md byte for byte, or the first lines that fit.
func recoverAll(r *Result, m *material) {
	text := m.notes.Text
	end, lines := len(text), bytes.Count(text, []byte("\n"))
	if !bytes.HasSuffix(text, []byte("\n")) && len(text) > 0 {
		lines++
	}
	if r.Budget > 0 {
		b, given := newBudget(r.Budget), 0
		end = 0
		for end < len(text) {
			next := len(text)
			if i := bytes.IndexByte(text[end:], '\n'); i >= 0 {
				next = end + i + 1
			}
			if !b.take(utf8.RuneCount(text[end:next])) {
				break
			}
			end, given = next, given+1
		}
		if lines > given {
			r.LeftOut = append(r.LeftOut, Left{leftLines, lines - given, 0})
		}
	}
	r.Text = string(text[:end])
	part := Part{Name: m.file}
	for line := range bytes.Lines(text[:end]) {
		part.Lines = append(part.Lines, Line{Text: string(bytes.TrimRight(line, "\r\n"))})
	}
	r.Parts = append(r.Parts, part)
	if r.Text != "" {
		r.From = append(r.From, m.file)
	}
}
