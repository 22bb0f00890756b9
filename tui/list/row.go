package list

import (
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/filter"
	"github.com/continuo-tui/continuo/tui/render"
)

// draw returns the visible lines of the list, of at most width cells. focus means that the keys act on the list.
func (l *pane) draw(width int, focus bool, now time.Time, st *render.Styles) []string {
	var lines []string
	for _, s := range l.bar.Drawn(l.isHeading) {
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

func (l *pane) drawItem(it item, width int, focus bool, now time.Time, st *render.Styles) []string {
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
		about := "  " + it.dates
		if it.badge != "" && it.dates != "" {
			about += " · "
		}
		line.PutUntil(render.Faint, about+it.badge, width-1)
		return []string{line.String()}
	case l.kind == sessions.KindBackup:
		lines = []string{render.BackupRow(it.row, o)}
	case l.kind == sessions.KindDocument:
		if lines = render.DocumentRow(it.row, o, l.docs.chained(it.row, l.sel)); it.hit != nil {
			lines = lines[:1] // a filtered list has more rows in view
		}
	default:
		lines = []string{render.Row(it.row, o)}
	}
	if it.hit != nil {
		if name, text, marks := it.hit.Below(); name != "" {
			lines = append(lines, render.HitLine(name, text, marks, o))
		}
	}
	return lines
}

func (l *pane) rowOptions(it item, width int, focus bool, now time.Time, st *render.Styles) render.RowOptions {
	o := render.RowOptions{
		Width: width, Styles: st, Now: now,
		Project: l.scope.wide(), Column: l.column, Wide: l.wide,
		Chosen:  it.key() != "" && it.key() == l.sel && !l.onHead,
		Resting: !focus,
		Marked:  it.row != nil && l.marks.paths[it.row.Path],
		Said:    it.said,
	}
	if l.kind == sessions.KindSession && it.row != nil {
		o.Figure, _ = l.scope.figure(it.row, now)
	}
	if it.hit != nil {
		o.Lit, o.Words = it.hit.Marks(filter.Title), it.hit.Query.In(it.hit.Of.Texts[:], int(filter.RowText))
	}
	return o
}
