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
	quotes = '"' * ones
	slashs = '\\' * ones
)

// SkipQuoted returns the index after the closing quote of a string; Invalid for an invalid string. i is the index
// after the opening quote. escaped is true if the string has an escape.
//
// Nine tenths of a transcript are strings, so this function determines the speed of a scan. It tests 16 bytes at a
// time. bytes.IndexByte would be slower: real transcripts have a quote or an escape every 13 bytes. Testing 32 or 64
// bytes at a time wasn't faster.
func SkipQuoted(b []byte, i int) (end int, escaped bool) {
	for n := len(b); i+16 <= n; {
		if b[i] != '\\' { // often followed by another escape
			m := special(binary.LittleEndian.Uint64(b[i : i+8]))
			if m == 0 {
				i += 8
				if m = special(binary.LittleEndian.Uint64(b[i : i+8])); m == 0 {
					i += 8
					continue
				}
			}
			i += bits.TrailingZeros64(m) >> 3
		}
		switch b[i] {
		case '"':
			return i + 1, escaped
		case '\\':
			escaped = true
			if i+1 == n {
				return Invalid, escaped
			}
			if isEscape(b[i+1]) { // faster than waiting for escapeLen
				i += 2
				continue
			}
			if k := escapeLen(b, i+1); k > 0 {
				i += 1 + k
				continue
			}
		}
		return Invalid, true
	}
	return skipEnd(b, i, escaped)
}

// skipEnd is SkipQuoted, one byte at a time.
func skipEnd(b []byte, i int, escaped bool) (end int, withEscape bool) {
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			return i + 1, escaped
		case c == '\\' && i+1 < len(b) && escapeLen(b, i+1) > 0:
			escaped = true
			i += escapeLen(b, i+1)
		case c == '\\' || c < 0x20:
			return Invalid, true
		}
	}
	return Invalid, escaped
}

// special returns the bit of the first byte of w that is a quote, a backslash or a control character; 0 if there is
// none. Only the lowest set bit of the result is exact.
func special(w uint64) uint64 {
	// Flipping the bit 0x02 moves the quote directly behind the control characters.
	return (((w ^ 0x02*ones) - 0x21*ones) | ((w ^ slashs) - ones)) &^ w & highs
}

// escapeLen returns the length of an escape after the backslash at i-1; 0 if it is invalid.
func escapeLen(b []byte, i int) int {
	switch c := b[i]; {
	case isEscape(c):
		return 1
	case c == 'u' && i+5 <= len(b) && isHex(b[i+1]) && isHex(b[i+2]) && isHex(b[i+3]) && isHex(b[i+4]):
		return 5
	}
	return 0
}

// Unquote decodes the content of a JSON string like encoding/json. Lone surrogates and invalid UTF-8 become U+FFFD.
// Invalid content is returned unchanged.
func Unquote(raw []byte) string {
	if plainRun(raw) == len(raw) {
		return string(raw)
	}
	return string(AppendUnquote(make([]byte, 0, len(raw)), raw))
}

// AppendUnquote is Unquote with the result appended to dst. It allocates only to grow dst.
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

// plainRun returns the number of bytes at the start of raw that need no decoding.
func plainRun(raw []byte) int {
	for i, c := range raw {
		if c >= utf8.RuneSelf || c == '\\' || c == '"' || c < 0x20 {
			return i
		}
	}
	return len(raw)
}

// appendEscape appends the rune of the valid escape at the start of raw, and returns the escape's length. A pair of
// surrogates is one escape.
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
