package query

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// finder finds a folded literal in texts, ignoring case. It searches for the two neighbouring bytes of the literal
// that are rarest in real texts, in both cases. Then it compares the bytes around them.
type finder struct {
	literal []byte
	at      int      // index in the literal of the two bytes
	first   uint64   // first of the two bytes, repeated eight times; if it is a letter, in lower case
	second  uint64   // second of the two bytes, in the same form
	pair    uint64   // all bits set; 0 if the literal has only one byte
	ascii   bool     // all bytes are ASCII; unless odd is set, a match has the same length as the literal
	odd     bool     // a letter has a case outside of ASCII: k (U+212A KELVIN SIGN) or s (U+017F LONG S)
	exact   bool     // no letter has another case
	heads   [][]byte // see headsOf
	rare    int      // rarity of the literal in real texts; higher is rarer
}

func newFinder(literal []byte) *finder {
	f := &finder{literal: literal, ascii: true, exact: true, heads: headsOf(literal)}
	best := -1
	for i, c := range literal {
		f.ascii = f.ascii && c < utf8.RuneSelf
		f.odd = f.odd || c == 'k' || c == 's'
		f.rare = max(f.rare, 4*len(literal)+rarity(c))
		if i+1 < len(literal) {
			if n := rarity(c) + rarity(literal[i+1]); n > best {
				best, f.at, f.pair = n, i, allBits
				f.second = (uint64(literal[i+1]) * ones) | cases
			}
		}
	}
	f.first = (uint64(literal[f.at]) * ones) | cases
	for _, r := range string(literal) {
		f.exact = f.exact && !hasCases(r)
	}
	return f
}

// Masks for eight bytes at a time.
const (
	ones    = 0x0101010101010101
	highs   = 0x8080808080808080
	cases   = 0x2020202020202020 // in each byte, the bit that differs between the two cases of an ASCII letter
	allBits = 1<<64 - 1
)

// rarity returns how rare a byte is in prose and code; higher is rarer.
func rarity(c byte) int {
	const common = " etaoinsrhldcumfpgwybvkxjqz0123456789" // the most frequent first
	switch i := bytes.IndexByte([]byte(common), c); {
	case i >= 0:
		return i
	case c >= utf8.RuneSelf:
		return len(common) / 3
	}
	return len(common) / 2
}

// find returns the first occurrence of the literal in a text. Without one, start is -1.
func (f *finder) find(text []byte) (start, end int) {
	return f.findFrom(text, 0, f.isFixed(text))
}

// isFixed reports whether every occurrence of the literal in a text has its length.
func (f *finder) isFixed(text []byte) bool { return f.exact || f.ascii && (!f.odd || !hasOdd(text)) }

// findFrom is find in text[from:]. fixed is the result of isFixed, which is slow for long texts.
func (f *finder) findFrom(text []byte, from int, fixed bool) (start, end int) {
	switch {
	case f.exact:
		start = bytes.Index(text[from:], f.literal)
	case fixed:
		start = f.findASCII(text[from:])
	default:
		if start, end = f.findRunes(text[from:]); start >= 0 {
			return from + start, from + end
		}
	}
	if start < 0 {
		return -1, -1
	}
	return from + start, from + start + len(f.literal)
}

// hasOdd reports whether a text contains U+212A or U+017F, which are other cases of k and s.
func hasOdd(text []byte) bool {
	return bytes.Contains(text, []byte("\u212a")) || bytes.Contains(text, []byte("\u017f"))
}

// findASCII returns the offset of an ASCII literal, or -1. It searches for the finder's two bytes, at sixteen offsets
// at a time.
func (f *finder) findASCII(text []byte) int {
	last := len(text) - len(f.literal) // start of the last possible match
	i := f.at
	for ; i-f.at <= last && i+17 <= len(text); i += 16 {
		b := text[i : i+17]
		x, y := f.unlike(b), f.unlike(b[8:])
		if zeros(x)|zeros(y) == 0 {
			continue
		}
		for k, x := range [2]uint64{x, y} {
			for m := zeros(x); m != 0; m &= m - 1 {
				start := i + 8*k + bits.TrailingZeros64(m)>>3 - f.at
				if start <= last && equalASCII(text[start:start+len(f.literal)], f.literal) {
					return start
				}
			}
		}
	}
	for start := i - f.at; start <= last; start++ {
		if equalASCII(text[start:start+len(f.literal)], f.literal) {
			return start
		}
	}
	return -1
}

