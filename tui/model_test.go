package tui

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/list"
	"github.com/continuo-tui/continuo/tui/reader"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

func bubble(t *testing.T, test func(*testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, test)
}

func selectedTitle(m *model) string {
	if r := m.lists.Subject().Row; r != nil {
		return render.Title(r)
	}
	return ""
}

func screenRow(m *model) int {
	for i, line := range m.screen() {
		if i >= m.layout.Body.Y && strings.HasPrefix(ansi.Strip(line), "▌") {
			return i - m.layout.Body.Y
		}
	}
	return -1
}

// TestSelectionSurvivesSort: new rows change the order. The bar stays on its session and its screen row.
func TestSelectionSurvivesSort(t *testing.T) {
	bubble(t, func(t *testing.T) {
		rows := make([]sessions.Row, 200)
		for i := range rows {
			rows[i] = testRow(fmt.Sprintf("%08d", i), fmt.Sprintf("Session %d", i), time.Duration(i)*time.Minute, nil)
		}
		m := testModel(t, &fakeSource{batches: []sessions.Batch{{Rows: rows, Done: true}}, doc: testDoc()}, testOptions(), 80, 24)
		for range 60 {
			press(t, m, "j")
		}
		title, screen := selectedTitle(m), screenRow(m)
		if title != "Session 60" {
			t.Fatalf("the bar is on %q", title)
		}
		// The exact dates show that every other row is much older.
		later := make([]sessions.Row, 0, 100)
		for i := 0; i < 200; i += 2 {
			if i == 60 {
				continue
			}
			r := rows[i]
			r.Last = r.Last.Add(-300 * time.Hour)
			later = append(later, r)
		}
		settle(t, m, func() tea.Msg { return rowsMsg{gen: m.feed.gen, batch: sessions.Batch{Rows: later}} })
		if selectedTitle(m) != title || screenRow(m) != screen {
			t.Errorf("the bar went from %q on row %d to %q on row %d", title, screen, selectedTitle(m), screenRow(m))
		}
		// The selected row disappears, so the bar moves to a neighbour.
		settle(t, m, func() tea.Msg {
			return rowsMsg{gen: m.feed.gen, batch: sessions.Batch{Gone: []string{rows[60].Path}}}
		})
		if selectedTitle(m) != "Session 61" {
			t.Errorf("the bar is on %q, want the next row", selectedTitle(m))
		}
	})
}

func TestFirstRowUntilTouched(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, testSource(), testOptions(), 80, 24)
		newer := testRow("ffffffff", "Newer", time.Second, nil)
		settle(t, m, func() tea.Msg { return rowsMsg{gen: m.feed.gen, batch: sessions.Batch{Rows: []sessions.Row{newer}}} })
		if selectedTitle(m) != "Newer" {
			t.Errorf("the bar is on %q", selectedTitle(m))
		}
		press(t, m, "j")
		settle(t, m, func() tea.Msg {
			return rowsMsg{gen: m.feed.gen, batch: sessions.Batch{Rows: []sessions.Row{testRow("eeeeeeee", "Newest", 0, nil)}}}
		})
		if selectedTitle(m) != "Fix refresh token race at midnight" {
			t.Errorf("after a key the bar went to %q", selectedTitle(m))
		}
	})
}

func TestStaleAnswers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, memorySource(), testOptions(), 80, 24)
		press(t, m, "tab", "/")
		_, late := m.Update(keyPress("s")) // the answer is pending
		press(t, m, "k", "e", "t")
		if got := peekIn(m.lists, "pane", "hits").Len(); got != 0 {
			t.Errorf("%d hits before the first run has ended: two runs at once", got)
		}
		settle(t, m, late)
		want := plain(t, m)
		stale := []tea.Msg{
			rowsMsg{gen: m.feed.gen - 1, batch: sessions.Batch{Rows: []sessions.Row{testRow("x", "Booklet", 0, nil)}}},
			answerMsg{to: m.last + 1, msg: reader.LookDue{}},
		}
		for _, msg := range stale {
			settle(t, m, func() tea.Msg { return msg })
			if got := plain(t, m); got != want {
				t.Errorf("a stale %T changed the screen:\n%s", msg, diff(want, got))
			}
		}
	})
}

