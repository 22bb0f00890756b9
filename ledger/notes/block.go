package notes

import (
	"bytes"
	"iter"
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
)

// blockKind is the kind of a block.
type blockKind uint8

const (
	blockText  blockKind = iota // a paragraph
	blockItem                   // a list item and everything inside it
	blockTable                  // a table, from its head row
	blockCode                   // a fenced code block outside of list items
)

// block is a range of lines. Comments and horizontal rules are only in list items.
type block struct {
	kind       blockKind
	lo, hi     int // byte range; the last line isn't blank
	line, last int
	indent     int // indentation of the first line, in columns
	mark       int // offset of the content of a list item
	content    int // column of the byte mark
	opens      bool
}

// blocks returns the blocks in the byte range from lo to hi. lo is the start of line num.
func (n *Notes) blocks(lo, hi, num int) iter.Seq[block] {
	return func(yield func(block) bool) {
		r := blockReader{n: n, s: n.scan(lo, hi, num), yield: yield}
		for {
			l, ok := r.s.next()
			if !ok || r.stopped {
				break
			}
			r.take(l)
		}
		r.flush()
	}
}

// body returns the blocks directly below the heading of a section.
func (n *Notes) body(i int) iter.Seq[block] {
	s := n.Sections[i]
	return n.blocks(s.Body, s.Own, n.bodyLine(i))
}

// bodyLine returns the number of the first line below a heading. An underlined heading has two lines.
func (n *Notes) bodyLine(i int) int {
	s := n.Sections[i]
	return s.Line + bytes.Count(n.Text[s.Start:s.Body], []byte("\n"))
}

type blockReader struct {
	n       *Notes
	s       *scanner
	yield   func(block) bool
	cur     block
	has     bool // cur is set
	blank   bool // a blank line follows cur
	stopped bool
}

func (r *blockReader) flush() {
	if r.has && !r.stopped && !r.yield(r.cur) {
		r.stopped = true
	}
	r.has, r.blank = false, false
}

func (r *blockReader) begin(kind blockKind, l line) {
	r.flush()
	r.has = true
	r.cur = block{kind: kind, lo: l.lo, hi: l.next, line: l.num, last: l.num, indent: l.Indent, mark: l.mark, content: l.Column, opens: l.Opens}
}

func (r *blockReader) extend(l line) {
	r.cur.hi, r.cur.last, r.blank = l.next, l.num, false
}

func (r *blockReader) take(l line) {
	item := r.has && r.cur.kind == blockItem
	switch l.Kind {
	case mark.Blank:
		r.blank = r.has
		if r.has && r.cur.kind == blockText {
			r.flush()
		}
	case mark.Comment:
		if item && l.Nested {
			r.extend(l)
		} else if r.has {
			r.flush()
		}
	case mark.Code:
		switch {
		case item && l.Nested || r.has && r.cur.kind == blockCode && !l.Opens:
			r.extend(l)
		default:
			r.begin(blockCode, l)
		}
	case mark.Text:
		r.text(l)
	}
}

func (r *blockReader) text(l line) {
	b := r.n.str[l.at:l.hi]
	item := r.has && r.cur.kind == blockItem
	switch {
	case item && l.Indent >= r.cur.content:
		r.extend(l)
	case l.mark != 0 && (item || l.Indent < 4):
		if r.has && r.cur.kind == blockText && b[0] >= '0' && b[0] <= '9' && b[0] != '1' {
			r.extend(l) // only a list that starts with 1 can interrupt a paragraph
			return
		}
		r.begin(blockItem, l)
	case mark.IsRule(b):
		r.flush()
	case r.rowed(b, l):
	case item && !r.blank && !strings.HasPrefix(b, "**"):
		r.extend(l) // continues the block; a bold word at the margin would start a new one
	case r.has && r.cur.kind == blockText:
		r.extend(l)
	default:
		r.begin(blockText, l)
	}
}

// rowed handles a row of a table, or its head; false for any other line. After a blank line, a row must start with a
// pipe.
func (r *blockReader) rowed(b string, l line) bool {
	if strings.IndexByte(b, '|') < 0 {
		return false
	}
	head := r.delimited(l)
	switch {
	case !head && r.has && r.cur.kind == blockTable && (b[0] == '|' || !r.blank):
		r.extend(l)
	case head:
		r.begin(blockTable, l)
		if below, ok := r.s.next(); ok {
			r.extend(below)
		}
	default:
		return false
	}
	return true
}

// delimited reports whether the next line is the delimiter below the head of a table.
func (r *blockReader) delimited(l line) bool {
	if l.next >= r.s.end {
		return false
	}
	if c := bytes.TrimLeft(r.n.Text[l.next:min(l.next+8, r.s.end)], " "); len(c) == 0 || c[0] != '|' && c[0] != '-' && c[0] != ':' {
		return false
	}
	below := r.s.cut(l.next, mark.Measure)
	return isDelimiter(r.n.str[below.at:below.hi])
}

// isDelimiter reports whether a line is the delimiter below the head of a table, such as |---|---|.
func isDelimiter(b string) bool {
	pipe, dash := false, false
	for i := range len(b) {
		switch b[i] {
		case '|':
			pipe = true
		case '-':
			dash = true
		case ':', ' ', '\t':
		default:
			return false
		}
	}
	return pipe && dash
}

// row is one line of a table.
type row struct {
	cells      []string
	lo, hi     int // byte range, including the line break
	line       int
	lead, tail bool // whether the line starts (lead) or ends (tail) with a pipe
}

// rows returns the head of a table and the rows below it.
func (n *Notes) rows(b block) iter.Seq[row] {
	return func(yield func(row) bool) {
		s := &scanner{text: n.str, pos: b.lo, end: b.hi, num: b.line}
		for i := 0; s.pos < s.end; i++ {
			l := s.cut(s.pos, mark.Measure)
			s.pos = l.next
			s.num++
			t := n.Text[l.at:l.hi]
			if i == 1 || len(t) == 0 {
				continue
			}
			t = bytes.TrimRight(t, " \t")
			if !yield(row{cells: cells(t), lo: l.lo, hi: l.next, line: l.num, lead: t[0] == '|', tail: t[len(t)-1] == '|'}) {
				return
			}
		}
	}
}

// maxCells is the maximum number of columns of a table that are read.
const maxCells = 64

// cells returns the unescaped cells of a row.
func cells(b []byte) []string {
	b = bytes.TrimPrefix(bytes.TrimSpace(b), []byte("|"))
	var all []string
	from := 0
	for i := 0; i <= len(b) && len(all) < maxCells; i++ {
		if i+1 < len(b) && b[i] == '\\' {
			i++
			continue
		}
		if i < len(b) && b[i] != '|' {
			continue
		}
		if i >= len(b) {
			i = len(b)
			if len(bytes.TrimSpace(b[from:])) == 0 {
				break
			}
		}
		c := string(bytes.TrimSpace(b[from:i]))
		all = append(all, unpipe(c))
		from = i + 1
	}
	return all
}
