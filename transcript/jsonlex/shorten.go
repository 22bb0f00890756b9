package jsonlex

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
)

const (
	keepString = 1 << 20 // of a longer string, only the head, the tail and the length are kept
	minString  = 4 << 10 // at least this much of a string is kept
	budget     = 4 << 20 // bytes of output; after that, elements of nested containers are dropped
	slack      = 2 << 20 // bytes beyond the budget; if the output is longer, Finish returns nil
	dropDepth  = 2       // elements are dropped only in containers of at least this depth
)

// Shortener shortens one JSON line of any length to at most budget plus slack. It cuts the middle of long strings. If
// the line has very many elements, it drops some of them. It doesn't check that the line is JSON, because
// transcript.Scan checks the result.
type Shortener struct {
	keepString, minString, budget int // see the constants; smaller in tests

	out   []byte
	stack []byte // open brackets
	state shortenState
	comma bool // a comma must be written before the next element
	token int  // length of the current number or word
	hex   int  // number of digits of a \u escape that are still to come
	drop  int  // depth at which dropping began; 0 if nothing is dropped
	over  bool // the line is too long or too deep, so Finish returns nil
	done  bool // the outermost object or array has ended

	length  int64  // length of the current string
	mark    int    // start of the current string in out
	limit   int    // number of bytes of the string to keep; less if the budget is small, to leave room for later parts
	prev    []byte // older half of the tail of a long string; doesn't begin inside an escape
	cur     []byte // newer half of the tail
	cutting bool   // the string is longer than limit, so its bytes are added to the tail
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

// Feed processes the next bytes of the line and returns their number. It stops at the end of the JSON value, because
// another record may follow.
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

// Finish returns the shortened line. It returns nil if the line is too long or too deep.
func (s *Shortener) Finish() []byte {
	if s.over {
		return nil
	}
	if s.comma { // keep a comma without a value, so that Scan reports it
		s.out = append(s.out, ',')
	}
	if s.out == nil {
		return []byte{} // the line is blank
	}
	return s.out
}

// structure processes one byte outside of strings.
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
			s.put(',') // keep an extra comma, so that Scan reports it
		}
		if s.drop > 0 {
			return
		}
		if len(s.out) > s.budget && len(s.stack) >= dropDepth {
			s.drop = len(s.stack) // drop the rest of this container
			return
		}
		s.comma = true
		return
	case '}', ']':
		s.token = 0
		if len(s.stack) == 0 {
			s.put(c) // keep an extra bracket, so that Scan reports it
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

// put writes one byte of structure. If a comma is pending, put writes the comma first.
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

// text consumes the bytes of a string and returns the bytes after its end.
func (s *Shortener) text(b []byte) []byte {
	if s.state == inEscape {
		s.keep(b[:1]) // in state inEscape, so that keep doesn't start a new half of the tail here
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

// stringRun returns the number of bytes before the next quote or backslash; see SkipQuoted.
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

// keep writes the next bytes of a string. It writes up to the limit to the output, and then to the tail. In state
// inString, b must not begin inside an escape.
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

// cut is called for a string that is longer than the limit. It leaves the head in the output and moves the end to the
// tail.
func (s *Shortener) cut() {
	body := s.out[s.mark:]
	head := WholeEscapes(body, len(body)/4, false)
	tail := WholeEscapes(body, len(body)*3/4, true)
	s.cutting = true
	s.prev, s.cur = s.prev[:0], append(s.cur[:0], body[tail:]...)
	s.out = s.out[:s.mark+head]
}

// WholeEscapes returns the given index if it isn't inside an escape. Otherwise, it returns the start of the escape, or
// the end of the escape if after is true.
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

// endString closes the current string. If its middle was cut, endString writes a note with the number of bytes left
// out.
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
