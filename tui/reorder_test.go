package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/reader"
)

// TestReordered: the order of the answers doesn't change the final screen. Paging over lines that aren't drawn yet uses
// estimates, so there the position may differ.
func TestReordered(t *testing.T) {
	t.Parallel()
	sequences := map[string][]string{
		"filter": {"tab", "/", "s", "k", "e", "t", "backspace", "backspace", "backspace", "backspace", "o", "c", "t"},
		"open":   {"enter", "q", "j", "enter", "q", "j", "j", "enter", "pgup", "pgup", "k", "z"},
		"read":   {"enter", "g", "pgdown", "z", "j", "z", "G", "Z", "k", "k", "pgup"},
		"find":   {"enter", "/", "A", "n", "s", "w", "e", "r", " ", "7", "enter", "n", "n", "N"},
		"tabs":   {"tab", "j", "tab", "enter", "}", "q", "tab", "/", "f", "i", "x", "enter"},
	}
	for name, keys := range sequences {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				world := func() *model {
					s := memorySource()
					s.doc = longDoc(300)
					for i := 3; i < 300; i += 7 {
						s.doc.msgs[i] = prompt(fmt.Sprintf("Question %d?", i))
					}
					return testModel(t, s, testOptions(), 120, 36)
				}
				m := world()
				for _, k := range keys {
					press(t, m, k)
				}
				want := plain(t, m)
				for seed := range uint64(25) {
					m := world()
					shuffled(t, m, keys, rand.New(rand.NewPCG(seed, 7))) //nolint:gosec // a test that can be repeated
					got := plain(t, m)
					if name != "open" && name != "read" && got != want {
						t.Fatalf("seed %d:\n%s", seed, diff(want, got))
					}
					if a, b := strings.SplitN(want, "\n", 2)[0], strings.SplitN(got, "\n", 2)[0]; a != b {
						t.Fatalf("seed %d: %q is open, want %q", seed, b, a)
					}
					checkDrawn(t, m)
				}
			})
		})
	}
}

func checkDrawn(t *testing.T, m *model) {
	t.Helper()
	if !m.isReading() {
		return
	}
	if got := plain(t, m); !strings.Contains(got, "▌") || strings.Contains(got, "**") {
		t.Errorf("the bar isn't in view, or a text isn't rendered:\n%s", got)
	}
}

// shuffled presses keys and delivers the answers of commands in random order. It waits for the reader to open, because
// the next key is meant for the reader.
func shuffled(t *testing.T, m *model, keys []string, r *rand.Rand) {
	t.Helper()
	var waiting []tea.Cmd
	take := func(cmd tea.Cmd) {
		if cmd == nil {
			return
		}
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			waiting = append(waiting, msg...)
		case answerMsg:
			if _, again := msg.msg.(reader.LookDue); again {
				return
			}
			_, next := m.Update(msg)
			waiting = append(waiting, next)
		default:
			_, next := m.Update(msg)
			waiting = append(waiting, next)
		}
	}
	one := func() {
		i := r.IntN(len(waiting))
		cmd := waiting[i]
		waiting = append(waiting[:i], waiting[i+1:]...)
		take(cmd)
	}
	for _, k := range keys {
		for n := 0; m.isReading() && !strings.Contains(plain(t, m), "▌") && len(waiting) > 0 && n < 10_000; n++ {
			one()
		}
		_, cmd := m.Update(keyPress(k))
		waiting = append(waiting, cmd)
		for len(waiting) > 0 && r.IntN(3) > 0 {
			one()
		}
	}
	for n := 0; len(waiting) > 0; n++ {
		if n > 20_000 {
			t.Fatal("the program doesn't settle")
		}
		one()
	}
}
