package sessions

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// OpenItem is an open todo or a next step of a document.
type OpenItem struct {
	Row   *Row
	Todo  Todo
	Next  bool      // the item is a next step
	Since time.Time // time of the oldest document in the chain with the item
}

// StillOpen returns the open todos of rows, and the next steps of session documents without a successor. The items
// are sorted by urgency, then by document, newest first. chains must contain all rows. An item in several documents
// of a chain comes once, from the newest one. A newer tick removes it.
func StillOpen(rows []*Row, chains []Chain) []OpenItem {
	type place struct {
		chain int
		first bool
	}
	of := make(map[*Row]place)
	for i := range chains {
		for at, r := range chains[i].Rows {
			of[r] = place{i, at == 0}
		}
	}
	type name struct {
		chain int
		text  string
	}
	known := map[name]int{} // index of the item in open; -1 if the item is done
	var open []OpenItem
	for _, r := range slices.SortedStableFunc(slices.Values(rows), (*Row).Compare) {
		at, ok := of[r]
		if !ok || r.Deleted {
			continue
		}
		add := func(t Todo, next bool) {
			is := name{at.chain, strings.ToLower(t.Text)}
			switch i, ok := known[is]; {
			case ok && i >= 0:
				open[i].Since = r.When()
			case ok: // done in a newer document
			case t.Done:
				known[is] = -1
			default:
				known[is] = len(open)
				open = append(open, OpenItem{Row: r, Todo: t, Next: next, Since: r.When()})
			}
		}
		for _, t := range r.Todos {
			add(t, false)
		}
		if at.first && r.IsSessionDocument() {
			for _, text := range r.Next {
				add(Todo{Text: text}, true)
			}
		}
	}
	slices.SortStableFunc(open, func(a, b OpenItem) int {
		return cmp.Or(cmp.Compare(a.urgency(), b.urgency()), a.Row.Compare(b.Row))
	})
	return open
}

// urgency returns the sort key of the item: its priority. Unknown priorities come after those of spec 000, next steps
// last.
func (o *OpenItem) urgency() int {
	order := []string{"high", "blocked", "medium", "low"}
	switch at := slices.Index(order, strings.ToLower(o.Todo.Priority)); {
	case o.Next:
		return len(order) + 1
	case at < 0:
		return len(order)
	default:
		return at
	}
}
