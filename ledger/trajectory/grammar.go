package trajectory

// maxDepth is the maximum nesting of brackets in a record.
const maxDepth = 1000

// want is the state of the JSON parser. The order of the constants matters: between values, in strings, in words such
// as true, in numbers.
type want uint8

const (
	wantKeyOrEnd want = iota
	wantKey
	wantColon
	wantValue
	wantItemOrEnd
	wantCommaOrEnd
	inString
	inEscape
	inHex
	inWord   // in true, false or null
	inMinus  // after the minus sign of a number
	inZero   // after a zero at the start of a number
	inDigits // before the dot
	inDot    // after the dot
	inFraction
	inExponent // after the e
	inSign     // after the sign of the exponent
	inPower
)

// grammar checks JSON byte by byte (RFC 8259). It accepts all bytes from 0x20 in strings.
type grammar struct {
	want     want
	isKey    bool   // the current string is a key
	word     string // the remaining letters of true, false or null
	hex      int    // number of remaining digits after \u
	brackets []byte // the open brackets
}

// begin sets the state that follows the opening bracket of an object.
func (g *grammar) begin() {
	g.want, g.brackets = wantKeyOrEnd, append(g.brackets[:0], '{')
}

// next reads a byte; false if the byte isn't allowed.
func (g *grammar) next(c byte) bool {
	switch {
	case g.want < inString:
	case g.want < inWord:
		return g.inText(c)
	case g.want == inWord:
		if g.word[0] != c {
			return false
		}
		if g.word = g.word[1:]; g.word == "" {
			g.want = wantCommaOrEnd
		}
		return true
	default:
		if then, ok := number(g.want, c); ok {
			g.want = then
			return true
		}
		if g.want == inMinus || g.want == inDot || g.want == inExponent || g.want == inSign {
			return false
		}
		g.want = wantCommaOrEnd // the number has ended before c
	}
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || g.between(c)
}

// between reads a byte outside of strings, words and numbers.
func (g *grammar) between(c byte) bool {
	switch {
	case g.want == wantKeyOrEnd && c == '}', g.want == wantItemOrEnd && c == ']':
		return g.close(c)
	case g.want == wantKeyOrEnd || g.want == wantKey:
		g.want, g.isKey = inString, true
		return c == '"'
	case g.want == wantColon:
		g.want = wantValue
		return c == ':'
	case g.want != wantCommaOrEnd:
		return g.value(c)
	case c != ',':
		return g.close(c)
	}
	g.want = wantValue
	if g.brackets[len(g.brackets)-1] == '{' {
		g.want = wantKey
	}
	return true
}

func (g *grammar) inText(c byte) bool {
	switch {
	case g.want == inEscape:
		g.want = inString
		switch c {
		case 'u':
			g.want, g.hex = inHex, 4
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		default:
			return false
		}
	case g.want == inHex:
		if g.hex--; g.hex == 0 {
			g.want = inString
		}
		return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
	case c == '"' && g.isKey:
		g.want = wantColon
	case c == '"':
		g.want = wantCommaOrEnd
	case c == '\\':
		g.want = inEscape
	}
	return c >= ' '
}

// value reads the first byte of a value.
func (g *grammar) value(c byte) bool {
	switch c {
	case '{', '[':
		if len(g.brackets) == maxDepth {
			return false
		}
		g.brackets = append(g.brackets, c)
		g.want = wantKeyOrEnd
		if c == '[' {
			g.want = wantItemOrEnd
		}
	case '"':
		g.want, g.isKey = inString, false
	case 't':
		g.want, g.word = inWord, "rue"
	case 'f':
		g.want, g.word = inWord, "alse"
	case 'n':
		g.want, g.word = inWord, "ull"
	case '-':
		g.want = inMinus
	case '0':
		g.want = inZero
	default:
		g.want = inDigits
		return c >= '1' && c <= '9'
	}
	return true
}

func (g *grammar) close(c byte) bool {
	last := len(g.brackets) - 1
	if c != '}' && c != ']' || g.brackets[last] != c-2 { // in ASCII, '}' is '{' + 2, and ']' is '[' + 2
		return false
	}
	g.brackets, g.want = g.brackets[:last], wantCommaOrEnd
	return true
}

// number returns the state after the next byte of a number; false if the byte isn't allowed.
func number(at want, c byte) (want, bool) {
	if c >= '0' && c <= '9' {
		switch at {
		case inMinus:
			if c == '0' {
				return inZero, true
			}
			return inDigits, true
		case inDigits:
			return inDigits, true
		case inDot, inFraction:
			return inFraction, true
		case inExponent, inSign, inPower:
			return inPower, true
		default: // after a zero at the start
			return at, false
		}
	}
	switch c {
	case '.':
		return inDot, at == inZero || at == inDigits
	case 'e', 'E':
		return inExponent, at == inZero || at == inDigits || at == inFraction
	case '+', '-':
		return inSign, at == inExponent
	}
	return at, false
}
