package jsonlex

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
)

const (
	keepString = 1 << 20 // maximum length of a string that is kept whole
	minString  = 4 << 10 // minimum length of a string that is kept whole
	budget     = 4 << 20 // bytes of output after which elements are dropped
	slack      = 2 << 20 // bytes beyond the budget after which Finish returns nil
	dropDepth  = 2       // minimum depth of containers whose elements are dropped
)

// Shortener shortens a JSON line of any length to at most budget plus slack. It cuts the middle of long strings, and
// drops elements of a line with very many. It doesn't validate the JSON; transcript.Scan does.
type Shortener struct {
	keepString, minString, budget int // smaller in tests

	out   []byte
	stack []byte // open brackets
	state shortenState
	comma bool // a comma is required before the next element
	token int  // length of the current number or word
	hex   int  // number of remaining digits of a \u escape
	drop  int  // depth of the container whose elements are dropped; 0 for none
	over  bool // the line is too long or too deep
	done  bool // the outermost object or array has ended

	length  int64  // length of the current string
	mark    int    // start of the current string in out
	limit   int    // number of bytes of the string to keep
	prev    []byte // older half of the tail; doesn't start inside an escape
	cur     []byte // newer half of the tail
	cutting bool   // the next bytes of the string go to the tail
}

type shortenState uint8

const (
	inValue shortenState = iota // between tokens, or in a number or a word
	inString
	inEscape
)

// NewShortener returns a Shortener for one line.
func NewShortener() *Shortener {
	return &Shortener{keepString: keepString, minString: minString, budget: budget}
}

// Done reports whether the JSON value has ended.
func (s *Shortener) Done() bool { return s.done }

// Feed reads the next bytes of the line and returns their number. It stops at the end of the JSON value.
func (s *Shortener) Feed(b []byte) int {
	n := len(b)
	for len(b) > 0 && !s.over && !s.done {
		if s.state == inValue {
			s.structure(b[0])
			b = b[1:]
			continue
		}
		b = s.text(b)
	}
	if s.over {
		return n
	}
	return n - len(b)
}

// Finish returns the shortened line; nil if it is too long or too deep.
func (s *Shortener) Finish() []byte {
	if s.over {
		return nil
	}
	if s.comma { // keep the comma, so that Scan reports it
		s.out = append(s.out, ',')
	}
	if s.out == nil {
		return []byte{} // the line is blank
	}
	return s.out
}

// structure reads a byte outside of strings.
func (s *Shortener) structure(c byte) {
	switch c {
	case ' ', '\t', '\r':
		if s.token > 0 {
			s.put(' ') // "1 2" must not become 12
		}
		s.token = 0
		return
	case ',':
		s.token = 0
		if s.comma {
			s.put(',') // keep the comma, so that Scan reports it
		}
		if s.drop > 0 {
			return
		}
		if len(s.out) > s.budget && len(s.stack) >= dropDepth {
			s.drop = len(s.stack) // drop the next elements of this container
			return
		}
		s.comma = true
		return
	case '}', ']':
		s.token = 0
		if len(s.stack) == 0 {
			s.put(c) // keep the bracket, so that Scan reports it
			return
		}
		s.stack = s.stack[:len(s.stack)-1]
		s.done = len(s.stack) == 0
		if s.drop > len(s.stack) {
			s.drop = 0
		}
	case '{', '[':
		s.put(c)
		s.stack = append(s.stack, c)
		s.over = s.over || len(s.stack) > MaxDepth
		return
	case '"':
		s.put(c)
		s.state, s.length, s.mark, s.cutting = inString, 0, len(s.out), false
		s.limit = min(s.keepString, max(s.minString, (s.budget-len(s.out))/4))
		return
	case ':':
		s.token = 0
	default:
		s.token++
	}
	s.put(c)
}

// put writes a byte outside of strings, after a required comma.
func (s *Shortener) put(c byte) {
	if s.drop > 0 {
		return
	}
	if s.comma {
		s.out = append(s.out, ',')
	}
	s.comma = false
	s.out = append(s.out, c)
	s.over = s.over || len(s.out) > s.budget+slack
}

// text reads the bytes of a string and returns the remaining bytes.
func (s *Shortener) text(b []byte) []byte {
	if s.state == inEscape {
		s.keep(b[:1]) // keep doesn't start a new half of the tail here
		switch {
		case s.hex > 0:
			s.hex--
		case b[0] == 'u':
			s.hex = 4
		}
		if s.hex == 0 {
			s.state = inString
		}
		return b[1:]
	}
	n := stringRun(b)
	s.keep(b[:n])
	if n == len(b) {
		return nil
	}
	if b[n] == '\\' {
		s.keep(b[n : n+1])
		s.state = inEscape
		return b[n+1:]
	}
	s.endString()
	return b[n+1:]
}

// stringRun returns the number of bytes before the next quote or backslash.
func stringRun(b []byte) int {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i : i+8])
		q, s := w^quotes, w^slashs
		if m := ((q-ones)&^q | (s-ones)&^s) & highs; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for i < len(b) && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}

// keep keeps the next bytes of a string, in the output up to the limit and then in the tail. In the state inString, b
// must not start inside an escape.
func (s *Shortener) keep(b []byte) {
	s.length += int64(len(b))
	if s.drop > 0 {
		return
	}
	if !s.cutting {
		n := min(len(b), max(0, s.limit-(len(s.out)-s.mark)))
		s.out = append(s.out, b[:n]...)
		if b = b[n:]; len(b) == 0 {
			return
		}
		s.cut()
	}
	for len(b) > 0 {
		if s.state == inString && len(s.cur) >= s.limit/4 {
			s.prev, s.cur = s.cur, s.prev[:0] // drop the older half of the tail
		}
		n := min(len(b), s.limit/4)
		s.cur = append(s.cur, b[:n]...)
		b = b[n:]
	}
}

// cut moves the end of a string beyond the limit to the tail.
func (s *Shortener) cut() {
	body := s.out[s.mark:]
	head := WholeEscapes(body, len(body)/4, false)
	tail := WholeEscapes(body, len(body)*3/4, true)
	s.cutting = true
	s.prev, s.cur = s.prev[:0], append(s.cur[:0], body[tail:]...)
	s.out = s.out[:s.mark+head]
}

// WholeEscapes returns at, if that isn't inside an escape. Otherwise it returns the start of the escape or, if after
// is true, its end.
func WholeEscapes(b []byte, at int, after bool) int {
	for i := 0; i < at; {
		j := bytes.IndexByte(b[i:at], '\\')
		if j < 0 {
			return at
		}
		i += j
		n := 2
		if i+1 < len(b) && b[i+1] == 'u' {
			n = 6
		}
		if i+n > at {
			if after {
				return min(i+n, len(b))
			}
			return i
		}
		i += n
	}
	return at
}

// endString ends the current string. A cut string gets a note with the number of omitted bytes.
func (s *Shortener) endString() {
	s.state = inValue
	if s.drop > 0 {
		return
	}
	if s.cutting {
		left := s.length - int64(len(s.out)-s.mark) - int64(len(s.prev)) - int64(len(s.cur))
		s.out = fmt.Appendf(s.out, `\n… %d bytes left out …\n`, left)
		s.out = append(append(s.out, s.prev...), s.cur...)
	}
	s.out = append(s.out, '"')
	s.over = s.over || len(s.out) > s.budget+slack
}
