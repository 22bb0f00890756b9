package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/preview"
)

// program runs the whole program in virtual time. send types keys and waits until the program is idle.
func program(t *testing.T, c *fakeChanges) (m *model, send func(keys ...string), end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	m = newModel(ctx, World{Searcher: fakeSearcher{}, Source: triageSource(), Actions: &fakeActions{run: &fakeRun{}}, Changes: c}, testOptions())
	p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithWindowSize(120, 36), tea.WithoutSignals())
	done := make(chan error, 1)
	go func() {
		_, err := p.Run()
		done <- errors.Join(err, m.close())
	}()
	send = func(keys ...string) {
		p.Send(struct{}{}) // so that the program doesn't change the model meanwhile
		for _, k := range keys {
			p.Send(keyPress(k))
		}
		time.Sleep(200 * time.Millisecond)
		synctest.Wait()
	}
	send()
	send("a", "tab")
	return m, send, func() {
		t.Helper()
		cancel()
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
	}
}

func TestChangeProgram(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &fakeChanges{wait: time.Second}
		m, send, end := program(t, c)
		defer end()
		if send("space", "space", "d"); m.status.text != "Preparing the plan…" || m.hasDialog() {
			t.Errorf("after 150 ms: %q", m.status.text)
		}
		if send("esc"); c.cancelled != 1 || m.status.text != "" || len(marked(m)) != 0 {
			t.Errorf("esc: %d cancelled, message %q, %d marked", c.cancelled, m.status.text, len(marked(m)))
		}
		if send("V"); m.status.text != "Verifying…" {
			t.Errorf("verify says %q", m.status.text)
		}
		for range 5 {
			send()
		}
		if !shows[*dialog.Plan](m) || m.status.text != "" {
			t.Errorf("the report isn't shown: %q", m.status.text)
		}
		send("enter")
		if m.hasDialog() || len(c.did) != 0 {
			t.Errorf("enter on a report did %q", c.done())
		}
	})
}

// TestChangeWhileDoing: no second change starts while a change is running.
func TestChangeWhileDoing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &fakeChanges{hold: make(chan struct{}), past: testPast()}
		m, send, end := program(t, c)
		defer end()
		send("d")
		if send("enter"); m.status.text != "Discarding…" || m.hasDialog() {
			t.Errorf("message %q", m.status.text)
		}
		for _, k := range []string{"d", "R", "V", "u"} {
			if send(k); !strings.Contains(m.status.text, "a change is in progress") || len(c.asks) != 1 {
				t.Errorf("%s: message %q, asked %q", k, m.status.text, c.asked())
			}
		}
		send("U")
		if send("enter"); !strings.Contains(m.status.text, "a change is in progress") || len(c.asks) != 1 {
			t.Errorf("the list: message %q, asked %q", m.status.text, c.asked())
		}
		send("esc", "j", "enter")
		if !m.isReading() {
			t.Fatal("nothing is read")
		}
		looks := c.looks
		close(c.hold)
		if send(); !m.isReading() || m.status.text != "Did discard 1." || c.looks != looks+1 {
			t.Errorf("message %q, %d lookups", m.status.text, c.looks-looks)
		}
	})
}

// TestChangeQuit: a running change is finished before the program ends.
func TestChangeQuit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &fakeChanges{hold: make(chan struct{})}
		m, send, end := program(t, c)
		var reported []string
		tell := func(m *model) {
			m.opts.Ended = func(done Done, err error) { reported = append(reported, fmt.Sprint(done.Said, done.But, err)) }
		}
		tell(m)
		send("d")
		send("enter")
		hold := c.hold
		time.AfterFunc(time.Second, func() { close(hold) })
		if end(); c.done() != "discard 1121_compact" || len(reported) != 1 || reported[0] != "Did discard 1.<nil>" {
			t.Errorf("did %q, reported %q", c.done(), reported)
		}
		m, c = triageModel(t, 120, 36, nil)
		tell(m)
		press(t, m, "d")
		_, cmd := m.Update(keyPress("enter"))
		if err := m.close(); err != nil {
			t.Fatal(err)
		}
		if settle(t, m, cmd); len(c.did) != 0 || reported[len(reported)-1] != ErrNotBegun.Error() {
			t.Errorf("after the end: did %q, reported %q", c.done(), reported)
		}
		c = &fakeChanges{hold: make(chan struct{})}
		m, send, end = program(t, c)
		tell(m)
		send("d")
		send("enter")
		start := time.Now()
		if end(); time.Since(start) != 5*time.Second || reported[len(reported)-1] != ErrUnfinished.Error() {
			t.Errorf("waited %v, reported %q", time.Since(start), reported)
		}
		m, _ = triageModel(t, 120, 36, nil)
		tell(m)
		if press(t, m, "d", "enter"); m.close() != nil || len(reported) != 3 {
			t.Errorf("a result that was shown on a screen is reported again: %q", reported)
		}
		close(c.hold)
	})
}

