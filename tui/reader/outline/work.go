package outline

import (
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/turn"
)

// Work is the work of a turn. The first message, the lead, also shows the line about the work. A folded turn shows only
// this line.
type Work struct {
	turn.Stretch
	index   int // in the list of all works
	records int // number of records; another number means that the tally is outdated
}

// setWorks finds the turns with work.
func (o *Outline) setWorks() {
	o.works, o.turnOf = nil, make([]int32, len(o.Refs))
	if o.Document {
		return
	}
	for n, s := range turn.Stretches(o.Refs) {
		w := Work{Stretch: s, index: n}
		for i := s.From; i < s.To; i++ {
			o.turnOf[i] = int32(n) + 1 //nolint:gosec // fewer turns than messages
			w.records += len(o.Refs[i].Records)
		}
		o.works = append(o.works, w)
	}
}

// Work returns the work of a message, or nil.
func (o *Outline) Work(i int) *Work {
	if i < 0 || i >= len(o.turnOf) || o.turnOf[i] == 0 {
		return nil
	}
	return &o.works[o.turnOf[i]-1]
}

// count is the state of a count after the first messages of a turn.
type count struct {
	messages, records int
	work              turn.Work
	runs              turn.Runs
}

// Tally is the counted work of a turn, with the number of counted messages and records.
type Tally struct {
	turn.Work
	runs        []turn.Run
	to, records int
	// Where the next count starts. The last messages are left out, because they can get more records.
	start count
}

// mayChange is how many messages at the end of a turn may still get more records.
const mayChange = 8

// Counter counts the work of a turn.
type Counter struct {
	now, start count
	work       Work
	refs       []transcript.MessageRef // messages of the turn
}

// Counter returns a counter for the work of a turn. If possible, it continues the last count.
func (f *Folds) Counter(w *Work) Counter {
	c := f.counted(w)
	return Counter{now: c, start: c, work: *w, refs: f.out.Refs[w.From:w.To]}
}

// counted returns the state from which to count the work of a turn.
func (f *Folds) counted(w *Work) count {
	t := f.tallies[f.out.Key(w.From)]
	if t == nil || w.From+t.start.messages > w.To {
		return count{}
	}
	records := 0
	for i := range t.start.messages {
		records += len(f.out.Refs[w.From+i].Records)
	}
	if records != t.start.records {
		return count{}
	}
	return t.start
}

// Lead returns the first message of the turn.
func (c *Counter) Lead() int { return c.work.From }

// Left returns the range of messages that must still be decoded and added.
func (c *Counter) Left() (from, end int) { return c.work.From + c.now.messages, c.work.To }

// Add adds the next message.
func (c *Counter) Add(m *transcript.Message) {
	ref := &c.refs[c.now.messages]
	c.now.work.Add(m)
	c.now.runs.Add(m, ref.Quiet)
	c.now.messages, c.now.records = c.now.messages+1, c.now.records+len(ref.Records)
	if c.now.messages == len(c.refs)-mayChange {
		c.start = c.now
	}
}

// Reset forgets all added messages. The line still shows the number of calls.
func (c *Counter) Reset() { c.now, c.start = count{}, count{} }

// Tally returns the counted work.
func (c *Counter) Tally() Tally {
	return Tally{Work: c.now.work, runs: c.now.runs.List(), to: c.work.To, records: c.work.records, start: c.start}
}
