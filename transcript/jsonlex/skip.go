// Package jsonlex reads JSON without decoding it into values. It finds the ends of values, decodes strings and
// shortens long lines. It accepts the JSON of encoding/json.
package jsonlex

// MaxDepth is the maximum nesting depth, as in encoding/json.
const MaxDepth = 10000

// Invalid is the index for invalid JSON.
const Invalid = -1

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

// IsSpace reports whether c is white space in JSON.
func IsSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// SkipSpace returns the index of the first byte from i that isn't white space.
func SkipSpace(b []byte, i int) int {
	for i < len(b) && IsSpace(b[i]) {
		i++
	}
	return i
}

// SkipValue returns the index after the JSON value at i; Invalid if there is none. depth is the number of containers
// around the value.
func SkipValue(b []byte, i, depth int) int {
	if i >= len(b) {
		return Invalid
	}
	switch b[i] {
	case '"':
		end, _ := SkipQuoted(b, i+1)
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

// skipObject skips the members of an object and the closing brace, from i.
func skipObject(b []byte, i, depth int) int {
	if depth > MaxDepth {
		return Invalid
	}
	if i = SkipSpace(b, i); i < len(b) && b[i] == '}' {
		return i + 1
	}
	for i < len(b) && b[i] == '"' {
		if i, _ = SkipQuoted(b, i+1); i == Invalid {
			return Invalid
		}
		if i = SkipColon(b, i); i == Invalid {
			return Invalid
		}
		last := false
		if i, last = SkipComma(b, SkipValue(b, i, depth), '}'); last {
			return i
		}
	}
	return Invalid
}

// SkipComma returns the index of the next member of an object or array, from i. After the last member, it returns the
// index after the closing bracket, and true. For invalid JSON, it returns Invalid and true.
func SkipComma(b []byte, i int, bracket byte) (next int, last bool) {
	if i == Invalid {
		return Invalid, true
	}
	switch i = SkipSpace(b, i); {
	case i >= len(b):
		return Invalid, true
	case b[i] == bracket:
		return i + 1, true
	case b[i] != ',':
		return Invalid, true
	}
	return SkipSpace(b, i+1), false
}

// SkipColon returns the index of the value after a key that ends at i.
func SkipColon(b []byte, i int) int {
	if i = SkipSpace(b, i); i >= len(b) || b[i] != ':' {
		return Invalid
	}
	return SkipSpace(b, i+1)
}

// skipArray skips the elements of an array and the closing bracket, from i.
func skipArray(b []byte, i, depth int) int {
	if depth > MaxDepth {
		return Invalid
	}
	if i = SkipSpace(b, i); i < len(b) && b[i] == ']' {
		return i + 1
	}
	for i < len(b) {
		last := false
		if i, last = SkipComma(b, SkipValue(b, i, depth), ']'); last {
			return i
		}
	}
	return Invalid
}

func skipWord(b []byte, i int, word string) int {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return Invalid
	}
	return i + len(word)
}

func skipNumber(b []byte, i int) int {
	if i < len(b) && b[i] == '-' {
		i++
	}
	switch {
	case i >= len(b):
		return Invalid
	case b[i] == '0':
		i++
	case b[i] >= '1' && b[i] <= '9':
		i = skipDigits(b, i)
	default:
		return Invalid
	}
	if i < len(b) && b[i] == '.' {
		if i = skipSomeDigits(b, i+1); i == Invalid {
			return Invalid
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
	return Invalid
}
