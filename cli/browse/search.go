package browse

import (
	"context"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/searching"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/sessions/search"
	"github.com/continuo-tui/continuo/tui"
)

// Searches updates the browser's index and searches in it. It implements tui.Searcher.
type Searches struct {
	env     *place.Env
	shown   *ShownRows
	changed chan struct{} // has a value if rows have changed

	mu     sync.Mutex
	corpus *search.Corpus
	files  []index.File // files of the corpus
	whole  bool         // the list is complete
}

// NewSearches returns the searches over the shown rows. The caller must call Run.
func NewSearches(env *place.Env, shown *ShownRows) *Searches {
	return &Searches{env: env, shown: shown, changed: make(chan struct{}, 1), corpus: &search.Corpus{Index: env.Index}}
}

// Changed tells Run that rows have changed.
func (s *Searches) Changed() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// pause is how long Run waits while the list is incomplete: more rows follow soon.
const pause = 200 * time.Millisecond

// Run updates the index after each change of the rows, until ctx ends. While the list is incomplete, it sets
// only the rows and files to search: the list's scan fills the index.
func (s *Searches) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.changed:
		}
		if !s.shown.isWhole() { // more rows will follow soon
			select {
			case <-ctx.Done():
				return
			case <-time.After(pause):
			}
		}
		rows, _, whole, _ := s.shown.All()
		if !whole && len(rows) == len(s.corpus.Rows) {
			continue // only figures have changed
		}
		c := searching.CorpusOf(s.env, rows)
		files := c.Files(ctx)
		s.mu.Lock()
		s.corpus, s.files, s.whole = c, files, whole
		s.mu.Unlock()
		if !whole {
			s.env.Index.SetFiles(files)
		} else if s.env.Index.Update(ctx, files) != nil {
			return
		}
	}
}

// Search implements tui.Searcher. After a panic, the last batch has a *sessions.PanicError in Err.
func (s *Searches) Search(ctx context.Context, q *query.Query, o search.Options, on func(search.Batch)) {
	s.mu.Lock()
	c := s.corpus
	s.mu.Unlock()
	if bug := sessions.Catch(func() { search.Run(ctx, c, q, o, on) }); bug != nil {
		on(search.Batch{Done: true, Err: bug})
	}
}

// Around implements tui.Searcher.
func (s *Searches) Around(ctx context.Context, h search.Hit, n int) (search.Nearby, error) {
	return searching.Around(ctx, &h, n)
}

// Index implements tui.Searcher.
func (s *Searches) Index() tui.Gauge {
	s.mu.Lock()
	files, whole := s.files, s.whole
	s.mu.Unlock()
	g := tui.Gauge{AllFiles: len(files), Whole: whole}
	g.Files, g.Bytes = s.env.Index.Indexed(files)
	for i := range files {
		g.AllBytes += files[i].Info.Size()
	}
	return g
}
