package list

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/filter"
)

// mostValues is the maximum number of values that are listed for a term without a match.
const mostValues = 5

// noTerm returns a text about the first term that matches no document, or "".
func (l *pane) noTerm() string {
	for _, word := range strings.Fields(l.field.Text()) {
		t, ok := filter.ParseTerm(word)
		if !ok || slices.ContainsFunc(l.shown, func(r *sessions.Row) bool { return filter.FacetsOf(r).Has(t) }) {
			continue
		}
		text := "No document has " + word + "."
		if there := l.valuesOf(t.Name); there != "" {
			text += " Existing values: " + there + "."
		}
		return text
	}
	return ""
}

// valuesOf lists the values of a term with their counts, most frequent first.
func (l *pane) valuesOf(name string) string {
	count := map[string]int{}
	for _, r := range l.shown {
		of := filter.FacetsOf(r).Of(name)
		if name == filter.ByProject { // a project also matches by its directory
			of = of[:1]
		}
		for _, v := range of {
			if v != "" {
				count[v]++
			}
		}
	}
	values := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	var named []string
	for _, v := range values[:min(len(values), mostValues)] {
		named = append(named, words.Cut(v, 32)+" "+words.Count(count[v]))
	}
	if left := len(values) - mostValues; left > 0 {
		named = append(named, words.Count(left)+" more")
	}
	return strings.Join(named, ", ")
}
