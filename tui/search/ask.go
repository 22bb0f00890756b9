package search

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/sessions/search"
	"github.com/continuo-tui/continuo/tui/screen"
)

// asking is the running search. A newer search cancels it.
type asking struct {
	gen    int
	cancel context.CancelFunc
	again  bool // the same query, so only the complete answer is shown
	busy   bool // the answer isn't complete yet
	files  int  // number of indexed files at the start of the search
	all    int  // how many files were known at that time
	whole  bool // at that time, all files were known
}

func (a *asking) stop() {
	if a.cancel != nil {
		a.cancel()
		a.cancel = nil
	}
}

// hitsKept is how many matches are shown for each result, at most.
const hitsKept = 3

// start searches for the typed text. After a parse error, the last answer stays.
func (p *Page) start() []screen.Effect {
	q, err := query.Parse(p.field.Text(), p.opts.Now())
	p.wrong = nil
	if se, ok := errors.AsType[*query.SyntaxError](err); ok {
		p.wrong = se
		return nil
	}
	p.ask.stop()
	p.ask.gen++
	p.ask.again, p.ask.busy, p.ask.files, p.ask.all, p.ask.whole = false, true, p.gauge.Files, p.gauge.AllFiles, p.gauge.Whole
	ctx, cancel := context.WithCancel(p.opts.Context)
	p.ask.cancel = cancel
	o := search.Options{Scope: p.scope, Keep: hitsKept}
	if p.here {
		o.Project = p.project
	}
	source, gen := p.opts.Source, p.ask.gen
	return []screen.Effect{screen.Cmd(func() tea.Msg {
		from := make(chan part, 1)
		go func() {
			defer close(from)
			hits := 0
			source.Search(ctx, q, o, func(b search.Batch) {
				hits = b.Hits
				offer(from, part{batch: b})
			})
			if q.Empty() {
				return
			}
			select {
			case from <- countElsewhere(ctx, source, q, o, hits):
			case <-ctx.Done():
			}
		}()
		return next(gen, q, from)()
	})}
}

// part is a message of a search, with the answer so far. The last part also has the numbers of matches elsewhere.
type part struct {
	batch     search.Batch
	elsewhere *elsewhere
}

// offer puts a part into a channel, in place of an older part.
func offer(to chan part, p part) {
	select {
	case <-to:
	default:
	}
	to <- p
}

// batchMsg has a part, and the channel with the parts that follow.
type batchMsg struct {
	gen   int
	query *query.Query
	part
	from <-chan part
}

// next waits for the next part. It returns nil if the search was cancelled. If the search has panicked, it panics too.
func next(gen int, q *query.Query, from <-chan part) tea.Cmd {
	return func() tea.Msg {
		p, ok := <-from
		if !ok {
			return nil
		}
		if bug, ok := errors.AsType[*sessions.PanicError](p.batch.Err); ok {
			panic(bug)
		}
		return batchMsg{gen, q, p, from}
	}
}

// gaugeMsg has the state of the index.
type gaugeMsg struct {
	gauge Gauge
	now   time.Time
}

// gaugeEvery is how long to wait before the state of an incomplete index is read again.
const gaugeEvery = 250 * time.Millisecond

// readGauge reads the state of the index.
func (p *Page) readGauge() tea.Cmd {
	source, now := p.opts.Source, p.opts.Now
	return func() tea.Msg { return gaugeMsg{source.Index(), now()} }
}

// measured stores the state of the index, and repeats the search if the index has grown. It asks again while the index
// is incomplete.
func (p *Page) measured(msg gaugeMsg) []screen.Effect {
	p.gauge = msg.gauge
	var effects []screen.Effect
	more := p.gauge.Files > p.ask.files || p.gauge.AllFiles > p.ask.all || p.gauge.Whole && !p.ask.whole
	if more && !p.ask.busy {
		effects = p.start()
		p.ask.again = true
	}
	if p.gauge.full() {
		return effects
	}
	if p.began.IsZero() && p.gauge.AllFiles > 0 {
		p.began, p.from = msg.now, p.gauge.Bytes
	}
	return append(effects, screen.Cmd(screen.After(p.opts.Context, gaugeEvery, p.readGauge())))
}
