package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/reader"
	"github.com/continuo-tui/continuo/tui/render"
)

// barLine returns the first line of the bar.
func barLine(t *testing.T, m *model) string {
	t.Helper()
	for line := range strings.Lines(plain(t, m)) {
		if strings.HasPrefix(line, "▌") {
			return strings.TrimSpace(strings.TrimPrefix(line, "▌"))
		}
	}
	return ""
}

// TestOpenedAtTheEdge: a part at the lower edge is unfolded. The view scrolls, so that its content is visible.
func TestOpenedAtTheEdge(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := testSource()
		s.doc = longDoc(30)
		s.doc.msgs = append(s.doc.msgs, answer(call("1", "Bash", map[string]string{"command": "ls"}), result("1", "one\ntwo\nthree", false)))
		m := testModel(t, s, testOptions(), 80, 24)
		press(t, m, "enter", "z")
		if got := plain(t, m); !strings.Contains(got, "three") {
			t.Errorf("the opened part isn't visible:\n%s", got)
		}
	})
}

func TestEveryRowIsReached(t *testing.T) {
	drilltest.SkipUnderRace(t)
	bubble(t, func(t *testing.T) {
		s := testSource()
		s.doc = &fakeDoc{}
		for i := range 40 {
			text := ""
			for k := range i % 37 {
				text += fmt.Sprintf("Line %d.%d.\n\n", i, k)
			}
			s.doc.msgs = append(s.doc.msgs, answer(textBlock(text+fmt.Sprintf("End %d.", i))))
		}
		m := testModel(t, s, testOptions(), 80, 16)
		for _, keys := range [][2]string{{"g", "j"}, {"G", "k"}} {
			press(t, m, "enter", keys[0])
			seen := map[string]bool{}
			for last, now := "", plain(t, m); now != last; last, now = now, plain(t, m) {
				for line := range strings.Lines(now) {
					seen[strings.Trim(line, " \n▌│┃❯14:03")] = true
				}
				press(t, m, keys[1])
			}
			for i := range 40 {
				for k := range i % 37 {
					if want := strings.Trim(fmt.Sprintf("Line %d.%d.", i, k), " ▌│┃❯14:03"); !seen[want] {
						t.Fatalf("%s never shows %q", keys[1], want)
					}
				}
			}
			press(t, m, "q")
		}
	})
}

// TestSpot: a conversation opens at its last position. A conversation left at its end opens at the new end.
func TestSpot(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := testSource()
		s.doc = longDoc(200)
		m := testModel(t, s, testOptions(), 80, 24)
		press(t, m, "enter", "pgup", "pgup", "k", "k")
		want, screen := barLine(t, m), plain(t, m)
		press(t, m, "q", "enter")
		if got := barLine(t, m); got != want {
			t.Errorf("the bar was on %q and is on %q", want, got)
		}
		if got := plain(t, m); got != screen {
			t.Errorf("another screen:\n%s", diff(screen, got))
		}
		press(t, m, "G", "q")
		s.doc.msgs = append(s.doc.msgs, answer(textBlock("Something new.")))
		press(t, m, "enter")
		if got := barLine(t, m); !strings.HasPrefix(got, "Something new.") {
			t.Errorf("opens at %q, not at the end", got)
		}
	})
}

// TestFind: find goes to the nearest match and unfolds its part. n and N wrap around.
func TestFind(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := testSource()
		s.doc = longDoc(600)
		s.doc.msgs[40] = answer(call("1", "Bash", map[string]string{"command": "ls"}), result("1", strings.Repeat("x\n", 30)+"the Leeway is here\n"+strings.Repeat("y\n", 30), false))
		s.doc.msgs[300] = answer(textBlock("A leeway of 30 s.\n\nAnd more **leeway**."))
		s.doc.msgs[580] = prompt("Why is there LEEWAY at all?")
		m := testModel(t, s, testOptions(), 80, 24)
		press(t, m, "enter", "/", "l", "e", "e", "w", "a", "y")
		if v := m.View(); v.Cursor == nil || v.Cursor.Y != m.layout.Status.Y || v.Cursor.X != 8 {
			t.Errorf("the cursor is at %+v", v.Cursor)
		}
		press(t, m, "enter")
		if got := barLine(t, m); !strings.Contains(got, "LEEWAY") {
			t.Errorf("the search doesn't go to the nearest match: %q", got)
		}
		if got := plain(t, m); !strings.Contains(got, "/leeway   match 3 of 3") {
			t.Errorf("the status has no count:\n%s", got)
		}
		if line := strings.Join(m.screen(), "\n"); !strings.Contains(line, m.styles.Paint(render.Match, "LEEWAY")) {
			t.Error("the match is not lit")
		}
		press(t, m, "N")
		if got := barLine(t, m); !strings.HasPrefix(got, "A leeway of 30 s.") {
			t.Errorf("N goes to %q", got)
		}
		press(t, m, "N", "N")
		if got := plain(t, m); !strings.Contains(got, "the Leeway is here") || !strings.HasPrefix(barLine(t, m), "▾ Bash") && !strings.Contains(got, "match 1 of 3") {
			t.Errorf("a folded match isn't opened:\n%s", got)
		}
		press(t, m, "n", "n")
		if got := plain(t, m); !strings.Contains(got, "match 2 of 3, line 2 of 2") {
			t.Errorf("n doesn't go to the next match:\n%s", got)
		}
		press(t, m, "n", "n")
		if got := plain(t, m); !strings.Contains(got, "match 1 of 3   wrapped around") {
			t.Errorf("n doesn't wrap around:\n%s", got)
		}
		press(t, m, "esc")
		if !m.isReading() || strings.Contains(plain(t, m), "/leeway") {
			t.Error("esc does not clear the search first")
		}
		press(t, m, "/", "Q", "q", "enter")
		if got := plain(t, m); !strings.Contains(got, "/Qq   is not in this conversation") {
			t.Errorf("no message without a match:\n%s", got)
		}
		press(t, m, "/", "A", "n", "s", "w", "e", "r", "ctrl+w", "esc", "esc")
		if !m.isReading() {
			t.Error("esc closes the reader")
		}
	})
}

