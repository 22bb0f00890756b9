package cli

import (
	"context"
	"slices"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui"
)

// planDiscard plans to move backups of some projects to their trashes.
func (c browserChanges) planDiscard(ctx context.Context, plan *tui.Plan) (*deedPlan, error) {
	plan.Title = "Discard"
	l, list, gone, err := c.asked(ctx, plan.Change.Rows)
	if err != nil {
		return nil, err
	}
	paths := map[string][]string{}
	told := []string{"backup", "discard"}
	for _, b := range list {
		paths[b.row.Workdir] = append(paths[b.row.Workdir], b.row.Path)
		told = append(told, b.row.Path)
	}
	x, err := planEach(ctx, c.env, l, paths, func(m *backup.Memory) (backup.DiscardPlan, error) {
		return m.PlanDiscard(ctx, paths[m.Project()])
	})
	if err != nil {
		return nil, err
	}
	p := discardPlan(c.env, x)
	p.insert("But", goneLines(gone))
	plan.About = about(len(x.rows), "backup", len(x.plans))
	if len(x.rows) == 0 {
		p.add("Stays", change.Line{Text: "everything: there is nothing to do"})
		return p, nil
	}
	p.add("Undo", c.undoLines(x)...)
	plan.Verb, plan.Command = "discard "+words.Count(len(x.rows)), c.env.command(told...)
	plan.Held = doing(func(ctx context.Context) (tui.Done, error) { return c.discard(ctx, x) })
	return p, nil
}

// undoLines say how a discard is taken back (screen 22).
func (c browserChanges) undoLines(x *discarding) []change.Line {
	markers := 0
	for i := range x.plans {
		markers += len(x.plans[i].Markers) + len(x.plans[i].Cleaned)
	}
	what := bothOf(len(x.rows), "file")
	if markers > 0 {
		what += " and " + bothOf(markers, "marker")
	}
	return []change.Line{
		{Text: c.undoKey() + " brings back " + what + ", byte for byte."},
		{Tone: change.Muted, Text: "Kept for your last 20 actions. The trash itself is emptied only by you."},
	}
}

// bothOf says all of some things: "the file", "both files", "all 3 files".
func bothOf(n int, thing string) string {
	switch n {
	case 1:
		return "the " + thing
	case 2:
		return "both " + thing + "s"
	}
	return "all " + out.Count(n, thing)
}

// discard carries a discard out.
func (c browserChanges) discard(ctx context.Context, x *discarding) (tui.Done, error) {
	done, err := discardAll(ctx, c.env, x, change.Change{Kind: string(journal.Discard)})
	if err != nil {
		return tui.Done{}, err
	}
	n := done.backups()
	return tui.Done{Said: "Discarded " + out.Count(n, "backup") + ". " + c.undoKey() + " brings " + them(n) + " back.", But: lostBy(&done.Done)}, nil
}

func them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// doneOf is what became of a change: with an error after a part of it was done, that part is said, too.
func doneOf(said string, some bool, lost string, err error) (tui.Done, error) {
	if err != nil && !some {
		return tui.Done{}, err
	}
	done := tui.Done{Said: said, But: lost}
	if err != nil {
		done.But = joinSentences(inBrowser(err).Error(), lost)
	}
	return done, nil
}

// insert adds lines to a part, which comes before Stays when it is new.
func (p *deedPlan) insert(name string, lines []change.Line) {
	if len(lines) == 0 {
		return
	}
	for i := range p.parts {
		if p.parts[i].Name == name {
			p.parts[i].Lines = append(p.parts[i].Lines, lines...)
			return
		}
	}
	at := slices.IndexFunc(p.parts, func(part change.Part) bool { return part.Name == "Stays" || part.Name == "Undo" })
	if at < 0 {
		at = len(p.parts)
	}
	p.parts = slices.Insert(p.parts, at, change.Part{Name: name, Lines: lines})
}
