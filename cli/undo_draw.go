package cli

import (
	"path/filepath"

	"github.com/continuo-tui/continuo/internal/words"
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
	case w.deeds != nil:
		l.d.comeBack(p, w.deeds)
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

// comeBack draws what comes back when deeds are taken back.
func (d *deps) comeBack(p *deedPlan, deeds []deedBack) {
	var moves, markers, removed, gone []render.PlanLine
	var names []string
	var bytes int64
	projects := map[string]bool{}
	for i := range deeds {
		projects[deeds[i].project] = true
	}
	several := len(projects) > 1
	for i := range deeds {
		u, project := &deeds[i].undone, baseName(deeds[i].project)
		in := ""
		if several {
			in = " in " + project
		}
		p.report.Entries = append(p.report.Entries, u.Deed.ID)
		for _, m := range u.Moves {
			bytes += m.Bytes
			moves = append(moves, render.PlanLine{Ink: render.Faint, Text: cleanPath(m.Name) + in, Whole: true, Right: render.Size(m.Bytes)})
			p.report.Backups = append(p.report.Backups, deedBackup{Path: m.Path, Bytes: m.Bytes})
		}
		for _, m := range u.Markers {
			names = append(names, cleanPath(m.Name)+in)
			p.report.Markers = append(p.report.Markers, filepath.Join(deeds[i].project, ".claude", "memory", m.Name))
		}
		if u.Removed != "" {
			p.report.Deleted = append(p.report.Deleted, u.Removed)
			removed = append(removed, render.PlanLine{Text: "the session that the restore made, of which the backup has every byte"},
				render.PlanLine{Ink: render.Faint, Text: d.tilde(u.Removed), Whole: true})
		}
		for _, m := range u.Gone {
			gone = append(gone, warning("backup "+cleanPath(m.Path)+" is neither in the trash nor in its place: somebody else took it"))
		}
	}
	if n := len(moves); n > 0 {
		come, of := " come back from the trash of ", "their projects"
		if n == 1 {
			come = " comes back from the trash of "
		}
		if !several {
			of = baseName(deeds[0].project)
		}
		moves = append([]render.PlanLine{{Text: count(n, "file") + ", " + render.Size(bytes) + "," + come + of}}, moves...)
	}
	if n := len(names); n > 0 {
		markers = append(markers, render.PlanLine{Text: count(n, "marker") + ", as before: " + words.AndList(names)})
	}
	p.add("Touched", append(moves, markers...)...)
	p.add("Removed", removed...)
	p.add("But", gone...)
}
