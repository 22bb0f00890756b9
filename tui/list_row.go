package tui

import (
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/filter"
	"github.com/continuo-tui/continuo/tui/render"
)

// draw returns the visible lines of the list, each at most width cells. focus says that the keys act here.
func (l *list) draw(width, rows int, focus bool, now time.Time, st *render.Styles) []string {
	var lines []string
	for _, s := range l.win.Visible(len(l.items), rows, l.height) {
		drawn := l.drawItem(l.items[s.Item], width, focus, now, st)
		for row := s.From; row < s.To; row++ {
			if row < len(drawn) {
				lines = append(lines, drawn[row])
			} else {
				lines = append(lines, "")
			}
		}
	}
	return lines
}

func (l *list) drawItem(it item, width int, focus bool, now time.Time, st *render.Styles) []string {
	o := l.rowOptions(it, width, focus, now, st)
	var lines []string
	if drawn := l.drawDocuments(it, o); drawn != nil {
		return drawn
	}
	switch {
	case it.missing != "":
		return []string{render.NewLine(st, width).To(2).Put(render.Bad, "✗").To(4).PutUntil(render.Muted, it.missing, width-1).String()}
	case it.calm != "":
		return []string{render.NewLine(st, width).To(4).PutUntil(render.Faint, it.calm, width-1).String()}
	case it.row == nil && it.heading == "":
		return nil
	case it.row == nil:
		line := render.NewLine(st, width).To(4).Put(render.Heading, it.heading)
		if it.count > 0 {
			line.Put(render.Faint, " "+words.Count(it.count))
		}
		return []string{line.String()}
	case l.kind == sessions.KindBackup:
		lines = []string{render.BackupRow(it.row, o)}
	case l.kind == sessions.KindDocument:
		lines = render.DocumentRow(it.row, o, l.chained(it.row, it.hit))
	default:
		lines = []string{render.Row(it.row, o)}
	}
	if it.hit != nil {
		if f, ok := it.hit.Below(); ok {
			lines = append(lines, render.HitLine(f.Name(), it.hit.Of.Texts[f].String(), it.hit.Marks(f), o))
		}
	}
	return lines
}

func (l *list) rowOptions(it item, width int, focus bool, now time.Time, st *render.Styles) render.RowOptions {
	o := render.RowOptions{
		Width: width, Styles: st, Now: now,
		Project: l.scope.wide(), Column: l.column,
		Chosen:  it.key() != "" && it.key() == l.sel && !l.onHead,
		Resting: !focus,
		Marked:  it.row != nil && l.marks.paths[it.row.Path],
	}
	if it.hit != nil {
		o.Lit, o.Words = it.hit.Marks(filter.Title), it.hit.Query.In(it.hit.Of.Texts[:], int(filter.RowText))
	}
	return o
}

// called is what the rows are called: one, many.
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

// context draws the line above the rows: the scope with its counts, or the filter.
func (l *list) context(width int, now time.Time, st *render.Styles) string {
	if l.typing || l.isFiltered() {
		typed, _ := l.field.Seen(max(width-5, 1))
		line := render.NewLine(st, width).To(2).Put(render.AccentBold, "/ ").Put(render.Accent, typed)
		if l.answered == l.field.Text() && l.isFiltered() {
			found := words.Count(len(l.hits)) + " of " + words.Count(len(l.shown))
			line.Right(width-1, render.Span{Ink: render.Faint, Text: " " + found})
		}
		return line.String()
	}
	name := "all projects"
	if !l.scope.wide() {
		name = render.Base(l.scope.project)
	}
	if l.tally.total == 0 {
		return ""
	}
	one, many := called(l.kind)
	left := []render.Span{
		{Ink: render.Muted, Text: name},
		{Ink: render.Faint, Text: " · " + words.Counted(l.tally.inScope-l.tally.goneHere, one, many)},
	}
	if l.scope.partial {
		left[1].Text = " · … " + many
	}
	o := l.rowOptions(item{}, width, true, now, st)
	switch l.kind {
	case sessions.KindBackup:
		return render.BackupHeader(left[:1], o) // there is no room for the count, and the tab has it
	case sessions.KindDocument:
		return render.DocumentHeader(left, o)
	case sessions.KindSession:
	}
	room := render.HeaderRoom(o) - render.SpansWidth(left)
	if l.scope.partial {
		room = 0
	}
	for _, hidden := range []string{l.hidden(), words.Count(l.tally.hiddenRuns+l.tally.hiddenStubs) + " hidden"} {
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
		parts = append(parts, words.Counted(runs, "headless run", "headless runs"))
	}
	if stubs > 0 {
		parts = append(parts, words.Counted(stubs, "stub", "stubs"))
	}
	return strings.Join(parts, " and ") + " hidden"
}
