package talk

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
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

// toldBy picks what one line can say of a call's input: the list of a TodoWrite as a count, the first question of an
// AskUserQuestion, else the most telling parameter or those that are short. An input of another shape is shown as
// its JSON.
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

// pairs names the parameters that are short: "taskId 1 · status completed". Lists and objects are left out.
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
