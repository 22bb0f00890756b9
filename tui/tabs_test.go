package tui

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
)

func testDocument() sessions.Row {
	return testRow("session-2026-11-14-1810", "Guest tokens join the shared clock", 7*24*time.Hour, func(r *sessions.Row) {
		r.Kind, r.Path, r.ID = sessions.KindDocument, "/home/ada/code/teahouse/.claude/memory/session-2026-11-14-1810.md", "session-2026-11-14-1810"
		r.Created, r.Status, r.Tags, r.Branch = r.Last, "in progress", []string{"auth", "tokens"}, "fix/token-race"
	})
}

func testBackup() sessions.Row {
	return testRow("20261011_192104Z_exit", "exit First sketch of the booking flow", 41*24*time.Hour, func(r *sessions.Row) {
		r.Kind, r.Path, r.ID = sessions.KindBackup, "/home/ada/code/teahouse/.claude/memory/raw/20261011_192104Z_exit.jsonl", "20261011_192104Z_exit"
		r.Created, r.Pending, r.Messages, r.Bytes = r.Last, true, 318, 1_400_000
		r.Flags = []sessions.Flag{sessions.FlagBackupOnly}
	})
}

func memorySource() *fakeSource {
	s := testSource()
	seen := testBackup()
	seen.Path, seen.ID, seen.Pending, seen.Flags = strings.Replace(seen.Path, "20261011", "20261012", 1), "20261012_192104Z_compact", false, nil
	s.batches[0].Rows = append(s.batches[0].Rows, testBackup(), seen, testDocument())
	return s
}

// TestTabs: each tab has its own bar and filter, and all tabs share the scope. Documents and Ledger have a tab only if
// there are any.
func TestTabs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, testSource(), testOptions(), 120, 36)
		press(t, m, "tab")
		if got := plain(t, m); m.tab != backupsTab || !strings.Contains(got, "Backups 0") || !strings.Contains(got, "No backups") {
			t.Errorf("no tab for backups:\n%s", got)
		}
		if press(t, m, "tab"); m.tab != sessionsTab || strings.Contains(plain(t, m), "Documents") {
			t.Errorf("there is a tab without documents:\n%s", plain(t, m))
		}
		m = testModel(t, memorySource(), testOptions(), 120, 36)
		press(t, m, "j", "tab")
		got := plain(t, m)
		for _, want := range []string{"Sessions 15    Backups 2 1!    Documents 1", "Pending 1", "! Oct 11 15:42    exit", "◐ This is the only copy."} {
			if !strings.Contains(got, want) {
				t.Errorf("no %q:\n%s", want, got)
			}
		}
		press(t, m, "tab")
		got = plain(t, m)
		for _, want := range []string{"§ Guest tokens join the shared clock", "in progress", "#auth #tokens"} {
			if !strings.Contains(got, want) {
				t.Errorf("no %q:\n%s", want, got)
			}
		}
		press(t, m, "tab")
		if got := selectedTitle(m); got != "Move the slot picker to the server" {
			t.Errorf("back on the first tab the bar is on %q", got)
		}
		press(t, m, "shift+tab", "/", "q", "q", "esc", "a")
		if m.tab != 2 || !peekIn(m.lists, "scope", "all").Bool() || !peekIn(m.lists, "pane", "scope", "all").Bool() {
			t.Errorf("tab %d, scope %+v", m.tab, peekIn(m.lists, "scope"))
		}
	})
}

