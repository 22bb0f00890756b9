package cli

import (
	"context"
	"errors"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

// planRestore plans to make sessions of backups. Each keeps its id; of those for which that cannot be the plan says why,
// and the others are made. One alone is offered a new id.
func (c browserChanges) planRestore(ctx context.Context, plan *tui.Plan) (*deedPlan, error) {
	plan.Title = "Restore"
	_, list, gone, err := c.asked(ctx, plan.Change.Rows)
	if err != nil {
		return nil, err
	}
	but := goneLines(gone)
	var able []*restoring
	taken := map[string]*restoring{} // by the file that is made
	for _, b := range list {
		r, why, err := c.restoring(ctx, b, len(list) == 1)
		if err != nil {
			return nil, err
		}
		if why != "" {
			but = append(but, warning(why))
		}
		switch {
		case r == nil:
		case taken[r.plan.To] != nil:
			but = append(but, warning(b.name()+" is of the same session as "+taken[r.plan.To].b.name()+", and stays"))
		default:
			taken[r.plan.To] = r
			able = append(able, r)
		}
	}
	plan.About = about(len(list), "backup", 1)
	if len(able) == 0 {
		p := &deedPlan{}
		p.add("But", but...)
		p.add("Stays", change.Line{Text: "everything: there is nothing to do"})
		if len(list) > 1 {
			p.add("Instead", change.Line{Text: "Restore one alone, or continuo backup restore NAME --new-id: it can have a new id."})
		}
		return p, nil
	}
	p := restorePlan(c.env, able[0])
	if len(able) > 1 {
		p = restoresPlan(c.env, able)
	}
	p.insert("But", but)
	p.add("Undo", change.Line{Text: c.undoKey() + " takes " + them(len(able)) + " back, as long as nobody has gone on with " + theSession(len(able)) + "."},
		change.Line{Tone: change.Muted, Text: "Kept for your last 20 actions."})
	plan.Verb = "restore " + words.Count(len(able))
	if len(able) == 1 {
		words := []string{"backup", "restore", able[0].b.row.Path}
		if able[0].as != "" {
			words = append(words, "--new-id")
		}
		plan.Command = c.env.command(words...)
	}
	plan.Held = doing(func(ctx context.Context) (tui.Done, error) { return c.restore(ctx, able) })
	return p, nil
}

func theSession(n int) string {
	if n == 1 {
		return "the session"
	}
	return "a session"
}

// restoring plans one restore; it is nil where that is refused. why says what stands in the way of its own id. With
// anew it gets another id then.
func (c browserChanges) restoring(ctx context.Context, b *backupRow, anew bool) (r *restoring, why string, err error) {
	if err := b.compare(ctx, true); err != nil {
		return nil, "", err
	}
	r, err = planRestore(ctx, c.env, b, c.dirs, "")
	if err == nil {
		return r, "", nil
	}
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	refusal, ok := errors.AsType[*backup.RestoreRefusal](err)
	if !ok {
		return nil, b.name() + " cannot be restored: " + lowerFirst(out.AsFailure(err).What), nil
	}
	why = b.name() + ": " + refusedWhy(refusal, b)
	if !anew || refusal.Offer == "" {
		return nil, why, nil
	}
	r, err = planRestore(ctx, c.env, b, c.dirs, refusal.Offer)
	if err != nil {
		return nil, why, ctx.Err()
	}
	return r, why + ", so it gets a new id: " + refusal.Offer, nil
}

// refusedWhy is why a backup is not restored under its own id.
func refusedWhy(r *backup.RestoreRefusal, b *backupRow) string {
	switch {
	case errors.Is(r, backup.ErrTaken) && b.held():
		return "its session is still there, and has every byte of it"
	case errors.Is(r, backup.ErrTaken):
		return "a session of its id exists already, and two of one id confuse the client"
	case errors.Is(r, backup.ErrUnlisted):
		return out.CleanPath(r.Paths[0]) + " cannot be read, and may have a session of its id"
	case errors.Is(r, backup.ErrLive):
		return "a session of its id is live"
	case errors.Is(r, backup.ErrNoID):
		return "it does not say which session it is of"
	}
	return "the place of its session is in no projects directory of the client"
}

// restoresPlan draws several restores.
func restoresPlan(env *Env, list []*restoring) *deedPlan {
	p := &deedPlan{report: deedJSON{Action: "restore"}}
	var lines []change.Line
	var bytes int64
	fresh, markers := 0, 0
	for _, r := range list {
		bytes += r.plan.Backup.Bytes
		markers += len(r.plan.Markers)
		if r.plan.Fresh {
			fresh++
		}
		lines = append(lines, change.Line{
			Text:  render.Pad(words.Moment(env.now(), r.b.row.When()), 17) + render.Pad(words.Cut(projectName(&r.b.row), planName), 14) + r.title(),
			Right: words.Size(r.plan.Backup.Bytes), Cut: true,
		}, change.Line{Tone: change.Faint, Text: env.tilde(r.plan.To), Whole: true})
		if !r.plan.Sweep.IsZero() {
			lines = append(lines, change.Line{Tone: change.Muted, Text: "Claude Code deletes it after " + words.Moment(env.now(), r.plan.Sweep)})
		}
	}
	if fresh > 0 {
		lines = append(lines, change.Line{Tone: change.Muted, Text: words.Counted(fresh, "file gets", "files get") + " the time of now: with that of the original Claude Code would delete it within 7 days"})
	}
	p.add("Touched", append([]change.Line{{Text: out.Count(len(list), "new file") + ", " + words.Size(bytes) + ": the sessions are there again"}}, lines...)...)
	if markers > 0 {
		p.add("Removed", change.Line{Text: out.Count(markers, "marker") + ", because the backups are dealt with"})
	}
	p.add("Stays", change.Line{Mark: change.Good, Text: "the backups, where they are"})
	return p
}

// restore carries restores out.
func (c browserChanges) restore(ctx context.Context, list []*restoring) (tui.Done, error) {
	done, err := restoreAll(ctx, c.env, list)
	if refusal, ok := errors.AsType[*backup.RestoreRefusal](err); ok {
		err = &out.Failure{What: "Since the plan was made it is refused: " + refusedWhy(refusal, &backupRow{}) + ".", Cause: err}
	}
	if err != nil {
		return tui.Done{}, err
	}
	said := restoredWhat(list) + "."
	if len(list) == 1 {
		said = "The session is there again."
		if list[0].as != "" {
			said = "The session is there again, under a new id."
		}
	}
	return tui.Done{Said: said + " " + c.undoKey() + " takes " + them(len(list)) + " back.", But: lostBy(&done)}, nil
}
