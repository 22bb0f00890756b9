package mark

import (
	"iter"
	"strings"
)

// LastFenced returns the content of the last non-empty fenced code block in a Markdown text; "" if there is none. It
// follows CommonMark 0.31.2, but accepts fences with any indentation, as in list items. It takes linear time.
func LastFenced(text string) string {
	last, f := "", codeFence{}
	var code strings.Builder
	end := func() {
		if strings.TrimSpace(code.String()) != "" {
			last = code.String()
		}
		code.Reset()
		f = codeFence{}
	}
	for line := range strings.Lines(text) {
		if f.mark != "" {
			rest, quoted := f.unquote(line)
			switch {
			case quoted && f.closedBy(rest):
				end()
				continue
			case quoted:
				code.WriteString(outdent(rest, f.indent))
				continue
			}
			end() // the quotation around the block ends
		}
		f = openedBy(line)
	}
	end()
	return strings.TrimSuffix(strings.TrimSuffix(last, "\n"), "\r")
}

// Unfenced returns the lines of a Markdown text outside of fenced code blocks, without line endings. An unclosed
// block extends to the end.
func Unfenced(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		var f codeFence
		for line := range strings.Lines(text) {
			if f.mark != "" {
				rest, quoted := f.unquote(line)
				switch {
				case quoted && f.closedBy(rest):
					f = codeFence{}
					continue
				case quoted:
					continue
				}
			}
			if f = openedBy(line); f.mark == "" && !yield(strings.TrimRight(line, "\r\n")) {
				return
			}
		}
	}
}

// codeFence is an open code block. The zero value is no code block.
type codeFence struct {
	mark   string // opening fence without the info string, such as "```" or "~~~~"
	indent int    // number of columns before the fence, including list markers
	quotes int    // number of ">" before each line
}

// openedBy returns the fence that a line opens.
func openedBy(line string) codeFence {
	var f codeFence
	for rest := line; ; {
		text := strings.TrimLeft(rest, " \t")
		f.indent += columns(rest[:len(rest)-len(text)])
		if inner, ok := strings.CutPrefix(text, ">"); ok {
			f.quotes, f.indent = f.quotes+1, 0
			rest = strings.TrimPrefix(inner, " ")
			continue
		}
		if n := listMark(text); n > 0 {
			f.indent += n
			rest = text[n:]
			continue
		}
		for _, c := range [...]string{"`", "~"} {
			info := strings.TrimLeft(text, c)
			if n := len(text) - len(info); n >= 3 && (c == "~" || !strings.Contains(info, c)) {
				f.mark = text[:n]
				return f
			}
		}
		return codeFence{}
	}
}

// listMark returns the length of the list marker at the start of a text, such as "-" or "12."; 0 if there is none.
func listMark(text string) int {
	n := len(text) - len(strings.TrimLeft(text, "0123456789"))
	marks := ".)"
	if n == 0 {
		marks = "-*+"
	}
	if n > 9 || n+1 >= len(text) || strings.IndexByte(marks, text[n]) < 0 || text[n+1] != ' ' && text[n+1] != '\t' {
		return 0
	}
	return n + 1
}

// unquote removes f.quotes ">" marks from the start of a line; false if there are fewer.
func (f *codeFence) unquote(line string) (string, bool) {
	for range f.quotes {
		rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), ">")
		if !ok {
			return line, false
		}
		line = strings.TrimPrefix(rest, " ")
	}
	return line, true
}

// closedBy reports whether a line closes the block. Such a line has only a fence. The fence is at least as long as
// the opening one, and indented by at most 3 more columns.
func (f *codeFence) closedBy(line string) bool {
	text := strings.TrimLeft(line, " \t")
	return strings.HasPrefix(text, f.mark) && strings.TrimSpace(strings.TrimLeft(text, f.mark[:1])) == "" &&
		columns(line[:len(line)-len(text)]) <= f.indent+3
}

// tabStop is the width of a tab in Markdown.
const tabStop = 4

// columns returns the width of white space at the start of a line.
func columns(space string) int {
	n := 0
	for i := range len(space) {
		n++
		if space[i] == '\t' {
			n += (tabStop - n%tabStop) % tabStop
		}
	}
	return n
}

// outdent removes at most n columns of white space from the start of a line.
func outdent(line string, n int) string {
	at := 0
	for i := range len(line) {
		switch {
		case at >= n:
			return strings.Repeat(" ", at-n) + line[i:] // a tab was cut; blanks replace its rest
		case line[i] == ' ':
			at++
		case line[i] == '\t':
			at += tabStop - at%tabStop
		default:
			return line[i:]
		}
	}
	return ""
}
