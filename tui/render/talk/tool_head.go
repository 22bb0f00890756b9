package talk

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
)

// inputLine is the input of a call as one line.
type inputLine struct {
	target  string // name of the parameter of value, or ""
	value   string // the text to show
	partial bool   // value isn't the whole input
}

// line returns the first line of the value. full reports whether the input is complete.
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

// inputLineOf returns the text of an input for the first line of a call: the most important parameter, or all short
// parameters. An input in an unknown format is shown as JSON.
func inputLineOf(c *transcript.Call) inputLine {
	switch {
	case string(c.Input) == "null":
		return inputLine{}
	case c.Params == nil:
		if c.Kind != transcript.ToolOther && strings.ContainsAny(string(c.Input), "{[") {
			return inputLine{partial: true}
		}
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
	if t, ok := named(c); ok {
		return t
	}
	if q := c.Target(); q != nil {
		return inputLine{target: q.Key, value: q.Text()}
	}
	return pairs(c)
}

// named returns the text for a tool that needs more than its most important parameter.
func named(c *transcript.Call) (inputLine, bool) {
	p, d := c.Params, c.Details()
	switch c.Kind {
	case transcript.ToolFetch:
		if page, ok := strings.CutPrefix(p.String("url"), "https://"); ok {
			return inputLine{target: "url", value: page}, true
		}
	case transcript.ToolSkill:
		if args := p.String("args"); !isBlank(args) {
			return inputLine{value: p.String("skill") + p.String("command") + " " + args, partial: strings.Contains(args, "\n")}, true
		}
	case transcript.ToolTaskNew:
		if subject := p.String("subject"); !isBlank(subject) {
			return inputLine{target: "subject", value: subject}, true
		}
	case transcript.ToolTaskChange, transcript.ToolTasks:
		return taskLine(c)
	case transcript.ToolPlan:
		return inputLine{target: "plan", value: planTitle(p.String("plan")), partial: true}, true
	case transcript.ToolOutput, transcript.ToolStop:
		if !isBlank(d.Name) {
			return inputLine{value: d.Name, partial: true}, true
		}
	case transcript.ToolWatch, transcript.ToolAgent:
		if what := p.String("description"); !isBlank(what) {
			return inputLine{target: "description", value: what}, true
		}
	case transcript.ToolTools:
		if names, ok := strings.CutPrefix(p.String("query"), "select:"); ok {
			return inputLine{target: "query", value: strings.ReplaceAll(names, ",", ", ")}, true
		}
	default:
		return composed(c)
	}
	return inputLine{}, false
}

// composed returns a text that contains several parameters.
func composed(c *transcript.Call) (inputLine, bool) {
	p, d := c.Params, c.Details()
	switch c.Kind {
	case transcript.ToolWorkflow:
		name := p.String("name")
		if name == "" {
			name = d.Name
		}
		return inputLine{value: name, partial: true}, true
	case transcript.ToolWait:
		if reason := p.String("reason"); !isBlank(reason) {
			return inputLine{target: "reason", value: reason}, true
		}
	case transcript.ToolMessage:
		what := p.String("summary")
		if isBlank(what) {
			what = p.String("message")
		}
		return inputLine{value: strings.TrimSpace("to " + sender(transcript.CleanLine(head(p.String("to")+p.String("recipient"), 80))) + ": " + what), partial: true}, true
	case transcript.ToolCode:
		file, line := c.File()
		if line > 0 {
			file += ":" + strconv.Itoa(line)
		}
		return inputLine{value: strings.TrimSpace(p.String("operation") + " " + file), partial: true}, true
	default:
	}
	return inputLine{}, false
}

// taskLine returns the title of a task, or its ID if it has no title.
func taskLine(c *transcript.Call) (inputLine, bool) {
	title := c.Params.String("subject")
	if title == "" {
		title = c.Title
	}
	if title == "" {
		title = c.Details().Name
	}
	id := c.Params.String("taskId")
	switch {
	case title != "":
		return inputLine{value: title, partial: true}, true
	case id != "":
		return inputLine{target: "taskId", value: "task " + id, partial: len(c.Params) > 2}, true
	}
	return inputLine{}, false
}

// planTitle returns the first line of a plan, without the # of a heading.
func planTitle(plan string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(plan), "\n")
	return strings.TrimSpace(strings.TrimLeft(first, "#"))
}

// pairs returns the short parameters with their names, such as "id 1 · status done".
func pairs(c *transcript.Call) inputLine {
	const longest = 40 // maximum cells of a value
	var list []string
	partial := false
	for i := range c.Params {
		q := &c.Params[i]
		if q.Raw[0] == '{' || q.Raw[0] == '[' || len(list) == 16 {
			partial = true
			continue
		}
		all := q.Text()
		some := transcript.CleanLine(head(all, longest))
		partial = partial || len(all) != len(some) || ansi.StringWidth(some) > longest
		list = append(list, strings.TrimSpace(transcript.CleanLine(head(q.Key, longest))+" "+words.Cut(some, longest)))
	}
	switch {
	case len(list) > 0:
	case c.Kind == transcript.ToolOther:
		return inputLine{value: (&transcript.Param{Raw: c.Input}).Text()}
	default: // there are only names
		for _, q := range c.Params {
			list = append(list, transcript.CleanLine(head(q.Key, longest)))
		}
		return inputLine{value: strings.Join(list[:min(len(list), 16)], ", "), partial: true}
	}
	return inputLine{value: strings.Join(list, " · "), partial: partial}
}
