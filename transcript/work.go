package transcript

import "time"

// Work counts the tool calls between a prompt and its answer.
type Work struct {
	Reads, Searches, Agents, Edits, Commands, Others int
	Failed                                           int // of these
	Added, Removed                                   int // lines, by Edits
	Began, Ended                                     time.Time
}

// Add counts the calls of a message.
func (w *Work) Add(m *Message) {
	if t := m.Time; !t.IsZero() {
		if w.Began.IsZero() {
			w.Began = t
		}
		w.Ended = t
	}
	for i := range m.Blocks {
		if m.Blocks[i].Kind == BlockToolUse {
			call := m.Call(i)
			w.count(&call)
		}
	}
}

func (w *Work) count(c *Call) {
	switch c.Kind {
	case ToolRead:
		w.Reads++
	case ToolSearch:
		w.Searches++
	case ToolAgent:
		w.Agents++
	case ToolWrite, ToolEdit:
		w.Edits++
	case ToolShell:
		w.Commands++
	case ToolOther, ToolTodos, ToolTaskNew, ToolTaskChange, ToolQuestions, ToolPlan:
		w.Others++
	}
	switch c.Outcome() {
	case OutcomeFailed:
		w.Failed++
	case OutcomeDone:
		diff := c.Diff()
		added, removed, _ := diff.Count()
		w.Added, w.Removed = w.Added+added, w.Removed+removed
	case OutcomeNone, OutcomeRejected, OutcomeSkipped:
	}
}

// Steps returns the number of calls.
func (w *Work) Steps() int {
	return w.Reads + w.Searches + w.Agents + w.Edits + w.Commands + w.Others
}
