package transcript

import (
	"unicode/utf16"
	"unicode/utf8"
)

// Unquote decodes the inside of a JSON string as encoding/json does: lone surrogates and invalid UTF-8 become U+FFFD.
// It returns anything else unchanged.
func Unquote(raw []byte) string {
	if plainRun(raw) == len(raw) {
		return string(raw)
	}
	return string(AppendUnquote(make([]byte, 0, len(raw)), raw))
}

// AppendUnquote appends what Unquote returns. It allocates only to grow dst.
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

// plainRun returns the number of bytes at the start of raw that stand for themselves: ASCII without escapes, quotes and
// control characters.
func plainRun(raw []byte) int {
	for i, c := range raw {
		if c >= utf8.RuneSelf || c == '\\' || c == '"' || c < 0x20 {
			return i
		}
	}
	return len(raw)
}

// appendEscape appends the rune of the valid escape at the start of raw and returns the length of the escape; a pair of
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

// hexRune returns the number that four hexadecimal digits write.
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
