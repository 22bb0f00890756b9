package transcript

// maxDepth is the nesting depth that encoding/json accepts; deeper values are invalid here, too.
const maxDepth = 10000

// invalid is the index that the skip functions return for invalid JSON.
const invalid = -1

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

// skipValue returns the index after the JSON value that starts at i, or invalid.
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
		last := false
		if i, last = skipComma(b, skipValue(b, i, depth), '}'); last {
			return i
		}
	}
	return invalid
}

// skipComma returns the index of the next member of an object or array; i is the end of the previous member. After the
// last member, it returns the index after the closing bracket and true. If the input isn't JSON, it returns invalid and
// true.
func skipComma(b []byte, i int, bracket byte) (next int, last bool) {
	if i == invalid {
		return invalid, true
	}
	switch i = skipSpace(b, i); {
	case i >= len(b):
		return invalid, true
	case b[i] == bracket:
		return i + 1, true
	case b[i] != ',':
		return invalid, true
	}
	return skipSpace(b, i+1), false
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
		last := false
		if i, last = skipComma(b, skipValue(b, i, depth), ']'); last {
			return i
		}
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
