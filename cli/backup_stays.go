package cli

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// moved are the backups of all projects, the newest first.
func (x *discarding) moved() []*backupRow {
	var list []*backupRow
	for i := range x.plans {
		for _, move := range x.plans[i].Moves {
			list = append(list, x.rows[move.Path])
		}
	}
	slices.SortStableFunc(list, func(a, b *backupRow) int { return a.row.Compare(&b.row) })
	return list
}

// shown are the plans in the order of their newest backups; those without one stand last.
func (x *discarding) shown() []*backup.DiscardPlan {
	at := map[string]int{}
	for i, b := range x.moved() {
		at[b.row.Path] = i
	}
	first := func(p *backup.DiscardPlan) int {
		least := len(x.rows)
		for _, move := range p.Moves {
			least = min(least, at[move.Path])
		}
		return least
	}
	plans := make([]*backup.DiscardPlan, len(x.plans))
	for i := range x.plans {
		plans[i] = &x.plans[i]
	}
	slices.SortStableFunc(plans, func(a, b *backup.DiscardPlan) int { return first(a) - first(b) })
	return plans
}

// removedParts are the markers.
func removedParts(p *deedPlan, x *discarding) {
	var naming, spent []string
	for _, plan := range x.shown() {
		where := " in " + baseName(plan.Project)
		for _, m := range plan.Markers {
			naming = append(naming, out.CleanPath(m.Name)+where)
		}
		for _, m := range plan.Cleaned {
			spent = append(spent, out.CleanPath(m.Name)+where+", "+string(m.State))
		}
		for _, m := range append(plan.Markers[:len(plan.Markers):len(plan.Markers)], plan.Cleaned...) {
			p.report.Markers = append(p.report.Markers, filepath.Join(plan.Project, ".claude", "memory", m.Name))
		}
		for _, problem := range plan.Problems {
			p.report.Problems = append(p.report.Problems, problem.Error())
		}
	}
	var lines []change.Line
	if n := len(naming); n > 0 {
		offers := ", so that Claude no longer offers these backups at its start"
		if len(x.rows) == 1 {
			offers = ", so that Claude no longer offers this backup at its start"
		}
		lines = append(lines, change.Line{Text: out.Count(n, "marker") + offers}, change.Line{Tone: change.Faint, Text: words.AndList(naming)})
	}
	if n := len(spent); n > 0 {
		mean := " that mean nothing any more"
		if n == 1 {
			mean = " that means nothing any more"
		}
		lines = append(lines, change.Line{Text: out.Count(n, "marker") + mean}, change.Line{Tone: change.Faint, Text: words.AndList(spent)})
	}
	p.add("Removed", lines...)
}

// butLines warns of what no transcript has all of.
func butLines(x *discarding) []change.Line {
	var gone, rewritten, uncompared, unknown []string
	for _, b := range x.moved() {
		switch {
		case b.held():
		case b.relation == sessions.RelationGone:
			gone = append(gone, b.name())
		case b.relation == sessions.RelationRewritten:
			rewritten = append(rewritten, b.name())
		case b.row.Of != "":
			uncompared = append(uncompared, b.name())
		default:
			unknown = append(unknown, b.name())
		}
	}
	var lines []change.Line
	for _, w := range []struct {
		names     []string
		one, many string
	}{
		{gone, " is the only copy: no transcript has it any more", " are the only copies: no transcript has them any more"},
		{rewritten, " is the only copy of what it has: its transcript was rewritten", " are the only copies of what they have: their transcripts were rewritten"},
		{uncompared, " may be the only copy: it could not be compared with its transcript", " may be the only copies: they could not be compared with their transcripts"},
		{unknown, " may be the only copy: nothing was found to compare it with", " may be the only copies: nothing was found to compare them with"},
	} {
		switch len(w.names) {
		case 0:
		case 1:
			lines = append(lines, warning(w.names[0]+w.one))
		default:
			lines = append(lines, warning(firstOf(w.names)+w.many))
		}
	}
	return lines
}

// warning is a line of the part But.
func warning(text string) change.Line {
	return change.Line{Mark: change.Warn, Text: text}
}

// stayingLines says what is left of what goes, and what was not named.
func stayingLines(x *discarding) []change.Line {
	held := 0
	for _, b := range x.rows {
		if b.held() {
			held++
		}
	}
	lines := heldLines(held, len(x.rows))
	var names []string
	for _, b := range x.others {
		names = append(names, b.name())
	}
	if n := len(names); n > 0 {
		lines = append(lines, change.Line{
			Mark: change.Note,
			Text: words.Counted(n, "backup was not named and stays pending", "backups were not named and stay pending") + ": " + firstOf(names),
		})
	}
	return lines
}

// heldLines says of how many of some backups the transcripts have every byte.
func heldLines(held, of int) []change.Line {
	text := "every byte of the others is still in the live transcripts, compared just now"
	switch {
	case held == 0:
		return nil
	case held == 1 && of == 1:
		text = "every byte of it is still in the live transcript, compared just now"
	case held == of:
		text = "every byte of them is still in the live transcripts, compared just now"
	case held == 1:
		text = "every byte of the other one is still in the live transcript, compared just now"
	}
	return []change.Line{{Mark: change.Good, Text: text}}
}

// name tells a backup apart in a sentence: two of one minute are common.
func (b *backupRow) name() string { return out.CleanPath(b.row.ID) + " of " + projectName(&b.row) }

// firstOf lists as many names as can be read at once, and counts the others.
func firstOf(names []string) string {
	const most = 3
	if more := len(names) - most; more > 0 {
		names = append(names[:most:most], words.Count(more)+" more")
	}
	return words.AndList(names)
}

// keptLines are the old backups that a prune leaves, by why.
func keptLines(p *deedPlan, x *discarding) []change.Line {
	names := map[backup.KeptReason][]string{}
	for i := range x.plans {
		for _, k := range x.plans[i].Kept {
			name := strings.TrimSuffix(baseName(k.Backup.Path), ".jsonl") + " of " + baseName(k.Backup.Project)
			names[k.Reason] = append(names[k.Reason], name)
			p.report.Kept = append(p.report.Kept, deedKept{k.Backup.Path, string(k.Reason)})
		}
	}
	var lines []change.Line
	for _, k := range []struct {
		reason    backup.KeptReason
		one, many string
	}{
		{backup.KeptNewest, "old backup is among the newest that --keep keeps", "old backups are among the newest that --keep keeps"},
		{backup.KeptPending, "old backup is pending", "old backups are pending"},
		{backup.KeptOnly, "old backup is the only copy of what it has", "old backups are the only copies of what they have"},
		{backup.KeptUncompared, "old backup could not be compared with its transcript", "old backups could not be compared with their transcripts"},
		{backup.KeptUnknown, "old backup does not say of which session it is", "old backups do not say of which session they are"},
	} {
		if n := len(names[k.reason]); n > 0 {
			lines = append(lines, change.Line{
				Mark: change.Note, Text: words.Counted(n, k.one, k.many) + ": " + firstOf(names[k.reason]),
			})
		}
	}
	return lines
}
