package search

import "bytes"

// inRow reports whether an offset is in a row of a table.
func inRow(text []byte, at int) bool {
	return beginsWith(text[bytes.LastIndexByte(text[:at], '\n')+1:], "|")
}

// beginsWith reports whether a line begins with a mark.
func beginsWith(line []byte, mark string) bool {
	return bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte(mark))
}

// fences finds code, tables and comments from the start of a text.
type fences struct {
	fence
	text []byte
	at   int  // start of the next line
	row  bool // the last line is a row of a table or a comment
}

// open reports whether an offset is in code, a table or a comment. Offsets must not decrease between calls.
func (f *fences) open(at int) bool {
	for f.at <= at && f.at < len(f.text) {
		end := bytes.IndexByte(f.text[f.at:], '\n') + 1
		if end == 0 {
			end = len(f.text) - f.at
		}
		f.next(f.text[f.at:f.at+end], f.at == 0 && hasFront(f.text))
		f.row = beginsWith(f.text[f.at:], "|") || beginsWith(f.text[f.at:], "<!--")
		f.at += end
	}
	return f.inside || f.row
}

// hasFront reports whether a text begins with front matter.
func hasFront(text []byte) bool {
	const rule = "---\n"
	return bytes.HasPrefix(text, []byte(rule)) && bytes.Contains(text[len(rule):], []byte("\n"+rule))
}

// fence is the state between two lines: inside fenced code, or inside the front matter of a document.
type fence struct{ inside, front bool }

// next reads a line. It returns true if the line begins or ends code, or begins front matter and front is true.
func (f *fence) next(line []byte, front bool) bool {
	line = bytes.TrimSpace(bytes.TrimLeft(line, " >"))
	rule := string(line) == "---"
	switch {
	case rule && (front || f.front):
		f.inside, f.front = !f.front, !f.front
		return true
	case !f.front && (bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~"))):
		f.inside = !f.inside
		return true
	}
	return false
}