// TestStaleOpen: the document opens after the user has left the reader, so it is closed again.
func TestStaleOpen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := testSource()
		m := testModel(t, s, testOptions(), 80, 24)
		_, opening := m.Update(keyPress("enter"))
		press(t, m, "q")
		settle(t, m, opening)
		if s.doc.closed != 1 {
			t.Errorf("closed %d times, want once", s.doc.closed)
		}
		if m.isReading() {
			t.Error("the reader came back")
		}
	})
}

func TestFilter(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := docModel(t, chainedSource(chainedDocs()), 120, 36)
		listed := peekIn(m.lists, "pane", "items").Len()
		press(t, m, "j", "j", "j", "/", "s", "k", "e", "t", "c", "h")
		found := selectedTitle(m)
		if found != "First sketch of the booking flow" {
			t.Errorf("the bar isn't on the match: %q", found)
		}
		if line := m.screen()[m.layout.Body.Y]; !strings.Contains(line, render.NewStyles(render.Dark).Paint(render.Match, "sketch")) &&
			!strings.Contains(line, "1;4;38;2;124;196;228") {
			t.Errorf("the match is not lit: %q", line)
		}
		press(t, m, "enter", "j", "k")
		if m.lists.IsTyping() || pattern(m) != "sketch" {
			t.Error("enter does not keep the filter")
		}
		press(t, m, "esc")
		if pattern(m) != "" || peekIn(m.lists, "pane", "items").Len() != listed {
			t.Errorf("esc does not clear the filter: %d lines", peekIn(m.lists, "pane", "items").Len())
		}
		if got := selectedTitle(m); got != found {
			t.Errorf("after the filter the bar is on %q", got)
		}
	})
}

func TestTyping(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, memorySource(), testOptions(), 80, 24)
		press(t, m, "tab", "/", "q", "r", "?", "a")
		settle(t, m, func() tea.Msg { return tea.PasteMsg{Content: " \x1b[31mx\ny"} })
		if pattern(m) != "qr?a x y" {
			t.Errorf("pattern %q", pattern(m))
		}
		press(t, m, "ctrl+w", "backspace")
		if pattern(m) != "qr?a x" {
			t.Errorf("pattern %q", pattern(m))
		}
		press(t, m, "ctrl+u", "h", "e", "l", "l", "o")
		if v := m.View(); v.Cursor == nil || v.Cursor.X != 9 || v.Cursor.Y != 2 {
			t.Errorf("the cursor is at %+v", v.Cursor)
		}
		press(t, m, "esc")
		if m.lists.IsTyping() || m.View().Cursor != nil {
			t.Error("esc does not leave the field")
		}
	})
}

func TestScopeAndHidden(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, testSource(), testOptions(), 120, 36)
		has := func(title string) bool { return strings.Contains(plain(t, m), title) }
		if has("Teapot") || has("say hello") || has("No messages") {
			t.Error("rows of other projects, headless runs or stubs are listed")
		}
		press(t, m, ".")
		if !has("say hello") || !has("No messages") {
			t.Error(". doesn't show hidden rows")
		}
		press(t, m, "a")
		if !has("Teapot") {
			t.Error("a does not show all projects")
		}
		press(t, m, "a", ".")
		if has("Teapot") || has("say hello") {
			t.Error("a and . don't hide the rows again")
		}
	})
}

func TestResume(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, testSource(), testOptions(), 80, 24)
		actions, ok := m.Actions.(*fakeActions)
		if !ok {
			t.Fatal("no fake")
		}
		press(t, m, "j", "r")
		if actions.row.ID != testRows()[1].ID || !m.away {
			t.Errorf("requested %q", actions.row.ID)
		}
		settle(t, m, func() tea.Msg { return resumedMsg{err: errors.New("claude ended with exit code 1")} })
		if got := plain(t, m); !strings.Contains(got, "Claude ended with exit code 1.") {
			t.Errorf("no error:\n%s", got)
		}
		if selectedTitle(m) != "Move the slot picker to the server" || m.away {
			t.Errorf("the bar returned to %q", selectedTitle(m))
		}
		press(t, m, "k")
		if !m.status.bad {
			t.Error("the next key clears the error")
		}
		press(t, m, "esc")
		if m.status.bad {
			t.Error("esc doesn't clear the error")
		}
		actions.err = errors.New("the folder ~/code/old is gone")
		press(t, m, "r")
		if got := plain(t, m); !strings.Contains(got, "✗ The folder ~/code/old is gone.") {
			t.Errorf("no reason:\n%s", got)
		}
	})
}

