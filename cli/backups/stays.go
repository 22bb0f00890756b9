package backups

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// moved returns the backups of all projects that go to the trash, newest first.
func (x *Discarding) moved() []*Row {
	var list []*Row
	for i := range x.Plans {
		for _, move := range x.Plans[i].Moves {
			list = append(list, x.Rows[move.Path])
		}
	}
	slices.SortStableFunc(list, func(a, b *Row) int { return a.Row.Compare(&b.Row) })
	return list
}

// shown returns the plans, sorted by their newest backup. Plans without backups are last.
func (x *Discarding) shown() []*backup.DiscardPlan {
	at := map[string]int{}
	for i, b := range x.moved() {
		at[b.Row.Path] = i
	}
	first := func(p *backup.DiscardPlan) int {
		least := len(x.Rows)
		for _, move := range p.Moves {
			least = min(least, at[move.Path])
		}
		return least
	}
	plans := make([]*backup.DiscardPlan, len(x.Plans))
	for i := range x.Plans {
		plans[i] = &x.Plans[i]
	}
	slices.SortStableFunc(plans, func(a, b *backup.DiscardPlan) int { return first(a) - first(b) })
	return plans
}

// removedParts adds the section Removed: the markers to remove.
func removedParts(p *writing.Plan, x *Discarding) {
	var naming, spent []string
	for _, plan := range x.shown() {
		where := " in " + place.BaseName(plan.Project)
		for _, m := range plan.Markers {
			naming = append(naming, out.CleanPath(m.Name)+where)
		}
		for _, m := range plan.Cleaned {
			spent = append(spent, out.CleanPath(m.Name)+where+", "+string(m.State))
		}
		for _, m := range append(plan.Markers[:len(plan.Markers):len(plan.Markers)], plan.Cleaned...) {
			p.Report.Markers = append(p.Report.Markers, filepath.Join(plan.Project, ".claude", "memory", m.Name))
		}
		for _, problem := range plan.Problems {
			p.Report.Problems = append(p.Report.Problems, problem.Error())
		}
	}
	var lines []change.Line
	if n := len(naming); n > 0 {
		offers := ", so that Claude no longer offers these backups at its start"
		if len(x.Rows) == 1 {
			offers = ", so that Claude no longer offers this backup at its start"
		}
		lines = append(lines, change.Line{Text: out.Count(n, "marker") + offers}, change.Line{Tone: change.Faint, Text: words.AndList(naming)})
	}
	if n := len(spent); n > 0 {
		mean := " that are obsolete"
		if n == 1 {
			mean = " that is obsolete"
		}
		lines = append(lines, change.Line{Text: out.Count(n, "marker") + mean}, change.Line{Tone: change.Faint, Text: words.AndList(spent)})
	}
	p.Add("Removed", lines...)
}

// butLines warns about backups that no transcript contains completely.
func butLines(x *Discarding) []change.Line {
	var gone, rewritten, uncompared, unknown []string
	for _, b := range x.moved() {
		switch {
		case b.Held():
		case b.relation == sessions.RelationGone:
			gone = append(gone, b.Name())
		case b.relation == sessions.RelationRewritten:
			rewritten = append(rewritten, b.Name())
		case b.Row.Of != "":
			uncompared = append(uncompared, b.Name())
		default:
			unknown = append(unknown, b.Name())
		}
	}
	var lines []change.Line
	for _, w := range []struct {
		names     []string
		one, many string
	}{
		{gone, " is the only copy: no transcript has it any more", " are the only copies: no transcript has them any more"},
		{rewritten, " is the only copy of its content: its transcript was rewritten", " are the only copies of their content: their transcripts were rewritten"},
		{uncompared, " may be the only copy: it could not be compared with its transcript", " may be the only copies: they could not be compared with their transcripts"},
		{unknown, " may be the only copy: nothing was found to compare it with", " may be the only copies: nothing was found to compare them with"},
	} {
		switch len(w.names) {
		case 0:
		case 1:
			lines = append(lines, writing.Warning(w.names[0]+w.one))
		default:
			lines = append(lines, writing.Warning(writing.FirstOf(w.names)+w.many))
		}
	}
	return lines
}