// TestChangeLeavesReader: the reader closes if its backup was moved to the trash.
func TestChangeLeavesReader(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, c := triageModel(t, 120, 36, nil)
		if press(t, m, "enter", "d", "enter"); m.isReading() || m.status.text != "Did discard 1." {
			t.Errorf("the reader stays open, message %q", m.status.text)
		}
		c.but = "It was left alone."
		if press(t, m, "enter", "d", "enter"); !m.isReading() || !m.status.bad {
			t.Errorf("the reader closes after a failed discard, message %q", m.status.text)
		}
	})
}

// TestChangeErrors: an error is shown until esc is pressed.
func TestChangeErrors(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, c := triageModel(t, 120, 36, func(c *fakeChanges) { c.past = testPast() })
		c.err = errors.New("read marker: permission denied")
		if press(t, m, "space", "d"); m.hasDialog() || m.status.text != "Read marker: permission denied." || !m.status.bad {
			t.Errorf("no plan: %+v", m.status)
		}
		c.err, c.doErr = nil, errors.New("disk is full")
		press(t, m, "esc")
		if m.status.text != "" || len(marked(m)) != 1 {
			t.Errorf("after esc: message %q, %d marks", m.status.text, len(marked(m)))
		}
		if press(t, m, "d", "enter"); m.status.text != "Disk is full." || !m.status.bad || len(c.did) != 1 || m.acts.change.Busy() != "" || len(marked(m)) != 1 {
			t.Errorf("failed change: %+v, %q, %d marked", m.status, c.done(), len(marked(m)))
		}
		c.doErr, c.but = nil, "The journal could not be written."
		if press(t, m, "esc", "d", "enter", "j"); m.status.text != "Did discard 1. The journal could not be written." || !m.status.bad || len(marked(m)) != 0 {
			t.Errorf("change with a warning: %+v, %d marked", m.status, len(marked(m)))
		}
	})
}

func TestChangeStale(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, c := triageModel(t, 120, 36, nil)
		_, first := m.Update(keyPress("d"))
		_, second := m.Update(keyPress("R"))
		settle(t, m, first)
		if m.hasDialog() {
			t.Errorf("the plan of the older request is shown:\n%s", plain(t, m))
		}
		if settle(t, m, second); !shows[*dialog.Plan](m) || m.front().screen.(*dialog.Plan).Of().Title != "Restore" {
			t.Errorf("the plan of the newer request isn't shown: %q", c.asked())
		}
	})
}

// TestPlanSeen: enter carries out a plan only after all its lines were visible.
func TestPlanSeen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, c := triageModel(t, 80, 24, nil)
		press(t, m, "space", "space", "d", "pgdown", "pgdown")
		if !strings.Contains(plain(t, m), "enter discard 2") {
			t.Errorf("not offered although all lines were visible:\n%s", plain(t, m))
		}
		settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 60, Height: 18} })
		if press(t, m, "enter"); len(c.did) != 0 || !strings.Contains(plain(t, m), "enter show") {
			t.Errorf("at a new width, carried out before all lines were visible:\n%s", plain(t, m))
		}
		settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 120, Height: 50} })
		if press(t, m, "enter"); len(c.did) != 1 {
			t.Errorf("not carried out although the whole plan is visible:\n%s", plain(t, m))
		}
	})
}