// TestWhyNot: a disabled key is in the footer. Pressing it shows the reason.
func TestWhyNot(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, testSource(), testOptions(), 80, 24)
		press(t, m, ".", "G")
		for range 20 {
			if strings.HasPrefix(selectedTitle(m), "No messages") {
				break
			}
			press(t, m, "k")
		}
		if got := plain(t, m); !strings.Contains(got, "   f fork   ") || strings.Contains(got, "the session is empty)") {
			t.Errorf("the footer has no plain key:\n%s", got)
		}
		press(t, m, "f")
		if got := plain(t, m); !strings.Contains(got, "f fork: the session is empty") || m.away {
			t.Errorf("the status doesn't show the reason:\n%s", got)
		}
	})
}

func TestNoActions(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: testSource()}, testOptions())
		settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 80, Height: 24} })
		settle(t, m, m.load())
		press(t, m, "r")
		if got := plain(t, m); strings.Contains(got, "resume") {
			t.Errorf("resume is offered:\n%s", got)
		}
	})
}

func TestBack(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := testSource()
		m := testModel(t, s, testOptions(), 80, 24)
		press(t, m, "enter", "?")
		if !shows[*dialog.Help](m) {
			t.Fatal("no help")
		}
		press(t, m, "esc")
		if m.hasDialog() || !m.isReading() {
			t.Fatal("esc closes more than the help")
		}
		press(t, m, "q")
		if m.isReading() || s.doc.closed != 1 {
			t.Errorf("q doesn't close the reader and its file (closed %d times)", s.doc.closed)
		}
		press(t, m, "esc")
		for key, want := range map[string]bool{"q": true, "ctrl+c": true, "esc": false} {
			_, cmd := m.Update(keyPress(key))
			if got := quits(cmd); got != want {
				t.Errorf("%s quits: %v", key, got)
			}
		}
	})
}

func quits(cmd tea.Cmd) bool {
	if cmd == nil {
		return false
	}
	switch msg := cmd().(type) {
	case tea.QuitMsg:
		return true
	case tea.BatchMsg:
		for _, c := range msg {
			if quits(c) {
				return true
			}
		}
	}
	return false
}

// TestLoading: a load shows nothing at first, then a message, then a progress bar.
func TestLoading(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: &fakeSource{}}, testOptions())
		m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
		m.load()
		if got := plain(t, m); strings.Contains(got, "Reading") {
			t.Errorf("a message appears at once:\n%s", got)
		}
		m.Update(waitedMsg{gen: m.feed.gen})
		if got := plain(t, m); !strings.Contains(got, "Reading sessions…") {
			t.Errorf("no message during a long wait:\n%s", got)
		}
		never := make(chan sessions.Batch)
		rows := testRows()
		for i := range rows {
			rows[i].Bytes = 20_000_000
		}
		m.Update(rowsMsg{gen: m.feed.gen, batch: sessions.Batch{Rows: rows}, from: never, at: testNow()})
		if got := plain(t, m); !strings.Contains(got, "Reading sessions  ━━") || !strings.Contains(got, "17 of 18 · 340 of 360 MB\n") {
			t.Errorf("no gauge:\n%s", got)
		}
		more := rows[0]
		more.Path, more.Exact, more.Bytes = "/more", true, 40_000_000
		m.Update(rowsMsg{gen: m.feed.gen, batch: sessions.Batch{Rows: []sessions.Row{more}}, from: never, at: testNow().Add(2 * time.Second)})
		if got := plain(t, m); !strings.Contains(got, "18 of 19 · 380 of 400 MB · 2 s left") {
			t.Errorf("no time left:\n%s", got)
		}
		m.Update(rowsMsg{gen: m.feed.gen, batch: sessions.Batch{Done: true}})
		if got := plain(t, m); strings.Contains(got, "Reading") {
			t.Errorf("the gauge stays:\n%s", got)
		}
	})
}

