// Package turn finds the turns of a conversation and counts their tool calls.
package turn

import (
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// Work counts the tool calls between a prompt and its answer.
type Work struct {
	Reads, Searches, Agents, Edits, Commands, Others int
	Failed                                           int // number of failed calls
	Added, Removed                                   int // numbers of lines in the changes of Edits
	Began, Ended                                     time.Time
}

// Add counts the calls of a message.
func (w *Work) Add(m *transcript.Message) {
	if t := m.Time; !t.IsZero() {
		if w.Began.IsZero() {
			w.Began = t
		}
		w.Ended = t
	}
	for i := range m.Blocks {
		if m.Blocks[i].Kind == transcript.BlockToolUse {
			call := m.Call(i)
			w.count(&call)
		}
	}
}

func (w *Work) count(c *transcript.Call) {
	switch c.Kind {
	case transcript.ToolRead:
		w.Reads++
	case transcript.ToolSearch:
		w.Searches++
	case transcript.ToolAgent:
		w.Agents++
	case transcript.ToolWrite, transcript.ToolEdit:
		w.Edits++
	case transcript.ToolShell:
		w.Commands++
	default: // tasks, questions, the web, tools of MCP servers and unknown tools
		w.Others++
	}
	switch c.Outcome() {
	case transcript.OutcomeFailed:
		w.Failed++
	case transcript.OutcomeDone:
		diff := c.Diff()
		added, removed, _ := diff.Count()
		w.Added, w.Removed = w.Added+added, w.Removed+removed
	case transcript.OutcomeNone, transcript.OutcomeRejected, transcript.OutcomeSkipped:
	}
}

// Stretch is the work of one turn: the messages [From, To) between the prompt and the answer.
type Stretch struct {
	From, To int
	Calls    int
}

// Stretches returns the work of each turn that has a tool call. A turn starts at a prompt, at the task of a
// sub-agent, after a compaction, and at the start of a thread.
func Stretches(refs []transcript.MessageRef) []Stretch {
	var list []Stretch
	open, answered := Stretch{}, false
	end := func() {
		if open.Calls > 0 {
			list = append(list, open)
		}
	}
	for i := range refs {
		m := &refs[i]
		begins := m.Kind == transcript.Prompt || m.Kind == transcript.Boundary || m.Kind == transcript.Summary || m.Kind == transcript.Notice && m.Turn
		switch {
		case begins:
			end()
			open, answered = Stretch{From: i + 1}, false
		case i == 0 || m.Thread != refs[i-1].Thread:
			end()
			open, answered = Stretch{From: i}, false
		}
		if m.Quiet && open.From == i {
			open.From = i + 1 // the line about the work needs a shown message
		}
		switch {
		case m.Calls > 0:
			open.To, open.Calls, answered = i+1, open.Calls+m.Calls, false
		case m.Kind == transcript.Answer && !answered && open.Calls > 0:
			open.To, answered = i, true
		}
	}
	end()
	return list
}

// Steps returns the number of calls.
func (w *Work) Steps() int {
	return w.Reads + w.Searches + w.Agents + w.Edits + w.Commands + w.Others
}