// TestFollow: a view at the end stays at the end while the conversation grows.
func TestFollow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		grow := func(shown int) *fakeSource {
			s := testSource()
			s.doc = longDoc(80)
			s.doc.shown = shown
			return s
		}
		row := testRows()[0] // a live session
		change := func(m *model) {
			settle(t, m, func() tea.Msg {
				return changedMsg{batch: sessions.Batch{Rows: []sessions.Row{row}}, from: closedChanges()}
			})
		}
		m := testModel(t, grow(70), testOptions(), 80, 24)
		press(t, m, "enter")
		if got := plain(t, m); !strings.Contains(got, "Answer 69 ") || !strings.Contains(got, "following") {
			t.Fatalf("not at the end of the conversation:\n%s", got)
		}
		change(m)
		if got := barLine(t, m); !strings.HasPrefix(got, "Answer 79 ") {
			t.Errorf("the view did not follow: %q", got)
		}
		grows := grow(70)
		m = testModel(t, grows, testOptions(), 80, 24)
		press(t, m, "enter", "pgup")
		want := plain(t, m)
		change(m)
		if got := plain(t, m); strings.Split(got, "\n")[10] != strings.Split(want, "\n")[10] || strings.Contains(got, "following") {
			t.Errorf("the view moved:\n%s", diff(want, got))
		}
		press(t, m, "F")
		if got := barLine(t, m); !strings.HasPrefix(got, "Answer 79 ") {
			t.Errorf("F does not go to the end: %q", got)
		}
		grows.doc.lost = transcript.ErrRewritten
		change(m)
		if got := plain(t, m); !strings.Contains(got, "The file was rewritten.") || !strings.Contains(got, "rewritten since") {
			t.Errorf("a rewritten file is not noticed:\n%s", got)
		}
	})
}

// TestFollowEmpty: the first message appears when it is written.
func TestFollowEmpty(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := testSource()
		s.doc = longDoc(2)
		s.doc.shown = -1
		m := testModel(t, s, testOptions(), 80, 24)
		press(t, m, "enter", "/", "x", "enter", "n", "j", "g", "G", "}", "z", "F", "esc")
		if !m.isReading() {
			press(t, m, "enter")
		}
		if got := plain(t, m); !strings.Contains(got, "Answer 1 ") && !strings.Contains(got, "No messages") {
			t.Fatalf("not shown as empty:\n%s", got)
		}
		settle(t, m, func() tea.Msg {
			return changedMsg{batch: sessions.Batch{Rows: testRows()[:1]}, from: closedChanges()}
		})
		if got := plain(t, m); !strings.Contains(got, "Answer 1 ") {
			t.Errorf("the first message isn't shown:\n%s", got)
		}
	})
}

// TestFollowDocument: the watch polls documents rarely, so the clock reads an open document again.
func TestFollowDocument(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := memorySource()
		s.doc = longDoc(3)
		s.doc.shown = 2
		m := testModel(t, s, testOptions(), 80, 24)
		press(t, m, "shift+tab", "enter")
		if got := plain(t, m); strings.Contains(got, "Answer 2 ") {
			t.Fatalf("the addition is shown too early:\n%s", got)
		}
		_, cmd := m.Update(answerMsg{m.top().id, reader.LookDue{}})
		settle(t, m, cmd)
		if got := plain(t, m); !strings.Contains(got, "Answer 2 ") {
			t.Errorf("the addition isn't shown:\n%s", got)
		}
		before := s.doc.followed
		settle(t, m, func() tea.Msg { return tea.BlurMsg{} })
		_, cmd = m.Update(answerMsg{m.top().id, reader.LookDue{}})
		settle(t, m, cmd)
		if s.doc.followed != before {
			t.Error("the document is read while the terminal has no focus")
		}
	})
}

func closedChanges() <-chan sessions.Batch {
	c := make(chan sessions.Batch)
	close(c)
	return c
}
