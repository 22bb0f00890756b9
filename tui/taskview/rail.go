package taskview

import (
	"cmp"
	"slices"
	"strings"
	"time"

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

// railItem is a heading, a text, a task of two lines or, if zero, a blank line.
type railItem struct {
	head  string
	text  string
	right string // text at the right of a heading or text
	warn  bool   // the text is a warning
	task  *task.Task
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

// With implements blocks.Grouped. A task stays visible with its heading.
func (r *rail) With(i int) (first, last int) {
	if i > 0 && r.items[i-1].head != "" {
		return i - 1, i
	}
	return i, i
}

// list lists the tasks by state, and then the snapshot and the next steps of the selected task.
func (r *rail) list(f *facts, rows int, now time.Time) {
	all := f.All
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
	if f.snapshot != nil {
		head("Snapshot")
		r.items[len(r.items)-1].right = f.snapshot.AgeText(now)
		r.items = append(r.items, snapshotItems(f.snapshot)...)
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

// snapshotItems returns the numbers of a snapshot, and the difference of its commit to the current commit.
func snapshotItems(s *Snapshot) []railItem {
	c := s.Counts()
	all := []railItem{
		{text: "in progress", right: words.Count(c.InProgress)},
		{text: "pending", right: words.Count(c.Pending)},
		{text: "completed", right: words.Count(c.Done)},
		{text: "context blocks", right: words.Count(len(s.Blocks))},
	}
	d := s.Drift
	branch, text := transcript.CleanLine(cmp.Or(d.Branch, s.Branch, "HEAD")), ""
	switch commits := words.Counted(max(d.Ahead, d.Behind), "commit", "commits"); {
	case d.Unknown:
		text = "unknown commit"
	case d.Ahead > 0 && d.Behind > 0:
		text = "diverged from " + branch
	case d.Ahead > 0:
		text = commits + " behind " + branch
	case d.Behind > 0:
		text = commits + " ahead of " + branch
	case d.Branch != "":
		text = "saved on " + transcript.CleanLine(s.Branch)
	}
	if text != "" {
		all = append(all, railItem{}, railItem{text: text, warn: true})
	}
	return all
}

// rank returns the sort key of a task's state. Tasks that need attention come first.
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

// glyph returns the mark for the state of a task. The line of gates has the same mark.
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

// draw draws item i. inside means that the pane has the focus.
func (r *rail) draw(i, width int, st *render.Styles, inside bool) []string {
	it := &r.items[i]
	l := render.NewLine(st, width)
	left := min(4, width/8)
	switch {
	case it.task != nil:
	case it.head != "":
		return []string{l.To(left).PutUntil(render.Heading, it.head, width-1).Right(width-1, render.Span{Ink: render.Faint, Text: it.right}).String()}
	default:
		if it.warn {
			l.To(max(left-2, 1)).Put(render.Warn, "△")
		}
		return []string{l.To(left).PutUntil(render.Text, it.text, width-1).Right(width-1, render.Span{Ink: render.Muted, Text: it.right}).String()}
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
