package cli

import (
	"context"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

// planVerify verifies: what it finds is the plan, and there is nothing to do.
func (c browserChanges) planVerify(ctx context.Context, plan *tui.Plan) (*deedPlan, error) {
	plan.Title = "Verify"
	_, list, gone, err := c.asked(ctx, plan.Change.Rows)
	if err != nil {
		return nil, err
	}
	plan.About = about(len(list), "backup", 1)
	var sums recordedSums
	counts := map[backup.Verdict]int{}
	project := 0 // cells
	for _, b := range list {
		project = max(project, min(ansi.StringWidth(projectName(&b.row)), planName)+2)
	}
	var good, bad []change.Line
	for _, b := range list {
		v := verified{row: b}
		v.verdict, err = backup.Verify(ctx, b.row.Path, sums.sum(b), b.live)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			v.err = out.Reason(err)
		}
		counts[v.verdict]++
		glyph, verdict := v.words()
		lines := []change.Line{{
			Mark: change.Mark(glyph.Text), Text: render.Pad(words.Moment(c.env.now(), b.row.When()), 17) + render.Pad(words.Cut(projectName(&b.row), planName), project) + verdict,
			Right: words.Size(b.row.Bytes),
		}}
		switch v.verdict {
		case backup.VerdictMismatch, backup.VerdictUnreadable, backup.VerdictDiffers:
			bad = append(bad, append(lines, change.Line{Tone: change.Faint, Text: c.env.tilde(b.row.Path), Whole: true})...)
		default:
			good = append(good, lines...)
		}
	}
	p := &deedPlan{}
	p.add("Found", change.Line{Text: verdictSum(len(list), counts)})
	p.add("But", append(bad, goneLines(gone)...)...)
	p.add("Holds", good...)
	return p, nil
}
