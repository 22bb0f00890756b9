// Package deleting implements the commands delete and clean. They move sessions to the trash.
package deleting

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/sessions/trash"
	"github.com/continuo-tui/continuo/tui/render"
)

// Removal is a set of sessions that will be moved to the trash.
type Removal struct {
	env   *place.Env
	plans []trash.Plan
	why   map[string]trash.Proposal // by path, for the command clean
	at    time.Time                 // time in the names of the trash entries
}

// New plans to remove sessions, and writes nothing. It returns an error if a session may be live.
func New(ctx context.Context, env *place.Env, rows []sessions.Row) (*Removal, error) {
	x := &Removal{env: env, at: env.Now()}
	for i := range rows {
		if slices.ContainsFunc(x.plans, func(p trash.Plan) bool { return p.Session.Path == rows[i].Path }) {
			continue
		}
		p, err := x.one(ctx, &rows[i])
		if err != nil {
			return nil, err
		}
		x.plans = append(x.plans, p)
	}
	return x, nil
}

// one plans to remove one session.
func (x *Removal) one(ctx context.Context, row *sessions.Row) (trash.Plan, error) {
	if Running(ctx, x.env, row) {
		return trash.Plan{}, &out.Failure{Code: out.ExitNo, What: titleOf(row) + " is live. End it in Claude Code first.", Cause: change.ErrLive}
	}
	p, err := trash.Of(row, x.at)
	switch {
	case errors.Is(err, trash.ErrPlace):
		err = &out.Failure{What: titleOf(row) + " isn't in projects/ of a Claude config directory. Delete the file yourself.", Cause: err}
	case errors.Is(err, fs.ErrNotExist):
		err = &out.Failure{Code: out.ExitNone, What: titleOf(row) + " no longer exists.", Cause: err}
	case err != nil:
		err = &out.Failure{What: titleOf(row) + " can't be deleted: " + out.Reason(err) + ".", Cause: err}
	}
	return p, err
}

// Running reports whether a session is live, or may be live.
func Running(ctx context.Context, env *place.Env, row *sessions.Row) bool {
	return row.MayRun(env.Now()) || writing.IsOpen(ctx, env, []string{place.ConfigDirOf(row)}, row.ID)
}

func titleOf(row *sessions.Row) string { return "“" + words.Cut(render.Title(row), 60) + "”" }

// Sessions returns the number of sessions.
func (x *Removal) Sessions() int { return len(x.plans) }

// Plan returns the plan for the user.
func (x *Removal) Plan() *writing.Plan {
	p := &writing.Plan{Report: writing.Report{Sessions: []writing.ReportedSession{}}}
	var lines, left []change.Line
	only := 0
	for i := range x.plans {
		r := &x.plans[i]
		text := render.Title(&r.Session) + " · " + place.ProjectName(&r.Session) + " · " + out.Count(len(r.Ops), "file") + ", " + words.Size(r.Bytes)
		why := x.why[r.Session.Path]
		switch why.Reason {
		case trash.ReasonDuplicate:
			text += " · same as " + out.CleanPath(filepath.Join(filepath.Base(filepath.Dir(why.Of)), place.ShortID(filepath.Base(why.Of))))
		case trash.ReasonEmpty, trash.ReasonStub:
			text += " · " + string(why.Reason)
		}
		onlyCopy := !r.Session.Copied && why.Reason == ""
		if onlyCopy {
			only++
		}
		lines = append(lines, change.Line{Text: text})
		for _, path := range r.Left {
			left = append(left, change.Line{Text: x.env.Tilde(path) + " (not a regular file)"})
		}
		p.Report.Sessions = append(p.Report.Sessions, writing.ReportedSession{
			ID: r.Session.ID, Path: r.Session.Path, Trash: r.Ops[0].ToPath(), Files: len(r.Ops), Bytes: r.Bytes,
			Reason: string(why.Reason), OnlyCopy: onlyCopy,
		})
	}
	p.Add("Removed", lines...)
	if only > 0 {
		p.Add("But", writing.Warning(copies(only, len(x.plans))))
	}
	p.Add("Stays", append(left, change.Line{Text: "backups, documents and file-history"})...)
	return p
}

// copies says how many of n sessions have no backup.
func copies(only, n int) string {
	switch {
	case n == 1:
		return "No backup contains the whole session: this is the only copy."
	case only == n:
		return "No backup contains any of these sessions completely: these are the only copies."
	case only == 1:
		return "1 of them has no complete backup: it is the only copy."
	}
	return words.Count(only) + " of them have no complete backup: they are the only copies."
}

// Do carries out the removal. It plans again under the locks. It returns an error if a session has become live.
func (x *Removal) Do(ctx context.Context) (act.Done, error) {
	what := "Deleted " + titleOf(&x.plans[0].Session)
	if n := len(x.plans); n > 1 {
		what = "Deleted " + out.Count(n, "session")
	}
	c := change.Change{Kind: string(journal.Delete), What: what, Unkept: true} // the trash keeps every byte
	for i := range x.plans {
		if where := x.plans[i].Session.Project; where != "" {
			c.Where = append(c.Where, where)
		}
	}
	done, err := writing.Do(ctx, x.env, func(ctx context.Context) (change.Change, error) {
		now := c
		for i := range x.plans {
			p, err := x.one(ctx, &x.plans[i].Session)
			if err != nil {
				return now, err
			}
			now.Ops = append(now.Ops, p.Ops...)
		}
		return now, nil
	})
	if err != nil {
		return done, writing.Failure(x.env, err, "a deletion", func(err error) error { return err })
	}
	return done, nil
}
