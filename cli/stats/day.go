package stats

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript/stats"
)

// project has the figures of a project on one day.
type project struct {
	path     string // "" if unknown
	sessions int
	tally    stats.Tally
	figures  stats.Figures
}

// ofDay prints the figures of the day that begins at from.
func ofDay(ctx context.Context, env *place.Env, o *out.Output, from time.Time) error {
	opts, err := place.CatalogOptions(env)
	if err != nil {
		return err
	}
	rows, problem := env.Open(opts).List(ctx, true)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	to := from.AddDate(0, 0, 1)
	list, all, err := countDay(ctx, env, rows, from, to)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		problem = errors.Join(problem, err)
	}
	if err := dayTable(env, o, from, list, &all); err != nil {
		return err
	}
	if problem != nil {
		return find.Incomplete(problem, find.Scope{})
	}
	if len(list) == 0 {
		return &out.Failure{Code: out.ExitNo, Plain: true}
	}
	return nil
}

// Between returns the figures of all sessions between two times, and the number of active sessions. It skips
// unreadable files; err is the first error.
func Between(ctx context.Context, env *place.Env, rows []sessions.Row, from, to time.Time) (f stats.Figures, active int, err error) {
	_, all, err := countDay(ctx, env, rows, from, to)
	return all.figures, all.sessions, err
}

// countDay counts the sessions of a day, oldest first: messages that a fork has copied belong to the original.
// The projects are sorted by active time, highest first. Unreadable files are skipped; err is the first error.
func countDay(ctx context.Context, env *place.Env, rows []sessions.Row, from, to time.Time) (list []*project, all project, err error) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r sessions.Row) bool {
		transcripts := r.Kind == sessions.KindSession || r.Lost() != nil
		return !transcripts || r.State == sessions.StateUnreadable || r.Modified.Before(from) || !r.Created.IsZero() && !r.Created.Before(to)
	})
	slices.SortFunc(rows, func(a, b sessions.Row) int { return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.Path, b.Path)) })
	counter, byPath := stats.NewCounter(from, to), map[string]*project{}
	for i := range rows {
		var t stats.Tally
		if failed := countRow(ctx, env, counter, &t, &rows[i]); failed != nil {
			if err == nil {
				err = failed
			}
			if ctx.Err() != nil {
				return nil, all, err
			}
		}
		if t.Empty() {
			continue
		}
		path := cmp.Or(rows[i].Project, rows[i].Workdir)
		p := byPath[path]
		if p == nil {
			p = &project{path: path}
			byPath[path], list = p, append(list, p)
		}
		for _, sum := range []*project{p, &all} {
			sum.sessions++
			sum.tally.Add(&t)
		}
	}
	all.figures = all.tally.Figures()
	for _, p := range list {
		p.figures = p.tally.Figures()
	}
	slices.SortFunc(list, func(a, b *project) int {
		return cmp.Or(cmp.Compare(b.figures.Active, a.figures.Active), cmp.Compare(a.path, b.path))
	})
	return list, all, err
}
