package browse

import (
	"context"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui"
)

// planDiscard plans to move backups to the trash.
func (c Changes) planDiscard(ctx context.Context, plan *tui.Plan) (*writing.Plan, error) {
	plan.Title = "Discard"
	l, list, gone, err := c.asked(ctx, plan.Change.Rows)
	if err != nil {
		return nil, err
	}
	paths := map[string][]string{}
	told := []string{"backup", "discard"}
	for _, b := range list {
		paths[b.Row.Workdir] = append(paths[b.Row.Workdir], b.Row.Path)
		told = append(told, b.Row.Path)
	}
	x, err := backups.PlanEach(ctx, c.Env, l, paths, func(m *backup.Memory) (backup.DiscardPlan, error) {
		return m.PlanDiscard(ctx, paths[m.Project()])
	})
	if err != nil {
		return nil, err
	}
	p := backups.DiscardPlan(c.Env, x)
	p.Insert("But", backups.GoneLines(gone))
	plan.About = backups.About(len(x.Rows), "backup", len(x.Plans))
	if len(x.Rows) == 0 {
		p.Add("Stays", change.Line{Text: "all files; nothing to do"})
		return p, nil
	}
	p.Add("Undo", c.undoLines(x)...)
	plan.Verb, plan.Command = "discard "+words.Count(len(x.Rows)), c.Env.Command(told...)
	plan.Held = Doing(func(ctx context.Context) (tui.Done, error) { return c.discard(ctx, x) })
	return p, nil
}

// undoLines says how to undo a discard (screen 22).
func (c Changes) undoLines(x *backups.Discarding) []change.Line {
	markers := 0
	for i := range x.Plans {
		markers += len(x.Plans[i].Markers) + len(x.Plans[i].Cleaned)
	}
	what := backups.BothOf(len(x.Rows), "file")
	if markers > 0 {
		what += " and " + backups.BothOf(markers, "marker")
	}
	return []change.Line{
		{Text: c.undoKey() + " restores " + what + ", byte for byte."},
		{Tone: change.Muted, Text: "continuo can undo your last 20 actions. continuo never empties the trash by itself."},
	}
}

// discard carries out a discard.
func (c Changes) discard(ctx context.Context, x *backups.Discarding) (tui.Done, error) {
	done, err := backups.DiscardAll(ctx, c.Env, x, change.Change{Kind: string(journal.Discard)})
	if err != nil {
		return tui.Done{}, err
	}
	n := done.Backups()
	return tui.Done{Said: "Discarded " + out.Count(n, "backup") + ". " + c.undoKey() + " restores " + words.Them(n) + ".", But: writing.LostBy(&done.Done)}, nil
}

// doneOf returns the result of a change. If some is set, a part is complete, and err becomes a warning.
func doneOf(message string, some bool, lost string, err error) (tui.Done, error) {
	if err != nil && !some {
		return tui.Done{}, err
	}
	done := tui.Done{Said: message, But: lost}
	if err != nil {
		done.But = out.JoinSentences(inBrowser(err).Error(), lost)
	}
	return done, nil
}
