package list

import (
	"cmp"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// order is the sort order of the list of sessions.
type order int

const (
	byRecent order = iota // by the time of the last message
	byCreated
	bySize
	byMessages
	byProject // by the name of the project
)

// orders returns the sort orders as commands of the palette.
func orders() []screen.Binding {
	list := []screen.Binding{
		{Command: "Sort by last message", Do: screen.Intent{Name: sortBy, N: int(byRecent)}},
		{Command: "Sort by creation", Do: screen.Intent{Name: sortBy, N: int(byCreated)}},
		{Command: "Sort by size", Do: screen.Intent{Name: sortBy, N: int(bySize)}},
		{Command: "Sort by messages", Do: screen.Intent{Name: sortBy, N: int(byMessages)}},
		{Command: "Sort by project", Do: screen.Intent{Name: sortBy, N: int(byProject)}},
		{Command: "Group by day", Do: screen.Intent{Name: groupBy, N: 0}},
		{Command: "Group by project", Do: screen.Intent{Name: groupBy, N: 1}},
	}
	for i := range list {
		list[i].Group = screen.GroupFind
	}
	return list
}

// compare compares two sessions, first by project if they are grouped by project.
func (s *scope) compare(a, b *sessions.Row) int {
	n := 0
	if s.grouped || s.order == byProject {
		n = cmp.Or(cmp.Compare(render.Base(a.Project), render.Base(b.Project)), cmp.Compare(a.Project, b.Project))
	}
	switch s.order {
	case byCreated:
		n = cmp.Or(n, b.Created.Compare(a.Created))
	case bySize:
		n = cmp.Or(n, cmp.Compare(b.Bytes, a.Bytes))
	case byMessages:
		n = cmp.Or(n, cmp.Compare(b.Messages, a.Messages))
	case byRecent, byProject:
	}
	return cmp.Or(n, a.Compare(b))
}

// group identifies the group that a row is listed in.
type group struct {
	day  int    // key of render.Days
	name string // name of a project, or of a group without a date
}

// figure returns the text of the last column for a session, and the column's name. The column has the sorted value or
// the age.
func (s *scope) figure(r *sessions.Row, now time.Time) (text, name string) {
	switch s.order {
	case byCreated:
		if r.Created.IsZero() {
			return "", "made"
		}
		return render.Age(now, r.Created), "made"
	case bySize: // four cells wide
		return strings.NewReplacer(" B", "B", " kB", "k", " MB", "M", " GB", "G").Replace(words.Size(r.Bytes)), "size"
	case byMessages:
		return render.Messages(r), "msgs"
	case byRecent, byProject:
	}
	return render.RowAge(r, now), "age"
}

// groupOf returns the group of a row. Days are groups only if the rows are sorted by time.
func (b *builder) groupOf(r *sessions.Row, days *render.Days) group {
	s := b.scope
	switch {
	case b.kind != sessions.KindSession:
		name, _ := render.GroupOf(r, b.now)
		return group{name: name}
	case s.grouped:
		return group{name: r.Project}
	case s.order == byRecent && !r.Dated(), s.order == byCreated && r.Created.IsZero():
		return group{name: "Without a date"}
	case s.order == byRecent:
		return group{day: days.Key(r.When())}
	case s.order == byCreated:
		return group{day: days.Key(r.Created)}
	}
	return group{}
}

// headingOf returns the heading of a row's group, or "", and the dates of the group.
func (b *builder) headingOf(g group, r *sessions.Row, days *render.Days) (name, dates string) {
	s := b.scope
	switch {
	case b.kind != sessions.KindSession:
		return render.GroupOf(r, b.now)
	case s.grouped && g.name == "":
		return "No project", ""
	case s.grouped:
		return render.Base(g.name), ""
	case g.name != "":
		return g.name, ""
	case s.order == byRecent || s.order == byCreated:
		return days.Heading(g.day)
	}
	return "", ""
}
