package taskview

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// Columns of the pane. From a minimum width on, a checkpoint's first line has its summary.
const (
	timeColumn    = 4
	typeColumn    = 20
	summaryColumn = 33
	wideFrom      = 64
)

func (c *chain) line() *render.Line { return render.NewLine(c.st, c.look.width) }

func clean(s string) string { return transcript.CleanLine(s) }

// drawGates draws all gates of the spec, and marks the passed ones.
func (c *chain) drawGates() []string {
	now, ok := c.of.Gate().Number()
	step := (c.look.width - 7) / 10
	if !ok || step < 5 {
		return []string{c.line().To(2).Spans(glyph(c.of)).Put(render.Strong, " "+clean(string(c.of.Gate()))).Put(render.Muted, "  "+strings.ToLower(c.of.Gate().Name())).String(), ""}
	}
	names := []string{"task", "research", "plan", "scaffold", "implementation", "verification", "review", "docs", "deploy", "", "archive"}
	head, marks, even, odd := c.line(), c.line(), c.line(), c.line()
	for n, name := range names {
		gate := task.Gate("G" + words.Count(n))
		at, ink, mark, rule := 2+n*step, render.Faint, render.Span{Ink: render.Faint, Text: "·"}, render.Span{Ink: render.Rule, Text: "─"}
		switch {
		case n == now:
			ink, mark = render.Strong, glyph(c.of)
		case n < now:
			ink, rule = render.Muted, render.Span{Ink: render.Accent, Text: "━"}
			if slices.ContainsFunc(c.of.Checkpoints, func(p *task.Checkpoint) bool { return p.Gate == gate }) {
				mark = render.Span{Ink: render.Good, Text: "✓"}
			}
		}
		head.To(at).Put(ink, string(gate))
		marks.To(at).Spans(mark)
		if n < len(names)-1 {
			marks.To(at+2).Put(rule.Ink, strings.Repeat(rule.Text, step-3))
		}
		under := even
		if n%2 == 1 {
			under = odd
		}
		under.To(min(at, max(c.look.width-1-len(name), 0))).PutUntil(ink, name, min(at+2*step-1, c.look.width-1))
	}
	return []string{head.String(), marks.String(), even.String(), odd.String(), ""}
}

// drawWanted draws what the spec requires at the current gate, with a mark for each missing item.
func (c *chain) drawWanted() []string {
	var at []*task.Checkpoint
	for _, p := range c.of.Checkpoints {
		if p.Gate == c.of.Gate() {
			at = append(at, p)
		}
	}
	var lines []string
	l := c.line().To(2).Put(render.Heading, "Required at "+clean(string(c.of.Gate())))
	column := min(typeColumn, c.look.width/2)
	for _, w := range c.of.Gate().Wanted(at...) {
		mark, text := render.Span{Ink: render.Warn, Text: "△"}, w.Name+" missing"
		if w.Has {
			mark, text = render.Span{Ink: render.Good, Text: "✓"}, w.Name+detail(w.Field, at)
			if w.Field == "state.tests" && red(at) > 0 {
				mark.Ink, mark.Text = render.Warn, "△"
			}
		}
		if at := l.At() + 3; at > column {
			if column = at; at+render.SpansWidth([]render.Span{{Text: text}})+2 >= c.look.width {
				column = min(typeColumn, c.look.width/2)
				lines = append(lines, l.String())
				l = c.line()
			}
		}
		l.To(column).Spans(mark).PutUntil(render.Text, " "+text, c.look.width-1)
	}
	return append(lines, l.String(), "")
}

// detail returns the figures for a required field, such as ", 3 files".
func detail(field string, at []*task.Checkpoint) string {
	switch field {
	case "state.files_changed":
		paths := map[string]bool{}
		for _, p := range at {
			for _, f := range p.Files {
				paths[f.Path] = true
			}
		}
		if n := len(paths); n > 0 {
			return ", " + words.Counted(n, "file", "files")
		}
	case "state.tests":
		for _, p := range slices.Backward(at) {
			if p.Tested {
				return ": " + testsOf(p)
			}
		}
	}
	return ""
}

// red returns the number of failing tests in the last test run.
func red(all []*task.Checkpoint) int {
	for _, p := range slices.Backward(all) {
		if p.Tested {
			return p.Tests.Failing
		}
	}
	return 0
}

func testsOf(p *task.Checkpoint) string {
	all := p.Tests.Passing + p.Tests.Failing
	if p.Tests.Failing > 0 {
		return words.Count(p.Tests.Failing) + " of " + words.Counted(all, "test", "tests") + " failed"
	}
	return words.Counted(all, "test", "tests") + " passed"
}

// drawFindings draws the findings of verify, and the files that can't be read.
func (c *chain) drawFindings() []string {
	lines := []string{c.line().To(2).Put(render.Heading, "Verify").Put(render.Faint, " continuo task verify --task "+clean(c.of.Slug)).String()}
	add := func(text string) {
		for i, s := range render.Wrap(clean(text), c.look.width-5) {
			l := c.line()
			if i == 0 {
				l.To(2).Put(render.Bad, "✗")
			}
			lines = append(lines, l.To(4).Put(render.Text, s).String())
		}
	}
	for _, part := range ledger.Parts(c.of.Problem) {
		add(part.Error())
	}
	for _, f := range c.found {
		add(f.File + ": " + f.What)
	}
	return append(lines, "")
}

// drawBrief draws the brief for a fixer: its first line, and its text if unfolded.
func (c *chain) drawBrief(b *task.Brief, chosen bool) []string {
	l, ink := c.line(), render.Text
	if chosen {
		ink = render.Strong
		l.Select(true).Put(render.AccentBold, "▌")
	}
	text := " Step " + words.Count(b.Step) + " at " + clean(string(b.Gate)) + " has failed " + words.Count(task.Attempts) + " times in a row. A fixer can look for the cause."
	lines := []string{l.To(2).Put(render.Warn, "△").PutUntil(ink, text, c.look.width-1).To(c.look.width).String()}
	if !chosen {
		lines[0] = strings.TrimRight(lines[0], " ")
	}
	if c.open[b.File] {
		for s := range strings.Lines(transcript.Clean(b.Text)) {
			for _, s := range render.Wrap(strings.TrimRight(s, "\n"), c.look.width-5) {
				lines = append(lines, c.line().To(4).Put(render.Muted, s).String())
			}
		}
	}
	return append(lines, "")
}

func (c *chain) drawHead(n int) []string {
	l := c.line().To(2).Put(render.Heading, "Checkpoints")
	if n == 0 {
		return []string{l.Put(render.Faint, " none yet").String()}
	}
	return []string{l.Put(render.Faint, " newest first").Right(c.look.width-1, render.Span{Ink: render.Faint, Text: " state after"}).String()}
}

// drawContinue draws how to continue the task.
func (c *chain) drawContinue() []string {
	text := "Session " + words.Count(len(c.of.Sessions)+1) + " starts from " + clean(string(c.of.Gate())) + ": claude gets the newest checkpoints and runs continuo task start. The health check runs only with --health."
	if why := whyNotContinue(c.of); why != "" {
		text = words.Sentence(why)
	}
	var lines []string
	column := min(16, c.look.width/4)
	for i, s := range render.Wrap(text, c.look.width-column-1) {
		l := c.line()
		if i == 0 {
			l.To(2).PutUntil(render.Heading, "Continue", column)
		}
		lines = append(lines, l.To(column).Put(render.Muted, s).String())
	}
	return lines
}
