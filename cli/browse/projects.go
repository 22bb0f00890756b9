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

// ShownRows has the rows that were last sent to the browser. Project pages use them, so they agree with the
// list.
type ShownRows struct {
	mu      sync.Mutex
	rows    map[string]shownRow
	gen     int
	whole   bool      // at least one scan is complete
	at      time.Time // end of the last scan
	problem error
}

type shownRow struct {
	row sessions.Row
	gen int // scan that sent the row
}

// Begin starts a scan and returns its number.
func (s *ShownRows) Begin() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gen++
	s.problem = nil
	return s.gen
}

// Take adds a batch. The end of a scan removes rows that the scan hasn't found.
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

// All returns the rows, and when the last scan ended. whole is false before the first scan is complete.
func (s *ShownRows) All() (rows []sessions.Row, at time.Time, whole bool, problem error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rows = make([]sessions.Row, 0, len(s.rows))
	for _, r := range s.rows {
		rows = append(rows, r.row)
	}
	return rows, s.at, s.whole, s.problem
}

// isWhole reports whether a scan was completed.
func (s *ShownRows) isWhole() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.whole
}

// pagedSource is the browser's source. It stores the rows for project pages.
type pagedSource struct {
	catalogSource
	shown *ShownRows
	now   func() time.Time
	heads *place.Attentions
	taken func() // called after rows are stored
}

// Rows implements tui.Source.
func (s pagedSource) Rows(ctx context.Context) <-chan sessions.Batch {
	gen := s.shown.Begin()
	return s.through(ctx, s.catalogSource.Rows(ctx), func() int { return gen })
}

// Watch implements tui.Source.
func (s pagedSource) Watch(ctx context.Context, awake func() bool) <-chan sessions.Batch {
	return s.through(ctx, s.catalogSource.Watch(ctx, awake), func() int {
		s.shown.mu.Lock()
		defer s.shown.mu.Unlock()
		return s.shown.gen
	})
}

// through passes batches on, and stores their rows.
func (s pagedSource) through(ctx context.Context, in <-chan sessions.Batch, gen func() int) <-chan sessions.Batch {
	out := make(chan sessions.Batch)
	go func() {
		defer close(out)
		for b := range in {
			s.heads.Fill(ctx, b.Rows)
			s.shown.Take(&b, gen(), s.now())
			s.taken()
			select {
			case out <- b:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// Projects implements tui.Projects.
type Projects struct {
	Env   *place.Env
	Opts  catalog.Options
	All   *catalog.Catalog // the browser's catalog
	Shown *ShownRows
}

// Project implements tui.Projects.
func (b Projects) Project(ctx context.Context, dir string) (survey.Project, error) {
	rows, listed, whole, problem := b.Shown.All()
	if !whole { // the watch compares its next scan with the browser's catalog, so this needs a separate catalog
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
