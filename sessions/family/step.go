package family

import (
	"cmp"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// StepKind is the kind of a Step.
type StepKind string

// The kinds of steps.
const (
	StepAgent      StepKind = "agent"      // a sub-agent
	StepBranch     StepKind = "branch"     // a branch that claude --resume doesn't show
	StepCompaction StepKind = "compaction" // the context was compacted
)

// Step is a sub-agent, a hidden branch or a compaction of a session.
type Step struct {
	Kind     StepKind
	ID       string    // ID of the message that starts the sub-agent, begins the branch or is the compaction; "" if unknown
	Path     string    // transcript of the sub-agent; "" if it is in the transcript of the session, as in old clients
	Type     string    // type of the sub-agent, from the call; "" if unknown
	Title    string    // task of the sub-agent, or first prompt of the branch; one clean line
	When     time.Time // zero unknown
	Messages int       // number of messages of the sub-agent or the branch
	From     int       // for a branch: number of the message after which it splits off
	End      string    // for a branch: ID of its last message; "" if unknown
	// Compaction has the numbers of tokens before and after; nil if unknown.
	Compaction *transcript.Compaction
}

// Talk is a conversation as far as Steps needs it.
type Talk struct {
	Messages []transcript.MessageRef
	Threads  []transcript.Thread
	Decoded  map[int]transcript.Message // the messages of Wanted, and those with results of sub-agents
	Agents   []AgentTalk
	Line     func(m *transcript.Message) string // returns the first line of a message for display
}

// AgentTalk describes the transcript of a sub-agent.
type AgentTalk struct {
	Path     string
	Task     string // first line of its task
	Began    time.Time
	Messages int
}

// Wanted returns the messages to decode: compactions of the main thread, the first and last message of each branch,
// the first one of each sub-agent.
func (t *Talk) Wanted() []int {
	var list []int
	for i := range t.Messages {
		if t.Messages[i].Kind == transcript.Boundary && t.Messages[i].Thread == 0 {
			list = append(list, i)
		}
	}
	for i := range t.Threads {
		if at, ok := t.branch(i); ok {
			list = append(list, at, t.end(i))
		} else if t.isInline(i) {
			list = append(list, t.Threads[i].Messages[0])
		}
	}
	return list
}

// isInline reports whether a thread is a sub-agent in the transcript of the session.
func (t *Talk) isInline(thread int) bool {
	return t.Threads[thread].Kind == transcript.Sidechain && len(t.Threads[thread].Messages) > 0
}

// end returns the last message of a thread.
func (t *Talk) end(thread int) int {
	list := t.Threads[thread].Messages
	return list[len(list)-1]
}

// branch returns the message that names a hidden branch: its first prompt, otherwise its first message. ok is false
// for other threads.
func (t *Talk) branch(thread int) (at int, ok bool) {
	th := &t.Threads[thread]
	if th.Kind != transcript.Branch || th.From < 0 || len(th.Messages) == 0 {
		return 0, false
	}
	for _, i := range th.Messages {
		if t.Messages[i].Kind == transcript.Prompt {
			return i, true
		}
	}
	return th.Messages[0], true
}

// Steps returns the steps of a session, in the order of their beginnings in the main thread.
func (t *Talk) Steps(of *sessions.Row) []Step {
	type placed struct {
		at int // index of the message in the main thread after which the step splits off
		Step
	}
	var list []placed
	for i := range t.Messages {
		m, ok := t.Decoded[i]
		if ok && m.Kind == transcript.Boundary && t.Messages[i].Thread == 0 {
			list = append(list, placed{i, Step{Kind: StepCompaction, ID: m.ID, When: m.Time, Compaction: m.Compaction}})
		}
	}
	for n := range t.Threads {
		at, ok := t.branch(n)
		if m, read := t.Decoded[at]; ok && read {
			s := Step{Kind: StepBranch, ID: m.ID, Title: t.Line(&m), When: m.Time, From: t.turns(t.Threads[n].From), End: t.Decoded[t.end(n)].ID}
			for _, i := range t.Threads[n].Messages {
				if t.Messages[i].Turn {
					s.Messages++
				}
			}
			list = append(list, placed{t.leaves(t.Threads[n].From), s})
		} else if t.isInline(n) {
			m := t.Decoded[t.Threads[n].Messages[0]]
			at := t.Threads[n].From
			if at < 0 {
				at = t.last(m.Time)
			}
			list = append(list, placed{t.leaves(at), Step{Kind: StepAgent, ID: m.ID, Title: t.Line(&m), When: m.Time, Messages: len(t.Threads[n].Messages)}})
		}
	}
	calls := t.calls(of)
	for _, a := range t.Agents {
		s := Step{Kind: StepAgent, Path: a.Path, Title: a.Task, When: a.Began, Messages: a.Messages}
		at, called := calls[a.Path]
		if called {
			s.ID, s.Type = at.id, at.kind
			if at.task != "" {
				s.Title = at.task
			}
		} else {
			at.message = t.last(a.Began)
		}
		list = append(list, placed{t.leaves(at.message), s})
	}
	slices.SortStableFunc(list, func(a, b placed) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return a.When.Compare(b.When)
	})
	steps := make([]Step, len(list))
	for i := range list {
		steps[i] = list[i].Step
	}
	return steps
}

