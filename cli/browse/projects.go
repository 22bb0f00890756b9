package browse

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// ShownRows are the rows as the browser has them: what its catalogue sent last of each. A page is made of them, so
// that it says what the list says, and a look at it costs no second look at every session.
type ShownRows struct {
	mu      sync.Mutex
	rows    map[string]shownRow
	gen     int
	whole   bool      // a load has come to its end
	at      time.Time // when the last one did
	problem error
}

type shownRow struct {
	row sessions.Row
	gen int // of the load that brought it
}

// Begin is called before a load.
func (s *ShownRows) Begin() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gen++
	s.problem = nil
	return s.gen
}

// Take takes a batch in; what a load did not find again is gone.
func (s *ShownRows) Take(b *sessions.Batch, gen int, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rows == nil {
		s.rows = map[string]shownRow{}
	}
	for i := range b.Rows {
		s.rows[b.Rows[i].Path] = shownRow{b.Rows[i], gen}
	}
	for _, path := range b.Gone {
		delete(s.rows, path)
	}
	s.problem = errors.Join(s.problem, b.Err)
	if !b.Done || gen != s.gen {
		return
	}
	for path, r := range s.rows {
		if r.gen != gen {
			delete(s.rows, path)
		}
	}
	s.whole, s.at = true, now
}

// All are the rows and when they were listed, if a load has come to its end.
func (s *ShownRows) All() (rows []sessions.Row, at time.Time, whole bool, problem error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.whole {
		return nil, time.Time{}, false, nil
	}
	for _, r := range s.rows {
		rows = append(rows, r.row)
	}
	return rows, s.at, true, s.problem
}

// pagedSource is the source of the browser, whose rows are kept for the pages of projects.
type pagedSource struct {
	browserSource
	shown *ShownRows
	now   func() time.Time
	heads *place.Attentions
}

// Rows implements tui.Source.
func (s pagedSource) Rows(ctx context.Context) <-chan sessions.Batch {
	gen := s.shown.Begin()
	return s.through(ctx, s.browserSource.Rows(ctx), func() int { return gen })
}

// Watch implements tui.Source.
func (s pagedSource) Watch(ctx context.Context, awake func() bool) <-chan sessions.Batch {
	return s.through(ctx, s.browserSource.Watch(ctx, awake), func() int {
		s.shown.mu.Lock()
		defer s.shown.mu.Unlock()
		return s.shown.gen
	})
}

// through takes in what passes by.
func (s pagedSource) through(ctx context.Context, in <-chan sessions.Batch, gen func() int) <-chan sessions.Batch {
	out := make(chan sessions.Batch)
	go func() {
		defer close(out)
		for b := range in {
			s.heads.Fill(ctx, b.Rows)
			s.shown.Take(&b, gen(), s.now())
			select {
			case out <- b:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// BrowserProjects looks at projects for their pages.
type BrowserProjects struct {
	Env   *place.Env
	Opts  catalog.Options
	All   *catalog.Catalog // that of the browser
	Shown *ShownRows
}

// Project implements tui.Projects.
func (b BrowserProjects) Project(ctx context.Context, dir string) (survey.Project, error) {
	rows, listed, whole, problem := b.Shown.All()
	if !whole { // a list of its own: that of the browser is what its watch compares with
		rows, problem = b.Env.Open(b.Opts).List(ctx, true)
	}
	if ctx.Err() != nil {
		return survey.Project{}, ctx.Err()
	}
	l := place.ProjectLook(b.Env, place.CatalogSource{Catalog: b.All}, b.Opts.Dirs, dir)
	l.Rows, l.Listed, l.Problem = rows, listed, problem
	p, err := survey.ProjectOf(ctx, l)
	return p, place.ProjectFailure(b.Env, l, err)
}
