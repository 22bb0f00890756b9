package document

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/continuo-tui/continuo/sessions"
)

// maxFrontMatter is the limit of front matter in bytes. Real ones have about 300. The parser takes quadratic time:
// 0.1 s for 4 KB, 0.35 s for 8 KB.
const maxFrontMatter = 4 << 10

// matter is parsed front matter: key in lower case → its texts. A list may have several. Empty and null texts are
// left out.
type matter map[string][]string

func (m matter) one(key string) string {
	if len(m[key]) == 0 {
		return ""
	}
	return oneLine(m[key][0])
}

// take sets the document's fields from front matter. An invalid date is an error.
func (d *Document) take(m matter, zone *time.Location) error {
	d.Title, d.Status, d.ProjectName = m.one("title"), m.one("status"), m.one("project")
	d.Previous, d.Branch = m.one("previous_session"), m.one("branch")
	d.Session = m.one("session")
	if sessions.IsNone(d.Previous) {
		d.Previous = ""
	}
	d.Tags = tags(m["tags"])
	if date := m.one("date"); date != "" {
		var ok bool
		if d.Date, ok = parseDate(date, zone); !ok {
			return fmt.Errorf("invalid date: %s", date)
		}
	}
	return nil
}

// tags returns the tags from a list, or from one text with commas.
func tags(texts []string) []string {
	if len(texts) == 1 {
		texts = strings.Split(texts[0], ",")
	}
	var list []string
	for _, t := range texts {
		if t = oneLine(t); t != "" {
			list = append(list, t)
		}
	}
	return list
}

// Errors for common mistakes. errNoList is about the tags only.
var (
	errUnclosed = errors.New("the closing --- is missing")
	errNoList   = errors.New("tags is not a list")
)

// SplitFrontMatter splits a document into front matter and body, without the two lines "---" and a byte order mark.
// Without a "---" at the beginning, front is nil. If the second "---" isn't within 4 KB, there is an error, and body
// is everything after the first one.
func SplitFrontMatter(text []byte) (front, body []byte, err error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	if string(bytes.TrimRight(first, " \t\r")) != "---" {
		return nil, text, nil
	}
	n := 0
	for line := range bytes.Lines(rest) {
		if n > maxFrontMatter {
			break
		}
		if end := string(bytes.TrimRight(line, " \t\r\n")); end == "---" || end == "..." {
			return rest[:n:n], rest[n+len(line):], nil
		}
		n += len(line)
	}
	return rest[:min(len(rest), maxFrontMatter)], rest, errUnclosed
}

// syntaxError is an error of the parser. Its Error has several lines with an excerpt of the source.
type syntaxError interface {
	error
	GetToken() *token.Token
	GetMessage() string
}

// slip describes an error of the parser in plain words.
func slip(err error) error {
	se, ok := errors.AsType[syntaxError](err)
	if !ok || se.GetToken() == nil {
		return errors.New("invalid YAML")
	}
	line := se.GetToken().Position.Line + 1
	if message := se.GetMessage(); strings.Contains(message, "sequence end token") || strings.Contains(message, "']'") {
		return fmt.Errorf("line %d: the list is not closed", line)
	}
	return fmt.Errorf("line %d: invalid YAML", line)
}

// readFrontMatter reads the keys of a mapping. It doesn't follow aliases, so it needs little memory. Line numbers in
// errors count from the top of the document. After errNoList, the other keys are valid. After other errors, the
// result is nil.
func readFrontMatter(front []byte) (matter, error) {
	file, err := parser.ParseBytes(front, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, slip(err)
	}
	m := matter{}
	problem := error(nil)
	add := func(v *ast.MappingValueNode) {
		if m.add(v); isTags(v) {
			problem = errNoList
		}
	}
	for _, doc := range file.Docs {
		switch body := doc.Body.(type) {
		case nil:
		case *ast.MappingNode:
			for _, v := range body.Values {
				add(v)
			}
		case *ast.MappingValueNode:
			add(body)
		default:
			return nil, errors.New("not a list of keys and values")
		}
	}
	return m, problem
}

// isTags reports whether v is the key tags with a mapping as its value.
func isTags(v *ast.MappingValueNode) bool {
	key, ok := v.Key.(*ast.StringNode)
	if !ok || !strings.EqualFold(key.Value, "tags") {
		return false
	}
	switch v.Value.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return true
	}
	return false
}

func (m matter) add(v *ast.MappingValueNode) {
	key, ok := v.Key.(*ast.StringNode)
	if !ok {
		return
	}
	var texts []string
	if list, ok := v.Value.(*ast.SequenceNode); ok {
		for _, item := range list.Values {
			texts = appendText(texts, item)
		}
	} else {
		texts = appendText(nil, v.Value)
	}
	m[strings.ToLower(key.Value)] = texts
}

// appendText appends the text of a scalar as written, such as 007 and 1.10.
func appendText(texts []string, n ast.Node) []string {
	text := ""
	switch n := n.(type) {
	case *ast.AnchorNode:
		return appendText(texts, n.Value)
	case *ast.TagNode:
		return appendText(texts, n.Value)
	case *ast.StringNode:
		text = n.Value
	case *ast.LiteralNode:
		text = n.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		text = n.GetToken().Value
	}
	if text == "" {
		return texts
	}
	return append(texts, text)
}

// salvageFrontMatter reads invalid YAML, such as an unquoted "@" or a second colon. It reads lines "key: value" with
// the keys of the specs, up to the first heading.
func salvageFrontMatter(front []byte) matter {
	m := matter{}
	for raw := range bytes.Lines(front) {
		line := string(raw)
		if strings.HasPrefix(line, "#") {
			break
		}
		key, value, ok := strings.Cut(line, ":")
		key = strings.ToLower(key)
		if !ok || m[key] != nil {
			continue
		}
		switch key {
		case "title", "status", "project", "previous_session", "branch", "date", "tags", "session":
		default:
			continue
		}
		value = strings.TrimSpace(value)
		if key == "tags" {
			value = strings.Trim(value, "[]")
		}
		if value = strings.Trim(value, `"'`); value != "" && value != "null" && value != "~" {
			m[key] = []string{value}
		}
	}
	return m
}
