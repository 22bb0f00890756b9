package browse

import (
	"errors"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/sessions/search"
)

// TestPanicOfASearch: a panic becomes the error of the last batch.
func TestPanicOfASearch(t *testing.T) {
	t.Parallel()
	q, err := query.Parse("leeway", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var last search.Batch
	s := NewSearches(&place.Env{}, &ShownRows{})
	s.Search(t.Context(), q, search.Options{}, func(b search.Batch) { last = b })
	if _, ok := errors.AsType[*sessions.PanicError](last.Err); !ok || !last.Done {
		t.Errorf("done %v, error %v", last.Done, last.Err)
	}
}
