package taskview

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/render"
)

// rail is the list of tasks.
type rail struct {
	blocks.List
	items []railItem
	sel   string // name of the selected task
}

// railItem is a line of the list: a heading, a text, a task of two lines or, as the zero value, a blank line.
type railItem struct {
	head string
	text string
	task *task.Task
}

// Len implements blocks.Items.
func (r *rail) Len() int { return len(r.items) }

// Height implements blocks.Items.
func (r *rail) Height(i int) int {
	if r.items[i].task != nil {
		return 2
	}
	return 1
}

// Stops implements blocks.Items.
func (r *rail) Stops(i int) bool { return r.items[i].task != nil }

// Chosen implements blocks.Items.
func (r *rail) Chosen(i int) { r.sel = r.items[i].task.Slug }

// With implements blocks.Grouped. A task is shown with its heading.
func (r *rail) With(i int) (first, last int) {
	if i > 0 && r.items[i-1].head != "" {
		return i - 1, i
	}
	return i, i
}

// list lists the tasks by their state, and below them the next steps of the selected one.
func (r *rail) list(all []*task.Task, rows int) {
	r.items = r.items[:0:0]
	head := func(name string) {
		if len(r.items) > 0 {
			r.items = append(r.items, railItem{})
		}
		r.items = append(r.items, railItem{head: name})
	}
	var states []string
	for _, t := range all {
		if !slices.Contains(states, t.State()) {
			states = append(states, t.State())
		}
	}
	slices.SortStableFunc(states, func(a, b string) int { return rank(a) - rank(b) })
	for _, state := range states {
		word := stateWord(state)
		head(strings.ToUpper(word[:1]) + word[1:])
		for _, t := range all {
			if t.State() == state {
				r.items = append(r.items, railItem{task: t})
			}
		}
	}
	r.At = slices.IndexFunc(r.items, func(it railItem) bool { return it.task != nil && it.task.Slug == r.sel })
	if r.At < 0 {
		if r.At = r.End(-1); r.At >= 0 {
			r.Chosen(r.At)
		}
	}
	if r.At >= 0 {
		if next := r.items[r.At].task.Status.Next; len(next) > 0 {
			head("Next")
			for _, s := range next {
				r.items = append(r.items, railItem{text: transcript.CleanLine(s)})
			}
		}
	}
	r.Rows = rows
	r.Fit()
	r.Reveal()
}

// rank returns the sort key of a state. Tasks that need attention come first.
func rank(state string) int {
	order := []string{string(task.Suspended), task.Blocked, string(task.Active), string(task.Init), task.InProgress, task.Completed}
	if i := slices.Index(order, state); i >= 0 {
		return i
	}
	return len(order)
}

func stateWord(state string) string {
	if state = transcript.CleanLine(state); state == "" {
		return "no state"
	}
	return state
}

// glyph returns the mark of a task. The current gate of a task has the same mark.
func glyph(t *task.Task) render.Span {
	switch t.State() {
	case string(task.Suspended), task.Blocked:
		return render.Span{Ink: render.Warn, Text: "△"}
	case string(task.Active), string(task.Init):
		return render.Span{Ink: render.GoodBold, Text: "●"}
	case task.Completed:
		return render.Span{Ink: render.Good, Text: "✓"}
	}
	return render.Span{Ink: render.Faint, Text: "·"}
}

// draw draws an item. inside means that the keys act on the other pane.
func (r *rail) draw(i, width int, st *render.Styles, inside bool) []string {
	it := &r.items[i]
	l := render.NewLine(st, width)
	left := min(4, width/8)
	switch {
	case it.head != "":
		return []string{l.To(left).PutUntil(render.Heading, it.head, width-1).String()}
	case it.task == nil:
		return []string{l.To(left).PutUntil(render.Text, it.text, width-1).String()}
	}
	ink := render.Text
	if i == r.At {
		ink = render.Strong
		if inside {
			l.Put(render.Muted, "│")
		} else {
			l.Select(true).Put(render.AccentBold, "▌")
		}
	}
	gate := render.Span{Ink: render.Faint, Text: " " + transcript.CleanLine(string(it.task.Gate()))}
	l.To(max(left-2, 1)).Spans(glyph(it.task)).To(left).PutUntil(ink, transcript.CleanLine(it.task.Slug), width-1-render.SpansWidth([]render.Span{gate}))
	l.Right(width-1, gate)
	if i == r.At && !inside {
		l.To(width)
	}
	about := words.Counted(len(it.task.Sessions), "session", "sessions") + ", " + words.Counted(len(it.task.Checkpoints), "checkpoint", "checkpoints")
	return []string{l.String(), render.NewLine(st, width).To(left).PutUntil(render.Faint, about, width-1).String()}
}