// TestPart: the newest rows are shown first. Counts are shown when all rows are known.
func TestPart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := newModel(t.Context(), World{Searcher: fakeSearcher{}, Source: &fakeSource{}}, testOptions())
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
		m.load()
		never := make(chan sessions.Batch)
		m.Update(rowsMsg{gen: m.feed.gen, batch: sessions.Batch{Rows: testRows()[:3], Part: true, All: 2_024, AllBytes: 1_900_000_000}, from: never})
		got := plain(t, m)
		for _, want := range []string{"Sessions …", "teahouse · newest sessions", "Add a cancellation window"} {
			if !strings.Contains(got, want) {
				t.Errorf("no %q:\n%s", want, got)
			}
		}
		if strings.Contains(got, " of 3") {
			t.Errorf("a part is counted:\n%s", got)
		}
		if m.Update(waitedMsg{m.feed.gen}); strings.Contains(got, "Reading") || !regexp.MustCompile(`\n Listing sessions  ━─+  3 of 2,024 · 1.9 GB  .* the newest are ready to read\n`).MatchString(plain(t, m)) {
			t.Errorf("a slow load isn't announced:\n%s", plain(t, m))
		}
		m.Update(rowsMsg{gen: m.feed.gen, batch: sessions.Batch{Rows: testRows(), Done: true}})
		if got := plain(t, m); !strings.Contains(got, "Sessions 15") || !strings.Contains(got, "1 of 15") || strings.Contains(got, "Reading") {
			t.Errorf("no count:\n%s", got)
		}
	})
}

func TestReload(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := testSource()
		m := testModel(t, s, testOptions(), 80, 24)
		s.batches = []sessions.Batch{{Rows: testRows()[1:3]}, {Done: true}}
		press(t, m, "ctrl+r")
		if got := m.lists.Tally(sessions.KindSession).Total; got != 2 {
			t.Errorf("%d rows after the reload", got)
		}
	})
}

func TestKeys(t *testing.T) {
	t.Parallel()
	names := map[string]string{"↑": "up", "↓": "down", "pgdn": "pgdown", "F1": "f1", "←": "left", "→": "right"}
	typing := list.NewPage(list.Options{})
	typing.Do(screen.Intent{Name: "filter"})
	all := [][]screen.Binding{typing.Keys()}
	for p, bindings := range append(all, tables(nil)...) {
		seen := map[string]bool{}
		for _, b := range bindings {
			for _, k := range b.Keys {
				if seen[k] {
					t.Errorf("screen %d: %s is bound twice", p, k)
				}
				seen[k] = true
			}
		}
		for _, b := range bindings {
			for k := range strings.FieldsSeq(b.Show) {
				if name, ok := names[k]; ok {
					k = name
				}
				if !seen[k] {
					t.Errorf("screen %d: %s is shown but not bound", p, k)
				}
			}
		}
	}
}

// TestSearchSessions: "/" searches the listed project, or all projects if the list shows all.
func TestSearchSessions(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, test := range []struct {
			keys []string
			want string
		}{
			{[]string{"/"}, "all projects   teahouse"},
			{[]string{"a", "/"}, "all projects   teahouse"},
			{[]string{"tab", "s"}, "all projects   teahouse"},
		} {
			m := testModel(t, testSource(), testOptions(), 120, 36)
			press(t, m, test.keys...)
			lines := strings.Split(plain(t, m), "\n")
			if m.top().screen.Name() != "Search" || !strings.Contains(lines[2], test.want) {
				t.Errorf("%q:\n%s", test.keys, strings.Join(lines[:4], "\n"))
				continue
			}
			at := ansi.StringWidth(lines[2][:strings.Index(lines[2], "teahouse")])
			here := string([]rune(lines[3])[at]) == "━"
			if wide := slices.Contains(test.keys, "a"); here == wide {
				t.Errorf("%q searches the project: %v", test.keys, here)
			}
			if press(t, m, "x", "esc"); m.top().screen != m.lists {
				t.Errorf("%q: esc doesn't return", test.keys)
			}
		}
	})
}
