package transcript

// messages groups the records of each thread into messages, main thread first.
func (l *linker) messages() {
	where := make([]int32, len(l.o.Records)) // by record: its message plus one
	for t := range l.order {
		l.group(t, where)
	}
	l.origins(where)
	for i := range l.o.Messages {
		m := &l.o.Messages[i]
		if k := l.o.Threads[m.Thread].Kind; k != Sidechain && (m.Kind == Prompt || m.Kind == Answer) {
			l.o.Turns++
		}
	}
}

// group makes the messages of thread t.
func (l *linker) group(t int, where []int32) {
	byMessage := map[ID]int{}
	gap := false
	for _, i := range l.order[t] {
		r := &l.o.Records[i]
		gap = gap || l.gap[i]
		if !speaks(r.Kind) {
			continue
		}
		if to := l.joins(r, int(i), byMessage, where); to >= 0 {
			m := &l.o.Messages[to]
			m.Records = append(m.Records, i)
			if m.Time == 0 {
				m.Time = r.Time
			}
			where[i] = int32(to) + 1
			continue
		}
		n := len(l.o.Messages)
		id := r.Message
		if id == 0 {
			id = r.UUID
		}
		l.o.Messages = append(l.o.Messages, MessageRef{
			ID: id, Kind: messageKind(r.Kind), Time: r.Time, Thread: t, Records: []int32{i}, Gap: gap,
		})
		gap = false
		where[i] = int32(n) + 1
		if r.Kind == KindAssistant && r.Message != 0 {
			byMessage[r.Message] = n
		}
		l.o.Threads[t].Messages = append(l.o.Threads[t].Messages, n)
	}
}

// joins returns the message that a record is a further part of, or none.
func (l *linker) joins(r *Record, i int, byMessage map[ID]int, where []int32) int {
	switch r.Kind {
	case KindAssistant:
		if n, ok := byMessage[r.Message]; ok && r.Message != 0 {
			return n
		}
	case KindToolResult:
		for _, c := range l.callsOf(i) {
			if call, ok := l.called[c.id]; ok && where[call] > 0 {
				return int(where[call]) - 1
			}
		}
	case KindOther, KindPrompt, KindNotice, KindSummary, KindBoundary, KindSystem, KindAttachment:
	}
	return none
}

// callsOf returns the tool ids of a record; calls are in record order.
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

func messageKind(k Kind) MessageKind {
	switch k {
	case KindPrompt:
		return Prompt
	case KindAssistant:
		return Answer
	case KindSummary:
		return Summary
	case KindBoundary:
		return Boundary
	case KindSystem:
		return System
	case KindOther, KindNotice, KindToolResult, KindAttachment:
	}
	return Notice
}

// origins finds the message that each branch and sidechain parted from: the parent of its first record,
// or, for a sidechain without one, the last message before it in the file that is in no sidechain.
func (l *linker) origins(where []int32) {
	for t := range l.order {
		if t == 0 || len(l.order[t]) == 0 {
			continue
		}
		first := l.order[t][0]
		for up, n := l.parent[first], 0; up != none && n < len(where); up, n = l.parent[up], n+1 {
			if where[up] > 0 && int(l.thread[up]) != t {
				l.o.Threads[t].From = int(where[up]) - 1
				break
			}
		}
		if l.o.Threads[t].From != none || l.o.Threads[t].Kind != Sidechain {
			continue
		}
		for i := first - 1; i >= 0; i-- {
			if where[i] > 0 && l.o.Threads[l.thread[i]].Kind != Sidechain {
				l.o.Threads[t].From = int(where[i]) - 1
				break
			}
		}
	}
}
