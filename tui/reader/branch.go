package reader

import (
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/screen"
)

// nextBranch shows the next branch in place of the messages after its split. After the last branch, it shows all
// threads.
func (p *Page) nextBranch() []screen.Effect {
	r := &p.pane
	all := r.out.Branches()
	if len(all) == 0 {
		return tell("This conversation has no branches.")
	}
	next, number := 0, 0
	for n, t := range all {
		if t > r.out.Shown {
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

// showThread shows thread t in place of the messages after its split, and goes to its first message. The thread of a
// sub-agent is shown alone. 0 shows all threads.
func (r *pane) showThread(t, rows int) {
	to := r.out.Threads[max(t, r.out.Shown)].From + 1
	if t > 0 {
		to = r.out.Threads[t].Messages[0]
	}
	r.cur.showThread(t)
	r.view.win.Pin = 0
	r.cur.toMessage(min(to, len(r.out.Refs)-1), rows)
}
