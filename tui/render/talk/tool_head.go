package talk

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
)

// told is the input of a call on one line.
type told struct {
	target  string // name of the parameter in value; may be ""
	value   string // text to show
	partial bool   // the input has more than value
}

// line returns the value on one line, of several lines the first. full reports whether that is all.
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

// toldBy chooses what to show of an input: the counts of a TodoWrite, the first question of an AskUserQuestion, the most
// important parameter, or all short ones. An unknown shape is shown as JSON.
func toldBy(c *transcript.Call) told {
	switch {
	case string(c.Input) == "null":
		return told{}
	case c.Params == nil:
		return told{value: string(c.Input)}
	case len(c.Params) == 0:
		return told{}
	}
	if todos, _ := c.Todos(); len(todos) > 0 {
		return told{target: "todos", value: todoSum(todos), partial: true}
	}
	if asked := c.Questions(); len(asked) > 0 && !isBlank(asked[0].Text) {
		t := told{target: "questions", value: transcript.CleanLine(asked[0].Text)}
		if n := len(asked) - 1; n > 0 {
			t.value, t.partial = t.value+" … "+strconv.Itoa(n)+" more", true
		}
		return t
	}
	if q := c.Target(); q != nil {
		return told{target: q.Key, value: q.Text()}
	}
	return pairs(c.Params, c.Input)
}

// pairs returns the short parameters with their names: "taskId 1 · status completed". Lists and objects are left out.
func pairs(params transcript.Params, input json.RawMessage) told {
	const longest = 40 // cells of a value
	var said []string
	partial := false
	for i := range params {
		q := &params[i]
		if q.Raw[0] == '{' || q.Raw[0] == '[' || len(said) == 16 {
			partial = true
			continue
		}
		all := q.Text()
		some := transcript.CleanLine(head(all, longest))
		partial = partial || len(all) != len(some) || ansi.StringWidth(some) > longest
		said = append(said, strings.TrimSpace(transcript.CleanLine(head(q.Key, longest))+" "+words.Cut(some, longest)))
	}
	if len(said) == 0 {
		return told{value: (&transcript.Param{Raw: input}).Text()}
	}
	return told{value: strings.Join(said, " · "), partial: partial}
}