// TestChanges: a deleted session is marked as deleted until its file exists again.
func TestChanges(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, testSource(), testOptions(), 120, 14)
		press(t, m, "j", "j", "j", "j", "j", "j", "j", "j")
		title, row := selectedTitle(m), screenRow(m)
		newer := testRow("ffffffff", "A brand new session", 0, nil)
		grown := testRows()[6]
		grown.Messages, grown.Last = 23, testNow()
		change := func(b sessions.Batch) {
			settle(t, m, func() tea.Msg { return changedMsg{batch: b, from: closedChanges()} })
		}
		change(sessions.Batch{Rows: []sessions.Row{newer, grown}})
		if selectedTitle(m) != title || screenRow(m) != row {
			t.Errorf("the bar went from %q on row %d to %q on row %d", title, row, selectedTitle(m), screenRow(m))
		}
		press(t, m, "g")
		if got := plain(t, m); !strings.Contains(got, "A brand new session") || !strings.Contains(got, "0s") {
			t.Errorf("the change is not shown:\n%s", got)
		}
		gone := testRows()[3].Path
		change(sessions.Batch{Gone: []string{gone}})
		if got := plain(t, m); !strings.Contains(got, "✗ Why is the nightly export slow?                 broken") {
			t.Errorf("no row is marked as deleted:\n%s", got)
		}
		press(t, m, "j", "j", "j", "j", "j")
		press(t, m, "enter")
		if got := plain(t, m); m.isReading() || !strings.Contains(got, "enter read: deleted") {
			t.Errorf("a deleted file is opened:\n%s", got)
		}
		change(sessions.Batch{Rows: []sessions.Row{testRows()[3]}})
		if got := plain(t, m); strings.Contains(got, "✗ Why") {
			t.Errorf("the restored file is still shown as deleted:\n%s", got)
		}
	})
}

func click(x, y int) tea.Msg {
	return tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}
}

func wheel(x, y int, down bool) tea.Msg {
	b := tea.MouseWheelUp
	if down {
		b = tea.MouseWheelDown
	}
	return tea.MouseWheelMsg{X: x, Y: y, Button: b}
}

func TestMouse(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, memorySource(), testOptions(), 120, 36)
		send := func(msgs ...tea.Msg) {
			for _, msg := range msgs {
				settle(t, m, func() tea.Msg { return msg })
			}
		}
		row := m.layout.Body.Y + 3 // a heading and two rows above it
		send(click(8, row))
		if got := selectedTitle(m); got != "Add a cancellation window to bookings" || m.isReading() {
			t.Fatalf("a click chooses %q", got)
		}
		send(click(8, row))
		if !m.isReading() {
			t.Fatal("a second click does not open")
		}
		press(t, m, "g")
		before := plain(t, m)
		send(wheel(8, 10, true))
		if plain(t, m) == before {
			t.Error("the wheel does not scroll")
		}
		send(wheel(8, 10, false))
		for y, line := range strings.Split(plain(t, m), "\n") {
			if strings.Contains(line, "▸ Grep") {
				send(click(8, y))
			}
		}
		if got := plain(t, m); !strings.Contains(got, "▾ Grep") {
			t.Errorf("a click doesn't open a tool call:\n%s", got)
		}
		send(click(118, m.layout.Body.Y+m.layout.Body.H-1))
		if got := plain(t, m); !strings.Contains(got, "An answer that resume would not show.") {
			t.Errorf("the scrollbar goes to\n%s", got)
		}
		press(t, m, "q")
		for _, s := range m.tabBar().strip() {
			if s.tab == 1 {
				send(click(s.x+1, 0))
			}
		}
		if m.tab != 1 {
			t.Errorf("a click on a tab shows tab %d", m.tab)
		}
		press(t, m, "shift+tab")
		at := m.layout.Divider
		send(click(at, 12), tea.MouseMotionMsg{X: 80, Y: 12, Button: tea.MouseLeft}, tea.MouseReleaseMsg{X: 80, Y: 12}, tea.MouseMotionMsg{X: 50, Y: 12})
		if m.layout.Divider != 80 {
			t.Errorf("the divider is at %d", m.layout.Divider)
		}
		plain(t, m) // no line too wide
		send(click(at, 12), click(90, 12))
		if !peekIn(m.lists, "inPreview").Bool() {
			t.Error("a click on the preview doesn't focus it")
		}
	})
}

