package tui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/screen"
)

// rest is the screen of the lists, at the bottom of the stack. It calls the model, because the lists aren't a package yet.
type rest struct{ m *model }

// readerRest is the same for the reader.
type readerRest struct{ rest }

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
	switch r.m.place() {
	case whileFiltering, whileSearching:
		return "While you type"
	case inReader:
		return "Reader"
	default:
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
	s.Part, s.NoPart = r.m.partOfRest()
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

// Took implements screen.Screen. It leaves a backup that was discarded: it is not there any more.
func (r *readerRest) Took(msg tea.Msg) []screen.Effect {
	news, ok := msg.(screen.Changed)
	if !ok || !news.Whole || news.Change.Kind != ChangeDiscard || r.m.reader == nil {
		return nil
	}
	if slices.ContainsFunc(news.Change.Rows, func(row sessions.Row) bool { return row.Path == r.m.reader.row.Path }) {
		return rests(r.m.leaveReader())
	}
	return nil
}

// Reopened implements screen.Reopened. It filters again, because rows may have changed meanwhile.
func (r *rest) Reopened() []screen.Effect {
	return rests(r.m.narrow())
}

// Reopened implements screen.Reopened.
func (r *readerRest) Reopened() []screen.Effect { return nil }

// isRest reports whether what is in front is drawn by the model.
func (m *model) isRest() bool {
	switch m.top().screen.(type) {
	case *rest, *readerRest:
		return true
	}
	return false
}

// isReading reports whether the reader is in front.
func (m *model) isReading() bool {
	_, ok := m.top().screen.(*readerRest)
	return ok
}

// stackReader has the reader on the stack, or not.
func (m *model) stackReader(open bool) {
	m.stack = slices.DeleteFunc(m.stack, func(s shown) bool {
		_, reads := s.screen.(*readerRest)
		return reads
	})
	if open {
		m.insert(shown{screen: &readerRest{rest{m}}})
	}
}

// recoverDir is the project that would be recovered here, "" none.
func (m *model) recoverDir() string {
	return m.top().screen.Subject().Dir
}

func (m *model) dirOfRest() string {
	switch row := m.subjectOfRest(); {
	case row != nil:
		return cmp.Or(row.Project, row.Workdir)
	case m.reader == nil && !m.scope.wide():
		return m.scope.project
	}
	return ""
}