// agentCall is the call that started a sub-agent.
type agentCall struct {
	message        int
	id, kind, task string
}

// calls returns the calls that started sub-agents, by transcript path.
func (t *Talk) calls(of *sessions.Row) map[string]agentCall {
	calls := map[string]agentCall{}
	for i, m := range t.Decoded {
		for b := range m.Blocks {
			if m.Blocks[b].Kind != transcript.BlockToolUse {
				continue
			}
			call := m.Call(b)
			if call.Result == nil || call.Result.Agent == "" {
				continue
			}
			c := agentCall{message: i, id: m.ID, kind: transcript.CleanLine(cmp.Or(call.Params.String("subagent_type"), call.Details().Agent))}
			c.task = transcript.CleanLine(call.Params.String("description"))
			if path := of.AgentPath(call.Result.Agent); path != "" {
				calls[path] = c
			}
		}
	}
	return calls
}

// leaves returns the index of the main thread's message after which the thread of message i splits off, or -1.
func (t *Talk) leaves(i int) int {
	for i >= 0 && t.Messages[i].Thread != 0 {
		from := t.Threads[t.Messages[i].Thread].From
		if from >= i { // invalid: a thread can only split off from an earlier message
			return -1
		}
		i = from
	}
	return i
}

// last returns the index of the last message of the main thread up to a time, or -1 if there is none.
func (t *Talk) last(at time.Time) int {
	found := -1
	for i := range t.Messages {
		if m := &t.Messages[i]; m.Thread == 0 && m.Time != 0 && m.Time <= at.UnixMilli() {
			found = i
		}
	}
	return found
}

// turns returns the number of a message, as shown to users.
func (t *Talk) turns(message int) int {
	n := 0
	for i := range t.Messages[:message+1] {
		if t.Messages[i].Turn && t.leaves(i) == i {
			n++
		}
	}
	return n
}

// With inserts the steps of each session after the session. stepsOf returns the steps of a member. A fork's copied
// steps are left out.
func With(list []Member, stepsOf func(m *Member) []Step) []Member {
	type name struct {
		kind StepKind
		when int64
	}
	var out []Member
	moved := make([]int, len(list)) // new index of each member
	known := make([]map[name]bool, len(list))
	for i := range list {
		m := list[i]
		known[i] = map[name]bool{}
		if m.Parent >= 0 {
			for n := range known[m.Parent] {
				known[i][n] = true
			}
			m.Parent = moved[m.Parent]
		}
		moved[i] = len(out)
		out = append(out, m)
		for _, s := range stepsOf(&list[i]) {
			n := name{s.Kind, s.When.UnixMilli()}
			if s.Path == "" && !s.When.IsZero() && known[i][n] {
				continue
			}
			known[i][n] = true
			child := Member{Row: m.Row, ID: m.ID, Parent: moved[i], Depth: m.Depth + 1, Branch: true, Step: &s}
			if s.Kind == StepCompaction { // a compaction is on the same thread as the session
				child.Depth, child.Branch = m.Depth, false
			}
			out = append(out, child)
		}
	}
	return out
}
