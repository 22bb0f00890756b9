package tui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/screen"
)

// rest is the screen of the lists, at the bottom of the stack. It calls the model, because the lists aren't a package yet.
type rest struct{ m *model }

// raw is a command whose answer goes to the model, not to a screen.
type raw tea.Cmd

// restIntent names the intent that carries out the N-th binding of the current place.
const restIntent = "rest"

func rests(cmd tea.Cmd) []screen.Effect {
	if cmd == nil {
		return nil
	}
	return []screen.Effect{raw(cmd)}
}

func (r *rest) Open() []screen.Effect  { return nil }
func (r *rest) Close() []screen.Effect { return nil }

func (r *rest) Name() string {
	if r.m.place() == whileFiltering {
		return "While you type"
	}
	return "Sessions, backups, documents"
}

func (r *rest) Keys() []screen.Binding {
	table := r.m.keys[r.m.place()]
	list := make([]screen.Binding, len(table))
	for i := range table {
		list[i] = table[i].now(r.m)
		if table[i].do != nil {
			list[i].Do = screen.Intent{Name: restIntent, N: i}
		}
	}
	return list
}

func (r *rest) Do(do screen.Intent) []screen.Effect {
	if do.Name == screen.Fresh {
		return rests(r.m.refresh())
	}
	if do.Name != restIntent {
		return nil
	}
	return rests(r.m.keys[r.m.place()][do.N].do(r.m))
}

func (r *rest) Click(x, y int) []screen.Effect       { return rests(r.m.clickRest(x, y)) }
func (r *rest) Wheel(x, y, rows int) []screen.Effect { return rests(r.m.wheelRest(x, y, rows)) }
func (r *rest) Typed(msg tea.Msg) []screen.Effect    { return rests(r.m.typedRest(msg)) }
func (r *rest) Fit(screen.Frame) []screen.Effect     { return nil }
func (r *rest) View() screen.View                    { return screen.View{} }
func (r *rest) Subject() screen.Subject {
	s := screen.Subject{Row: r.m.subjectOfRest(), Dir: r.m.dirOfRest(), Edit: r.m.editOfRest()}
	if r.m.hasMarks() {
		s.Marks, s.Marked = len(r.m.list.marks.paths), r.m.marked
	}
	return s
}
func (r *rest) Shape(int, int) screen.Shape { return r.m.shapeOfRest() }

// Took implements screen.Screen. What was done with rows takes their marks away.
func (r *rest) Took(msg tea.Msg) []screen.Effect {
	if news, ok := msg.(screen.Changed); ok && news.Done {
		r.m.unmark(news.Change.Rows)
	}
	return nil
}

// Reopened implements screen.Reopened. It filters again, because rows may have changed meanwhile.
func (r *rest) Reopened() []screen.Effect {
	return rests(r.m.narrow())
}

// isRest reports whether what is in front is drawn by the model.
func (m *model) isRest() bool {
	_, ok := m.top().screen.(*rest)
	return ok
}

// recoverDir is the project that would be recovered here, "" none.
func (m *model) recoverDir() string {
	return m.top().screen.Subject().Dir
}

func (m *model) dirOfRest() string {
	switch row := m.subjectOfRest(); {
	case row != nil:
		return cmp.Or(row.Project, row.Workdir)
	case !m.scope.wide():
		return m.scope.project
	}
	return ""
}
