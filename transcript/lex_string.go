package transcript

import (
	"encoding/binary"
	"math/bits"
)

const (
	ones   = 0x0101010101010101
	highs  = 0x80 * ones
	spaces = 0x20 * ones // below: control characters
	quotes = '"' * ones
	slashs = '\\' * ones
)

// skipQuoted returns the index after the closing quote of the string whose content starts at i, and whether the string
// has an escape. The index is invalid if it isn't a JSON string.
//
// Strings are nine tenths of a transcript, so this function decides the speed of a scan. It looks at eight bytes at a
// time: bytes.IndexByte is faster on a long clean run, but real transcripts have a quote or an escape every 13 bytes,
// and control characters, which a JSON string must escape, have to be found in the same pass. Blocks of 64 bytes as in
// simdjson were no faster.
func skipQuoted(b []byte, i int) (end int, escaped bool) {
	for n := len(b); i < n; {
		c := byte(0)
		if i+8 <= n {
			w := binary.LittleEndian.Uint64(b[i : i+8])
			q, s := w^quotes, w^slashs
			// The lowest set bit is exact: a borrow can only mark bytes above a true hit.
			m := ((w-spaces)&^w | (q-ones)&^q | (s-ones)&^s) & highs
			if m == 0 {
				i += 8
				continue
			}
			k := bits.TrailingZeros64(m) &^ 7
			c = byte(w >> k)
			i += k >> 3
		} else if c = b[i]; c >= 0x20 && c != '"' && c != '\\' {
			i++
			continue
		}
		if c == '"' {
			return i + 1, escaped
		}
		escaped = true
		if c != '\\' || i+1 >= n {
			return invalid, escaped
		}
		k := escapeLen(b, i+1)
		if k == 0 {
			return invalid, escaped
		}
		i += 1 + k
	}
	return invalid, escaped
}

// escapeLen returns the length of the escape whose letter is at i, 0 if it isn't one.
func escapeLen(b []byte, i int) int {
	switch c := b[i]; {
	case isEscape(c):
		return 1
	case c == 'u' && i+5 <= len(b) && isHex(b[i+1]) && isHex(b[i+2]) && isHex(b[i+3]) && isHex(b[i+4]):
		return 5
	}
	return 0
}
