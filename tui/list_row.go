package tui

import (
	"path"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// draw returns the visible lines of the list, each at most width cells.
func (l *list) draw(width, rows int, now time.Time, st *render.Styles) []string {
	var lines []string
	for _, s := range l.win.visible(len(l.items), rows, oneRow) {
		it := l.items[s.item]
		switch {
		case it.row != nil:
			lines = append(lines, render.Row(it.row, l.rowOptions(it, width, now, st)))
		case it.heading != "":
			lines = append(lines, render.NewLine(st, width).To(4).Put(render.Heading, it.heading).String())
		default:
			lines = append(lines, "")
		}
	}
	return lines
}

func (l *list) rowOptions(it item, width int, now time.Time, st *render.Styles) render.RowOptions {
	return render.RowOptions{
		Width: width, Styles: st, Now: now,
		Project: l.all || l.project == "",
		Chosen:  it.row != nil && it.row.Path == l.sel,
		Lit:     it.lit,
	}
}

// context draws the line above the rows: the scope with its counts, or the filter.
func (l *list) context(width int, now time.Time, st *render.Styles) string {
	if l.typing || l.pattern != "" {
		line := render.NewLine(st, width).To(2).Put(render.AccentBold, "/ ").Put(render.Accent, l.pattern)
		if l.answered == l.pattern && l.pattern != "" {
			found := render.Count(len(l.items)) + " of " + render.Count(len(l.among))
			line.Right(width-1, render.Span{Ink: render.Faint, Text: " " + found})
		}
		return line.String()
	}
	scope := "all projects"
	if !l.all && l.project != "" {
		scope = transcript.CleanLine(path.Base(strings.ReplaceAll(l.project, `\`, "/")))
	}
	if l.tally.total == 0 {
		return ""
	}
	left := []render.Span{
		{Ink: render.Muted, Text: scope},
		{Ink: render.Faint, Text: " · " + render.Counted(l.tally.inScope, "session", "sessions")},
	}
	o := l.rowOptions(item{}, width, now, st)
	room := render.TitleRoom(o) - render.SpansWidth(left)
	for _, hidden := range []string{l.hidden(), render.Count(l.tally.hiddenRuns+l.tally.hiddenStubs) + " hidden"} {
		if l.hidden() != "" && len(hidden)+3 <= room {
			left = append(left, render.Span{Ink: render.Faint, Text: " · " + hidden})
			break
		}
	}
	return render.Header(left, o)
}

// hidden says how many rows of what kind are hidden, "" when there is none.
func (l *list) hidden() string {
	runs, stubs := l.tally.hiddenRuns, l.tally.hiddenStubs
	if runs+stubs == 0 {
		return ""
	}
	var parts []string
	if runs > 0 {
		parts = append(parts, render.Counted(runs, "-p run", "-p runs"))
	}
	if stubs > 0 {
		parts = append(parts, render.Counted(stubs, "stub", "stubs"))
	}
	return strings.Join(parts, " and ") + " hidden"
}

// cursor is the column behind the filter that is being typed.
func (l *list) cursor(st *render.Styles, width int) int {
	return render.NewLine(st, width-1).To(4).Put(render.Text, l.pattern).At()
}
