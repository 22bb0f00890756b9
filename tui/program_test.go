package tui

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// TestProgram runs the whole program in virtual time: start, filter, read, go back, resume, quit.
func TestProgram(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := memorySource()
		actions := &fakeActions{run: &fakeRun{}}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		m := newModel(ctx, World{Searcher: fakeSearcher{}, Source: s, Actions: actions}, testOptions())
		p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(io.Discard),
			tea.WithWindowSize(120, 36), tea.WithoutSignals())
		done := make(chan error, 1)
		go func() {
			_, err := p.Run()
			done <- err
		}()
		send := func(keys ...string) {
			for _, k := range keys {
				p.Send(keyPress(k))
			}
			time.Sleep(time.Second)
			synctest.Wait()
		}
		send()
		golden(t, "program-list", plain(t, m))
		send("tab", "/", "s", "k", "e", "enter")
		golden(t, "program-filter", plain(t, m))
		send("enter")
		golden(t, "program-reader", plain(t, m))
		send("q", "esc", "shift+tab", "r")
		if actions.run.ran != 1 || actions.row.Name != "Fix refresh token race at midnight" {
			t.Errorf("%q ran %d times", actions.row.Name, actions.run.ran)
		}
		golden(t, "program-resumed", plain(t, m))
		send("q")
		if err := <-done; err != nil {
			t.Errorf("ended with %v", err)
		}
		if s.doc.closed != s.opened {
			t.Errorf("%d documents were opened, %d closed", s.opened, s.doc.closed)
		}
	})
}

func TestRunEndsWithContext(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	o := testOptions()
	o.Input, o.Output = r, io.Discard
	time.AfterFunc(50*time.Millisecond, cancel)
	if err := Run(ctx, World{Searcher: fakeSearcher{}, Source: testSource()}, o); !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}
