package tui

import (
	"context"
	"fmt"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// This is the only file that calls Source, Doc, Actions and the clock. A command closes over values and returns
// one message.

const (
	halfMinute   = 30 * time.Second       // between two looks at the clock: ages change by the minute
	quiet        = 150 * time.Millisecond // a wait says nothing for that long
	previewDelay = 120 * time.Millisecond // the selection stands still before its end is read
	previewTail  = 12                     // messages at the end of a conversation that the preview reads
)

// loadRows starts the stream of rows and waits for its first part.
func loadRows(ctx context.Context, source Source, gen int) tea.Cmd {
	return func() tea.Msg { return takeRows(gen, source.Rows(ctx)) }
}

// nextRows waits for the next part of a stream.
func nextRows(gen int, from <-chan sessions.Batch) tea.Cmd {
	return func() tea.Msg { return takeRows(gen, from) }
}

// takeRows waits for a batch and takes what has come with it: a list of thousands is sorted a few times, not
// thousands of times.
func takeRows(gen int, from <-chan sessions.Batch) rowsMsg {
	all, ok := <-from
	if !ok {
		return rowsMsg{gen: gen, batch: sessions.Batch{Done: true}}
	}
	for !all.Done {
		select {
		case b, ok := <-from:
			if !ok {
				all.Done = true
				break
			}
			all.Rows = append(all.Rows, b.Rows...)
			all.Gone = append(all.Gone, b.Gone...)
			if b.Err != nil {
				all.Err = b.Err
			}
			all.Done = b.Done
			continue
		default:
		}
		break
	}
	if all.Done {
		from = nil
	}
	return rowsMsg{gen: gen, batch: all, from: from}
}

func filterRows(pattern string, among []candidate, gen int) tea.Cmd {
	return func() tea.Msg { return filteredMsg{gen: gen, hits: match(pattern, among)} }
}

// document is an open Doc whose methods are called one at a time, wherever they are called from.
type document struct {
	mu   sync.Mutex
	doc  Doc
	text string // of a document that is one text
	flat bool
}

func (d *document) messages(ctx context.Context, from, to int) ([]transcript.Message, error) {
	if d.flat {
		return []transcript.Message{{
			Role: transcript.RoleAssistant, Kind: transcript.Answer,
			Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: d.text}},
		}}, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return d.doc.Messages(ctx, from, to)
}

func (d *document) close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.doc.Close()
}

// open opens a row. A document becomes one message.
func open(ctx context.Context, source Source, row sessions.Row) (*document, []transcript.MessageRef, error) {
	doc, err := source.Open(ctx, row)
	if err != nil {
		return nil, nil, err
	}
	d := &document{doc: doc}
	if d.text, d.flat = doc.Markdown(); d.flat {
		return d, []transcript.MessageRef{{Kind: transcript.Answer}}, nil
	}
	return d, doc.Outline(), nil
}

func openRow(ctx context.Context, source Source, row sessions.Row, gen int) tea.Cmd {
	return func() tea.Msg {
		d, refs, err := open(ctx, source, row)
		if err != nil {
			return openedMsg{gen: gen, err: err}
		}
		return openedMsg{gen: gen, doc: d, refs: refs, threads: d.doc.Threads()}
	}
}

func closeDoc(d *document) tea.Cmd {
	return func() tea.Msg { return closedMsg{err: d.close()} }
}

// reading is what a command needs to decode and draw messages.
type reading struct {
	gen      int
	doc      *document
	options  render.Options
	headings map[int]*transcript.Thread
}

// readMessages decodes [from, to) and draws them plain. The message before is decoded too: how it ended decides
// whether a blank line follows it.
func readMessages(ctx context.Context, r reading, from, to int) tea.Cmd {
	return func() tea.Msg {
		answer := readMsg{gen: r.gen, from: from, to: to, width: r.options.Width, theme: r.options.Styles.Theme}
		first := max(from-1, 0)
		msgs, err := r.doc.messages(ctx, first, to)
		answer.err = err
		after := render.Start
		for i := range msgs {
			d := drawing{index: first + i, msg: &msgs[i], after: after, heading: r.headings[first+i]}
			after = render.End(d.msg)
			if d.index >= from {
				d.draw(r.options)
				d.pretty = !hasMarkdown(d.msg)
				answer.drawn = append(answer.drawn, d)
			}
		}
		return answer
	}
}

// drawMessages draws messages that are decoded already.
func drawMessages(gen int, o render.Options, which []drawing) tea.Cmd {
	return func() tea.Msg {
		for i := range which {
			which[i].draw(o)
			which[i].pretty = true
		}
		return drawnMsg{gen: gen, drawn: which, width: o.Width, theme: o.Styles.Theme}
	}
}

func (d *drawing) draw(o render.Options) {
	if d.heading == nil {
		d.lines = render.Message(d.msg, d.after, o)
		return
	}
	d.lines = append(render.ThreadHeading(d.heading, o), render.Message(d.msg, render.Prose, o)...)
}

// hasMarkdown reports whether drawing through markdown makes a difference.
func hasMarkdown(m *transcript.Message) bool {
	if m.Kind != transcript.Answer {
		return false
	}
	for i := range m.Blocks {
		if b := &m.Blocks[i]; b.Kind == transcript.BlockText && len(b.Text) <= render.MaxMarkdown {
			return true
		}
	}
	return false
}

// after returns a message when some time has passed, or nil when ctx has ended before. tea.Tick would outlive the
// program.
func after(ctx context.Context, d time.Duration, msg func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return msg()
		case <-ctx.Done():
			return nil
		}
	}
}

func waitPreview(ctx context.Context, gen int) tea.Cmd {
	return after(ctx, previewDelay, func() tea.Msg { return previewDueMsg{gen} })
}

// readPreview reads the end of a conversation, draws it plain and lets the file go.
func readPreview(ctx context.Context, source Source, row sessions.Row, o render.Options, gen int) tea.Cmd {
	return func() tea.Msg {
		d, refs, err := open(ctx, source, row)
		if err != nil {
			return previewedMsg{gen: gen, err: err}
		}
		last := mainEnd(refs, d.doc.Threads())
		from := max(last+1-previewTail, 0)
		msgs, err := d.messages(ctx, from, last+1)
		if closing := d.close(); err == nil {
			err = closing
		}
		lines, _ := render.Lines(msgs, render.Start, o)
		return previewedMsg{gen: gen, lines: lines, shown: len(msgs), total: last + 1, err: err}
	}
}

func prepareResume(ctx context.Context, actions Actions, row sessions.Row) tea.Cmd {
	return func() tea.Msg {
		run, err := actions.Resume(ctx, row)
		if err == nil && run == nil {
			err = fmt.Errorf("session %s cannot be resumed", row.ID)
		}
		return preparedMsg{run: run, err: err}
	}
}

// takeOver hands the terminal over and comes back when the program has ended.
func takeOver(run Takeover) tea.Cmd {
	return tea.Exec(run, func(err error) tea.Msg { return resumedMsg{err} })
}

func tick(ctx context.Context, now func() time.Time) tea.Cmd {
	return after(ctx, halfMinute, func() tea.Msg { return clockMsg{now()} })
}

func waitQuiet(ctx context.Context, gen int) tea.Cmd {
	return after(ctx, quiet, func() tea.Msg { return waitedMsg{gen} })
}
