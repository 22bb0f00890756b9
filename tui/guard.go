package tui

import (
	"fmt"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"
)

// PanicError is a bug that was caught while the browser ran. The terminal is restored by the time that Run
// returns it.
type PanicError struct {
	Value any
	Stack []byte
}

// Error implements error. The stack is not in it.
func (e *PanicError) Error() string { return fmt.Sprintf("panic in the browser: %v", e.Value) }

// guard is the model as Bubble Tea sees it. Bubble Tea would print the stack of a panic on the terminal; the
// guard catches it in the model and in its commands, quits, and keeps it for the report.
type guard struct {
	model  tea.Model
	quit   func() // ends the program from anywhere
	caught *PanicError
}

// panickedMsg says that a command panicked.
type panickedMsg struct{ err *PanicError }

// Init implements tea.Model.
func (g *guard) Init() (cmd tea.Cmd) {
	defer g.catch(&cmd)
	return guarded(g.model.Init())
}

// Update implements tea.Model.
func (g *guard) Update(msg tea.Msg) (self tea.Model, cmd tea.Cmd) {
	self = g // also after a panic
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

// View implements tea.Model. A program cannot be ended from here, so that is left to a goroutine.
func (g *guard) View() (v tea.View) {
	defer func() {
		if p := recover(); p != nil {
			g.keep(&PanicError{Value: p, Stack: debug.Stack()})
			v = tea.View{}
			go g.quit()
		}
	}()
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

// keep keeps the first panic: later ones follow from it.
func (g *guard) keep(err *PanicError) {
	if g.caught == nil {
		g.caught = err
	}
}

// guarded makes a command say that it panicked, and those of a batch as well.
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
