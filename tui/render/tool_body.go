package render

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
)

// param is one thing that a call was told by name.
type param struct {
	key string
	raw json.RawMessage
}

// text is the value as it is shown: a string as it is, all else as JSON on one line.
func (q *param) text() string {
	var s string
	if q.raw[0] == '"' && json.Unmarshal(q.raw, &s) == nil {
		return s
	}
	return compact(q.raw)
}

// paramsOf returns the parameters of a call in the order of the file, nil when its input is no object. The values
// are not decoded: an input can hold a file.
func paramsOf(input json.RawMessage) []param {
	input = bytes.Trim(input, " \t\r\n") // what JSON calls blank
	if len(input) == 0 || input[0] != '{' || !json.Valid(input) {
		return nil
	}
	params := []param{}
	for i := 1; ; {
		i += bytes.IndexAny(input[i:], `"}`)
		if input[i] == '}' {
			return params
		}
		var q param
		end := valueEnd(input, i)
		if json.Unmarshal(input[i:end], &q.key) != nil {
			return nil
		}
		i = end + bytes.IndexByte(input[end:], ':') + 1
		end = valueEnd(input, i)
		q.raw = bytes.TrimSpace(input[i:end])
		params = append(params, q)
		i = end
	}
}

// valueEnd returns where the value ends that begins at or behind input[i], which is valid JSON inside an object.
func valueEnd(input []byte, i int) int {
	for depth := 0; ; i++ {
		switch input[i] {
		case '"':
			for i++; input[i] != '"'; i++ {
				if input[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case ',':
			if depth == 0 {
				return i
			}
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
}

// named returns the last parameter of that name, nil when there is none.
func named(params []param, key string) *param {
	for i := len(params) - 1; i >= 0; i-- {
		if params[i].key == key {
			return &params[i]
		}
	}
	return nil
}

// call draws what a call was told, as far as its head does not say it in full, and what came back.
func (b *body) call(c *toolCall, headIsFull bool) {
	rows := openRows
	if c.result != nil {
		rows = max(openRows-countLines(strings.TrimRight(c.result.Text, "\n")), toldRows)
	}
	params := c.params
	if headIsFull {
		params = without(params, c.target)
	}
	enough := b.told(c, params, headIsFull, rows)
	if c.result == nil || enough && !c.result.Failed {
		return
	}
	if b.drawn > 0 && trimLines(c.result.Text) != "" {
		b.row()
	}
	if c.name != "AskUserQuestion" || !b.answers(c) {
		b.result(c.result)
	}
}

// told draws what a call was told; params are those that the head does not say. It reports whether a result could
// only add that it was done.
func (b *body) told(c *toolCall, params []param, headIsFull bool, rows int) (enough bool) {
	target := named(params, c.target) // nil when the head says it
	switch {
	case c.change.is():
		b.param(target, rows)
		b.diff(c.change, openRows)
		return true
	case c.name == "TodoWrite" && b.todos(c.params):
		return true
	case c.name == "AskUserQuestion" && b.questions(c.params, headIsFull):
	case c.name == "Read":
		b.param(target, rows)
	case c.name == "Bash" && c.target == "command":
		b.words(target, rows)
	case c.name == "Agent" || c.name == "Task":
		prompt := named(params, "prompt")
		if target != prompt {
			b.param(target, rows)
		}
		b.words(prompt, rows)
	case c.params == nil && !headIsFull:
		b.text(Muted, c.value, rows)
	case c.target != "" || !headIsFull:
		b.params(params, rows)
	}
	return false
}

// words draws a parameter that is what somebody said, param one by its name; nothing for nil.
func (b *body) words(q *param, open int) {
	if q != nil {
		b.text(Text, q.text(), open)
	}
}

func (b *body) param(q *param, open int) {
	if q != nil {
		b.params([]param{*q}, open)
	}
}

// without returns the parameters but those of that name, "" none.
func without(params []param, key string) []param {
	rest := make([]param, 0, len(params))
	for _, q := range params {
		if q.key != key {
			rest = append(rest, q)
		}
	}
	return rest
}

// result draws the text that came back.
func (b *body) result(r *transcript.Block) {
	text := r.Text
	if r.Reason != "" { // without what the client adds for the model
		text = r.Reason
	}
	if inner, ok := strings.CutPrefix(strings.TrimLeft(text, " \n"), "<tool_use_error>"); ok {
		text = strings.TrimSuffix(strings.TrimRight(inner, " \n"), "</tool_use_error>")
	}
	b.media = true
	if r.Failed {
		b.ends(Muted, text)
	} else {
		b.text(Muted, text, openRows)
	}
	b.media = false
}

// compact is JSON on one line.
func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

// indented is JSON as people read it, as long as that stays in proportion: blanks grow with the square of the depth.
func indented(raw json.RawMessage) string {
	const maxDepth, maxLen = 40, 64 << 10
	depth := 0
	for _, c := range raw {
		switch c {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth > maxDepth || len(raw) > maxLen {
			return string(raw)
		}
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}
