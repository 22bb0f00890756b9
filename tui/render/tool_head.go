package render

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/transcript"
)

// told is what one line says of a call's input.
type told struct {
	target  string // the parameter that it is from, "" none
	value   string // what it says
	partial bool   // the input says more than this
}

// line is what there is of it on one line, and whether that is all: of a text of several lines, the first.
func (t *told) line(width int) (text string, full bool) {
	some := strings.TrimSpace(head(t.value, width))
	full = len(strings.TrimSpace(t.value)) == len(some) && !t.partial
	first, _, more := strings.Cut(some, "\n")
	text = transcript.CleanLine(first)
	if more {
		return text + " …", false
	}
	return text, full
}

// toolVerb names a tool: "mcp__server__tool" is "server tool".
func toolVerb(name string) string {
	name = transcript.CleanLine(name)
	if rest, ok := strings.CutPrefix(name, "mcp__"); ok {
		if server, tool, ok := strings.Cut(rest, "__"); ok && server != "" && tool != "" {
			return server + " " + tool
		}
	}
	if name == "" {
		return "Tool"
	}
	return name
}

// targetKeys are the parameters that say what a tool call is about, the most telling first (tools of client
// 2.1.330).
func targetKeys() []string {
	return []string{
		"command", "file_path", "notebook_path", "pattern", "path", "description", "query", "url", "skill",
		"subject", "prompt", "question", "task_id", "shell_id", "bash_id", "name", "id",
	}
}

// toldBy picks what one line can say of a call's input: the list of a TodoWrite as a count, the first question of an
// AskUserQuestion, else the most telling parameter or those that are short. An input of another shape is shown as
// its JSON.
func toldBy(tool string, input json.RawMessage, params []param) told {
	switch {
	case string(input) == "null":
		return told{}
	case params == nil:
		return told{value: string(input)}
	case len(params) == 0:
		return told{}
	case tool == "TodoWrite":
		if todos := todosOf(params); len(todos) > 0 {
			return told{target: "todos", value: todoSum(todos), partial: true}
		}
	case tool == "AskUserQuestion":
		if asked := questionsOf(params); len(asked) > 0 && !isBlank(asked[0].Question) {
			t := told{target: "questions", value: transcript.CleanLine(asked[0].Question)}
			if n := len(asked) - 1; n > 0 {
				t.value, t.partial = t.value+" … "+strconv.Itoa(n)+" more", true
			}
			return t
		}
	}
	for _, key := range targetKeys() {
		if q := named(params, key); q != nil && q.raw[0] == '"' {
			if s := q.text(); !isBlank(s) {
				return told{target: key, value: s}
			}
		}
	}
	return pairs(params, input)
}

// pairs names the parameters that are short: "taskId 1 · status completed". Lists and objects are left out.
func pairs(params []param, input json.RawMessage) told {
	const longest = 40 // cells of a value
	var words []string
	partial := false
	for i := range params {
		q := &params[i]
		if q.raw[0] == '{' || q.raw[0] == '[' || len(words) == 16 {
			partial = true
			continue
		}
		all := q.text()
		some := transcript.CleanLine(head(all, longest))
		partial = partial || len(all) != len(some) || ansi.StringWidth(some) > longest
		words = append(words, strings.TrimSpace(transcript.CleanLine(head(q.key, longest))+" "+Cut(some, longest)))
	}
	if len(words) == 0 {
		return told{value: compact(input)}
	}
	return told{value: strings.Join(words, " · "), partial: partial}
}
