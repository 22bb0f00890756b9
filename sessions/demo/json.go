package demo

import (
	"strconv"
	"time"
)

// object is a JSON object that keeps the order of its keys, as the client's do: readers that skip over
// records meet "message" before or after "uuid", and both have to work.
type object []field

// field is one member of an object. One without a key is left out.
type field struct {
	key string
	val any
}

// opt is a member that is left out when it is empty.
func opt(key, val string) field {
	if val == "" {
		return field{}
	}
	return field{key, val}
}

// stamp is a time since the start of a talk. It is written as the time of day once the end is known.
type stamp time.Duration

// stampLayout is how the client writes times. Its width is fixed, which is what makes late patching work.
const stampLayout = "2006-01-02T15:04:05.000Z"

// appendObject appends the members of all parts as one JSON object.
func (t *talk) appendObject(parts ...object) {
	t.buf = append(t.buf, '{')
	first := true
	for _, part := range parts {
		for _, f := range part {
			if f.key == "" {
				continue
			}
			if !first {
				t.buf = append(t.buf, ',')
			}
			first = false
			t.buf = appendString(t.buf, f.key)
			t.buf = append(t.buf, ':')
			t.appendValue(f.val)
		}
	}
	t.buf = append(t.buf, '}')
}

func (t *talk) appendValue(v any) {
	switch v := v.(type) {
	case nil:
		t.buf = append(t.buf, "null"...)
	case string:
		t.buf = appendString(t.buf, v)
	case bool:
		t.buf = strconv.AppendBool(t.buf, v)
	case int:
		t.buf = strconv.AppendInt(t.buf, int64(v), 10)
	case stamp:
		t.stamps = append(t.stamps, patch{pos: len(t.buf) + 1, at: time.Duration(v)})
		t.buf = appendString(t.buf, stampLayout)
	case object:
		t.appendObject(v)
	case []object:
		appendList(t, v)
	case []string:
		appendList(t, v)
	default:
		panic("demo: no JSON for this type") // a bug of this package: the types above are all it uses
	}
}

func appendList[T any](t *talk, list []T) {
	t.buf = append(t.buf, '[')
	for i, v := range list {
		if i > 0 {
			t.buf = append(t.buf, ',')
		}
		t.appendValue(v)
	}
	t.buf = append(t.buf, ']')
}

// appendString appends s as JSON.stringify writes it: neither HTML nor text beyond ASCII is escaped.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}
