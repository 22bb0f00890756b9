package list

import (
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// Months with few sessions share a heading, so that not every second line is a heading.
const (
	fewInMonth   = 2 // maximum sessions of a month that joins another
	mostInMonths = 8 // maximum number of sessions below a shared heading
)

// months joins months with few sessions, while the items are made.
type months struct {
	days   *render.Days
	count  map[group]int // number of rows of each group
	item   int           // index of the heading of the last month
	newest int           // group key of the newest month below this heading
	rows   int           // rows below this heading; 0 if the group isn't a month
}

// joins adds a month to the last heading if both have few sessions. Otherwise it returns false.
func (m *months) joins(g group, items []item) bool {
	n := m.count[g]
	if !m.days.IsMonth(g.day) || m.rows == 0 || min(n, m.rows) > fewInMonth || m.rows+n > mostInMonths {
		return false
	}
	m.rows += n
	items[m.item].heading, items[m.item].dates = m.days.Months(m.newest, g.day), ""
	return true
}

// begun is called after the heading of a group was added.
func (m *months) begun(g group, items []item) {
	m.item, m.newest, m.rows = len(items)-1, g.day, 0
	if m.days.IsMonth(g.day) {
		m.rows = m.count[g]
	}
}

func (b *builder) monthsOf(shown []*sessions.Row, days *render.Days) months {
	m := months{days: days, count: map[group]int{}}
	for _, r := range shown {
		m.count[b.groupOf(r, days)]++
	}
	return m
}