// TestPanes: the arrow keys move the focus to the preview and back. Other keys act on the focused pane.
func TestPanes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := testSource()
		s.doc = longDoc(40)
		m := testModel(t, s, testOptions(), 120, 36)
		title, before := selectedTitle(m), plain(t, m)
		press(t, m, "right", "k", "k", "k")
		if got := plain(t, m); selectedTitle(m) != title || got == before || !strings.Contains(got, "│ ● Fix refresh") && !strings.Contains(got, "┃") {
			t.Errorf("the preview does not scroll:\n%s", got)
		}
		press(t, m, "left", "j")
		if selectedTitle(m) == title {
			t.Error("the list does not move")
		}
		m = testModel(t, s, testOptions(), 80, 24)
		press(t, m, "p")
		if got := plain(t, m); !strings.Contains(got, "142 messages") || strings.Contains(got, "Yesterday") {
			t.Errorf("p does not flip to the preview:\n%s", got)
		}
		press(t, m, "j")
		if got := plain(t, m); !strings.Contains(got, "Move the slot picker to the server") {
			t.Errorf("the preview doesn't show the next row:\n%s", got)
		}
		press(t, m, "q")
		if got := plain(t, m); !strings.Contains(got, "Yesterday") {
			t.Errorf("q does not flip back:\n%s", got)
		}
	})
}

func TestPalette(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, memorySource(), testOptions(), 120, 36)
		press(t, m, ":", "d", "o", "c")
		if got := plain(t, m); !strings.Contains(got, "▌  Documents") || !strings.Contains(got, "Commands") {
			t.Fatalf("no palette:\n%s", got)
		}
		press(t, m, "enter")
		if m.tab != 2 || m.hasDialog() {
			t.Errorf("enter doesn't show the documents: tab %d", m.tab)
		}
		press(t, m, ":", "z", "z", "z", "enter")
		if m.hasDialog() {
			t.Error("enter without a match leaves the palette open")
		}
		press(t, m, "tab", "enter", ":", "r", "e", "s", "u")
		if got := plain(t, m); !strings.Contains(got, "▌  Resume") {
			t.Errorf("the reader has no palette:\n%s", got)
		}
		for w := 66; w < 78; w++ {
			settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: w, Height: 20} })
			plain(t, m) // no line is too wide
		}
		settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: 120, Height: 36} })
		press(t, m, "esc", "?", "t", "u", "r", "n", "s")
		if got := plain(t, m); !strings.Contains(got, "open all turns, calls") || strings.Contains(got, "quit now") {
			t.Errorf("typing doesn't filter the help:\n%s", got)
		}
	})
}

// TestSmallScreens: a small screen shows complete errors, all keys, and the result of a search.
func TestSmallScreens(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, testSource(), testOptions(), 40, 10)
		settle(t, m, func() tea.Msg {
			return resumedMsg{err: errors.New("the command claude is not on the PATH, so install it or add its folder to PATH")}
		})
		if got := strings.Join(strings.Fields(plain(t, m)), " "); !strings.Contains(got, "add its folder to PATH.") {
			t.Errorf("the error is cut:\n%s", plain(t, m))
		}
		press(t, m, "esc", "?")
		seen := ""
		for range 40 {
			seen += plain(t, m)
			press(t, m, "down")
		}
		for _, want := range []string{"refresh", "first, last", "quit now", " of "} {
			if !strings.Contains(seen, want) {
				t.Errorf("help never shows %q", want)
			}
		}
		press(t, m, "esc", "enter", "/", "z", "z", "z", "enter")
		if got := plain(t, m); !strings.Contains(got, "is not in this conversation") {
			t.Errorf("no message for a search without a match:\n%s", got)
		}
	})
}

// TestFolderOfTabs: beside the tabs is the folder, with its branch if there is room.
func TestFolderOfTabs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o := testOptions()
		branch := "main\x1b[31m"
		o.Branch = func() string { return branch }
		m := testModel(t, memorySource(), o, 120, 36)
		row := func() string { return strings.Split(plain(t, m), "\n")[0] }
		settle(t, m, readBranch(m.opts.Branch))
		if got := row(); !strings.HasSuffix(got, "   ~/code/teahouse on main") && !strings.HasSuffix(got, "   ~/code/teahouse on main ") {
			t.Errorf("in 120 cells: %q", got)
		}
		branch = strings.Repeat("long/", 20)
		settle(t, m, readBranch(m.opts.Branch))
		if got := strings.TrimRight(row(), " "); !strings.HasSuffix(got, "   ~/code/teahouse") {
			t.Errorf("with a long branch: %q", got)
		}
		if m.opts.Folder = ""; strings.Contains(row(), "~") {
			t.Errorf("without a folder: %q", row())
		}
	})
}
