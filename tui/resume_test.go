package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// TestTakenWhenSeen presses random keys at every size. A choice can be taken only after all its words were visible.
func TestTakenWhenSeen(t *testing.T) {
	drilltest.SkipUnderRace(t)
	bubble(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 9))
		plan := livePlan()
		words := map[string][]string{}
		for i := range plan.Choices {
			c := &plan.Choices[i]
			c.Run = ""
			for n := range 24 {
				words[c.Key] = append(words[c.Key], fmt.Sprintf("%s%02d", c.Key, n))
			}
			c.Note = strings.Join(words[c.Key], " ")
			c.Ask = resume.Ask{Args: []string{c.Key}}
		}
		m, actions := menuModel(t, nil, 80, 24)
		keys := []string{"a", "f", "o", "enter", "enter", "up", "down", "pgup", "pgdown", "click", "wheel", "resize"}
		taken := map[string]int{}
		for range 150 {
			m.away = false
			m.Update(tea.WindowSizeMsg{Width: 20 + r.IntN(100), Height: 2 + r.IntN(24)})
			actions.asks = nil
			m.carry(resumeAction, m.currentActions().resume.Plan(testRows()[0], plan))
			var seen strings.Builder
			for range 30 {
				seen.WriteString(plain(t, m))
				switch k := keys[r.IntN(len(keys))]; k {
				case "click":
					x, y := m.width/2, r.IntN(m.height)
					settle(t, m, func() tea.Msg { return tea.MouseClickMsg{Button: tea.MouseLeft, X: x, Y: y} })
				case "wheel":
					settle(t, m, func() tea.Msg { return wheel(1, 1, r.IntN(2) == 0) })
				case "resize":
					m.Update(tea.WindowSizeMsg{Width: 20 + r.IntN(100), Height: 2 + r.IntN(24)})
				default:
					press(t, m, k)
				}
				if !shows[*dialog.Menu](m) {
					break
				}
			}
			for _, ask := range actions.asks {
				taken[ask.Args[0]]++
				for _, w := range words[ask.Args[0]] {
					if !strings.Contains(seen.String(), w) {
						t.Fatalf("%s was taken at %dx%d before %s was visible", ask.Args[0], m.width, m.height, w)
					}
				}
			}
		}
		if len(taken) != len(plan.Choices) {
			t.Errorf("not every choice was taken: %v", taken)
		}
	})
}

// TestSecondWriterAtSmallSize: at 20x3, enter scrolls through the note before it takes the choice.
func TestSecondWriterAtSmallSize(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions := menuModel(t, livePlan(), 20, 3)
		press(t, m, "r", "o")
		var seen strings.Builder
		n := 0
		for ; shows[*dialog.Menu](m) && n < 40; n++ {
			seen.WriteString(plain(t, m))
			press(t, m, "enter")
		}
		for w := range strings.FieldsSeq("two writers fork the session; one branch becomes hidden") {
			if !strings.Contains(seen.String(), w) {
				t.Errorf("%q was not shown", w)
			}
		}
		if len(actions.asks) != 2 || !actions.asks[1].Second || n < 3 {
			t.Errorf("asked %+v after %d times enter", actions.asks, n)
		}
	})
}

// TestFirstClick: only a second click takes an item, and only if no key was pressed in between.
func TestFirstClick(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions := menuModel(t, livePlan(), 80, 24)
		press(t, m, "r")
		x, y := cellOf(t, m, "Attach")
		click := func() {
			settle(t, m, func() tea.Msg { return tea.MouseClickMsg{Button: tea.MouseLeft, X: x, Y: y} })
		}
		click()
		press(t, m, "down", "up")
		if click(); len(actions.asks) != 1 || !shows[*dialog.Menu](m) {
			t.Fatalf("asked %+v", actions.asks)
		}
		if click(); len(actions.asks) != 2 || actions.asks[1].Pane != "%5" {
			t.Errorf("asked %+v", actions.asks)
		}
	})
}

func TestMenuScroll(t *testing.T) {
	drilltest.SkipUnderRace(t)
	bubble(t, func(t *testing.T) {
		m, _ := menuModel(t, nil, 80, 24)
		plan := livePlan()
		for _, msg := range []tea.Msg{keyPress("pgdown"), wheel(1, 1, true)} {
			for h := 2; h < 14; h++ {
				m.Update(tea.WindowSizeMsg{Width: 40, Height: h})
				m.carry(resumeAction, m.currentActions().resume.Plan(testRows()[0], plan))
				var seen strings.Builder
				for range 40 {
					seen.WriteString(plain(t, m))
					m.Update(msg)
				}
				text := plan.Findings[0].Detail + " Attach Fork Open tmux switch-client --fork-session hidden Nothing has run yet."
				for w := range strings.FieldsSeq(text) {
					if !strings.Contains(seen.String(), w) {
						t.Errorf("%T at height %d: %q is skipped", msg, h, w)
					}
				}
			}
		}
	})
}