// TestPlanCopies: y copies the command of a plan, or the plan's text if there is no command.
func TestPlanCopies(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := triageModel(t, 120, 36, func(c *fakeChanges) { c.past = testPast() })
		press(t, m, "d", "y", "esc", "V", "y", "esc", "U", "y")
		actions, _ := m.Actions.(*fakeActions)
		if len(actions.quotes) != 3 {
			t.Fatalf("%d copied", len(actions.quotes))
		}
		for i, want := range []string{"continuo backup discard", "Touched    1 file, 3.1 MB", "Discarded 2 backups\nmoves      raw/20261121_110213Z_compact.jsonl   from"} {
			if got := actions.quotes[i].Text; !strings.HasPrefix(got, want) {
				t.Errorf("%d: %q", i, got)
			}
		}
		if !shows[*dialog.UndoList](m) || !strings.Contains(plain(t, m), "Copied text.") {
			t.Errorf("the panel doesn't show the message:\n%s", plain(t, m))
		}
	})
}

// TestPastTaken: an undo starts at once if its plan equals the preview. A different plan is shown first.
func TestPastTaken(t *testing.T) {
	bubble(t, func(t *testing.T) {
		known := func(c *fakeChanges) { c.past = testPast() }
		m, c := triageModel(t, 120, 36, known)
		if press(t, m, "U", "enter"); c.done() != "undoa " || m.hasDialog() || m.status.text != "Did undo 0." {
			t.Errorf("same as the preview: did %q, message %q", c.done(), m.status.text)
		}
		m, c = triageModel(t, 120, 36, known) // the plan that Undo makes differs from the preview
		if press(t, m, "U", "j", "enter"); len(c.did) != 0 || !shows[*dialog.Plan](m) || c.asked() != "undob " {
			t.Errorf("changed meanwhile: did %q, asked %q", c.done(), c.asked())
		}
		if press(t, m, "enter"); c.done() != "undob " {
			t.Errorf("did %q", c.done())
		}
		m, c = triageModel(t, 120, 36, known)
		if press(t, m, "U", "j", "j", "enter"); len(c.asks) != 0 || m.status.text != "Restored First sketch of the booking flow: no, resumed since" {
			t.Errorf("an action that can't be undone: asked %q, message %q", c.asked(), m.status.text)
		}
		m, c = triageModel(t, 80, 12, known) // the preview isn't fully visible
		if press(t, m, "U", "enter"); len(c.did) != 0 || !shows[*dialog.Plan](m) {
			t.Errorf("done before all of the preview was visible: did %q\n%s", c.done(), plain(t, m))
		}
		m, c = triageModel(t, 120, 36, known)
		press(t, m, "U", "j")
		c.past = append([]PastAction{{ID: "new", When: "15:45", What: "Discarded 1 backup", Can: "yes"}}, c.past...)
		settle(t, m, askPast(m))
		if a := past(m)[at(m)]; a.ID != "b" || len(past(m)) != 6 {
			t.Errorf("the bar is on %+v", a)
		}
		m, _ = triageModel(t, 120, 36, func(c *fakeChanges) { c.err = errors.New("journal: permission denied") })
		if press(t, m, "U"); !strings.Contains(plain(t, m), "✗ The undo list could not be read. Journal: permission denied.") {
			t.Errorf("its error:\n%s", plain(t, m))
		}
	})
}

// TestPastLong: the undo list is longer than the screen.
func TestPastLong(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, size := range [][2]int{{120, 36}, {80, 24}, {40, 10}, {20, 5}} {
			m, _ := triageModel(t, size[0], size[1], func(c *fakeChanges) {
				for i := range 20 {
					c.past = append(c.past, PastAction{ID: string(rune('a' + i)), When: "15:44", What: string(rune('a'+i)) + " was done", Can: "yes", Parts: undoParts()})
				}
			})
			press(t, m, "U")
			for i := range 20 {
				if got := plain(t, m); size[1] > 5 && !strings.Contains(got, string(rune('a'+i))+" was") {
					t.Errorf("%v: action %d isn't visible:\n%s", size, i, got)
				}
				press(t, m, "j")
			}
		}
	})
}

