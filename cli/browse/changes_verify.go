package browse

import (
	"context"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

// planVerify verifies backups. The plan has the results and no change.
func (c Changes) planVerify(ctx context.Context, plan *tui.Plan) (*writing.Plan, error) {
	plan.Title = "Verify"
	_, list, gone, err := c.asked(ctx, plan.Change.Rows)
	if err != nil {
		return nil, err
	}
	plan.About = backups.About(len(list), "backup", 1)
	var sums backups.RecordedSums
	counts := map[backup.Verdict]int{}
	project := 0 // in cells
	for _, b := range list {
		project = max(project, min(ansi.StringWidth(place.ProjectName(&b.Row)), writing.PlanName)+2)
	}
	var good, bad []change.Line
	for _, b := range list {
		v := backups.Verified{Row: b}
		v.Verdict, err = backup.Verify(ctx, b.Row.Path, sums.Sum(b), b.Live)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			v.Err = out.Reason(err)
		}
		counts[v.Verdict]++
		glyph, verdict := v.Words()
		lines := []change.Line{{
			Mark: change.Mark(glyph.Text), Text: render.Pad(words.Moment(c.Env.Now(), b.Row.When()), 17) + render.Pad(words.Cut(place.ProjectName(&b.Row), writing.PlanName), project) + verdict,
			Right: words.Size(b.Row.Bytes),
		}}
		switch v.Verdict {
		case backup.VerdictMismatch, backup.VerdictUnreadable, backup.VerdictDiffers:
			bad = append(bad, append(lines, change.Line{Tone: change.Faint, Text: c.Env.Tilde(b.Row.Path), Whole: true})...)
		default:
			good = append(good, lines...)
		}
	}
	p := &writing.Plan{}
	p.Add("Found", change.Line{Text: backups.VerdictSum(len(list), counts)})
	p.Add("But", append(bad, backups.GoneLines(gone)...)...)
	p.Add("Holds", good...)
	return p, nil
}
