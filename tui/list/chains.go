package list

import (
	"cmp"
	"slices"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/filter"
	"github.com/continuo-tui/continuo/tui/render"
)

// byProjects groups chains by project. The project with the newest chain is first.
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

// addDocuments adds the chains, then the documents that aren't linked, and then the open todos.
func (b *builder) addDocuments(shown []*sessions.Row) {
	add := func(r *sessions.Row) {
		b.items = append(b.items, item{row: r, rows: b.rowsOf(r, nil)})
	}
	var alone []*sessions.Row
	for i := range b.docs.chains {
		c := &b.docs.chains[i]
		if !c.Linked() {
			alone = append(alone, c.Rows...)
			continue
		}
		b.head(item{heading: b.nameOf(c.Rows[0]), note: b.noteOf(c)})
		for _, r := range c.Rows {
			add(r)
		}
	}
	if len(alone) > 0 {
		b.head(item{heading: "Standalone", count: len(alone)})
		for _, r := range alone {
			add(r)
		}
	}
	b.addTodos(shown)
}

// addOpenHits adds the open todos of the matching documents, if the filter has only terms.
func (b *builder) addOpenHits(hits []filter.Hit, pattern string) {
	if _, text := filter.Parse(pattern); b.kind != sessions.KindDocument || text != "" {
		return
	}
	var rows []*sessions.Row
	for i := range hits {
		if held := b.held[hits[i].Path]; held != nil {
			rows = append(rows, &held.row)
		}
	}
	b.addTodos(rows)
}

// nameOf returns the name of the chain with the newest document r.
func (b *builder) nameOf(r *sessions.Row) string {
	return cmp.Or(transcript.CleanLine(r.Branch), render.Base(r.Project), render.Title(r))
}

func (b *builder) noteOf(c *sessions.Chain) string {
	note := words.Counted(len(c.Rows), "linked session", "linked sessions")
	if c.Fork != nil {
		note = "branches off"
		if k := b.docs.links[c.Fork.Path]; k.Chain != nil {
			name := b.nameOf(k.Rows[0])
			if name == b.nameOf(c.Rows[0]) { // the heading would only repeat the row
				name = render.Title(c.Fork)
			}
			note += " " + name
		}
	}
	if project := render.Base(c.Rows[0].Project); b.scope.wide() && project != "" && project != b.nameOf(c.Rows[0]) {
		note += " · " + project
	}
	return note
}
