package transcript

import (
	"encoding/binary"
	"math/bits"
)

// Strings are nine tenths of a transcript, so the speed of everything is the speed of finding the end of
// one. bytes.IndexByte is fast on a long clean run, but real transcripts have a quote or an escape every 13
// bytes, and control characters, which a JSON string must escape, have to be seen in the same pass. So short
// strings go by words of 8 bytes, long ones by blocks of 64 in which escapes are told from ends without a
// branch. On real transcripts that is twice as fast as words alone.

const (
	ones   = 0x0101010101010101
	highs  = 0x80 * ones
	lows   = 0x7f * ones
	spaces = 0x20 * ones // below: control characters
	quotes = '"' * ones
	slashs = '\\' * ones
)

// inside says how far a string was read.
type inside uint8

const (
	open   inside = iota // it goes on
	closed               // the index is after its closing quote
	broken               // it is no JSON string
)

// skipQuoted returns the index after the closing quote of the string whose content starts at i, and
// whether it holds an escape; invalid for what is no JSON string.
func skipQuoted(b []byte, i int) (end int, escaped bool) {
	const short = 32 // keys, ids and times end within it
	i, in, esc := skipWords(b, i, i+short)
	if in == open {
		var more bool
		i, in, more = skipBlocks(b, i)
		esc = esc || more
	}
	if in == open {
		var more bool
		i, in, more = skipWords(b, i, len(b))
		esc = esc || more
	}
	if in != closed {
		return invalid, esc
	}
	return i, esc
}

// skipWords reads a string from i to its end, or until it is at limit or beyond.
func skipWords(b []byte, i, limit int) (next int, in inside, escaped bool) {
	for n := len(b); i < n && i < limit; {
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
			return i + 1, closed, escaped
		}
		escaped = true
		if c != '\\' || i+1 >= n {
			return i, broken, escaped
		}
		k := escapeLen(b, i+1)
		if k == 0 {
			return i, broken, escaped
		}
		i += 1 + k
	}
	return i, open, escaped
}

// skipBlocks reads a string from i while whole blocks are left.
func skipBlocks(b []byte, i int) (next int, in inside, escaped bool) {
	carry := uint64(0) // the block begins with an escaped byte
	for ; i+64 <= len(b); i += 64 {
		quote, slash, control := masks((*[64]byte)(b[i : i+64]))
		if control { // it may be behind the end: words know
			break
		}
		if quote|slash|carry == 0 {
			continue
		}
		esc := escapedBits(slash, &carry)
		end := quote &^ esc
		if end != 0 {
			esc &= end&-end - 1
		}
		escaped = escaped || esc != 0
		for m := esc; m != 0; m &= m - 1 {
			if escapeLen(b, i+bits.TrailingZeros64(m)) == 0 {
				return i, broken, escaped
			}
		}
		if end != 0 {
			return i + bits.TrailingZeros64(end) + 1, closed, escaped
		}
	}
	return i - int(carry), open, escaped || carry != 0
}

// masks returns which bytes of a block are quotes and backslashes, as bits, and whether one is a control
// character.
func masks(b *[64]byte) (quote, slash uint64, control bool) {
	le := binary.LittleEndian // written out: with a loop the shifts and bounds cost a third
	w0, w1, w2, w3 := le.Uint64(b[0:]), le.Uint64(b[8:]), le.Uint64(b[16:]), le.Uint64(b[24:])
	w4, w5, w6, w7 := le.Uint64(b[32:]), le.Uint64(b[40:]), le.Uint64(b[48:]), le.Uint64(b[56:])
	quote = gather(zeros(w0^quotes)) | gather(zeros(w1^quotes))<<8 | gather(zeros(w2^quotes))<<16 |
		gather(zeros(w3^quotes))<<24 | gather(zeros(w4^quotes))<<32 | gather(zeros(w5^quotes))<<40 |
		gather(zeros(w6^quotes))<<48 | gather(zeros(w7^quotes))<<56
	slash = gather(zeros(w0^slashs)) | gather(zeros(w1^slashs))<<8 | gather(zeros(w2^slashs))<<16 |
		gather(zeros(w3^slashs))<<24 | gather(zeros(w4^slashs))<<32 | gather(zeros(w5^slashs))<<40 |
		gather(zeros(w6^slashs))<<48 | gather(zeros(w7^slashs))<<56
	low := below(w0) | below(w1) | below(w2) | below(w3) | below(w4) | below(w5) | below(w6) | below(w7)
	return quote, slash, low&highs != 0
}

// below sets the high bit of some byte if one of them is a control character.
func below(w uint64) uint64 { return (w - spaces) &^ w }

// zeros sets the high bit of every byte that is zero, and no other.
func zeros(x uint64) uint64 { return ^((x & lows) + lows | x) & highs }

// gather collects the high bits of eight bytes into one byte.
func gather(z uint64) uint64 { return (z >> 7) * 0x0102040810204080 >> 56 }

// escapedBits returns which bytes a backslash escapes: in a run of backslashes every second one, and the
// byte after a run of odd length. carry says so of the first byte, and is set for the block to come.
// This is the method of simdjson (Langdale and Lemire 2019, section 3.1.1).
func escapedBits(slash uint64, carry *uint64) uint64 {
	const even = 0x5555555555555555
	slash &^= *carry
	follows := slash<<1 | *carry
	starts := slash &^ even &^ follows // runs that start at an odd place
	sum, over := bits.Add64(starts, slash, 0)
	*carry = over
	return (even ^ sum<<1) & follows
}

// escapeLen returns the length of the escape whose letter is at i, 0 if there is none.
func escapeLen(b []byte, i int) int {
	switch c := b[i]; {
	case isEscape(c):
		return 1
	case c == 'u' && i+5 <= len(b) && isHex(b[i+1]) && isHex(b[i+2]) && isHex(b[i+3]) && isHex(b[i+4]):
		return 5
	}
	return 0
}
