package cli

import (
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui/render"
)

// draw draws the way back, or why there is none.
func (l *pastLook) draw(w *wayBack) {
	p := w.plan
	switch {
	case w.back:
		p.add("Undo", render.PlanLine{Text: "It was taken back already."})
		return
	case w.off != "":
		var lines []render.PlanLine
		for _, s := range w.why {
			lines = append(lines, warning(s))
		}
		p.add("But", lines...)
		var rest []render.PlanLine
		for _, s := range w.hints {
			rest = append(rest, render.PlanLine{Text: s, Whole: true})
		}
		if len(rest) > 0 {
			p.add("Stays", append([]render.PlanLine{{Text: "the rest, which can be taken back by itself"}}, rest...)...)
		}
		return
	}
	switch {
	case w.way != nil:
		l.drawOps(w)
	case w.trash != nil:
		w.plan = l.d.discardPlan(w.trash)
		p = w.plan
		p.report.Action = "undo"
	case w.files != nil:
		l.drawFiles(w)
	case w.ledgers != nil:
		l.drawLedgers(w)
	}
	for _, s := range w.why {
		p.insert("But", []render.PlanLine{warning(s)})
	}
	again := "This is an action too, and can be taken back itself."
	switch w.entry.Kind {
	case journal.Restore:
		again = "The backup stays, so it can be restored again."
	case journal.Prune:
		again = "What is old can be pruned again."
	default:
	}
	p.add("Undo", render.PlanLine{Text: again})
}
