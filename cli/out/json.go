package out

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/transcript"
)

// EncodeJSON returns v as JSON on one line, safe for a terminal. encoding/json escapes C0 controls. EncodeJSON
// also escapes DEL, C1, bidi controls, line separators, and other invisible or unsafe characters. Parsers decode
// the same strings, except that bytes that aren't UTF-8 are replaced.
func EncodeJSON(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", fmt.Errorf("encode json: %w", err)
	}
	return EscapeJSON(strings.TrimSuffix(b.String(), "\n")), nil
}

// appendJSON appends v as EncodeJSON does. It encodes plain values itself, which is faster.
func appendJSON(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case interface {
		appendJSON(b []byte) ([]byte, error)
	}:
		return v.appendJSON(b)
	case bool:
		return strconv.AppendBool(b, v), nil
	case int:
		return strconv.AppendInt(b, int64(v), 10), nil
	case int64:
		return strconv.AppendInt(b, v, 10), nil
	case string:
		if isPlain(v) {
			return append(append(append(b, '"'), v...), '"'), nil
		}
	case Path:
		return appendJSON(b, string(v))
	case Time:
		return v.append(b), nil
	case []string:
		if v != nil {
			return appendStrings(b, v)
		}
	}
	text, err := EncodeJSON(v)
	return append(b, text...), err
}

// appendStrings appends a list of strings.
func appendStrings(b []byte, list []string) (_ []byte, err error) {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendJSON(b, s); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// isPlain reports whether a string needs no escapes for JSON or for a terminal.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c > 0x7e || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// EscapeJSON escapes valid JSON as EncodeJSON does. DEL and non-ASCII characters occur only inside its strings.
func EscapeJSON(s string) string {
	var b strings.Builder
	start := 0
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(s[start:i] + "\uFFFD")
		case !MustEscape(r):
			i += n
			continue
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `%s\u%04x\u%04x`, s[start:i], hi, lo)
		default:
			fmt.Fprintf(&b, `%s\u%04x`, s[start:i], r)
		}
		i += n
		start = i
	}
	if start == 0 {
		return s
	}
	return b.String() + s[start:]
}

// MustEscape reports whether a character in JSON is invisible or unsafe on a terminal.
func MustEscape(r rune) bool {
	switch r {
	case 0x7f, 0x061c, 0x200e, 0x200f: // transcript.Clean keeps the last three: direction marks
		return true
	}
	return r > 0x7f && transcript.IsUnsafe(r)
}

// Time is encoded in JSON as RFC 3339 in UTC, with fractions of a second. An unknown time is null.
type Time time.Time

// MarshalJSON implements json.Marshaler.
func (s Time) MarshalJSON() ([]byte, error) { return s.append(nil), nil }

func (s Time) append(b []byte) []byte {
	if time.Time(s).IsZero() {
		return append(b, "null"...)
	}
	return append(time.Time(s).UTC().AppendFormat(append(b, '"'), time.RFC3339Nano), '"')
}

// OrEmpty returns s, or an empty list for nil: JSON lists are never null.
func OrEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
