package tui

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/tui/gateview"
	"github.com/continuo-tui/continuo/tui/screen"
)

// TestGateProgram: ctrl+r starts the gate again. The result of the cancelled run is dropped.
func TestGateProgram(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dropped := 0
		f := &fakeLedgers{ledger: testLedger(t), gate: testGate(), gateRun: slowGate(time.Second, &dropped)}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		o := testOptions()
		o.Now = time.Now
		m := newModel(ctx, World{Searcher: fakeSearcher{}, Source: testSource(), Actions: &fakeActions{}, Changes: &fakeChanges{}, Ledgers: f}, o)
		p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithWindowSize(120, 36), tea.WithoutSignals())
		done := make(chan error, 1)
		go func() {
			_, err := p.Run()
			done <- err
		}()
		send := func(wait time.Duration, msgs ...tea.Msg) string {
			p.Send(struct{}{}) // so that the program doesn't change the model meanwhile
			for _, msg := range msgs {
				p.Send(msg)
			}
			time.Sleep(wait)
			synctest.Wait()
			return plain(t, m)
		}
		send(time.Second)
		if s := send(100*time.Millisecond, keyPress("c"), keyPress("G")); strings.Contains(s, "running for") || strings.Contains(s, "Grounding") {
			t.Errorf("at 100 ms:\n%s", s)
		}
		if s := send(360 * time.Millisecond); !strings.Contains(s, "running for 0.") || !strings.Contains(s, "… 7  Test scenarios") {
			t.Errorf("at 460 ms:\n%s", s)
		}
		if s := send(10*time.Millisecond, keyPress("ctrl+r"), tea.WindowSizeMsg{Width: 80, Height: 24}, keyPress("j"), keyPress("enter"), keyPress("c")); dropped != 1 || !strings.Contains(s, "the gate is running") {
			t.Errorf("ctrl+r: %d runs were cancelled:\n%s", dropped, s)
		}
		if s := send(800*time.Millisecond, tea.WindowSizeMsg{Width: 120, Height: 36}); strings.Contains(s, "Failed.") || !strings.Contains(s, "running for 0.") {
			t.Errorf("the result of the older run is shown:\n%s", s)
		}
		if s := send(300 * time.Millisecond); !strings.Contains(s, "Failed.") || !strings.Contains(s, "ran in 1.0 s") || len(f.gates) != 2 {
			t.Errorf("at the end:\n%s", s)
		}
		f.gate = withGate(func(r *gate.Report) { r.Verdict = gate.Passed })
		if s := send(500*time.Millisecond, keyPress("ctrl+r")); !strings.Contains(s, "Failed.") || !strings.Contains(s, "running for 0.") {
			t.Errorf("the previous findings aren't shown during the next run:\n%s", s)
		}
		old := m.top().id
		if send(time.Second, keyPress("esc")); m.onGate() || dropped != 2 {
			t.Errorf("esc doesn't cancel the run: %d", dropped)
		}
		other := gateview.New(gateview.Options{Context: ctx, Gates: &fakeLedgers{gate: testGate()}, Now: time.Now})
		late := other.Open()[0].(screen.Cmd)()
		send(1100*time.Millisecond, keyPress("c"), keyPress("G"))
		if s := send(0, answerMsg{old, late}); strings.Contains(s, "Failed.") || !strings.Contains(s, "Passed.") {
			t.Errorf("the result of a cancelled run is shown:\n%s", s)
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) && !errors.Is(err, tea.ErrProgramKilled) {
			t.Errorf("ended with %v", err)
		}
	})
}
