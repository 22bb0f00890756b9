package list

import (
	"cmp"
	"slices"

	"github.com/continuo-tui/continuo/sessions"
)

// byProjects groups chains by project. The projects are in the order of their newest chains. Documents that aren't
// linked stay where they are.
func byProjects(chains []sessions.Chain) []sessions.Chain {
	first := map[string]int{}
	order := make([]int, len(chains))
	for i := range chains {
		c := &chains[i]
		order[i] = i
		if !c.Linked() {
			continue
		}
		project := c.Rows[0].Project
		if at, ok := first[project]; ok {
			order[i] = at
		} else {
			first[project] = i
		}
	}
	at := make([]int, len(chains))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(order[a], order[b]) })
	sorted := make([]sessions.Chain, len(chains))
	for i, k := range at {
		sorted[i] = chains[k]
	}
	return sorted
}
