package talk

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
)

// inputLine is the input of a call on one line.
type inputLine struct {
	target  string // name of the parameter in value; may be ""
	value   string // text to show
	partial bool   // the input has more than value
}

// line returns the first line of the value. full reports whether that is the whole input.
func (t *inputLine) line(width int) (text string, full bool) {
	some := strings.TrimSpace(head(t.value, width))
	full = len(strings.TrimSpace(t.value)) == len(some) && !t.partial
	first, _, more := strings.Cut(some, "\n")
	text = transcript.CleanLine(first)
	if more {
		return text + " …", false
	}
	return text, full
}

// inputLineOf chooses the text for an input: the counts of a TodoWrite, the first question of an AskUserQuestion, the
// most important parameter, or all short ones. An unknown format is shown as JSON.
func inputLineOf(c *transcript.Call) inputLine {
	switch {
	case string(c.Input) == "null":
		return inputLine{}
	case c.Params == nil:
		return inputLine{value: string(c.Input)}
	case len(c.Params) == 0:
		return inputLine{}
	}
	if todos, _ := c.Todos(); len(todos) > 0 {
		return inputLine{target: "todos", value: todoSum(todos), partial: true}
	}
	if asked := c.Questions(); len(asked) > 0 && !isBlank(asked[0].Text) {
		t := inputLine{target: "questions", value: transcript.CleanLine(asked[0].Text)}
		if n := len(asked) - 1; n > 0 {
			t.value, t.partial = t.value+" … "+strconv.Itoa(n)+" more", true
		}
		return t
	}
	if q := c.Target(); q != nil {
		return inputLine{target: q.Key, value: q.Text()}
	}
	return pairs(c.Params, c.Input)
}

// pairs returns the short parameters with their names: "taskId 1 · status completed". Lists and objects are left out.
func pairs(params transcript.Params, input json.RawMessage) inputLine {
	const longest = 40 // cells of a value
	var list []string
	partial := false
	for i := range params {
		q := &params[i]
		if q.Raw[0] == '{' || q.Raw[0] == '[' || len(list) == 16 {
			partial = true
			continue
		}
		all := q.Text()
		some := transcript.CleanLine(head(all, longest))
		partial = partial || len(all) != len(some) || ansi.StringWidth(some) > longest
		list = append(list, strings.TrimSpace(transcript.CleanLine(head(q.Key, longest))+" "+words.Cut(some, longest)))
	}
	if len(list) == 0 {
		return inputLine{value: (&transcript.Param{Raw: input}).Text()}
	}
	return inputLine{value: strings.Join(list, " · "), partial: partial}
}
