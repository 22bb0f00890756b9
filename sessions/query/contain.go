package query

import "bytes"

// isEscaped reports whether a character must be escaped in a JSON string.
func isEscaped(r rune) bool { return r < ' ' || r == '"' || r == '\\' }

// MayContain reports whether a line of JSON may contain all literals of the query in its strings. A \u escape of a
// letter can be any text.
func (q *Query) MayContain(line []byte) bool {
	for _, f := range q.finders {
		if bytes.IndexFunc(f.literal, isEscaped) >= 0 {
			continue // the line contains this character in escaped form
		}
		if start, _ := f.find(line); start < 0 {
			return q.hasEscape(line)
		}
	}
	return true
}

// hasEscape reports whether a line of JSON has a \u escape of anything but a control character.
func (q *Query) hasEscape(line []byte) bool {
	for at := q.escape.findASCII(line); at >= 0; at = q.escape.findASCII(line) {
		if line = line[at:]; isLetterEscape(line) {
			return true
		}
		line = line[1:]
	}
	return false
}

// isLetterEscape reports whether b begins with a \u escape from U+0020 on, which isn't a control character.
func isLetterEscape(b []byte) bool {
	return len(b) >= 6 && b[0] == '\\' && b[1] == 'u' && (b[2] != '0' || b[3] != '0' || b[4] > '1')
}
