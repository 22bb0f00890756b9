package task

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Problem is a missing field of a file, or a field with a wrong value.
type Problem struct {
	Field string // path of the field, such as state.tests.passing; "" for the file
	Why   string // such as "missing", or "a number is needed"
}

// String returns the field and the problem, such as "summary: missing".
func (p Problem) String() string {
	if p.Field == "" {
		return p.Why
	}
	return p.Field + ": " + p.Why
}

// fields decodes the fields of an object and collects all problems.
type fields struct {
	object

	at       string // path of the object, with a dot at the end; "" for the top level
	problems *[]Problem
}

// need says whether a field is required.
type need bool

const (
	required need = true
	optional need = false
)

func (f *fields) problem(key, why string) {
	*f.problems = append(*f.problems, Problem{f.at + key, why})
}

// decode decodes a field; false if it is missing, null or of another type.
func (f *fields) decode(key string, n need, value any, kind string) bool {
	raw, ok := f.values[key]
	if ok && string(raw) == "null" && n == optional {
		return false
	}
	switch {
	case !ok:
		if n == required {
			f.problem(key, "missing")
		}
		return false
	case string(raw) == "null", json.Unmarshal(raw, value) != nil:
		f.problem(key, kind+" is needed")
		return false
	}
	return true
}

func (f *fields) text(key string, n need) string {
	var s string
	if !f.decode(key, n, &s, "a text") {
		return ""
	}
	if n == required && strings.TrimSpace(s) == "" {
		f.problem(key, "empty")
	}
	return s
}

func (f *fields) count(key string, n need) int {
	var i int
	if f.decode(key, n, &i, "a whole number") && i < 0 {
		f.problem(key, "negative")
	}
	return i
}

func (f *fields) flag(key string, n need) bool {
	var b bool
	f.decode(key, n, &b, "true or false")
	return b
}

func (f *fields) time(key string, n need) time.Time {
	s := f.text(key, n)
	if s == "" {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		f.problem(key, fmt.Sprintf("%q isn't a time of the form 2025-12-04T10:30:00Z", cut(s)))
	}
	return at
}

func (f *fields) gate(key string, n need) Gate {
	s := f.text(key, n)
	g := Gate(s)
	if _, ok := g.Number(); s != "" && !ok {
		f.problem(key, fmt.Sprintf("%q isn't a gate from G0 to G10", cut(s)))
	}
	return g
}

// texts decodes an array of texts. An object with a title, a text or a reason counts as a text.
func (f *fields) texts(key string, n need) []string {
	var list []json.RawMessage
	f.decode(key, n, &list, "a list")
	var all []string
	for i, raw := range list {
		s, ok := textOf(raw)
		if !ok {
			f.problem(fmt.Sprintf("%s[%d]", key, i), "a text is needed")
			continue
		}
		all = append(all, s)
	}
	return all
}

// textOf returns a string, or the string at one of the keys of an object, such as title.
func textOf(raw json.RawMessage) (string, bool) {
	var s string
	if json.Unmarshal(raw, &s) == nil && string(raw) != "null" {
		return s, true
	}
	var o map[string]json.RawMessage
	if json.Unmarshal(raw, &o) != nil {
		return "", false
	}
	for _, key := range []string{"title", "text", "summary", "reason", "description", "message"} {
		if json.Unmarshal(o[key], &s) == nil && s != "" {
			return s, true
		}
	}
	return "", false
}

// objects calls visit with each object of an array.
func (f *fields) objects(key string, visit func(o *fields)) {
	var list []json.RawMessage
	f.decode(key, optional, &list, "a list")
	for i, raw := range list {
		o, err := parseObject(raw)
		if err != nil {
			f.problem(fmt.Sprintf("%s[%d]", key, i), "an object is needed")
			continue
		}
		visit(&fields{o, fmt.Sprintf("%s%s[%d].", f.at, key, i), f.problems})
	}
}

// inner returns the object in a field. ok is false if there is none.
func (f *fields) inner(key string, n need) (o *fields, ok bool) {
	var raw json.RawMessage
	if !f.decode(key, n, &raw, "an object") {
		return nil, false
	}
	inside, err := parseObject(raw)
	if err != nil {
		f.problem(key, "an object is needed")
		return nil, false
	}
	return &fields{inside, f.at + key + ".", f.problems}, true
}

// isEmpty reports whether a value is missing, null, "", [] or {}.
func isEmpty(raw json.RawMessage) bool {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return true
	}
	switch b.String() {
	case "null", `""`, "[]", "{}":
		return true
	}
	return false
}

// cut shortens a value from a file for a message.
func cut(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
