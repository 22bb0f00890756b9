package talk

import (
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// todoSum returns the done todos and the current todo, such as "1 of 2 done · Write".
func todoSum(todos []transcript.Todo) string {
	doing, next := "", ""
	for _, t := range todos {
		switch {
		case t.Status == "completed":
		case t.Status == "in_progress" && doing == "":
			doing = t.Content
		case next == "":
			next = t.Content
		}
	}
	if !isBlank(doing) {
		next = doing
	}
	sum := todosDone(todos)
	if next = transcript.CleanLine(next); next != "" {
		sum += " · " + next
	}
	return sum
}

// entry is an item of a list. Its rows are indented by the width of the glyph.
type entry struct {
	glyph render.Span // may be empty
	ink   render.Ink
	text  string
}

// entries draws a list. An Open part has at most limit rows.
func (b *body) entries(list []entry, limit int) {
	limit = b.limit(limit)
	for i, e := range list {
		if limit <= 0 {
			b.rest(hidden{lines: len(list) - i})
			return
		}
		indent := 0
		if e.glyph.Text != "" {
			indent = 2
		}
		rows, used, left := b.wrapHead(trimLines(e.text), max(b.width()-indent, 1), limit)
		b.bytes -= used
		for k, r := range append(rows, textRow{})[:max(len(rows), 1)] {
			switch {
			case indent == 0:
				b.row(render.Span{Ink: e.ink, Text: r.text})
			case k > 0:
				b.row(render.Span{Ink: render.Text, Text: "  "}, render.Span{Ink: e.ink, Text: r.text})
			default:
				b.row(e.glyph, render.Span{Ink: render.Text, Text: " "}, render.Span{Ink: e.ink, Text: r.text})
			}
		}
		limit -= max(len(rows), 1)
		if left.is() {
			b.rest(hidden{lines: len(list) - i - 1, cut: true})
			return
		}
	}
}

// todos draws the todos or tasks after a call. It returns false without todos.
func (b *body) todos(c *toolCall) bool {
	todos := c.Checklist()
	list := make([]entry, 0, len(todos))
	for _, t := range todos {
		e := entry{todoGlyph(t.Status), render.Muted, t.Content}
		if t.Status == "in_progress" {
			e.ink = render.Bold
		}
		list = append(list, e)
	}
	b.entries(list, openRows)
	return len(list) > 0
}

func todoGlyph(status string) render.Span {
	switch status {
	case "completed":
		return render.Span{Ink: render.Good, Text: "✓"}
	case "in_progress":
		return render.Span{Ink: render.Muted, Text: "◐"}
	}
	return render.Span{Ink: render.Faint, Text: "○"}
}

// tasks draws a call's changes to a task, and then the tasks. It returns false without tasks.
func (b *body) tasks(c *toolCall, params transcript.Params) bool {
	if len(c.Checklist()) == 0 {
		return false
	}
	for _, key := range []string{"taskId", "subject", "status", "activeForm"} { // the list shows them
		params = without(params, key)
	}
	if b.params(params, inputRows); b.drawn > 0 {
		b.row()
	}
	return b.todos(c)
}

// questions draws questions with their options. The first line of the call may already show the question. It returns
// false without questions.
func (b *body) questions(asked []transcript.Question, headIsFull bool) bool {
	var list []entry
	for i, q := range asked {
		if i > 0 || !headIsFull {
			list = append(list, entry{ink: render.Text, text: q.Text})
		}
		for _, o := range q.Options {
			text := o.Label
			if !isBlank(o.Description) {
				text += " · " + o.Description
			}
			list = append(list, entry{render.Span{Ink: render.Faint, Text: "·"}, render.Muted, text})
		}
	}
	b.entries(list, openRows)
	return len(asked) > 0
}

// answers draws the answers to the questions of a call. It returns false without answers.
func (b *body) answers(asked []transcript.Question) bool {
	var list []entry
	for _, q := range asked {
		if !q.Answered {
			continue
		}
		if len(asked) > 1 {
			list = append(list, entry{ink: render.Muted, text: q.Text})
		}
		answer := q.Answer
		if q.Notes != "" {
			answer += "\n" + q.Notes
		}
		list = append(list, entry{render.Span{Ink: render.Accent, Text: "❯"}, render.Text, answer})
	}
	b.entries(list, openRows)
	return len(list) > 0
}
