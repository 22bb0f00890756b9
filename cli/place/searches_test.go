package place_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/continuo-tui/continuo/cli/place"
)

func TestSaveSearch(t *testing.T) {
	t.Parallel()
	env := &place.Env{Home: t.TempDir(), MadeUp: true}
	for _, text := range []string{"one", "two", "three", "two"} {
		if _, _, err := place.SaveSearch(t.Context(), env, text); err != nil {
			t.Fatal(err)
		}
	}
	if got := place.SavedSearches(env); !slices.Equal(got, []string{"three", "one"}) {
		t.Errorf("saved %q", got)
	}
	for i := range 60 {
		if _, saved, err := place.SaveSearch(t.Context(), env, strconv.Itoa(i)); err != nil || !saved {
			t.Fatalf("%d: %v, %v", i, saved, err)
		}
	}
	if got := place.SavedSearches(env); len(got) != 50 || got[0] != "59" || got[49] != "10" {
		t.Errorf("%d saved, from %s to %s", len(got), got[0], got[len(got)-1])
	}
}
