package tui

import (
	"bytes"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// TestFrames counts the checks for a new view, at rest and during changes.
func TestFrames(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &frames{ticker: time.NewTicker(frame)}
		defer f.ticker.Stop()
		stop := make(chan struct{})
		var looks atomic.Int32
		defer close(stop)
		go func() {
			for {
				select {
				case <-f.ticker.C:
					looks.Add(1)
				case <-stop:
					return
				}
			}
		}()
		count := func(what string, least, most int32) {
			t.Helper()
			synctest.Wait()
			if n := looks.Swap(0); n < least || n > most {
				t.Errorf("%d looks %s, want %d to %d", n, what, least, most)
			}
		}
		f.viewed()
		time.Sleep(time.Minute)
		count("in a minute after one view", 60, 90)
		time.Sleep(time.Minute)
		count("in a minute without a view", 59, 61)
		f.viewed()
		time.Sleep(frame)
		count("in a frame after a new view", 1, 2)
		for range 1000 {
			f.viewed()
			time.Sleep(10 * time.Millisecond)
		}
		count("in 10 seconds with changes", 550, 640)
	})
}

// clockwork shows a letter and, after 10 seconds, another letter.
type clockwork struct{ text string }

func (c *clockwork) Init() tea.Cmd {
	return tea.Tick(10*time.Second, func(at time.Time) tea.Msg { return at })
}

func (c *clockwork) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(time.Time); ok {
		c.text = "B"
	}
	return c, nil
}

func (c *clockwork) View() tea.View { return tea.NewView(c.text) }

// written has the time of the last output of the letter B.
type written struct {
	mu sync.Mutex
	at time.Time
}

func (w *written) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if bytes.Contains(b, []byte("B")) {
		w.at = time.Now()
	}
	return len(b), nil
}

// TestFramesProgram: after a pause, a new view is drawn at once.
func TestFramesProgram(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began, out := time.Now(), new(written)
		g := &guard{model: &clockwork{text: "A"}}
		p := tea.NewProgram(g, tea.WithInput(nil), tea.WithOutput(out), tea.WithWindowSize(40, 10), tea.WithoutSignals())
		g.program = p
		done := make(chan error)
		go func() { _, err := p.Run(); done <- err }()
		time.Sleep(20 * time.Second)
		synctest.Wait()
		if g.frames.ticker == nil || g.frames.rests != nil {
			t.Errorf("%+v doesn't rest", g.frames)
		}
		p.Quit()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if took := out.at.Sub(began) - 10*time.Second; took < 0 || took > frame {
			t.Errorf("drawn after %v", took)
		}
	})
}
