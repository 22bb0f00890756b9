// Package mark finds code, comments, headings and list items in Markdown, with byte offsets. It follows CommonMark
// for these blocks. Of the parts of a line, it finds only comments.
//
// The package reads single lines, in linear time and constant memory. Some callers read 8 MB, and some start below a
// heading. The tree of goldmark takes 3 GB for the worst text of 10 MB.
package mark

import "strings"

// Kind is the kind of the block to which a line belongs.
type Kind uint8

// The kinds of lines. The first line of a list item is always Text.
const (
	Text Kind = iota
	Blank
	Code    // fenced code, including the fences
	Comment // an HTML comment
)

// Line is one line of a text. Offsets are in bytes from the start of the line.
type Line struct {
	Kind   Kind
	Indent int    // column of the first character; a tab extends to the next multiple of four
	At     int    // offset of the first character
	End    int    // offset of the line break
	Item   int    // offset of the content of a list item; 0 if the line begins no item
	Column int    // column of the content of a list item
	Level  int    // level of an ATX heading at the margin, 1 to 6; 0 if none
	Title  string // title of this heading
	Nested bool   // the line continues a list item
	Opens  bool   // code or a comment begins here and continues on the next line
	Fresh  bool   // a paragraph begins here: the previous line isn't text
}

// maxDepth is the maximum depth of nested lists. It limits the memory for a hostile line.
const maxDepth = 32

// Reader reads a text line by line. The zero Reader starts outside of any block. A list item ends the code or comment
// in it.
type Reader struct {
	items []int // columns of the content of the open list items
	para  bool  // the last line was text

	fence    byte // '`' or '~' inside fenced code
	fenceLen int
	comment  bool // inside a comment that began at the start of a line
	inline   bool // inside a comment that began within a paragraph
	within   int  // column of the item that contains the fence or comment
}

// Inside reports whether fenced code or a comment is open after the last line. It ignores a comment that began within a
// line.
func (r *Reader) Inside() bool { return r.fence != 0 || r.comment }

// Next reads the next line. The line may have a line ending.
func (r *Reader) Next(raw string) Line {
	l := Measure(raw)
	s := raw[:l.End]
	blank := l.At == l.End
	if r.Inside() && !blank && l.Indent < r.within {
		r.fence, r.comment = 0, false // the list item with the code or comment has ended
	}
	switch {
	case r.fence != 0:
		l.Kind, l.Nested = Code, r.within > 0
		if r.closes(&l, s) {
			r.fence = 0
		}
	case r.comment:
		l.Kind, l.Nested = Comment, r.within > 0
		r.comment = !strings.Contains(s, "-->")
	case blank:
		l.Kind, r.inline = Blank, false
	default:
		r.read(&l, s)
		return l
	}
	r.para = false
	return l
}

// read reads a line outside code and comments.
func (r *Reader) read(l *Line, s string) {
	for n := len(r.items); n > 0 && l.Indent < r.items[n-1]; n-- {
		r.items = r.items[:n-1]
	}
	within := 0
	if n := len(r.items); n > 0 {
		within = r.items[n-1]
	}
	l.Nested, l.Fresh = within > 0, !r.para
	at, column, within := r.marks(l, s, within)
	body := s[at:]
	level, title := Heading(s[l.At:])
	c, n := fence(body)
	if column-within > 3 {
		n = 0
	}
	if l.Item != 0 || level > 0 || n > 0 {
		r.inline = false // a list item, a heading and a fence end a paragraph
	}
	if r.inline {
		l.Kind = Comment
		r.inline = !strings.Contains(body, "-->")
		return
	}
	if level > 0 && !l.Nested && l.Indent <= 3 {
		l.Level, l.Title = level, title
	}
	switch {
	case n > 0:
		r.fence, r.fenceLen, r.within = c, n, within
		l.Opens, r.para = true, false
		if l.Item == 0 {
			l.Kind = Code
		}
		return
	case column-within <= 3 && strings.HasPrefix(body, "<!--"):
		r.readComment(l, body, within)
		return
	}
	r.para = !IsRule(body)
	if strings.IndexByte(body, '<') < 0 {
		return
	}
	if i := strings.LastIndex(body, "<!--"); i >= 0 && !strings.Contains(body[i:], "-->") {
		r.inline = !InSpan(body, i)
	}
}

// marks reads the list markers at the start of a line and opens their items. It returns the byte offset and the
// column of the content, and the column of the innermost item.
func (r *Reader) marks(l *Line, s string, within int) (at, column, inner int) {
	at, column = l.At, l.Indent
	if column-within > 3 || IsRule(s[l.At:]) {
		return at, column, within
	}
	for at < len(s) {
		next, content := Item(s[at:], column)
		if next == 0 {
			break
		}
		at += next
		if l.Item == 0 {
			l.Item, l.Column = at, content
		}
		if len(r.items) < maxDepth {
			r.items = append(r.items, content)
		}
		column, within = content, content
	}
	return at, column, within
}

// readComment reads a line that begins a comment. If the comment ends on this line, the rest of the line is text.
func (r *Reader) readComment(l *Line, body string, within int) {
	end := strings.Index(body[2:], "-->")
	r.para = false
	switch {
	case end < 0:
		r.comment, r.within, l.Opens = true, within, true
	case strings.TrimSpace(body[2+end+3:]) != "":
		r.para = true
		return
	}
	if l.Item == 0 {
		l.Kind = Comment
	}
}

// closes reports whether a line ends the open fence.
func (r *Reader) closes(l *Line, s string) bool {
	if l.Indent-r.within > 3 {
		return false
	}
	rest := strings.TrimLeft(s[l.At:], string(r.fence))
	return len(s)-l.At-len(rest) >= r.fenceLen && strings.Trim(rest, " \t") == ""
}
