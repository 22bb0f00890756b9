package setup

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

const (
	maxSettings = 1 << 20 // maximum size of a settings.json in bytes; real files have a few KB
	// maxNesting is the limit of opening brackets, because the parser is recursive.
	maxNesting = 50_000

	byteOrderMark = "\uFEFF" // some editors write it; Claude Code ignores it
	blanks        = " \t\r\n"
)

// settingsError is an error in a settings.json, with its line.
type settingsError struct {
	line int // 0 if unknown
	what string
}

// Error implements error.
func (e *settingsError) Error() string {
	if e.line == 0 {
		return e.what
	}
	return fmt.Sprintf("line %d: %s", e.line, e.what)
}

// settings is a parsed settings.json with the positions of all values. An edit doesn't change other bytes.
type settings struct {
	mark string // byte order mark
	text []byte // the text after mark
	root hujson.Value
	nl   string // line ending
	unit string // indentation of one level
	gap  string // text after a colon or comma, if the next value is on the same line
	flat bool   // the whole file is one line
}

// parseSettings parses a settings.json, even with comments and trailing commas. Claude Code (2.1.330) rejects these
// (see strict).
func parseSettings(text []byte) (*settings, error) {
	s := &settings{nl: "\n", unit: "  "}
	if rest, ok := bytes.CutPrefix(text, []byte(byteOrderMark)); ok {
		s.mark, text = byteOrderMark, rest
	}
	s.text = text
	switch {
	case len(text) > maxSettings:
		return nil, &settingsError{what: "larger than 1 MB"}
	case bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > maxNesting:
		return nil, &settingsError{what: "too many brackets"}
	}
	root, err := hujson.Parse(text)
	if err != nil {
		return nil, &settingsError{what: "not JSON: " + parseProblem(err)}
	}
	s.root = root
	if _, ok := root.Value.(*hujson.Object); !ok {
		return nil, s.wrong(&root, "must be an object, not "+kindName(root))
	}
	s.detectStyle()
	return s, nil
}

// parseProblem returns the parser's error, such as "line 3, column 5: invalid character …". It may quote the file.
func parseProblem(err error) string {
	const most = 200
	text := strings.TrimPrefix(err.Error(), "hujson: ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// detectStyle sets the fields for the formatting of the file.
func (s *settings) detectStyle() {
	if bytes.Contains(s.text, []byte("\r\n")) {
		s.nl = "\r\n"
	}
	members := s.root.Value.(*hujson.Object).Members
	if len(members) == 0 {
		return
	}
	before := string(members[0].Name.BeforeExtra)
	if i := strings.LastIndexByte(before, '\n'); i >= 0 && strings.Trim(before[i:], blanks) == "" {
		s.unit = before[i+1:]
	}
	if !strings.Contains(string(members[0].Value.BeforeExtra), "\n") {
		s.gap = oneBlank(members[0].Value.BeforeExtra)
	}
	s.flat = !bytes.Contains(s.text[s.root.StartOffset:s.root.EndOffset], []byte("\n"))
}

// oneBlank returns a space for a non-empty text, otherwise "".
func oneBlank(extra hujson.Extra) string {
	if len(extra) > 0 {
		return " "
	}
	return ""
}

// strict reports whether the file is JSON without comments and trailing commas.
func (s *settings) strict() bool { return s.root.IsStandard() }

// wrong returns an error with the line of a value that has the wrong type.
func (s *settings) wrong(v *hujson.Value, what string) error {
	return &settingsError{line: 1 + bytes.Count(s.text[:v.StartOffset], []byte("\n")), what: what}
}

func kindName(v hujson.Value) string {
	switch v.Value.Kind() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "true or false"
}

// member returns the value of a key, or nil. Like Claude Code, it uses the last of several values.
func member(v *hujson.Value, name string) *hujson.Value {
	obj, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	if i := memberIndex(obj, name); i >= 0 {
		return &obj.Members[i].Value
	}
	return nil
}

func memberIndex(obj *hujson.Object, name string) int {
	for i := len(obj.Members) - 1; i >= 0; i-- {
		if keyOf(&obj.Members[i]) == name {
			return i
		}
	}
	return -1
}

func keyOf(m *hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// elements returns the elements of a list, or nil for another value.
func elements(v *hujson.Value) []hujson.Value {
	if v == nil {
		return nil
	}
	if list, ok := v.Value.(*hujson.Array); ok {
		return list.Elements
	}
	return nil
}

// textOf returns a string value, or "".
func textOf(v *hujson.Value, name string) string {
	m := member(v, name)
	if m == nil || m.Value.Kind() != '"' {
		return ""
	}
	return m.Value.(hujson.Literal).String()
}

// isTrue reports whether the value of a key is true.
func isTrue(v *hujson.Value, name string) bool {
	m := member(v, name)
	return m != nil && m.Value.Kind() == 't'
}

// hooksOf returns the value of the key "hooks", and an event's value in it. Missing values are nil. A type that
// Claude Code would reject is an error.
func (s *settings) hooksOf(event string) (hooks, groups *hujson.Value, err error) {
	if hooks = member(&s.root, "hooks"); hooks == nil {
		return nil, nil, nil
	}
	if hooks.Value.Kind() != '{' {
		return nil, nil, s.wrong(hooks, `"hooks" must be an object, not `+kindName(*hooks))
	}
	if groups = member(hooks, event); groups != nil && groups.Value.Kind() != '[' {
		return nil, nil, s.wrong(groups, `"`+event+`" must be a list, not `+kindName(*groups))
	}
	return hooks, groups, nil
}
