package transcript

import (
	"encoding/binary"
	"math/bits"
)

// maxDepth is the nesting that encoding/json accepts; deeper values are not JSON to either of us.
const maxDepth = 10000

// invalid is the index that the skip functions return for what is no JSON.
const invalid = -1

const (
	ones   = 0x0101010101010101
	highs  = 0x8080808080808080
	spaces = 0x20 * ones // below: control characters, which a JSON string must escape
	quotes = '"' * ones
	slashs = '\\' * ones
)

// skipQuoted returns the index after the closing quote of the string whose content starts at i, and
// whether it holds an escape. It looks at eight bytes at a time. bytes.IndexByte is faster on a long run,
// but real transcripts have a quote or an escape every 13 bytes, and control characters have to be seen
// in the same pass.
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
		if c != '\\' || i+1 >= n {
			return invalid, escaped
		}
		escaped = true
		switch c = b[i+1]; {
		case isEscape(c):
			i += 2
		case c == 'u' && i+6 <= n && isHex(b[i+2]) && isHex(b[i+3]) && isHex(b[i+4]) && isHex(b[i+5]):
			i += 6
		default:
			return invalid, true
		}
	}
	return invalid, escaped
}

// isEscape reports whether c is the letter of a two-byte escape.
func isEscape(c byte) bool {
	const low = 1<<'"' | 1<<'/'
	const high = 1<<('\\'-64) | 1<<('b'-64) | 1<<('f'-64) | 1<<('n'-64) | 1<<('r'-64) | 1<<('t'-64)
	if c < 64 {
		return uint64(low)>>c&1 != 0
	}
	return c < 128 && uint64(high)>>(c-64)&1 != 0
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func skipSpace(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

// skipValue returns the index after the JSON value at i, which has to start there, or invalid.
func skipValue(b []byte, i, depth int) int {
	if i >= len(b) {
		return invalid
	}
	switch b[i] {
	case '"':
		end, _ := skipQuoted(b, i+1)
		return end
	case '{':
		return skipObject(b, i+1, depth+1)
	case '[':
		return skipArray(b, i+1, depth+1)
	case 't':
		return skipWord(b, i, "true")
	case 'f':
		return skipWord(b, i, "false")
	case 'n':
		return skipWord(b, i, "null")
	}
	return skipNumber(b, i)
}

// skipObject skips the members and the closing brace; i is after the opening one.
func skipObject(b []byte, i, depth int) int {
	if depth > maxDepth {
		return invalid
	}
	if i = skipSpace(b, i); i < len(b) && b[i] == '}' {
		return i + 1
	}
	for i < len(b) && b[i] == '"' {
		if i, _ = skipQuoted(b, i+1); i == invalid {
			return invalid
		}
		if i = skipColon(b, i); i == invalid {
			return invalid
		}
		if i = skipValue(b, i, depth); i == invalid {
			return invalid
		}
		if i = skipSpace(b, i); i >= len(b) {
			return invalid
		}
		if b[i] == '}' {
			return i + 1
		}
		if b[i] != ',' {
			return invalid
		}
		i = skipSpace(b, i+1)
	}
	return invalid
}

// skipColon returns the index of the value after a key that ends at i.
func skipColon(b []byte, i int) int {
	if i = skipSpace(b, i); i >= len(b) || b[i] != ':' {
		return invalid
	}
	return skipSpace(b, i+1)
}

// skipArray skips the elements and the closing bracket; i is after the opening one.
func skipArray(b []byte, i, depth int) int {
	if depth > maxDepth {
		return invalid
	}
	if i = skipSpace(b, i); i < len(b) && b[i] == ']' {
		return i + 1
	}
	for i < len(b) {
		if i = skipValue(b, i, depth); i == invalid {
			return invalid
		}
		if i = skipSpace(b, i); i >= len(b) {
			return invalid
		}
		if b[i] == ']' {
			return i + 1
		}
		if b[i] != ',' {
			return invalid
		}
		i = skipSpace(b, i+1)
	}
	return invalid
}

func skipWord(b []byte, i int, word string) int {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return invalid
	}
	return i + len(word)
}

func skipNumber(b []byte, i int) int {
	if i < len(b) && b[i] == '-' {
		i++
	}
	switch {
	case i >= len(b):
		return invalid
	case b[i] == '0':
		i++
	case b[i] >= '1' && b[i] <= '9':
		i = skipDigits(b, i)
	default:
		return invalid
	}
	if i < len(b) && b[i] == '.' {
		if i = skipSomeDigits(b, i+1); i == invalid {
			return invalid
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		return skipSomeDigits(b, i)
	}
	return i
}

func skipDigits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}

func skipSomeDigits(b []byte, i int) int {
	if j := skipDigits(b, i); j > i {
		return j
	}
	return invalid
}
