package outline

import "github.com/continuo-tui/continuo/transcript"

// Branches returns the threads that split off from another thread, in the order of their messages.
func (o *Outline) Branches() []int {
	var list []int
	for t := range o.Threads {
		if o.Threads[t].Kind == transcript.Branch && o.Threads[t].From >= 0 && len(o.Threads[t].Messages) > 0 {
			list = append(list, t)
		}
	}
	return list
}

// Off reports whether a message is left out because another branch is shown.
func (o *Outline) Off(i int) bool {
	if o.Shown == 0 {
		return false
	}
	if o.Threads[o.Shown].Kind == transcript.Sidechain { // a sidechain is a separate conversation
		return o.Refs[i].Thread != o.Shown
	}
	end := len(o.Refs) // later messages of thread t are left out
	for t, next := o.Shown, 0; ; t = next {
		if o.Refs[i].Thread == t {
			return i > end
		}
		if end = o.Threads[t].From; end < 0 {
			return true
		}
		if next = o.Refs[end].Thread; next >= t { // a thread splits off from an earlier thread
			return true
		}
	}
}

// HasSplits reports whether a branch splits off after any message.
func (o *Outline) HasSplits() bool { return len(o.splits) > 0 }

// SplitsAt returns the number of branches that split off after the messages [from, to). While a branch is shown, it
// returns 0.
func (o *Outline) SplitsAt(from, to int) (n int) {
	for i := from; i < to && o.Shown == 0 && len(o.splits) > 0; i++ {
		n += o.splits[i]
	}
	return n
}

// Inline returns the thread of the sub-agent of a call, if its conversation is in this file. Old clients wrote such
// files. They don't say which call started a thread, but wrote the threads in the order of the calls. nth is the number
// of earlier such calls in the message.
func (o *Outline) Inline(message, nth int) (thread int, ok bool) {
	for t := range o.Threads {
		if of := &o.Threads[t]; of.Kind != transcript.Sidechain || of.From != message || len(of.Messages) == 0 {
			continue
		}
		if nth == 0 {
			return t, true
		}
		nth--
	}
	return 0, false
}
