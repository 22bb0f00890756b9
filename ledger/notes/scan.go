package notes

import "bytes"

// lineKind says what a line of the text is part of.
type lineKind uint8

const (
	lineText lineKind = iota
	lineBlank
	lineCode    // fenced code, its marks included
	lineComment // an HTML comment, or the front matter
)

// line is one line of the text, and where in it things are.
type line struct {
	lo, hi, next int // bytes: the line without its end, and where the next one begins
	num          int // from 1
	kind         lineKind
	indent       int  // columns; a tab goes to the next multiple of four
	at           int  // first byte that is no blank
	mark         int  // of an item of a list: where its content begins; 0 it is none
	content      int  // of an item: column of its content
	nested       bool // it is inside an item that began on an earlier line
	opens        bool // first line of a fence or a comment
	fresh        bool // the line before it is no text: a paragraph begins here
}

// maxDepth is how deep lists are followed. Nobody nests deeper, and a hostile line must not cost memory.
const maxDepth = 32

// scanner reads lines and knows which of them are code or comments. It may start at the beginning of the text and below
// any heading, because neither is inside of anything. It goes by CommonMark: a fence or comment in an item of a list ends
// with the item at the latest.
type scanner struct {
	text  []byte
	pos   int
	end   int
	num   int // of the line at pos
	items []int
	para  bool // the last line was text

	fence    byte // '`' or '~' inside fenced code
	fenceLen int
	comment  bool // inside a comment that began a line
	inline   bool // inside a comment that began within a paragraph
	front    int  // where the front matter ends
	within   int  // column of the item that the fence or comment is in
	opened   int  // where the fence or comment that is open began
	work     *int // bytes read are added to it, where it is asked for
}

// scan starts at a byte, which is the beginning of a line with that number.
func (n *Notes) scan(from, to, num int) *scanner {
	s := &scanner{text: n.Text, pos: from, end: to, num: num, work: n.work}
	if from == 0 {
		s.pos = min(bom(n.Text), to)
		s.front = frontMatter(n.Text[s.pos:]) + s.pos
	}
	return s
}

// bom is the length of a byte order mark at the beginning.
func bom(text []byte) int {
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		return 3
	}
	return 0
}

// frontMatter is the length of a YAML block at the beginning, 0 without one. Its comments look like headings.
func frontMatter(text []byte) int {
	const most = 64 << 10 // what is longer is a rule with text below it
	first, rest, ok := bytes.Cut(text[:min(len(text), most)], []byte("\n"))
	if !ok || string(bytes.TrimRight(first, " \t\r")) != "---" {
		return 0
	}
	if key, _, ok := bytes.Cut(rest, []byte(":")); !ok || bytes.ContainsAny(key, " \t\n#|*-") || len(key) == 0 {
		return 0
	}
	for at := len(first) + 1; len(rest) > 0; {
		l, after, _ := bytes.Cut(rest, []byte("\n"))
		at += len(l) + 1
		if t := string(bytes.TrimRight(l, " \t\r")); t == "---" || t == "..." {
			return min(at, len(text))
		}
		rest = after
	}
	return 0
}

// open reports whether a fence or comment is open after the last line, and where it began.
func (s *scanner) open() (at int, ok bool) { return s.opened, s.fence != 0 || s.comment }

// cut finds the line at a byte.
func (s *scanner) cut(at int) line {
	l := line{lo: at, num: s.num}
	if i := bytes.IndexByte(s.text[at:s.end], '\n'); i >= 0 {
		l.hi, l.next = at+i, at+i+1
		if i > 0 && s.text[l.hi-1] == '\r' {
			l.hi--
		}
	} else {
		l.hi, l.next = s.end, s.end
		if l.hi > at && s.text[l.hi-1] == '\r' {
			l.hi--
		}
	}
	l.at = l.lo
	for ; l.at < l.hi; l.at++ {
		switch s.text[l.at] {
		case ' ':
			l.indent++
		case '\t':
			l.indent += 4 - l.indent%4
		default:
			return l
		}
	}
	return l
}

// next reads a line. ok is false at the end.
func (s *scanner) next() (l line, ok bool) {
	if s.pos >= s.end {
		return l, false
	}
	l = s.cut(s.pos)
	s.pos = l.next
	s.num++
	if s.work != nil {
		*s.work += l.next - l.lo
	}
	blank := l.at >= l.hi
	if l.lo < s.front {
		l.kind = lineComment
		s.para = false
		return l, true
	}
	if (s.fence != 0 || s.comment) && !blank && l.indent < s.within {
		s.fence, s.comment = 0, false // its item of a list is over
	}
	switch {
	case s.fence != 0:
		l.kind, l.nested = lineCode, s.within > 0
		if s.closes(l) {
			s.fence = 0
		}
	case s.comment:
		l.kind, l.nested = lineComment, s.within > 0
		s.comment = !bytes.Contains(s.text[l.lo:l.hi], []byte("-->"))
	case blank:
		l.kind, s.inline = lineBlank, false
	default:
		s.read(&l)
		return l, true
	}
	s.para = false
	return l, true
}

