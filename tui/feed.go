package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/list"
	"github.com/continuo-tui/continuo/tui/screen"
)

// feed is the stream of rows for the lists.
type feed struct {
	gen      int // number of the last load; older batches are dropped
	watching bool
	cancel   context.CancelFunc
	began    time.Time // when the first batch without all figures arrived, or zero
	from     int64     // bytes that were already counted at began
	last     time.Time // when the newest batch arrived
}

// left estimates the time until all figures are counted. It returns 0 without an estimate.
func (f *feed) left(p list.Progress) time.Duration {
	done, took := p.ExactBytes-f.from, f.last.Sub(f.began)
	if f.began.IsZero() || done <= 0 || took < time.Second/5 {
		return 0
	}
	return time.Duration(float64(took) * float64(p.Bytes-p.ExactBytes) / float64(done))
}

// load starts the stream of rows again. The old rows stay until the new rows replace them.
func (m *model) load() tea.Cmd {
	f := &m.feed
	if f.cancel != nil {
		f.cancel()
	}
	var ctx context.Context
	ctx, f.cancel = context.WithCancel(m.ctx)
	f.gen++
	f.began = time.Time{}
	m.lists.Load()
	return tea.Batch(loadRows(ctx, m.Source, f.gen, m.opts.Now), waitQuiet(ctx, f.gen))
}

func (m *model) rowsArrived(msg rowsMsg) tea.Cmd {
	f := &m.feed
	if msg.gen != f.gen {
		return nil
	}
	more := !msg.batch.Done && msg.from != nil
	cmds := []tea.Cmd{m.carry(listScreen, m.lists.Add(msg.batch, msg.gen, more))}
	f.last = msg.at
	if p := m.lists.Progress(); f.began.IsZero() && p.Bytes > 0 && p.Newest == 0 {
		f.began, f.from = msg.at, p.ExactBytes
	}
	m.ledgers.stale = true
	m.updateTabs()
	// Don't wait for all figures: the watch would miss changes.
	if !f.watching && !msg.batch.Part {
		f.watching = true
		cmds = append(cmds, watchRows(m.ctx, m.Source, m.awake.Load))
	}
	if more {
		cmds = append(cmds, nextRows(msg.gen, msg.from, m.opts.Now))
	} else {
		m.offerBackup()
	}
	return tea.Batch(cmds...)
}

// rowsChanged handles a batch from the watch.
func (m *model) rowsChanged(msg changedMsg) tea.Cmd {
	news := screen.Rows{Came: msg.batch.Rows}
	for _, path := range msg.batch.Gone {
		if row := m.lists.Held(path); row != nil {
			news.Went = append(news.Went, *row)
		}
	}
	batch, gone := m.acts.change.Leave(msg.batch)
	for _, path := range gone {
		m.lists.Drop(path)
	}
	narrowed := m.carry(listScreen, m.lists.Change(batch, m.feed.gen))
	m.ledgers.stale = true
	m.updateTabs()
	return tea.Batch(nextChanges(msg.from), narrowed, m.tell(news))
}
