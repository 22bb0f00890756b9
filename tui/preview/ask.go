package preview

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// delay is how long the selection must stay on a row before the row is read.
const delay = 120 * time.Millisecond

// Messages that the commands of a Pane send.
type (
	// DueMsg is sent after delay. Gen is the generation for which the delay began.
	DueMsg struct{ Gen int }
	// ReadMsg has the lines of a row.
	ReadMsg struct {
		Gen int
		Shown
	}
	// CountedMsg has the changes that a conversation has made. Window is the tmux window of a live session; "" if there
	// is none.
	CountedMsg struct {
		Gen int
		Changes
		Window string
	}
)

// Want starts a new generation if key has changed. It then returns the command that sends the DueMsg of this
// generation. Otherwise, it returns nil.
func (p *Pane) Want(ctx context.Context, key Key) tea.Cmd {
	if !p.ask(key) {
		return nil
	}
	gen := p.Gen
	return screen.After(ctx, delay, func() tea.Msg { return DueMsg{gen} })
}

// Read returns a command that reads a row. It also cancels the previous command.
func (p *Pane) Read(ctx context.Context, source Source, row sessions.Row, o talk.Options, rows int) tea.Cmd {
	ctx, gen, find := p.reading(ctx), p.Gen, p.key.needle()
	return func() tea.Msg { return ReadMsg{gen, Read(ctx, source, row, o, rows, find)} }
}

// WindowOf returns the name of the tmux window in which a process runs, such as work:2; "" if there is none.
type WindowOf func(ctx context.Context, pid int) string

// Arrived stores the lines of a row, unless they belong to an older generation. It then returns a command that counts
// the changes of the conversation and, if the session is live, finds its tmux window. The command is nil if there is
// nothing to count. The changes of a live session are counted only once.
func (p *Pane) Arrived(ctx context.Context, msg ReadMsg, source Source, window WindowOf, row *sessions.Row) tea.Cmd {
	if msg.Gen != p.Gen {
		return nil
	}
	p.Shown, p.done = msg.Shown, true
	if msg.Err != nil || row == nil || row.Kind == sessions.KindDocument || row.Live != nil && p.changes != nil {
		return nil
	}
	ctx, of := p.reading(ctx), *row
	return func() tea.Msg {
		c, err := ReadChanges(ctx, source, of)
		if err != nil {
			return nil // the lines already show the error, or the file was rewritten and will be read again
		}
		counted := CountedMsg{Gen: msg.Gen, Changes: c}
		if of.Live != nil && window != nil {
			counted.Window = window(ctx, of.Live.PID)
		}
		return counted
	}
}

// Counted stores the changes of a conversation and its tmux window, unless they belong to an older generation.
func (p *Pane) Counted(msg CountedMsg) {
	if msg.Gen == p.Gen {
		p.changes, p.window = &msg.Changes, msg.Window
	}
}

// reading returns the context of a new query, and cancels the context of the previous query.
func (p *Pane) reading(ctx context.Context) context.Context {
	if p.cancel != nil {
		p.cancel()
	}
	ctx, p.cancel = context.WithCancel(ctx)
	return ctx
}
