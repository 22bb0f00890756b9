package trajectory

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/ledger"
)

// keyring caches the names of keys, which most records share.
type keyring struct{ names map[string]string }

// maxKeys is the maximum number of cached names.
const maxKeys = 256

func (k *keyring) name(key []byte) string {
	if name, ok := k.names[string(key)]; ok {
		return name
	}
	name := string(key)
	if bytes.IndexByte(key, '\\') >= 0 || !utf8.Valid(key) {
		_ = json.Unmarshal(key, &name) // the splitter returns only valid JSON
	} else {
		name = name[1 : len(name)-1]
	}
	if k.names == nil {
		k.names = map[string]string{}
	}
	if len(k.names) < maxKeys {
		k.names[string(key)] = name
	}
	return name
}

// newRecord makes a record from a copy of its text, which must be valid JSON.
func newRecord(raw []byte, line, lines int, file *File, keys *keyring) *Record {
	r := &Record{Raw: bytes.Clone(raw), Agent: file.Agent, File: file.Path, Line: line, Lines: lines}
	r.Fields = fields(r.Raw, keys)
	if agent := r.Text("agent"); agent != "" {
		r.Agent = agent
	}
	r.Phase = r.Text("phase", "type")
	for _, key := range []string{"ts", "timestamp", "time"} {
		if r.At = moment(r.Fields[key]); !r.At.IsZero() {
			break
		}
	}
	return r
}

// ReadLine returns the record in a line of Line.
func ReadLine(line []byte) *Record { return newRecord(line, 1, 1, &File{}, &keyring{}) }

// fields returns the members of an object, as slices of its text.
func fields(object []byte, keys *keyring) map[string]json.RawMessage {
	all := make(map[string]json.RawMessage, 8)
	rest := object[1:]
	for {
		rest = after(rest, ',')
		if len(rest) == 0 || rest[0] == '}' {
			return all
		}
		end := ledger.ValueEnd(rest)
		key := keys.name(rest[:end])
		rest = after(rest[end:], ':')
		end = ledger.ValueEnd(rest)
		all[key] = rest[:end:end]
		rest = rest[end:]
	}
}

// after removes white space and one separator (mark) from the start of a text.
func after(text []byte, mark byte) []byte {
	for len(text) > 0 && (text[0] == mark || text[0] == ' ' || text[0] == '\t' || text[0] == '\r' || text[0] == '\n') {
		text = text[1:]
	}
	return text
}

// Text returns the first field that is a number, a boolean or a string that isn't blank. The text may contain control
// characters.
func (r *Record) Text(key ...string) string {
	for _, k := range key {
		if s := text(r.Fields[k]); s != "" {
			return s
		}
	}
	return ""
}

// kind returns a field as text. For an object such as {"type":"citation"}, it returns the type.
func (r *Record) kind(key string) string {
	value := r.Fields[key]
	if len(value) > 0 && value[0] == '{' {
		return text(fields(value, &keyring{})["type"])
	}
	return text(value)
}

// Number returns the first field that is a number, or a string with a number.
func (r *Record) Number(key ...string) (n float64, ok bool) {
	for _, k := range key {
		value := r.Fields[k]
		if len(value) == 0 || value[0] == 't' || value[0] == 'f' {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(text(value)), 64)
		if err == nil && !math.IsNaN(n) && !math.IsInf(n, 0) {
			return n, true
		}
	}
	return 0, false
}

// Items returns the elements of an array, or an object as the only element. An element that isn't an object has only
// Raw. All elements get the file, line, agent and time of the record.
func (r *Record) Items(key string) []Record {
	value := r.Fields[key]
	if len(value) == 0 {
		return nil
	}
	if value[0] == '{' {
		return []Record{r.item(value)}
	}
	if value[0] != '[' {
		return nil
	}
	var items []Record
	for rest := []byte(value[1:]); ; {
		rest = after(rest, ',')
		if len(rest) == 0 || rest[0] == ']' {
			return items
		}
		end := ledger.ValueEnd(rest)
		items = append(items, r.item(rest[:end:end]))
		rest = rest[end:]
	}
}

// item makes a Record from an element of a record.
func (r *Record) item(value []byte) Record {
	i := Record{At: r.At, Agent: r.Agent, Raw: value, File: r.File, Line: r.Line, Lines: r.Lines}
	if value[0] == '{' {
		i.Fields = fields(value, &keyring{})
		i.Phase = i.Text("phase", "type")
	}
	return i
}

// text returns a number, a boolean, or a string that isn't blank; "" for other values.
func text(value json.RawMessage) string {
	if len(value) == 0 {
		return ""
	}
	switch value[0] {
	case '{', '[', 'n':
		return ""
	case '"':
	default:
		return string(value)
	}
	var s string
	if err := json.Unmarshal(value, &s); err != nil || strings.TrimSpace(s) == "" {
		return ""
	}
	return s
}

// moment parses a time: RFC 3339, similar forms, or seconds or milliseconds since 1970. The default zone is UTC.
func moment(value json.RawMessage) time.Time {
	s := strings.TrimSpace(text(value))
	if len(s) < len(dayForm) || len(s) > 64 {
		return time.Time{}
	}
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00", dayForm} {
		if t, err := time.Parse(form, s); err == nil {
			return inRange(t.UTC())
		}
	}
	n, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil || n < 0 || n > 1e14:
		return time.Time{}
	case n >= 1e11:
		n /= 1000
	}
	return inRange(time.UnixMicro(int64(n * 1e6)).UTC())
}

// inRange returns the time, or the zero time for a year without four digits.
func inRange(t time.Time) time.Time {
	if t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}