// TestGoneOn: a key, a click and a paste each cancel a pending lookup.
func TestGoneOn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for name, msg := range map[string]tea.Msg{
			"key": keyPress("down"), "click": tea.MouseClickMsg{Button: tea.MouseLeft, X: 5, Y: 6}, "paste": tea.PasteMsg{Content: "x"},
		} {
			m, actions := menuModel(t, nil, 80, 24)
			_, cmd := m.Update(keyPress("r"))
			answered := answers(cmd)
			m.Update(msg)
			if actions.ctx.Err() == nil {
				t.Errorf("%s: the lookup isn't cancelled", name)
			}
			for _, msg := range answered {
				if m.Update(msg); m.away || actions.run.ran != 0 {
					t.Errorf("%s: the answer starts a program", name)
				}
			}
		}
	})
}

// TestAway: the browser ignores input while a started program runs.
func TestAway(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions := menuModel(t, nil, 80, 24)
		press(t, m, "r")
		if !m.away || actions.ctx.Err() != nil {
			t.Fatalf("away %v, context %v", m.away, actions.ctx.Err())
		}
		before := plain(t, m)
		for _, msg := range []tea.Msg{
			keyPress("r"), keyPress("j"), keyPress("q"), tea.PasteMsg{Content: "x"}, tea.MouseClickMsg{Button: tea.MouseLeft, X: 5, Y: 6}, wheel(5, 6, true),
		} {
			settle(t, m, func() tea.Msg { return msg })
		}
		if got := plain(t, m); len(actions.asks) != 1 || got != before {
			t.Errorf("asked %+v:\n%s", actions.asks, got)
		}
		settle(t, m, func() tea.Msg { return resumedMsg{} })
		if press(t, m, "r"); len(actions.asks) != 2 {
			t.Error("keys are ignored after the program has ended")
		}
		if actions.asks[0].In != "" || actions.ctx.Err() != nil {
			t.Error("the context of the second lookup has ended")
		}
	})
}

// TestErrorGoes: an error disappears when the same request succeeds.
func TestErrorGoes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions := menuModel(t, nil, 80, 24)
		actions.err = fmt.Errorf("read registry: permission denied")
		if press(t, m, "r"); !m.status.bad {
			t.Fatal("no error")
		}
		actions.err = nil
		if press(t, m, "r"); m.status.text != "" {
			t.Errorf("the message is still %q", m.status.text)
		}
	})
}

// TestWhereFork: a fork can be started in other places. Inside a popup, no popup is offered.
func TestWhereFork(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, actions := menuModel(t, nil, 80, 24)
		m.opts.Popup = true
		press(t, m, "w", "p")
		if got := plain(t, m); len(actions.asks) != 0 || !strings.Contains(got, "Popup: a popup cannot open another") {
			t.Errorf("asked %+v:\n%s", actions.asks, got)
		}
		press(t, m, "f", "s")
		if want := (resume.Ask{Fork: true, In: resume.WhereSplit}); len(actions.asks) != 1 || !sameAsk(actions.asks[0], want) {
			t.Errorf("asked %+v", actions.asks)
		}
		m.away = false
		press(t, m, "w", "f", "r", "w")
		if want := (resume.Ask{In: resume.WhereWindow}); len(actions.asks) != 2 || !sameAsk(actions.asks[1], want) {
			t.Errorf("asked %+v", actions.asks)
		}
	})
}

func TestPaletteOrder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, keys := range [][]string{{":"}, {"enter", ":"}} {
			m := testModel(t, memorySource(), testOptions(), 120, 36)
			press(t, m, keys...)
			var got []string
			for i := range peek(m, "shown").Len() {
				if group := peek(m, "shown", i, "Group").String(); len(got) == 0 || got[len(got)-1] != group {
					got = append(got, group)
				}
			}
			at := 0
			for _, g := range screen.Groups() {
				if at < len(got) && got[at] == g {
					at++
				}
			}
			if at != len(got) {
				t.Errorf("%v: %v", keys, got)
			}
		}
	})
}