// unlike compares the finder's two bytes with those at the offsets 0 to 7 of b, which has at least nine bytes. Byte i
// of the result is zero for equal bytes at offset i.
func (f *finder) unlike(b []byte) uint64 {
	return (binary.LittleEndian.Uint64(b) | cases) ^ f.first | ((binary.LittleEndian.Uint64(b[1:])|cases)^f.second)&f.pair
}

// zeros returns a mask with the high bit of each zero byte of x. Bits above the lowest zero byte may be wrong.
func zeros(x uint64) uint64 { return (x - ones) &^ x & highs }

// equalASCII compares a text with a folded ASCII literal of the same length, ignoring case.
func equalASCII(text, literal []byte) bool {
	for i, c := range text {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != literal[i] {
			return false
		}
	}
	return true
}

// findRunes finds any literal. It searches the text in windows for all cases of the first letter. Without windows, a
// rare case would make each call read to the end, which takes quadratic time for many matches.
func (f *finder) findRunes(text []byte) (start, end int) {
	const smallest, largest = 128, 16 << 10
	size := smallest
	for from := 0; from < len(text); {
		to := min(from+size, len(text))
		i := -1
		for _, head := range f.heads {
			window := text[from:min(to+len(head)-1, len(text))]
			if i >= 0 {
				window = text[from:min(from+i+len(head)-1, len(text))]
			}
			if at := bytes.Index(window, head); at >= 0 {
				i = at
			}
		}
		if i < 0 {
			from = to
			size = min(2*size, largest)
			continue
		}
		if n := prefix(text[from+i:], f.literal); n >= 0 {
			return from + i, from + i + n
		}
		from += i + 1
	}
	return -1, -1
}

// headsOf returns the encodings of all cases of the first letter of a literal.
func headsOf(literal []byte) [][]byte {
	first, size := utf8.DecodeRune(literal)
	if first == utf8.RuneError && size == 1 {
		return [][]byte{literal[:1]}
	}
	heads := [][]byte{utf8.AppendRune(nil, first)}
	for f := unicode.SimpleFold(first); f != first; f = unicode.SimpleFold(f) {
		heads = append(heads, utf8.AppendRune(nil, f))
	}
	return heads
}

// prefix returns how many bytes at the start of a text match a folded literal, or -1.
func prefix(text, literal []byte) int {
	i := 0
	for len(literal) > 0 {
		if i == len(text) {
			return -1
		}
		r, size := utf8.DecodeRune(text[i:])
		want, n := utf8.DecodeRune(literal)
		if r == utf8.RuneError && size == 1 || want == utf8.RuneError && n == 1 {
			if text[i] != literal[0] {
				return -1
			}
			size, n = 1, 1
		} else if r != want && foldRune(r) != want {
			return -1
		}
		i += size
		literal = literal[n:]
	}
	return i
}

// suffix returns how many bytes at the end of a text match a folded literal, or -1.
func suffix(text, literal []byte) int {
	end := len(text)
	for len(literal) > 0 {
		if end == 0 {
			return -1
		}
		r, size := utf8.DecodeLastRune(text[:end])
		want, n := utf8.DecodeLastRune(literal)
		if r == utf8.RuneError && size == 1 || want == utf8.RuneError && n == 1 {
			if text[end-1] != literal[len(literal)-1] {
				return -1
			}
			size, n = 1, 1
		} else if r != want && foldRune(r) != want {
			return -1
		}
		end -= size
		literal = literal[:len(literal)-n]
	}
	return len(text) - end
}

// Find returns the offset of a possible match in text: that of the query's rarest literal, or of the phrase with it.
// It returns -1 without a match, and 0 without literals. text may consist of many texts.
func (q *Query) Find(text []byte) int {
	switch {
	case q.phrase != nil:
		return q.phrase.find(text, 0).Start
	case q.rarest == nil:
		return 0
	}
	start, _ := q.rarest.find(text)
	return start
}
