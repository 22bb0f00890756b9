package transcript

import (
	"slices"
	"strconv"
)

// none is the missing parent or thread of a record.
const none = -1

// linker turns the records of an Outline into messages and threads.
//
// The client shows one chain: from the newest leaf along parentUuid to its root. Failed writes, torn lines,
// compaction and a second process can break a chain. The linker shows all other records too: in a branch, in a
// sidechain, or at their position in the thread.
type linker struct {
	o      *Outline
	byUUID []int32 // ID → first record with this UUID, plus one
	parent []int32 // record → its parent, or none
	gap    []bool  // record → whether its parent is missing or in a cycle
	thread []int32 // record → its thread, or none
	order  [][]int32
	called map[ID]int32 // tool ID → record of the call
	steps  int          // remaining steps of the method earlier
	agent  bool         // whether the file is of a sub-agent
}

// link builds Messages and Threads from Records. It can run again after records were added.
func (o *Outline) link() {
	n := len(o.Records)
	l := &linker{
		o: o, byUUID: make([]int32, len(o.names)), parent: make([]int32, n), gap: make([]bool, n),
		steps: 8 * n, thread: make([]int32, n), called: make(map[ID]int32, len(o.calls)),
	}
	o.Messages, o.Threads, o.Dangling, o.Turns, o.Known, o.Hidden = nil, []Thread{{Kind: Main, Name: "main", From: none}}, 0, 0, 0, false
	l.order = [][]int32{nil}
	l.index()
	o.Facts.ownSummary(func(leaf string) bool { return l.find(o.ids[leaf]) != none })
	l.parents()
	l.mainThread()
	chain := slices.Clone(l.order[0]) // rest changes order
	l.sidechains()
	l.branches()
	l.rest()
	l.messages()
	l.known(chain)
	l.cleared()
}

// side reports whether a record belongs to a sub-agent in this file.
func (l *linker) side(r *Record) bool { return r.Has(FlagSidechain) && !l.agent }

// index fills byUUID and called, and marks duplicate records.
func (l *linker) index() {
	l.agent = true
	isQueue := func(r *Record) bool { return l.o.types[r.Type] == "queue-operation" }
	delivered := map[uint64]bool{} // field Said of the used notices of the queue
	for i := range l.o.Records {
		if r := &l.o.Records[i]; (r.Kind == KindNotice || r.Kind == KindEvent) && !isQueue(r) {
			delivered[r.Said] = true
		}
	}
	for i := range l.o.Records {
		r := &l.o.Records[i]
		l.thread[i] = none
		if talks(r.Kind) && !r.Has(FlagSidechain) {
			l.agent = false
		}
		r.Flags &^= FlagDuplicate | FlagDangling
		if r.UUID == 0 {
			r.set(FlagDuplicate, r.Kind == KindEvent && isQueue(r) && delivered[r.Said])
			continue
		}
		if first := l.byUUID[r.UUID]; first == 0 {
			l.byUUID[r.UUID] = int32(i) + 1
		} else if repeats(&l.o.Records[first-1], r) {
			r.Flags |= FlagDuplicate
		}
	}
	for _, c := range l.o.calls {
		if _, ok := l.called[c.id]; !ok && !c.result {
			l.called[c.id] = c.record
		}
	}
}

// repeats reports whether two records with the same UUID have the same content.
func repeats(a, b *Record) bool {
	return a.Kind == b.Kind && a.Said == b.Said && (a.Said != 0 || a.Length == b.Length)
}

// inChain reports whether a record can be a parent.
func (l *linker) inChain(i int) bool {
	r := &l.o.Records[i]
	return (r.UUID != 0 || speaks(r.Kind)) && !r.Has(FlagDuplicate)
}

// speaks reports whether records of a kind are shown in messages.
func speaks(k Kind) bool { return k != KindOther && k != KindAttachment }

// talks reports whether a kind is a prompt or an answer.
func talks(k Kind) bool { return k == KindPrompt || k == KindAssistant }

