package list

import (
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// called returns the singular and the plural of the word for a kind of row.
func called(k sessions.Kind) (one, many string) {
	switch k {
	case sessions.KindBackup:
		return "backup", "backups"
	case sessions.KindDocument:
		return "document", "documents"
	case sessions.KindSession:
	}
	return "session", "sessions"
}

// header draws the line above the rows: the filter, or the scope and its counts. position means that the status line
// has no room for the position.
func (l *pane) header(width int, now time.Time, st *render.Styles, position bool) string {
	o := l.rowOptions(item{}, width, true, now, st)
	if l.typing || l.isFiltered() {
		return l.filterLine(o)
	}
	name := "all projects"
	if !l.scope.wide() {
		name = render.Base(l.scope.project)
	}
	if l.tally.Total == 0 {
		return ""
	}
	one, many := called(l.kind)
	all := l.tally.InScope - l.tally.GoneHere
	count := words.Counted(all, one, many)
	if n := l.position(); position && n > 0 && l.kind == sessions.KindSession {
		count = one + " " + words.Count(n) + " of " + words.Count(all) // "1 of 21 sessions" would look like a filter
	}
	left := []render.Span{
		{Ink: render.Muted, Text: name},
		{Ink: render.Faint, Text: " · " + count},
	}
	if l.scope.partial { // a gauge in the status line has the count
		left[1].Text = " · newest " + many
	}
	switch l.kind {
	case sessions.KindBackup:
		return render.BackupHeader(left[:1], o) // the tab shows the count
	case sessions.KindDocument:
		return render.DocumentHeader(left, o)
	case sessions.KindSession:
	}
	_, o.Figure = l.scope.figure(&sessions.Row{}, now)
	return render.Header(left, o)
}

// filterLine draws the filter and the number of matching rows.
func (l *pane) filterLine(o render.RowOptions) string {
	typed, _ := l.field.Seen(l.fieldWidth(o.Width))
	found := ""
	if l.answered == l.field.Text() && l.isFiltered() {
		found = words.Count(len(l.hits)) + " of " + words.Count(len(l.shown))
	}
	line := render.NewLine(o.Styles, o.Width).To(2).Select(l.typing).Put(render.AccentBold, "/ ").Put(render.Strong, typed)
	count := render.Span{Ink: render.Faint, Text: " " + found}
	if !l.keepsColumns(o.Width) {
		return line.To(o.Width-1-render.SpansWidth([]render.Span{count})).Select(false).Right(o.Width-1, count).String()
	}
	line.To(line.At() + l.fieldWidth(o.Width) - ansi.StringWidth(typed)).Select(false)
	columns := render.DocumentHeader
	if l.kind == sessions.KindBackup {
		columns = render.BackupHeader
	}
	line.Spans(render.Span{Ink: render.Text, Text: " "}, count)
	return line.String() + ansi.TruncateLeft(columns(nil, o), line.At(), "")
}

// countRoom is the width of the number of matching rows, in cells.
const countRoom = 14

// keepsColumns reports whether the filter fits beside the names of the columns.
func (l *pane) keepsColumns(width int) bool {
	return l.kind != sessions.KindSession && width >= 60 && l.headerRoom(width) >= 16+countRoom
}

func (l *pane) headerRoom(width int) int {
	return render.HeaderRoom(l.kind, render.RowOptions{Width: width, Project: l.scope.wide()})
}

// fieldWidth returns the width of the filter, in cells.
func (l *pane) fieldWidth(width int) int {
	if l.keepsColumns(width) {
		return l.headerRoom(width) - countRoom
	}
	return max(width-5, 1)
}

// hidden returns the counts of the hidden rows in words, or "".
func (l *pane) hidden() string {
	var parts []string
	add := func(n int, one, many string) {
		if n > 0 {
			parts = append(parts, words.Counted(n, one, many))
		}
	}
	add(l.tally.HiddenArchived, "archived session", "archived sessions")
	add(l.tally.HiddenRuns, "headless run", "headless runs")
	add(l.tally.HiddenStubs, "stub", "stubs")
	if len(parts) == 0 {
		return ""
	}
	return words.AndList(parts) + " hidden"
}
