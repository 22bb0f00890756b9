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
	// DueMsg is sent after delay. Gen is the generation at the start of the delay.
	DueMsg struct{ Gen int }
	// ReadMsg has the lines of a row.
	ReadMsg struct {
		Gen int
		Shown
	}
	// CountedMsg has the changes of a conversation. Window is the tmux window of a live session, or "".
	CountedMsg struct {
		Gen int
		Changes
		Window string
	}
)

// Want starts a new generation if key has changed. Then it returns the command for its DueMsg, or nil.
func (p *Pane) Want(ctx context.Context, key Key) tea.Cmd {
	if !p.ask(key) {
		return nil
	}
	gen := p.Gen
	return screen.After(ctx, delay, func() tea.Msg { return DueMsg{gen} })
}

// Read returns a command that reads a row. It cancels the previous command.
func (p *Pane) Read(ctx context.Context, source Source, row sessions.Row, o talk.Options, rows int) tea.Cmd {
	ctx, gen, find := p.reading(ctx), p.Gen, p.key.needle()
	return func() tea.Msg { return ReadMsg{gen, Read(ctx, source, row, o, rows, find)} }
}

// WindowOf returns the name of a process's tmux window, such as work:2, or "".
type WindowOf func(ctx context.Context, pid int) string

// Arrived stores the lines of a row. It drops lines of an older generation. It returns a command that counts the
// changes and finds the tmux window of a live session, or nil. The changes of a live session are counted once.
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
			return nil // the lines show the error, or the file will be read again
		}
		counted := CountedMsg{Gen: msg.Gen, Changes: c}
		if of.Live != nil && window != nil {
			counted.Window = window(ctx, of.Live.PID)
		}
		return counted
	}
}

// Counted stores the changes of a conversation and its tmux window. It drops those of an older generation.
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
