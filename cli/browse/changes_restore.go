package browse

import (
	"context"
	"errors"

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

// planRestore plans to restore backups under their own IDs, and lists those that can't be restored. A single
// backup may get a new ID.
func (c Changes) planRestore(ctx context.Context, plan *tui.Plan) (*writing.Plan, error) {
	plan.Title = "Restore"
	_, list, gone, err := c.asked(ctx, plan.Change.Rows)
	if err != nil {
		return nil, err
	}
	but := backups.GoneLines(gone)
	var able []*backups.Restoring
	taken := map[string]*backups.Restoring{} // path of the new file → its plan
	for _, b := range list {
		r, why, err := c.restoring(ctx, b, len(list) == 1)
		if err != nil {
			return nil, err
		}
		if why != "" {
			but = append(but, writing.Warning(why))
		}
		switch {
		case r == nil:
		case taken[r.Plan.To] != nil:
			but = append(but, writing.Warning(b.Name()+" isn't restored, because "+taken[r.Plan.To].B.Name()+" is from the same session"))
		default:
			taken[r.Plan.To] = r
			able = append(able, r)
		}
	}
	plan.About = backups.About(len(list), "backup", 1)
	if len(able) == 0 {
		p := &writing.Plan{}
		p.Add("But", but...)
		p.Add("Stays", change.Line{Text: "all files; nothing to do"})
		if len(list) > 1 {
			p.Add("Instead", change.Line{Text: "Restore it alone, or run continuo backup restore NAME --new-id."})
		}
		return p, nil
	}
	p := backups.RestorePlan(c.Env, able[0])
	if len(able) > 1 {
		p = restoresPlan(c.Env, able)
	}
	p.Insert("But", but)
	p.Add("Undo", change.Line{Text: c.undoKey() + " undoes this until " + theSession(len(able)) + " is resumed."},
		change.Line{Tone: change.Muted, Text: "continuo can undo your last 20 actions."})
	plan.Verb = "restore " + words.Count(len(able))
	if len(able) == 1 {
		words := []string{"backup", "restore", able[0].B.Row.Path}
		if able[0].As != "" {
			words = append(words, "--new-id")
		}
		plan.Command = c.Env.Command(words...)
	}
	plan.Held = Doing(func(ctx context.Context) (tui.Done, error) { return c.restore(ctx, able) })
	return p, nil
}

func theSession(n int) string {
	if n == 1 {
		return "the session"
	}
	return "a session"
}

// restoring plans to restore a backup under its own ID. If this isn't possible, why has the reason. With anew, r
// is then a plan with a new ID, or nil.
func (c Changes) restoring(ctx context.Context, b *backups.Row, anew bool) (r *backups.Restoring, why string, err error) {
	if err := b.Compare(ctx, true); err != nil {
		return nil, "", err
	}
	r, err = backups.PlanRestore(ctx, c.Env, b, c.Dirs, "")
	if err == nil {
		return r, "", nil
	}
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	refusal, ok := errors.AsType[*backup.RestoreRefusal](err)
	if !ok {
		return nil, b.Name() + " cannot be restored: " + out.LowerFirst(out.AsFailure(err).What), nil
	}
	why = b.Name() + ": " + refusedWhy(refusal, b)
	if !anew || refusal.Offer == "" {
		return nil, why, nil
	}
	r, err = backups.PlanRestore(ctx, c.Env, b, c.Dirs, refusal.Offer)
	if err != nil {
		return nil, why, ctx.Err()
	}
	return r, why + ". New ID: " + refusal.Offer, nil
}

// refusedWhy says why a backup can't be restored under its own ID.
func refusedWhy(r *backup.RestoreRefusal, b *backups.Row) string {
	switch {
	case errors.Is(r, backup.ErrTaken) && b.Held():
		return "its session still exists and contains every byte"
	case errors.Is(r, backup.ErrTaken):
		return "a session with its ID already exists"
	case errors.Is(r, backup.ErrUnlisted):
		return out.CleanPath(r.Paths[0]) + " can't be read and may contain a session with its ID"
	case errors.Is(r, backup.ErrLive):
		return "a session with this ID is live"
	case errors.Is(r, backup.ErrNoID):
		return "it doesn't record its session ID"
	}
	return "the location of its session isn't in a projects directory of Claude Code"
}

// restoresPlan describes several restores.
func restoresPlan(env *place.Env, list []*backups.Restoring) *writing.Plan {
	p := &writing.Plan{Report: writing.Report{Action: "restore"}}
	var lines []change.Line
	var bytes int64
	fresh, markers := 0, 0
	for _, r := range list {
		bytes += r.Plan.Backup.Bytes
		markers += len(r.Plan.Markers)
		if r.Plan.Fresh {
			fresh++
		}
		lines = append(lines, change.Line{
			Text:  render.Pad(words.Moment(env.Now(), r.B.Row.When()), 17) + render.Pad(words.Cut(place.ProjectName(&r.B.Row), writing.PlanName), 14) + r.Title(),
			Right: words.Size(r.Plan.Backup.Bytes), Cut: true,
		}, change.Line{Tone: change.Faint, Text: env.Tilde(r.Plan.To), Whole: true})
		if !r.Plan.Sweep.IsZero() {
			lines = append(lines, change.Line{Tone: change.Muted, Text: "Claude Code deletes it after " + words.Moment(env.Now(), r.Plan.Sweep)})
		}
	}
	if fresh > 0 {
		lines = append(lines, change.Line{Tone: change.Muted, Text: words.Counted(fresh, "file gets", "files get") + " the current time, because Claude Code would delete a file with its original time within 7 days"})
	}
	p.Add("Touched", append([]change.Line{{Text: out.Count(len(list), "new file") + ", " + words.Size(bytes) + ": the restored sessions"}}, lines...)...)
	if markers > 0 {
		p.Add("Removed", change.Line{Text: out.Count(markers, "marker") + ", because the backups are no longer pending"})
	}
	p.Add("Stays", change.Line{Mark: change.Good, Text: "the backups, where they are"})
	return p
}

// restore carries out restores.
func (c Changes) restore(ctx context.Context, list []*backups.Restoring) (tui.Done, error) {
	done, err := backups.RestoreAll(ctx, c.Env, list)
	if refusal, ok := errors.AsType[*backup.RestoreRefusal](err); ok {
		err = &out.Failure{What: "No longer possible: " + refusedWhy(refusal, &backups.Row{}) + ".", Cause: err}
	}
	if err != nil {
		return tui.Done{}, err
	}
	message := backups.RestoredWhat(list) + "."
	if len(list) == 1 {
		message = "Session restored."
		if list[0].As != "" {
			message = "Session restored under a new ID."
		}
	}
	return tui.Done{Said: message + " " + c.undoKey() + " undoes this.", But: writing.LostBy(&done)}, nil
}
