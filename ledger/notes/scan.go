package notes

import (
	"bytes"
	"strings"

	"github.com/continuo-tui/continuo/internal/mark"
)

// line is one line of the text, with byte offsets.
type line struct {
	mark.Line

	lo, hi, next int // byte offsets: start, end without the line break, start of the next line
	num          int // line number, from 1
	at           int // offset of the first byte that isn't blank
	mark         int // offset of the content of a list item; 0 for other lines
}

// scanner reads lines and classifies each one as text, code or comment. Front matter counts as a comment. It starts
// at the start of the text or below a heading.
type scanner struct {
	marks mark.Reader
	text  string
	pos   int
	end   int
	num   int // line number at pos

	front  int  // end of the front matter
	headed int  // end of the last heading; see headingAt
	opened int  // start of the last fence or comment with several lines
	work   *int // counts the bytes that are read; may be nil
}

// scan returns a scanner for a byte range, which starts at the start of line num.
func (n *Notes) scan(from, to, num int) *scanner {
	s := &scanner{text: n.str, pos: from, end: to, num: num, work: n.work}
	if from == 0 {
		s.pos = min(bom(n.Text), to)
		s.front = frontMatter(n.Text[s.pos:]) + s.pos
	}
	return s
}

// bom returns the length of the byte order mark at the start of a text.
func bom(text []byte) int {
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		return 3
	}
	return 0
}

// frontMatter returns the length of the YAML block at the start of a text. A YAML comment would look like a heading.
func frontMatter(text []byte) int {
	const most = 64 << 10 // a longer block isn't front matter
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

// cut returns the line that starts at an offset. read classifies it.
func (s *scanner) cut(at int, read func(raw string) mark.Line) line {
	raw := s.text[at:s.end]
	if i := strings.IndexByte(raw, '\n'); i >= 0 {
		raw = raw[:i+1]
	}
	m := read(raw)
	l := line{Line: m, lo: at, hi: at + m.End, next: at + len(raw), num: s.num, at: at + m.At}
	if m.Item != 0 {
		l.mark = at + m.Item
	}
	return l
}

// next returns the next line. ok is false at the end.
func (s *scanner) next() (l line, ok bool) {
	if s.pos >= s.end {
		return l, false
	}
	if s.pos < s.front {
		l = s.cut(s.pos, mark.Measure)
		l.Kind = mark.Comment
	} else if l = s.cut(s.pos, s.marks.Next); l.Opens {
		s.opened = l.lo
	}
	s.pos = l.next
	s.num++
	if s.work != nil {
		*s.work += l.next - l.lo
	}
	return l, true
}
