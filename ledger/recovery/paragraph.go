package recovery

import (
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
)

// paragraph is a table row, a list item, or the lines up to the next blank line.
type paragraph struct {
	text string // one line without control characters
	line int    // number of the first line, from 1
	last int
}

// paragraphs splits a text into paragraphs. first is its line number. Comments, rules and table delimiters are
// skipped. A code block is one paragraph. A heading belongs to the paragraph below it.
func paragraphs(text string, first int) []paragraph {
	var list []paragraph
	var open []string // the lines of the current paragraph
	at, line := 0, first
	flush := func(last int) {
		if joined := clean(strings.Join(open, " ")); joined != "" {
			list = append(list, paragraph{joined, at, last})
		}
		open = open[:0]
	}
	heading := ""
	var r mark.Reader
	for raw := range strings.Lines(text) {
		inside := r.Inside()
		l := r.Next(raw)
		word := strings.TrimSpace(raw)
		switch {
		case l.Kind == mark.Comment:
			if !inside {
				flush(line - 1)
			}
		case l.Kind == mark.Code && l.Opens:
			flush(line - 1)
			at = line
		case l.Kind == mark.Code && r.Inside():
			open = append(open, word)
		case l.Kind == mark.Code:
			flush(line)
		case l.Title != "":
			flush(line - 1)
			heading = l.Title + ":"
		case word == "" || isRule(word):
			if strings.Contains(word, "|") { // the line above is a table head
				open = open[:0]
			}
			flush(line - 1)
		default:
			if len(open) > 0 && beginsEntry(word) {
				flush(line - 1)
			}
			if len(open) == 0 {
				at = line
			}
			if heading != "" {
				open, heading = append(open, heading), ""
			}
			open = append(open, bare(word))
		}
		line++
	}
	flush(line - 1)
	return list
}

// beginsEntry reports whether a line is a table row or starts a list item.
func beginsEntry(word string) bool {
	for _, mark := range []string{"|", "- ", "* ", "+ "} {
		if strings.HasPrefix(word, mark) {
			return true
		}
	}
	digits := strings.TrimLeft(word, "0123456789")
	return len(digits) < len(word) && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") "))
}

// bare returns a line without its table, list or quotation marks.
func bare(word string) string {
	if strings.HasPrefix(word, "|") {
		return strings.TrimSpace(strings.Trim(word, "|"))
	}
	for _, mark := range []string{"> ", "- ", "* ", "+ ", "[ ] ", "[x] "} {
		word = strings.TrimPrefix(word, mark)
	}
	return word
}

// isRule reports whether a line has only marks, such as a rule or a table delimiter.
func isRule(word string) bool { return strings.Trim(word, "-=_*|:+ \t") == "" }
