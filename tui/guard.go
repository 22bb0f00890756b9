package tui

import (
	"fmt"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"
)

// PanicError is a panic in the browser. Run restores the terminal and then returns it.
type PanicError struct {
	Value any
	Stack []byte
}

// Error implements error, without the stack.
func (e *PanicError) Error() string { return fmt.Sprintf("panic in the browser: %v", e.Value) }

// guard wraps the model and catches panics of the model and its commands. It keeps the first panic and quits. Bubble
// Tea would print the stack on the terminal.
type guard struct {
	model   tea.Model
	program *tea.Program
	frames  *frames // nil before the first view
	caught  *PanicError
}

type panickedMsg struct{ err *PanicError }

// Init implements tea.Model.
func (g *guard) Init() (cmd tea.Cmd) {
	defer g.catch(&cmd)
	return guarded(g.model.Init())
}

// Update implements tea.Model.
func (g *guard) Update(msg tea.Msg) (self tea.Model, cmd tea.Cmd) {
	self = g // set the result even after a panic
	defer g.catch(&cmd)
	if p, ok := msg.(panickedMsg); ok {
		g.keep(p.err)
	}
	if g.caught != nil {
		return g, tea.Quit
	}
	_, cmd = g.model.Update(msg)
	return g, guarded(cmd)
}

// View implements tea.Model. View can't return tea.Quit, so after a panic a goroutine ends the program.
func (g *guard) View() (v tea.View) {
	defer func() {
		if p := recover(); p != nil {
			g.keep(&PanicError{Value: p, Stack: debug.Stack()})
			v = tea.View{}
			go g.program.Quit()
		}
	}()
	if g.frames == nil {
		g.frames = &frames{ticker: tickerOf(g.program)}
	}
	defer g.frames.viewed()
	if g.caught != nil {
		return tea.View{}
	}
	return g.model.View()
}

func (g *guard) catch(cmd *tea.Cmd) {
	if p := recover(); p != nil {
		g.keep(&PanicError{Value: p, Stack: debug.Stack()})
		*cmd = tea.Quit
	}
}

// keep stores the first panic, which usually causes the later ones.
func (g *guard) keep(err *PanicError) {
	if g.caught == nil {
		g.caught = err
	}
}

// guarded wraps a command, so that a panic becomes a panickedMsg.
func guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if p := recover(); p != nil {
				msg = panickedMsg{&PanicError{Value: p, Stack: debug.Stack()}}
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = guarded(batch[i])
			}
		}
		return msg
	}
}
