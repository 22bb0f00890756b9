package cli

import (
	"path/filepath"

	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/tui/render"
)

// removed are the markers.
func (d *deps) removed(p *deedPlan, x *discarding) {
	var naming, spent []string
	for i := range x.plans {
		plan := &x.plans[i]
		where := " in " + baseName(plan.Project)
		for _, m := range plan.Markers {
			naming = append(naming, cleanPath(m.Name)+where)
		}
		for _, m := range plan.Cleaned {
			spent = append(spent, cleanPath(m.Name)+where+", "+string(m.State))
		}
		for _, m := range append(plan.Markers[:len(plan.Markers):len(plan.Markers)], plan.Cleaned...) {
			p.report.Markers = append(p.report.Markers, filepath.Join(plan.Project, ".claude", "memory", m.Name))
		}
		for _, problem := range plan.Problems {
			p.report.Problems = append(p.report.Problems, problem.Error())
		}
	}
	var lines []planLine
	if n := len(naming); n > 0 {
		offers := ", so that Claude no longer offers these backups at its start"
		if len(x.rows) == 1 {
			offers = ", so that Claude no longer offers this backup at its start"
		}
		lines = append(lines, planLine{text: count(n, "marker") + offers}, planLine{ink: render.Faint, text: andList(naming)})
	}
	if n := len(spent); n > 0 {
		mean := " that mean nothing any more"
		if n == 1 {
			mean = " that means nothing any more"
		}
		lines = append(lines, planLine{text: count(n, "marker") + mean}, planLine{ink: render.Faint, text: andList(spent)})
	}
	p.add("Removed", lines...)
}

// staying says what is left of what goes: every byte of it in a live transcript, or nothing.
func (d *deps) staying(x *discarding) []planLine {
	var lines []planLine
	var held int
	for i := range x.plans {
		for _, move := range x.plans[i].Moves {
			b := x.rows[move.Path]
			name := render.Moment(d.now(), b.row.When()) + " of " + projectName(&b.row)
			warn := func(glyph, text string) {
				lines = append(lines, planLine{glyph: render.Span{Ink: render.Urgent, Text: glyph}, text: text})
			}
			switch b.relation {
			case backup.RelationSame, backup.RelationGrown:
				held++
			case backup.RelationGone:
				warn("◐", name+" is the only copy: no transcript has it any more")
			case backup.RelationRewritten:
				warn("≠", name+" is the only copy of what it has: its transcript was rewritten")
			default:
				warn("△", name+" may be the only copy: nothing was found to compare it with")
			}
		}
	}
	if held > 0 {
		text := "every byte of the others is still in the live transcripts, compared just now"
		switch {
		case held == 1 && len(x.rows) == 1:
			text = "every byte of it is still in the live transcript, compared just now"
		case held == len(x.rows):
			text = "every byte of them is still in the live transcripts, compared just now"
		case held == 1:
			text = "every byte of the other one is still in the live transcript, compared just now"
		}
		lines = append(lines, planLine{glyph: render.Span{Ink: render.Good, Text: "✓"}, text: text})
	}
	for _, b := range x.others {
		name := render.Moment(d.now(), b.row.When()) + " of " + projectName(&b.row)
		lines = append(lines, planLine{glyph: render.Span{Ink: render.Faint, Text: "·"}, text: name + " was not named and stays pending"})
	}
	return lines
}

// keptLines are the old backups that a prune leaves, by why.
func (d *deps) keptLines(p *deedPlan, x *discarding) []planLine {
	n := map[backup.KeptReason]int{}
	for i := range x.plans {
		for _, k := range x.plans[i].Kept {
			n[k.Reason]++
			p.report.Kept = append(p.report.Kept, deedKept{k.Backup.Path, string(k.Reason)})
		}
	}
	var lines []planLine
	for _, k := range []struct {
		reason    backup.KeptReason
		one, many string
	}{
		{backup.KeptPending, "old backup is pending", "old backups are pending"},
		{backup.KeptOnly, "old backup is the only copy of its session", "old backups are the only copies of their sessions"},
		{backup.KeptUnknown, "old backup does not say of which session it is", "old backups do not say of which session they are"},
	} {
		if n[k.reason] > 0 {
			lines = append(lines, planLine{glyph: render.Span{Ink: render.Faint, Text: "·"}, text: render.Counted(n[k.reason], k.one, k.many)})
		}
	}
	return lines
}