// parents sets the parent of each record. The previous record of the file replaces a missing parent. It is also the
// parent of a later record without one.
func (l *linker) parents() {
	before := int32(none) // the last possible parent outside of sidechains
	for i := range l.o.Records {
		r := &l.o.Records[i]
		l.parent[i] = none
		if !l.inChain(i) {
			continue
		}
		side := l.side(r)
		switch up := l.find(r.Parent); {
		case l.mayFollow(i, up):
			l.parent[i] = up
		case r.Parent != 0:
			l.gap[i] = true
			if up == none {
				r.Flags |= FlagDangling
				l.o.Dangling++
			}
			fallthrough
		default:
			up := l.find(r.Logical)
			if int(up) < i && l.mayFollow(i, up) {
				l.parent[i] = up
			} else if !side {
				l.parent[i] = before
			}
			l.gap[i] = l.gap[i] || r.Logical != 0 && up == none
		}
		if !side {
			before = int32(i)
		}
	}
}

// mayFollow reports whether record up can be the parent of record i. A sidechain isn't the parent of the
// conversation.
func (l *linker) mayFollow(i int, up int32) bool {
	return up != none && int(up) != i && (l.side(&l.o.Records[i]) || !l.side(&l.o.Records[up]))
}

func (l *linker) find(id ID) int32 {
	if id == 0 || int(id) >= len(l.byUUID) {
		return none
	}
	return l.byUUID[id] - 1
}

// walk returns the chain from a leaf up to a root or to a record in a thread. The oldest record is first. After a
// cycle, the chain continues with the result of earlier.
func (l *linker) walk(leaf int32, t int) []int32 {
	var chain []int32
	for i := leaf; i != none && l.thread[i] == none; {
		l.thread[i] = int32(t)
		chain = append(chain, i)
		up := l.parent[i]
		if up != none && l.thread[up] == int32(t) { // a cycle
			l.gap[i] = l.o.Records[i].Parent != 0
			up = l.earlier(i)
		}
		i = up
	}
	slices.Reverse(chain)
	return chain
}

// earlier returns the nearest free record before i that can be a parent.
func (l *linker) earlier(i int32) int32 {
	side := l.side(&l.o.Records[i])
	for i--; i >= 0 && l.steps > 0; i-- {
		l.steps--
		if l.thread[i] == none && l.inChain(int(i)) && l.side(&l.o.Records[i]) == side {
			return i
		}
	}
	return none
}

// mainThread sets the main thread: the chain of the newest leaf, which is a user or assistant record. A chain needs a
// prompt or an answer, because local commands at the end of a file can be a separate chain. If no chain has one, any
// leaf counts. Without a leaf, the last shown record is used.
func (l *linker) mainThread() {
	leaf, last := int32(none), int32(none)
	silent := make([]bool, len(l.o.Records)) // by record: no prompt or answer at or above it
	for i := len(l.o.Records) - 1; i >= 0; i-- {
		r := &l.o.Records[i]
		if !speaks(r.Kind) || l.side(r) || !l.inChain(i) {
			continue
		}
		if last == none {
			last = int32(i)
		}
		if r.Kind == KindSystem || r.Kind == KindBoundary || r.Kind == KindEvent {
			continue
		}
		talk := l.holdsTalk(int32(i), silent)
		if talk || leaf == none {
			leaf = int32(i)
		}
		if talk {
			break
		}
	}
	if leaf == none {
		leaf = last
	}
	l.order[0] = l.walk(l.lastChild(leaf), 0)
}

// holdsTalk reports whether record i or a record above it is a prompt or an answer. If not, it marks them in silent.
func (l *linker) holdsTalk(i int32, silent []bool) bool {
	for ; i != none && !silent[i]; i = l.parent[i] {
		if talks(l.o.Records[i].Kind) {
			return true
		}
		silent[i] = true
	}
	return false
}

// lastChild returns the last descendant of a leaf. A parent can be written after its child, so the newest leaf can
// have children.
func (l *linker) lastChild(leaf int32) int32 {
	early := map[int32]int32{}
	for i := range l.o.Records {
		r := &l.o.Records[i]
		if up := l.find(r.Parent); up > int32(i) && speaks(r.Kind) && r.Kind != KindEvent && l.inChain(i) && !l.side(r) {
			early[up] = int32(i)
		}
	}
	for n := len(early); n > 0; n-- {
		child, ok := early[leaf]
		if !ok {
			break
		}
		leaf = child
	}
	return leaf
}

