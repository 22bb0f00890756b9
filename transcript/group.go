package transcript

import "slices"

// messages groups the records into messages, main thread first.
func (l *linker) messages() {
	where := make([]int32, len(l.o.Records)) // for each record: index of its message, plus one
	byMessage := map[ID]int{}                // an answer is one message, even if a branch starts inside
	for t := range l.order {
		if l.o.Threads[t].Kind == Sidechain {
			l.group(t, where, map[ID]int{})
		} else {
			l.group(t, where, byMessage)
		}
	}
	l.origins(where)
	l.unread(where)
	for i := range l.o.Messages {
		m := &l.o.Messages[i]
		// In the file of a sub-agent, its task is a Notice that counts as a turn.
		turn := m.Kind == Prompt || m.Kind == Answer || l.o.Records[m.Records[0]].Kind == KindPrompt
		if m.Turn = turn && l.o.Threads[m.Thread].Kind != Sidechain; m.Turn {
			l.o.Turns++
		}
		m.Quiet = !m.Turn && !slices.ContainsFunc(m.Records, func(r int32) bool { return !l.o.Records[r].Has(FlagQuiet) })
	}
}

// unread counts each unreadable part at the message with the next record.
func (l *linker) unread(where []int32) {
	i := 0
	for _, from := range l.o.unread { // in ascending order
		for i = max(i, int(from)); i < len(where) && where[i] == 0; i++ {
		}
		if i < len(where) {
			l.o.Messages[where[i]-1].Unread++
		}
	}
}

// group makes the messages of thread t.
func (l *linker) group(t int, where []int32, byMessage map[ID]int) {
	gap := false
	for k, i := range l.order[t] {
		r := &l.o.Records[i]
		gap = gap || l.gap[i]
		if !speaks(r.Kind) {
			continue
		}
		if to := l.joins(r, int(i), t, byMessage, where); to >= 0 {
			m := &l.o.Messages[to]
			m.Records = append(m.Records, i)
			m.Calls += l.calls(int(i))
			m.Edits = m.Edits || r.Has(FlagEdits)
			if m.Time == 0 {
				m.Time = r.Time
			}
			where[i] = int32(to) + 1
			if r.Has(FlagFeedback) {
				l.feedback(t, i)
			}
			continue
		}
		n := len(l.o.Messages)
		id := r.Message
		if id == 0 {
			id = r.UUID
		}
		l.o.Messages = append(l.o.Messages, MessageRef{ // most messages have one record, so Records shares memory
			ID: id, Kind: messageKind(r), Time: r.Time, Thread: t, Records: l.order[t][k : k+1 : k+1], Gap: gap, Calls: l.calls(int(i)), Edits: r.Has(FlagEdits),
			Command: r.Has(FlagCommand),
		})
		gap = false
		where[i] = int32(n) + 1
		if r.Kind == KindAssistant && r.Message != 0 {
			byMessage[r.Message] = n
		}
		l.o.Threads[t].Messages = append(l.o.Threads[t].Messages, n)
		if r.Has(FlagFeedback) { // the rejected call isn't in the file
			l.feedback(t, i)
		}
	}
}

// feedback adds the text with which the user rejected a tool call as a prompt. The answer with the call has the
// record too.
func (l *linker) feedback(t int, i int32) {
	r := &l.o.Records[i]
	l.o.Messages = append(l.o.Messages, MessageRef{ID: r.UUID, Kind: Prompt, Time: r.Time, Thread: t, Records: []int32{i}})
	l.o.Threads[t].Messages = append(l.o.Threads[t].Messages, len(l.o.Messages)-1)
}

// joins returns the index of the message to which record i of thread t belongs; none for a new message. Consecutive
// API errors are one message, and so are a command and its output.
func (l *linker) joins(r *Record, i, t int, byMessage map[ID]int, where []int32) int {
	switch r.Kind {
	case KindAssistant:
		if n, ok := byMessage[r.Message]; ok && r.Message != 0 {
			return n
		}
	case KindToolResult, KindEvent:
		for _, c := range l.callsOf(i) {
			if call, ok := l.called[c.id]; ok && where[call] > 0 {
				return int(where[call]) - 1
			}
		}
	case KindSystem, KindNotice:
		if list := l.o.Threads[t].Messages; len(list) > 0 {
			n := list[len(list)-1]
			records := l.o.Messages[n].Records
			switch first := &l.o.Records[records[0]]; {
			case r.Has(FlagAPIError) && first.Has(FlagAPIError),
				r.Has(FlagOutput) && first.Has(FlagCommand) && l.parent[i] == records[len(records)-1]:
				return n
			}
		}
	case KindOther, KindPrompt, KindSummary, KindBoundary, KindAttachment:
	}
	return none
}

// callsOf returns the tool IDs of record i.
func (l *linker) callsOf(i int) []callRef {
	lo, hi := 0, len(l.o.calls)
	for lo < hi {
		if mid := (lo + hi) / 2; int(l.o.calls[mid].record) < i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for hi = lo; hi < len(l.o.calls) && int(l.o.calls[hi].record) == i; {
		hi++
	}
	return l.o.calls[lo:hi]
}

// calls returns the number of tool calls in record i.
func (l *linker) calls(i int) int {
	n := 0
	if l.o.Records[i].Kind != KindAssistant {
		return n
	}
	for _, c := range l.callsOf(i) {
		if !c.result {
			n++
		}
	}
	return n
}

func messageKind(r *Record) MessageKind {
	switch r.Kind {
	case KindPrompt:
		if r.Has(FlagSidechain) { // a task from the main agent
			return Notice
		}
		return Prompt
	case KindAssistant:
		return Answer
	case KindSummary:
		return Summary
	case KindBoundary:
		return Boundary
	case KindSystem:
		return System
	case KindOther, KindNotice, KindToolResult, KindEvent, KindAttachment:
	}
	return Notice
}

// origins sets From of each branch and sidechain to the nearest message above its first record. If there is none, a
// sidechain starts at the last message before it in the file.
func (l *linker) origins(where []int32) {
	if len(l.order) == 1 {
		return
	}
	above := make([]int32, len(where))  // index of the nearest message at or above a record, plus one; 0 if unknown
	before := make([]int32, len(where)) // index of the last message before a record, plus one
	last := int32(0)
	for i := range where {
		before[i] = last
		if where[i] > 0 && l.o.Threads[l.thread[i]].Kind != Sidechain {
			last = where[i]
		}
	}
	for t := range l.order {
		if t == 0 || len(l.order[t]) == 0 {
			continue
		}
		first := l.order[t][0]
		from := l.nearest(l.parent[first], where, above)
		if from == none && l.o.Threads[t].Kind == Sidechain {
			from = before[first] - 1
		}
		l.o.Threads[t].From = int(from)
	}
}

// nearest returns the nearest message at or above record i. It stores the result in above for every record on the
// way.
func (l *linker) nearest(i int32, where, above []int32) int32 {
	const unknown, nowhere = 0, -1
	var path []int32
	found := int32(nowhere)
	for ; i != none; i = l.parent[i] {
		if where[i] > 0 {
			found = where[i]
			break
		}
		if above[i] != unknown {
			found = above[i]
			break
		}
		above[i] = nowhere // also ends a cycle
		path = append(path, i)
	}
	for _, k := range path {
		above[k] = found
	}
	if found == nowhere {
		return none
	}
	return found - 1
}
