package document

import "github.com/continuo-tui/continuo/sessions"

const (
	maxTodos = 200
	maxSteps = 100
)

// list collects the entries of lists. most is the maximum number of entries.
type list struct {
	most    int
	lines   sessions.ListReader
	entries []sessions.ListEntry
}

// add reads a line. It returns true for a part of an entry.
func (l *list) add(line string) bool {
	switch e, is := l.lines.Next(line); {
	case is == sessions.LineGoesOn:
		l.entries[len(l.entries)-1].GoOn(line)
	case is == sessions.LineBegins && len(l.entries) < l.most:
		l.entries = append(l.entries, e)
	case is == sessions.LineBegins:
		l.lines.End()
	default:
		return false
	}
	return true
}

// todos returns the entries as todos.
func (l *list) todos() []sessions.Todo {
	var todos []sessions.Todo
	for i := range l.entries {
		if t, ok := l.entries[i].Todo(); ok {
			todos = append(todos, t)
		}
	}
	return todos
}

// steps returns the entries as next steps.
func (l *list) steps() []string {
	var steps []string
	for i := range l.entries {
		if text, ok := l.entries[i].Step(); ok {
			steps = append(steps, text)
		}
	}
	return steps
}
