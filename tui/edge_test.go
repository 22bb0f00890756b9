package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// TestFilterOtherTab: the filter's result arrives after the user has changed the tab.
func TestFilterOtherTab(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, memorySource(), testOptions(), 120, 36)
		press(t, m, "tab", "j") // the second backup
		want := selectedTitle(m)
		if m.lists.Subject().Row == nil {
			t.Fatal()
		}
		wantSel := m.lists.Subject().Row.Path
		press(t, m, "tab", "/")
		_, cmd := m.Update(keyPress("e")) // the filter is running
		_, c2 := m.Update(keyPress("enter"))
		_, c3 := m.Update(keyPress("shift+tab"))
		settle(t, m, tea.Batch(c2, c3))
		if m.tab != backupsTab {
			t.Fatal(m.tab)
		}
		settle(t, m, cmd)
		if m.lists.Subject().Row.Path != wantSel {
			t.Errorf("selected %q, want %q (%s); hits on the backups: %d", m.lists.Subject().Row.Path, wantSel, want, peekIn(m.lists, "pane", "hits").Len())
		}
	})
}

// TestFilterInFlippedPreview: on a narrow screen, / shows the list, where the typed text is visible.
func TestFilterInFlippedPreview(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, memorySource(), testOptions(), 80, 24)
		press(t, m, "tab", "p", "/", "e", "x", "p")
		got := plain(t, m)
		if !strings.Contains(got, "/ exp") {
			v := m.View()
			t.Errorf("cursor %+v\n%s", v.Cursor, got)
		}
	})
}

func TestBlankFilter(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, memorySource(), testOptions(), 80, 24)
		press(t, m, "tab", "/", " ")
		if got := plain(t, m); strings.Contains(got, "No match") {
			t.Errorf("%s", got)
		}
	})
}

// TestFilterWhileReading: rows arrive while the reader is open. They are added to the filtered list.
func TestFilterWhileReading(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, memorySource(), testOptions(), 80, 24)
		press(t, m, "shift+tab", "/", "t", "o", "k", "e", "n", "enter", "enter")
		if !m.isReading() {
			t.Fatal("not read")
		}
		newer := testDocument()
		newer.Path, newer.Name = newer.Path+"2", "Token of a brand new document"
		settle(t, m, func() tea.Msg {
			return changedMsg{batch: sessions.Batch{Rows: []sessions.Row{newer}}, from: closedChanges()}
		})
		press(t, m, "q")
		if got := plain(t, m); !strings.Contains(got, "brand new") {
			t.Errorf("%s", got)
		}
	})
}

// TestFindInSummary: a search unfolds the summary that contains its match.
func TestFindInSummary(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := testSource()
		s.doc = longDoc(30)
		s.doc.msgs[3] = transcript.Message{Kind: transcript.Summary, Gap: true, Role: transcript.RoleUser, Blocks: []transcript.Block{textBlock("Summary.\n\nThe needle_here is deep.")}}
		m := testModel(t, s, testOptions(), 80, 24)
		press(t, m, "enter", "/", "n", "e", "e", "d", "l", "e", "_", "enter")
		got := plain(t, m)
		if !strings.Contains(got, "needle_here is deep") {
			t.Errorf("bar %q\n%s", barLine(t, m), got)
		}
	})
}

// TestFullCacheRests: the cache is too small for the messages near the view. They aren't requested in a loop.
func TestFullCacheRests(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := testSource()
		big := strings.Repeat("x", 200<<10)
		s.doc = &fakeDoc{msgs: []transcript.Message{prompt("Do it.")}}
		for i := range 300 {
			id := fmt.Sprint(i)
			s.doc.msgs = append(s.doc.msgs, answer(call(id, "Read", map[string]string{"file_path": "/x/" + id}), result(id, big, false)))
		}
		m := testModel(t, s, testOptions(), 120, 60)
		defer func() { t.Logf("decoded %d of %d", s.doc.decoded, len(s.doc.msgs)) }()
		press(t, m, "enter")
	})
}

func TestBackFromPreview(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, testSource(), testOptions(), 120, 36)
		press(t, m, "l")
		if !peekIn(m.lists, "inPreview").Bool() {
			t.Fatal()
		}
		_, cmd := m.Update(keyPress("q"))
		if cmd != nil {
			if _, ok := cmd().(tea.QuitMsg); ok {
				t.Error("q quits in the preview")
			}
		}
	})
}

func TestListWheelOverHigh(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := testSource()
		for i := range 40 {
			d := testDocument()
			d.Path += fmt.Sprint(i)
			s.batches[0].Rows = append(s.batches[0].Rows, d)
		}
		m := testModel(t, s, testOptions(), 80, 25)
		press(t, m, "shift+tab")
		for range 12 {
			settle(t, m, func() tea.Msg { return wheel(5, 8, true) })
			if from, n := screenRow(m), barRows(t, m); from < 0 || n != 2 {
				t.Errorf("the bar is seen on %d rows from %d on", n, from)
			}
		}
		press(t, m, "G")
		for range 12 {
			settle(t, m, func() tea.Msg { return wheel(5, 8, false) })
			if from, n := screenRow(m), barRows(t, m); from < 0 || n != 2 {
				t.Errorf("up: the bar is seen on %d rows from %d on", n, from)
			}
			before := plain(t, m)
			_, cmd := m.Update(clockMsg{testNow()})
			_ = cmd
			if got := plain(t, m); got != before {
				t.Errorf("the clock moves the list from\n%s\nto\n%s", before, got)
			}
		}
	})
}

func barRows(t *testing.T, m *model) int {
	t.Helper()
	n := 0
	for line := range strings.Lines(plain(t, m)) {
		if strings.HasPrefix(line, "▌") {
			n++
		}
	}
	return n
}

// TestFindWhileGrowing: the selected match stays selected. Only new messages are searched.
func TestFindWhileGrowing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := testSource()
		s.doc = longDoc(2_000)
		for i := 0; i < 2_000; i += 100 {
			s.doc.msgs[i] = answer(textBlock("The needle is here."))
		}
		s.doc.msgs[1_999] = answer(textBlock("Another needle."))
		s.doc.shown = 1_999
		m := testModel(t, s, testOptions(), 80, 24)
		press(t, m, "enter", "/", "n", "e", "e", "d", "l", "e", "enter", "N", "N")
		if got := plain(t, m); !strings.Contains(got, "match 18 of 20") {
			t.Fatalf("not found:\n%s", got)
		}
		want := barLine(t, m)
		s.doc.decoded = 0
		settle(t, m, func() tea.Msg {
			return changedMsg{batch: sessions.Batch{Rows: testRows()[:1]}, from: closedChanges()}
		})
		got := plain(t, m)
		if !strings.Contains(got, "match 18 of 21") || barLine(t, m) != want {
			t.Errorf("the bar was on %q, now:\n%s", want, got)
		}
		if s.doc.decoded > 300 {
			t.Errorf("%d messages were decoded again", s.doc.decoded)
		}
	})
}
