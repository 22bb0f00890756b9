package reader

import (
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/screen"
)

// branches returns the threads that split off from another thread, in the order of their messages.
func (r *pane) branches() []int {
	var list []int
	for t := range r.threads {
		if r.threads[t].Kind == transcript.Branch && r.threads[t].From >= 0 && len(r.threads[t].Messages) > 0 {
			list = append(list, t)
		}
	}
	return list
}

// off reports whether a message is left out because the key b shows another branch.
func (r *pane) off(i int) bool {
	if r.shown == 0 {
		return false
	}
	if r.threads[r.shown].Kind == transcript.Sidechain { // a sidechain is a separate conversation
		return r.refs[i].Thread != r.shown
	}
	end := len(r.refs) // messages of thread t after this index are left out
	for t, next := r.shown, 0; ; t = next {
		if r.refs[i].Thread == t {
			return i > end
		}
		if end = r.threads[t].From; end < 0 {
			return true
		}
		if next = r.refs[end].Thread; next >= t { // stop, because a thread can only split off from an earlier thread
			return true
		}
	}
}

// nextBranch shows the next branch in place of the messages that come after the point where the branch splits off,
// and goes to the first message of the branch. After the last branch, it shows all threads again.
func (p *Page) nextBranch() []screen.Effect {
	r := &p.pane
	all := r.branches()
	if len(all) == 0 {
		return tell("This conversation has no branches.")
	}
	next, number := 0, 0
	for n, t := range all {
		if t > r.shown {
			next, number = t, n+1
			break
		}
	}
	r.showThread(next, p.rows)
	if next == 0 {
		return tell("The conversation that claude --resume continues.")
	}
	return tell("Branch " + words.Count(number) + " of " + words.Count(len(all)) + ". claude --resume would not show it.")
}

// showThread shows thread t in place of the messages that come after the point where the thread splits off. If the
// thread is a sub-agent's, it shows only the thread. Then it goes to the first message of the thread. If t is 0,
// showThread shows all threads, and goes to the point where the last shown thread splits off.
func (r *pane) showThread(t, rows int) {
	to := r.threads[max(t, r.shown)].From + 1
	if t > 0 {
		to = r.threads[t].Messages[0]
	}
	r.shown = t
	r.outlined(r.refs, r.threads)
	r.refolded()
	r.win.Pin = 0
	r.toMessage(min(to, len(r.refs)-1), rows)
}
