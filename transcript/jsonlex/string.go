package jsonlex

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	ones   = 0x0101010101010101
	highs  = 0x80 * ones
	spaces = 0x20 * ones // bytes below 0x20 are control characters
	quotes = '"' * ones
	slashs = '\\' * ones
)

// SkipQuoted returns the index after the closing quote of a string. i is the index after the opening quote. escaped
// reports whether the string has an escape. The index is Invalid if the string isn't a JSON string.
//
// Nine tenths of a transcript are strings, so this function determines the speed of a scan. It tests eight bytes at a
// time. bytes.IndexByte is faster for long runs without quotes and escapes, but in real transcripts, there is a quote
// or an escape every 13 bytes. SkipQuoted must also find unescaped control characters, which are invalid in JSON.
// Testing 64 bytes at a time, like simdjson, wasn't faster.
func SkipQuoted(b []byte, i int) (end int, escaped bool) {
	for n := len(b); i < n; {
		c := byte(0)
		if i+8 <= n {
			w := binary.LittleEndian.Uint64(b[i : i+8])
			q, s := w^quotes, w^slashs
			// The lowest set bit is always a hit. A borrow can set a wrong bit, but only in a byte above a hit.
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
			return Invalid, escaped
		}
		k := escapeLen(b, i+1)
		if k == 0 {
			return Invalid, escaped
		}
		i += 1 + k
	}
	return Invalid, escaped
}

// escapeLen returns the length of an escape without the backslash. i is the index of the byte after the backslash. It
// returns 0 if the escape is invalid.
func escapeLen(b []byte, i int) int {
	switch c := b[i]; {
	case isEscape(c):
		return 1
	case c == 'u' && i+5 <= len(b) && isHex(b[i+1]) && isHex(b[i+2]) && isHex(b[i+3]) && isHex(b[i+4]):
		return 5
	}
	return 0
}

// Unquote decodes the inside of a JSON string as encoding/json does: lone surrogates and invalid UTF-8 become U+FFFD.
// If raw isn't the inside of a valid JSON string, Unquote returns it unchanged.
func Unquote(raw []byte) string {
	if plainRun(raw) == len(raw) {
		return string(raw)
	}
	return string(AppendUnquote(make([]byte, 0, len(raw)), raw))
}

// AppendUnquote decodes raw like Unquote and appends the result to dst. It allocates only to grow dst.
func AppendUnquote(dst, raw []byte) []byte {
	start := len(dst)
	for i := 0; i < len(raw); {
		n := plainRun(raw[i:])
		dst = append(dst, raw[i:i+n]...)
		if i += n; i == len(raw) {
			break
		}
		switch c := raw[i]; {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(raw[i:])
			dst = utf8.AppendRune(dst, r)
			i += size
		case c == '\\' && i+1 < len(raw) && escapeLen(raw, i+1) > 0:
			var size int
			dst, size = appendEscape(dst, raw[i:])
			i += size
		default: // a control character, a quote or a broken escape
			return append(dst[:start], raw...)
		}
	}
	return dst
}

// plainRun returns the number of bytes at the start of raw that need no decoding: ASCII without escapes, quotes and
// control characters.
func plainRun(raw []byte) int {
	for i, c := range raw {
		if c >= utf8.RuneSelf || c == '\\' || c == '"' || c < 0x20 {
			return i
		}
	}
	return len(raw)
}

// appendEscape appends the rune for the valid escape at the start of raw, and returns the length of the escape. Two
// escapes that are a pair of surrogates are handled as one escape.
func appendEscape(dst, raw []byte) (out []byte, size int) {
	switch c := raw[1]; c {
	case 'n':
		return append(dst, '\n'), 2
	case 't':
		return append(dst, '\t'), 2
	case 'r':
		return append(dst, '\r'), 2
	case 'b':
		return append(dst, '\b'), 2
	case 'f':
		return append(dst, '\f'), 2
	case 'u':
	default:
		return append(dst, c), 2
	}
	r := hexRune(raw[2:6])
	if utf16.IsSurrogate(r) {
		if len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' && escapeLen(raw, 7) > 0 {
			if pair := utf16.DecodeRune(r, hexRune(raw[8:12])); pair != utf8.RuneError {
				return utf8.AppendRune(dst, pair), 12
			}
		}
		r = utf8.RuneError
	}
	return utf8.AppendRune(dst, r), 6
}

// hexRune returns the value of four hexadecimal digits.
func hexRune(digits []byte) rune {
	var r rune
	for _, c := range digits {
		r <<= 4
		switch {
		case c >= 'a':
			r |= rune(c-'a') + 10
		case c >= 'A':
			r |= rune(c-'A') + 10
		default:
			r |= rune(c - '0')
		}
	}
	return r
}