// read looks at a line that begins outside of code and comments.
func (s *scanner) read(l *line) {
	for n := len(s.items); n > 0 && l.indent < s.items[n-1]; n-- {
		s.items = s.items[:n-1]
	}
	within := 0
	if n := len(s.items); n > 0 {
		within = s.items[n-1]
	}
	l.nested, l.fresh = within > 0, !s.para
	at, column, within := s.marks(l, within)
	body := s.text[at:l.hi]
	if l.mark != 0 || isHeading(s.text[l.at:l.hi]) {
		s.inline = false
	}
	if s.inline {
		l.kind = lineComment
		s.inline = !bytes.Contains(body, []byte("-->"))
		return
	}
	if column-within <= 3 {
		if c, n := fence(body); n > 0 {
			s.fence, s.fenceLen, s.within, s.opened = c, n, within, l.lo
			l.opens, s.para = true, false
			if l.mark == 0 {
				l.kind = lineCode
			}
			return
		}
		if bytes.HasPrefix(body, []byte("<!--")) {
			s.readComment(l, body, within)
			return
		}
	}
	s.para = !isRule(body)
	if bytes.IndexByte(body, '<') < 0 {
		return
	}
	if i := bytes.LastIndex(body, []byte("<!--")); i >= 0 && !bytes.Contains(body[i:], []byte("-->")) {
		s.inline = !inSpan(string(body), i, s.work)
	}
}

// inSpan reports whether a byte of a line is inside a code span. Bytes read are added to work, where it is asked for.
func inSpan(s string, at int, work *int) bool {
	for span := range codeSpans(s, work) {
		if at < span.hi {
			return at >= span.lo
		}
	}
	return false
}

// marks reads the marks of lists that a line begins with, and opens their items. It returns where what they hold begins,
// its column, and the column of the innermost item.
func (s *scanner) marks(l *line, within int) (at, column, inner int) {
	at, column = l.at, l.indent
	if column-within > 3 || isRule(s.text[at:l.hi]) {
		return at, column, within
	}
	for at < l.hi {
		next, content := marker(s.text[at:l.hi], column)
		if next == 0 {
			break
		}
		at += next
		if l.mark == 0 {
			l.mark, l.content = at, content
		}
		if len(s.items) < maxDepth {
			s.items = append(s.items, content)
		}
		column, within = content, content
	}
	return at, column, within
}

// readComment looks at a line that begins a comment. What stands behind a comment that ends on its line is text.
func (s *scanner) readComment(l *line, body []byte, within int) {
	end := bytes.Index(body[2:], []byte("-->"))
	s.para = false
	switch {
	case end < 0:
		s.comment, s.within, s.opened, l.opens = true, within, l.lo, true
	case len(bytes.TrimSpace(body[2+end+3:])) > 0:
		s.para = true
		return
	}
	if l.mark == 0 {
		l.kind = lineComment
	}
}

// closes reports whether a line ends the fence that is open.
func (s *scanner) closes(l line) bool {
	if l.indent-s.within > 3 {
		return false
	}
	b := s.text[l.at:l.hi]
	n := 0
	for n < len(b) && b[n] == s.fence {
		n++
	}
	return n >= s.fenceLen && len(bytes.TrimRight(b[n:], " \t")) == 0
}

// fence is the character and length of a fence that a line begins with; n is 0 without one.
func fence(b []byte) (c byte, n int) {
	if len(b) < 3 || b[0] != '`' && b[0] != '~' {
		return 0, 0
	}
	for n < len(b) && b[n] == b[0] {
		n++
	}
	if n < 3 || b[0] == '`' && bytes.IndexByte(b[n:], '`') >= 0 {
		return 0, 0
	}
	return b[0], n
}

// marker finds the mark of an item of a list: bytes to its content, and the column of that; 0 it is none.
func marker(b []byte, column int) (next, content int) {
	n := bullet(b)
	if n == 0 {
		return 0, 0
	}
	if n == len(b) {
		return n, column + n + 1
	}
	at, blanks := n, 0
	for ; at < len(b) && (b[at] == ' ' || b[at] == '\t'); at++ {
		if b[at] == '\t' {
			blanks += 4 - (column+n+blanks)%4
		} else {
			blanks++
		}
	}
	switch {
	case at == n:
		return 0, 0
	case at == len(b) || blanks > 4:
		return n + 1, column + n + 1
	}
	return at, column + n + blanks
}

// bullet is the length of the mark of an item itself, 0 without one: - * + or a number with . or ).
func bullet(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	if b[0] == '-' || b[0] == '*' || b[0] == '+' {
		return 1
	}
	const most = 9 // digits
	n := 0
	for n < len(b) && n <= most && b[n] >= '0' && b[n] <= '9' {
		n++
	}
	if n == 0 || n > most || n == len(b) || b[n] != '.' && b[n] != ')' {
		return 0
	}
	return n + 1
}

// isRule reports whether a line is a thematic break: three or more of one of - * _ and blanks.
func isRule(b []byte) bool {
	n := 0
	for _, c := range b {
		switch {
		case c == ' ' || c == '\t':
		case c == b[0] && (c == '-' || c == '*' || c == '_'):
			n++
		default:
			return false
		}
	}
	return n >= 3
}

// isHeading reports whether a line without its indent begins like an ATX heading.
func isHeading(b []byte) bool { level, _ := heading(b); return level > 0 }

// heading reads an ATX heading; level is 0 where it is none.
func heading(b []byte) (level int, title []byte) {
	for level < len(b) && b[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level < len(b) && b[level] != ' ' && b[level] != '\t' {
		return 0, nil
	}
	title = bytes.Trim(b[level:], " \t")
	cut := bytes.TrimRight(title, "#")
	if len(cut) < len(title) && (len(cut) == 0 || cut[len(cut)-1] == ' ' || cut[len(cut)-1] == '\t') {
		title = bytes.TrimRight(cut, " \t")
	}
	return level, title
}
