package tui

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/tui/dialog"
)

// TestRecoverProgram: each level appears when it is ready. A query is sent after a pause in typing.
func TestRecoverProgram(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var ended atomic.Int32
		f := &fakeRecovery{results: testRecovery(), run: &fakeRun{}}
		f.wait = func(ctx context.Context, ask recovery.Ask) {
			select {
			case <-time.After(time.Duration(ask.Level) * 300 * time.Millisecond):
			case <-ctx.Done():
				ended.Add(1)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		m := newModel(ctx, World{Searcher: fakeSearcher{}, Source: testSource(), Actions: &fakeActions{}, Ledgers: f}, testOptions())
		p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithWindowSize(120, 36), tea.WithoutSignals())
		done := make(chan error, 1)
		go func() {
			_, err := p.Run()
			done <- err
		}()
		send := func(wait time.Duration, keys ...string) string {
			p.Send(struct{}{}) // so that the program doesn't change the model meanwhile
			for _, k := range keys {
				p.Send(keyPress(k))
			}
			time.Sleep(wait)
			synctest.Wait()
			return plain(t, m)
		}
		send(time.Second)
		if s := send(200*time.Millisecond, "2"); !strings.Contains(s, "Reading…") || strings.Contains(s, "tokens") && strings.Contains(s, "of 100") {
			t.Errorf("at 200 ms:\n%s", s)
		}
		if s := send(200 * time.Millisecond); !strings.Contains(s, "184 of 200") || strings.Contains(s, "431 of 500") {
			t.Errorf("at 400 ms:\n%s", s)
		}
		if s := send(time.Second); !strings.Contains(s, "431 of 500") || !strings.Contains(s, "7.8k") {
			t.Errorf("at the end:\n%s", s)
		}
		asked := len(f.asks)
		send(50*time.Millisecond, "/", "l")
		send(50*time.Millisecond, "e")
		if send(200*time.Millisecond, "e"); len(f.asks) != asked+1 || f.asks[asked] != "teahouse 2 lee" {
			t.Errorf("typed without a pause: asked %q", f.asked())
		}
		if send(time.Second, "w"); ended.Load() != 1 || f.asks[len(f.asks)-1] != "teahouse 2 leew" || len(f.asks) != asked+2 {
			t.Errorf("typed while an answer was pending: asked %q, %d ended", f.asked(), ended.Load())
		}
		if send(time.Second, "enter", "enter"); f.run.ran != 1 || m.away || m.hasDialog() || f.takes[0] != "teahouse 2 session" {
			t.Errorf("a session ran %d times, took %q", f.run.ran, f.takes)
		}
		send(0, "3")
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) && !errors.Is(err, tea.ErrProgramKilled) {
			t.Errorf("ended with %v", err)
		}
	})
}

// TestRecoverEveryKey: no key panics, before and after the answers.
func TestRecoverEveryKey(t *testing.T) {
	drilltest.SkipUnderRace(t)
	bubble(t, func(t *testing.T) {
		failing := &fakeRecovery{err: errors.New("no answer")}
		for name, to := range map[string][]string{"levels": {"2"}, "everything": {"3", "G"}, "words": {"2", "/", "x"}, "note": {"tab", "tab", "tab", "N", "d"}} {
			for _, f := range []*fakeRecovery{{}, {results: map[recovery.Level]recovery.Result{}}, failing} {
				m := recoverModel(t, f, 120, 36, to...)
				was := where(m)
				for _, k := range keysOf(m) {
					pressOne(t, m, name+", key "+k, k)
					if where(m) != was {
						m = recoverModel(t, f, 120, 36, to...)
					}
				}
			}
		}
		m := recoverModel(t, &fakeRecovery{}, 120, 36, "2") // before any answer
		m.Update(keyPress("esc"))
		m.Update(keyPress("2"))
		for _, k := range keysOf(m) {
			if shows[*dialog.Recover](m) {
				m.Update(keyPress(k))
				m.screen()
			}
		}
	})
}

func TestNoteFromLedger(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := recoverModel(t, &fakeRecovery{look: testLedger(t)}, 120, 36, "shift+tab", "N")
		if !shows[*dialog.Menu](m) || peek(m, "Title").String() != "Note" || peek(m, "About").String() != "teahouse" {
			t.Fatalf("no menu:\n%s", plain(t, m))
		}
		if press(t, m, "n"); !shows[*dialog.Note](m) || peek(m, "opts", "Dir").String() != "/home/ada/code/teahouse" {
			t.Errorf("no form:\n%s", plain(t, m))
		}
	})
}

// TestRecoverASCII: the ASCII glyphs are at the same positions as the other glyphs.
func TestRecoverASCII(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, keys := range [][]string{{"2"}, {"2", "/", "x"}, {"3", "pgdown"}, {"tab", "tab", "tab", "N"}, {"tab", "tab", "tab", "N", "d", "a", "enter", "b", "enter", "c", "enter", "enter"}} {
			m := recoverModel(t, &fakeRecovery{look: testLedger(t)}, 120, 36, keys...)
			want := strings.Split(plain(t, m), "\n")
			m.opts.ASCII = true
			for i, line := range strings.Split(ansi.Strip(m.View().Content), "\n") {
				if strings.ContainsFunc(line, func(c rune) bool { return c > 0x7e }) {
					t.Errorf("%v: %q", keys, line)
				}
				if a, b := ansi.StringWidth(strings.TrimRight(line, " ")), ansi.StringWidth(want[i]); a != b {
					t.Errorf("%v: line %d has %d cells, not %d", keys, i, a, b)
				}
			}
		}
	})
}
