package facts

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript/stats"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// files lists the changed files. Enter opens the call that last changed the file.
func (c *column) files() {
	if len(c.Files) == 0 {
		return
	}
	added, removed := c.Lines()
	most := talk.LineCounts(added, removed) // no other number is wider than the sums
	counts := func(added, removed int) []render.Span {
		spans := talk.LineCounts(added, removed)
		for i := range spans {
			spans[i].Text = strings.Repeat(" ", max(ansi.StringWidth(most[i].Text)-ansi.StringWidth(spans[i].Text), 0)) + spans[i].Text
		}
		return spans
	}
	c.group("Files changed", "", counts(added, removed)...)
	n, more := c.shown(files, len(c.Files))
	for _, f := range c.Files[:n] {
		added, removed = added-f.Added, removed-f.Removed
		c.choice(spot{group: files, name: f.Path, at: f.At}, render.Text, c.folder(f.Path), counts(f.Added, f.Removed)...)
	}
	if more {
		c.rest(files, len(c.Files)-n, counts(added, removed)...)
	}
}

// why describes a failure, such as "exit 1, 2 times".
func why(f *stats.Failure) string {
	text := "failed"
	if f.Exit != 0 {
		text = "exit " + words.Count(f.Exit)
	}
	if f.N > 1 {
		text += ", " + words.Counted(f.N, "time", "times")
	}
	return text
}

// clock returns the time of day in the scope of a session, and the day in a wider scope.
func (p *Page) clock(t time.Time) string {
	t = t.In(p.frame.Now.Location())
	if p.scope != ofSession {
		return t.Format("Jan _2")
	}
	return t.Format("15:04")
}

// failures lists the failed calls. A list that isn't opened has only the latest calls. Enter opens the last call of the
// row.
func (c *column) failures() {
	if len(c.Failures) == 0 {
		return
	}
	calls, failed := c.Calls()
	c.group("Failures", words.Count(failed)+" of "+words.Counted(calls, "call", "calls"))
	n, more := c.shown(failures, len(c.Failures))
	for i := range n {
		f := &c.Failures[len(c.Failures)-n+i]
		at := ""
		if !f.Last.IsZero() {
			at = "  " + c.clock(f.Last)
		}
		c.choice(spot{group: failures, name: f.What, at: f.At}, render.Text, f.What,
			render.Span{Ink: render.Bad, Text: "✗ " + why(f)}, render.Span{Ink: render.Faint, Text: at})
	}
	if more {
		c.rest(failures, len(c.Failures)-n)
	}
}

func requestName(r *stats.PullRequest) string {
	return fmt.Sprintf("#%d %s", r.Number, cmp.Or(r.Repository, r.URL))
}

func (c *column) requests() {
	if len(c.Requests) == 0 {
		return
	}
	c.group("Pull requests", "")
	for i := range c.Requests {
		r := &c.Requests[i]
		c.row(render.Text, requestName(r), render.Span{Ink: render.Muted, Text: "linked"}, render.Span{Ink: render.Faint, Text: "  " + c.clock(r.Linked)})
	}
}
