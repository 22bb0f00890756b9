package talk

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// call draws the input that the first line doesn't show, and the result.
func (b *body) call(c *toolCall, headIsFull bool) {
	rows := openRows
	if c.Result != nil {
		rows = max(openRows-countLines(strings.TrimRight(c.Result.Text, "\n")), inputRows)
	}
	params := c.Params
	if headIsFull {
		params = without(params, c.target)
	}
	enough := b.input(c, params, headIsFull, rows)
	if c.Result == nil || enough && !c.Result.Failed {
		return
	}
	if b.drawn > 0 && trimLines(c.Result.Text) != "" {
		b.row()
	}
	if c.Kind == transcript.ToolAgent && !c.Result.Failed {
		b.markdown(c.agentAnswer(), 0, openRows)
		return
	}
	if b.answers(c.Questions()) || c.Kind == transcript.ToolRead && !c.Result.Failed && b.source(c.Result.Text, c.path(), openRows) || b.matches(c) {
		return
	}
	b.result(c.Result, c.exitLine())
}

// input draws the input of a call. params are the parameters that the first line doesn't show. enough means that the
// result only says that the call succeeded.
func (b *body) input(c *toolCall, params transcript.Params, headIsFull bool, rows int) (enough bool) {
	target := params.Named(c.target) // nil if the first line shows the whole parameter
	switch {
	case c.change.Changes():
		b.param(target, rows)
		b.diff(c.change, c.path(), openRows)
		return true
	case c.Kind == transcript.ToolTodos && b.todos(c), b.tasks(c, params):
		return true
	case c.Kind == transcript.ToolPlan && b.plan(c.Params.String("plan")):
		return true
	case c.Params == nil && !headIsFull:
		b.text(render.Muted, string(c.Input), rows)
	case b.questions(c.Questions(), headIsFull):
	case c.Kind == transcript.ToolRead:
		b.param(target, rows)
	case c.Kind == transcript.ToolSearch:
		b.search(params, rows)
	case c.Kind == transcript.ToolShell && c.target == "command":
		b.words(target, rows)
	case c.Kind == transcript.ToolAgent:
		prompt := params.Named("prompt")
		if target != prompt {
			b.param(target, rows)
		}
		b.words(prompt, rows)
	case c.target != "" || !headIsFull:
		b.params(params, rows)
	}
	return false
}

// plan draws a plan as markdown. It returns false without a plan.
func (b *body) plan(text string) bool {
	if text = trimLines(text); text == "" {
		return false
	}
	b.markdown(text, 0, openRows)
	return true
}

// markdown draws a text as markdown. An Open part has at most open lines of it, and then the number of hidden lines.
// This number includes left.
func (b *body) markdown(text string, left, open int) {
	o := &b.p.o
	if o.Markdown == nil || len(text) > render.MaxMarkdown {
		b.text(render.Text, text, open)
		return
	}
	lines := o.Markdown(text, b.width(), b.width())
	limit := min(b.limit(open), len(lines))
	for _, l := range lines[:limit] {
		b.styled(l)
	}
	b.rest(hidden{lines: len(lines) - limit + left})
}

// inline returns a line of markdown as a styled line.
func (b *body) inline(line string) string {
	const wide = 1 << 12 // the caller cuts the line
	if b.p.o.Markdown != nil {
		if lines := b.p.o.Markdown(line, wide, wide); len(lines) > 0 {
			return lines[0]
		}
	}
	return line
}

// words draws the value of a parameter without its name. It does nothing if q is nil.
func (b *body) words(q *transcript.Param, open int) {
	if q != nil {
		b.text(render.Text, q.Text(), open)
	}
}

func (b *body) param(q *transcript.Param, open int) {
	if q != nil {
		b.params(transcript.Params{*q}, open)
	}
}

// without returns the parameters except the one named key.
func without(params transcript.Params, key string) transcript.Params {
	return slices.DeleteFunc(slices.Clone(params), func(q transcript.Param) bool { return q.Key == key })
}

// result draws the text of a result without a prefix, which may be "".
func (b *body) result(r *transcript.Block, prefix string) {
	text, _ := r.Unmarked()
	text = strings.TrimPrefix(text, prefix)
	if r.Reason != "" { // the text has sentences for the model
		text = r.Reason
	}
	b.media, b.colors = true, true
	switch {
	case r.Failed && r.Denied == "":
		b.ends(render.Bad, text)
	case r.Failed:
		b.ends(render.Muted, text)
	default:
		b.text(render.Muted, text, openRows)
	}
	b.media, b.colors = false, false
}

// indented returns JSON with indentation. Deep or long JSON stays the same, because the indentation is quadratic in the
// depth.
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
