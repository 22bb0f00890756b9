package beads

import (
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/ledger"
)

var (
	errNoObject = errors.New("not an object")
	errNoJSON   = errors.New("not JSON")
	errType     = errors.New("wrong type")
)

// walk calls field for each member of the JSON object in a line, with its raw key and value. If field fails, walk
// continues, and returns the first error.
func walk(line []byte, field func(key, value []byte) error) error {
	if line = skip(line); len(line) == 0 || line[0] != '{' {
		if json.Valid(line) {
			return errNoObject
		}
		return errNoJSON
	}
	var bad error
	line = skip(line[1:])
	for first := true; ; first = false {
		if len(line) > 0 && line[0] == '}' && first {
			break
		}
		end := ledger.StringEnd(line)
		if end < 0 {
			return errNoJSON
		}
		key := line[1 : end-1]
		if line = skip(line[end:]); len(line) == 0 || line[0] != ':' {
			return errNoJSON
		}
		line = skip(line[1:])
		if end = ledger.ValueEnd(line); end <= 0 {
			return errNoJSON
		}
		if err := field(key, line[:end]); bad == nil {
			bad = err
		}
		if line = skip(line[end:]); len(line) == 0 {
			return errNoJSON
		}
		if line[0] == '}' {
			break
		}
		if line[0] != ',' {
			return errNoJSON
		}
		line = skip(line[1:])
	}
	if len(skip(line[1:])) > 0 {
		return errNoJSON
	}
	return bad
}

// each calls item for each element of a JSON array. null has no elements.
func each(value []byte, item func(value []byte) error) error {
	if string(value) == "null" {
		return nil
	}
	if len(value) == 0 || value[0] != '[' {
		return errType
	}
	var bad error
	rest := skip(value[1:])
	for first := true; ; first = false {
		if len(rest) == 0 {
			return errNoJSON
		}
		if rest[0] == ']' && first {
			return bad
		}
		end := ledger.ValueEnd(rest)
		if end <= 0 {
			return errNoJSON
		}
		if err := item(rest[:end]); bad == nil {
			bad = err
		}
		rest = skip(rest[end:])
		switch {
		case len(rest) > 0 && rest[0] == ']':
			return bad
		case len(rest) == 0 || rest[0] != ',':
			return errNoJSON
		}
		rest = skip(rest[1:])
	}
}

// skip skips JSON white space.
func skip(s []byte) []byte {
	for len(s) > 0 && (s[0] == ' ' || s[0] == '\t' || s[0] == '\r' || s[0] == '\n') {
		s = s[1:]
	}
	return s
}

// text decodes a JSON string. The argument includes the quotes.
func text(value []byte) (string, bool) {
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	inner := value[1 : len(value)-1]
	if utf8.Valid(inner) {
		if s, ok := unescape(inner); ok {
			return s, true
		}
	}
	var s string
	err := json.Unmarshal(value, &s)
	return s, err == nil
}

// unescape decodes the text between the quotes of a JSON string. It returns false for \u and rare escapes.
func unescape(inner []byte) (string, bool) {
	var out []byte
	from := 0
	for i := 0; i < len(inner); i++ {
		c := inner[i]
		if c < ' ' {
			return "", false
		}
		if c != '\\' {
			continue
		}
		if i+1 == len(inner) {
			return "", false
		}
		switch c = inner[i+1]; c {
		case 'n':
			c = '\n'
		case 't':
			c = '\t'
		case 'r':
			c = '\r'
		case '"', '\\', '/':
		default: // \u or a rare escape
			return "", false
		}
		if out == nil {
			out = make([]byte, 0, len(inner))
		}
		out = append(append(out, inner[from:i]...), c)
		i++
		from = i + 1
	}
	if out == nil {
		return string(inner), true
	}
	return string(append(out, inner[from:]...)), true
}