// stayingLines returns the lines about the transcripts and backups that stay.
func stayingLines(x *Discarding) []change.Line {
	held := 0
	for _, b := range x.Rows {
		if b.Held() {
			held++
		}
	}
	lines := heldLines(held, len(x.Rows))
	var names []string
	for _, b := range x.Others {
		names = append(names, b.Name())
	}
	if n := len(names); n > 0 {
		lines = append(lines, change.Line{
			Mark: change.Note,
			Text: words.Counted(n, "backup was not named and stays pending", "backups were not named and stay pending") + ": " + writing.FirstOf(names),
		})
	}
	return lines
}

// heldLines says how many of the backups their transcripts contain completely.
func heldLines(held, of int) []change.Line {
	text := "the live transcripts contain every byte of the others, compared just now"
	switch {
	case held == 0:
		return nil
	case held == 1 && of == 1:
		text = "the live transcript contains every byte, compared just now"
	case held == of:
		text = "the live transcripts contain every byte, compared just now"
	case held == 1:
		text = "the live transcript contains every byte of the other backup, compared just now"
	}
	return []change.Line{{Mark: change.Good, Text: text}}
}

// Name returns the name of a backup for a sentence, with the project: backups are often made in the same minute.
func (b *Row) Name() string { return out.CleanPath(b.Row.ID) + " of " + place.ProjectName(&b.Row) }

// keptLines adds the old backups that stay after a prune to the report. It returns lines about them, by reason.
func keptLines(p *writing.Plan, x *Discarding) []change.Line {
	names := map[backup.KeptReason][]string{}
	for i := range x.Plans {
		for _, k := range x.Plans[i].Kept {
			name := strings.TrimSuffix(place.BaseName(k.Backup.Path), ".jsonl") + " of " + place.BaseName(k.Backup.Project)
			names[k.Reason] = append(names[k.Reason], name)
			p.Report.Kept = append(p.Report.Kept, writing.ReportedKept{Path: k.Backup.Path, Reason: string(k.Reason)})
		}
	}
	var lines []change.Line
	for _, k := range []struct {
		reason    backup.KeptReason
		one, many string
	}{
		{backup.KeptNewest, "old backup stays because of --keep", "old backups stay because of --keep"},
		{backup.KeptPending, "old backup is pending", "old backups are pending"},
		{backup.KeptOnly, "old backup is the only copy of its content", "old backups are the only copies of their content"},
		{backup.KeptUncompared, "old backup could not be compared with its transcript", "old backups could not be compared with their transcripts"},
		{backup.KeptUnknown, "old backup has no session ID", "old backups have no session ID"},
	} {
		if n := len(names[k.reason]); n > 0 {
			lines = append(lines, change.Line{
				Mark: change.Note, Text: words.Counted(n, k.one, k.many) + ": " + writing.FirstOf(names[k.reason]),
			})
		}
	}
	return lines
}

// BothOf returns "the file" for 1, "both files" for 2, and "all 3 files" for 3.
func BothOf(n int, thing string) string {
	switch n {
	case 1:
		return "the " + thing
	case 2:
		return "both " + thing + "s"
	}
	return "all " + out.Count(n, thing)
}

// ProjectOf returns the project whose memory an op changes.
func ProjectOf(o *change.Op) string { return filepath.Dir(filepath.Dir(o.Dir)) }

// GoneLines returns warnings about backups that are missing.
func GoneLines(names []string) []change.Line {
	switch len(names) {
	case 0:
		return nil
	case 1:
		return []change.Line{writing.Warning(names[0] + " no longer exists")}
	}
	return []change.Line{writing.Warning(writing.FirstOf(names) + " no longer exist")}
}

// About returns a text such as "3 backups" or "3 backups in 2 projects".
func About(n int, thing string, projects int) string {
	if projects < 2 {
		return out.Count(n, thing)
	}
	return out.Count(n, thing) + " in " + out.Count(projects, "project")
}

// OpsThat counts the ops for which is returns true.
func OpsThat(ops []change.Op, is func(o *change.Op) bool) int {
	n := 0
	for i := range ops {
		if is(&ops[i]) {
			n++
		}
	}
	return n
}
