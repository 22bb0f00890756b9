package tui

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

type explosive struct{ where string }

type explodeMsg struct{}

func (e *explosive) Init() tea.Cmd {
	if e.where == "init" {
		panic("in init")
	}
	return tea.Batch(nil, tea.Tick(time.Second, func(time.Time) tea.Msg {
		if e.where == "command" {
			panic("in command")
		}
		return explodeMsg{}
	}))
}

func (e *explosive) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(explodeMsg); !ok {
		return e, nil
	}
	switch e.where {
	case "update":
		panic("in update")
	case "view":
		e.where = "view now"
		return e, nil
	case "batch":
		return e, tea.Batch(func() tea.Msg { return nil }, func() tea.Msg { panic("in batch") })
	}
	return e, tea.Quit
}

func (e *explosive) View() tea.View {
	if e.where == "view now" {
		panic("in view")
	}
	return tea.NewView("calm")
}

// TestGuard: the program ends after a panic, and the guard keeps the panic.
func TestGuard(t *testing.T) {
	t.Parallel()
	for _, where := range []string{"init", "command", "update", "view", "batch", "nowhere"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := &guard{model: &explosive{where: where}}
				p := tea.NewProgram(g, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithWindowSize(40, 10), tea.WithoutSignals())
				g.program = p
				if _, err := p.Run(); err != nil {
					t.Errorf("the program ended with %v", err)
				}
				if (g.caught == nil) != (where == "nowhere") {
					t.Fatalf("caught %v", g.caught)
				}
				if g.caught == nil {
					return
				}
				var err error = g.caught
				if p, ok := errors.AsType[*PanicError](err); !ok || !strings.Contains(err.Error(), "in "+where) || !strings.Contains(string(p.Stack), "explosive") {
					t.Errorf("%v\n%s", err, p.Stack)
				}
			})
		})
	}
}