// sidechains makes a thread for each sub-agent. A record has the thread of its agentId, or of its parent.
func (l *linker) sidechains() {
	byAgent := map[ID]int{}
	for i := range l.o.Records {
		r := &l.o.Records[i]
		if !l.side(r) || !l.inChain(i) {
			continue
		}
		t, ok := byAgent[r.Agent]
		if up := l.parent[i]; r.Agent == 0 && up != none && l.thread[up] > 0 {
			t, ok = int(l.thread[up]), true
		}
		if !ok {
			name := l.o.Name(r.Agent)
			if name == "" {
				name = "sidechain " + strconv.Itoa(len(l.o.Threads))
			}
			if t = l.newThread(Sidechain, name); r.Agent != 0 {
				byAgent[r.Agent] = t
			}
		}
		l.thread[i] = int32(t)
		l.order[t] = append(l.order[t], int32(i))
	}
}

func (l *linker) newThread(kind ThreadKind, name string) int {
	l.o.Threads = append(l.o.Threads, Thread{Kind: kind, Name: name, From: none})
	l.order = append(l.order, nil)
	return len(l.o.Threads) - 1
}

// branches makes a thread for each remaining chain with a prompt, or with an answer of no other thread. Parallel
// calls belong to their message, although they split a chain.
func (l *linker) branches() {
	shown := map[ID]bool{}
	for i := range l.o.Records {
		if r := &l.o.Records[i]; l.thread[i] != none && r.Kind == KindAssistant {
			shown[r.Message] = true
		}
	}
	n := 0
	for i := len(l.o.Records) - 1; i >= 0; i-- {
		r := &l.o.Records[i]
		if l.thread[i] != none || !l.inChain(i) || r.UUID == 0 || r.Kind != KindPrompt && r.Kind != KindAssistant ||
			r.Kind == KindAssistant && r.Message != 0 && shown[r.Message] {
			continue
		}
		n++
		t := l.newThread(Branch, "branch "+strconv.Itoa(n))
		l.order[t] = l.walk(int32(i), t)
		for _, j := range l.order[t] {
			if m := l.o.Records[j].Message; m != 0 {
				shown[m] = true
			}
		}
		l.o.Hidden = true
	}
}

// rest adds each remaining record to a thread: of its message, of its parent, or the main thread.
func (l *linker) rest() {
	home := map[ID]int32{} // message ID → thread
	for i := range l.o.Records {
		if r := &l.o.Records[i]; l.thread[i] != none && r.Kind == KindAssistant && r.Message != 0 {
			home[r.Message] = l.thread[i]
		}
	}
	added := make(map[int][]int32)
	for i := range l.o.Records {
		r := &l.o.Records[i]
		if l.thread[i] != none || !l.inChain(i) {
			continue
		}
		t := int32(0)
		if h, ok := home[r.Message]; ok && r.Message != 0 {
			t = h
		} else if up := l.parent[i]; up != none && l.thread[up] != none {
			t = l.thread[up]
		}
		l.thread[i] = t
		added[int(t)] = append(added[int(t)], int32(i))
	}
	for t, more := range added {
		l.order[t] = l.insert(l.order[t], more)
	}
}

// insert returns order with the records of more, each after its nearest parent.
func (l *linker) insert(order, more []int32) []int32 {
	at := make(map[int32]int, len(order)+len(more))
	for k, i := range order {
		at[i] = k
	}
	place := func(i int32) int {
		for up, n := l.parent[i], 0; up != none && n < 64; up, n = l.parent[up], n+1 {
			if k, ok := at[up]; ok {
				return k
			}
		}
		// Without a parent, the record is inserted in file order.
		k, _ := slices.BinarySearch(order, i)
		return min(k, len(order)) - 1
	}
	behind := make(map[int][]int32, len(more))
	for _, i := range more {
		k := place(i)
		at[i] = k
		behind[k] = append(behind[k], i)
	}
	out := append(make([]int32, 0, len(order)+len(more)), behind[none]...)
	for k, i := range order {
		out = append(append(out, i), behind[k]...)
	}
	return out
}