func TestChangeMouse(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, c := triageModel(t, 80, 24, func(c *fakeChanges) { c.past = testPast() })
		press(t, m, "space", "space", "d")
		settle(t, m, func() tea.Msg { return wheel(40, 12, true) })
		if peek(m, "top").Int() == 0 {
			t.Error("the wheel does not scroll")
		}
		settle(t, m, func() tea.Msg { return click(40, 12) })
		if !shows[*dialog.Plan](m) || len(c.did) != 0 {
			t.Error("a click inside the plan closes it or carries it out")
		}
		settle(t, m, func() tea.Msg { return click(0, 12) })
		if m.hasDialog() || len(c.did) != 0 {
			t.Error("a click outside doesn't close it")
		}
		press(t, m, "U")
		for y, line := range strings.Split(plain(t, m), "\n") {
			if strings.Contains(line, "Yesterday 18:49") {
				settle(t, m, func() tea.Msg { return click(30, y) })
			}
		}
		if a := past(m)[at(m)]; a.ID != "d" {
			t.Errorf("chosen %+v", a)
		}
		settle(t, m, func() tea.Msg { return click(0, 0) })
		if m.hasDialog() {
			t.Error("a click outside doesn't close it")
		}
	})
}

// TestBackupDoes: a small preview leaves out the descriptions of the keys first.
func TestBackupDoes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := triageModel(t, 120, 36, nil)
		press(t, m, "j", "j")
		got := strings.Join(m.lists.Does(m.lists.Subject().Row), "\n")
		for _, want := range []string{"R restores it under its own ID, 7c41e9d2. Claude Code's next cleanup doesn't delete it.", "d moves it to .claude/memory/trash. u restores it."} {
			if !strings.Contains(got, want) {
				t.Errorf("no %q in\n%s", want, got)
			}
		}
		press(t, m, "k", "space")
		if got := strings.Join(m.lists.Does(m.lists.Subject().Row), "\n"); !strings.Contains(got, "d moves the marked row, not this one, to .claude/memory/trash. u restores it.") {
			t.Errorf("%s", got)
		}
		if press(t, m, "k"); !strings.Contains(strings.Join(m.lists.Does(m.lists.Subject().Row), "\n"), "d moves it to") {
			t.Errorf("wrong text for the marked row itself")
		}
		press(t, m, "d")
		m.Update(keyPress("enter"))
		if got := m.lists.Does(m.lists.Subject().Row); len(got) > 0 && strings.HasPrefix(got[len(got)-1], "d ") {
			t.Errorf("during a change: %q", got)
		}
		for _, h := range []int{12, 16, 20} {
			small, _ := triageModel(t, 120, h, nil)
			f := preview.Facts{Zone: small.zone, Now: testNow(), Styles: small.styles, Does: []string{"d takes it"}}
			pane := new(preview.Pane)
			pane.Arrived(t.Context(), preview.ReadMsg{Shown: preview.Shown{Lines: previewed(small)}}, nil, nil, nil)
			lines := pane.Draw(small.lists.Subject().Row, f, 47, h-4)
			if shown := strings.Contains(strings.Join(lines, "\n"), "takes it"); shown != (h-4 >= 6+8+2) {
				t.Errorf("%d rows: shown %v\n%s", h-4, shown, strings.Join(lines, "\n"))
			}
			if len(lines) > h-4 {
				t.Errorf("%d lines in %d rows", len(lines), h-4)
			}
		}
	})
}

// TestPlanForeign: control characters in a plan aren't drawn.
func TestPlanForeign(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m, _ := triageModel(t, 120, 36, func(c *fakeChanges) {
			c.plan = Plan{Title: "Di\x1b[2Jscard", About: "\x1b]0;x\x07one", Verb: "do\x1b[31m it", Parts: []change.Part{{Name: "Touched", Lines: []change.Line{{Text: "a\x1b[2Jb\nc"}}}}}
			c.past = []PastAction{{ID: "a", When: "\x1b[1mnow", What: "x\ny", Where: "\x1b[2J", Can: "y\x1b[31mes"}}
		})
		for _, keys := range [][]string{{"d"}, {"esc", "U"}} {
			press(t, m, keys...)
			for _, line := range m.screen() {
				if strings.Contains(line, "\x1b[2J") || strings.Contains(line, "\x1b]") || strings.Contains(line, "\n") {
					t.Errorf("%v: %q", keys, line)
				}
			}
		}
	})
}
