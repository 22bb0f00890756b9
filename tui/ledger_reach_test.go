package tui

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/render"
)

// looksAgain replaces the ledger and presses ctrl+r.
func looksAgain(t *testing.T, m *model, f *fakeLedgers, text []byte) {
	t.Helper()
	f.ledger = ledgerOf(text)
	f.ledger.Beads = testBeads()
	press(t, m, "ctrl+r")
}

// TestLedgerGrows: the bar stays on its entry when lines are added.
func TestLedgerGrows(t *testing.T) {
	bubble(t, func(t *testing.T) {
		text := testNotes(t)
		newer := bytes.Replace(text, []byte("## Decision Log\n"), []byte("## Decision Log\n\n#### 2026-11-21T15:30:00Z - One more\n**Rationale**: It came meanwhile.\n"), 1)
		above := append([]byte("## Before all else\n\nSomething.\n\n"), newer...)
		fewer := bytes.Replace(above, []byte("## Learnings"), []byte("## What was learnt"), 1)
		for _, size := range [][2]int{{120, 36}, {80, 24}} {
			f := &fakeLedgers{ledger: ledgerOf(text)}
			m := ledgerModel(t, f, size[0], size[1], "enter", "j", "j")
			was := chosen(t, m)
			if !strings.Contains(was, "The waitlist promotes on cancel") {
				t.Fatalf("the bar is on %q", was)
			}
			row := func() int {
				return slices.IndexFunc(strings.Split(plain(t, m), "\n"), func(s string) bool { return strings.Contains(s, "The waitlist promotes") })
			}
			for i, next := range [][]byte{newer, above, fewer, text} {
				if looksAgain(t, m, f, next); chosen(t, m) != was {
					t.Errorf("%v, %d: the bar went to %q:\n%s", size, i, chosen(t, m), plain(t, m))
				}
				if row() < 0 {
					t.Errorf("%v, %d: the bar isn't visible", size, i)
				}
			}
			press(t, m, "h")
			for !strings.HasPrefix(chosen(t, m), "Learnings") {
				press(t, m, "j")
			}
			for _, next := range [][]byte{above, newer} {
				if looksAgain(t, m, f, next); !strings.HasPrefix(chosen(t, m), "Learnings") {
					t.Errorf("%v: the outline went to %q", size, chosen(t, m))
				}
			}
			looksAgain(t, m, f, fewer)
			if chosen(t, m) == "" {
				t.Errorf("%v: no bar after its entry is gone", size)
			}
		}
	})
}

// TestLedgerWork: a file has several megabytes. Only its visible lines are rendered.
func TestLedgerWork(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var b strings.Builder
		b.WriteString("# Notes\n\n## Log of all\n\n")
		for b.Len() < 3<<20 {
			fmt.Fprintf(&b, "A paragraph of **some** words, number %d.\n\n", b.Len())
		}
		b.WriteString("## Decision Log\n\n")
		for i := range 5000 {
			fmt.Fprintf(&b, "#### 2026-10-%02dT%02d:%02d:00Z - Decision %d\n**Rationale**: Why not.\n\n", i%28+1, i%24, i%60, i)
		}
		f := &fakeLedgers{ledger: ledgerOf([]byte(b.String()))}
		m := ledgerModel(t, f, 120, 36)
		rendered := 0
		m.prose = func(text string, prose, code int, s *render.Styles) []string {
			rendered += len(text)
			return render.MarkdownDocument(text, prose, code, s)
		}
		drawn := func() int {
			n := 0
			for lines, i := peekIn(m.ledger, "content", "lines"), 0; i < lines.Len(); i++ {
				if !lines.Index(i).IsNil() {
					n++
				}
			}
			return n
		}
		press(t, m, "enter", "j", "j", "pgdown", "pgdown")
		if n := drawn(); n > 200 {
			t.Errorf("%d of %d blocks are drawn", n, peekIn(m.ledger, "content", "blocks").Len())
		}
		press(t, m, "h", "/", "l", "o", "g", " ", "o", "f", "enter", "enter", "pgdown", "pgdown", "G", "g")
		on := peekIn(m.ledger, "outline", "items", int(peekIn(m.ledger, "outline", "At").Int()), "name").String()
		if on != "Log of all" {
			t.Fatalf("the outline is on %q", on)
		}
		if n := drawn(); n > 12 {
			t.Errorf("%d of %d pieces are drawn", n, peekIn(m.ledger, "content", "blocks").Len())
		}
		if rendered == 0 || rendered > 8*24<<10 {
			t.Errorf("%d bytes are rendered as markdown", rendered)
		}
		before, facts := rendered, peekIn(m.ledger, "facts").Pointer()
		f.ledger = ledgerOf([]byte(b.String()))
		press(t, m, "ctrl+r")
		if rendered != before || peekIn(m.ledger, "facts").Pointer() != facts {
			t.Errorf("reading the same file renders %d bytes again", rendered-before)
		}
	})
}

func TestLedgerActs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := testLedger(t)
		for _, test := range []struct {
			keys   []string
			edited string
			copied string
		}{
			{keys: []string{"enter", "enter"}, edited: "src/auth/clock.go:12"},
			{keys: []string{"enter", "j", "enter"}, edited: "src/hours/model.go:97"},
			{keys: []string{"enter", "j", "j", "j", "enter"}, edited: "src/limit/bucket.go:112"},
			{keys: []string{"j", "j", "enter", "j", "enter"}, edited: "src/auth/jwt.go:41"},
			{keys: []string{"e"}, edited: "/home/ada/code/teahouse/grimoires/loa/NOTES.md:" + lineOfText(l.Notes, "## Decision Log")},
			{keys: []string{"enter", "j", "e"}, edited: "/home/ada/code/teahouse/grimoires/loa/NOTES.md:" + lineOfText(l.Notes, "#### 2026-11-20")},
			{keys: []string{"enter", "y"}, copied: "Leeway is 30 s for every token kind"},
			{keys: []string{"/", "h", "o", "s", "t", "enter", "y"}, copied: "### On hosts"},
			{keys: []string{"G", "y"}, copied: "tea-42"},
		} {
			m := ledgerModel(t, &fakeLedgers{ledger: l}, 120, 36, test.keys...)
			a := m.Actions.(*fakeActions)
			if test.edited != "" && (len(a.edited) != 1 || a.edited[0] != test.edited || a.row.Workdir != teahouse) {
				t.Errorf("%v: edited %q in %q, want %q", test.keys, a.edited, a.row.Workdir, test.edited)
			}
			if test.copied != "" && (len(a.quotes) != 1 || !strings.Contains(a.quotes[0].Text, test.copied)) {
				t.Errorf("%v: copied %+v, want %q", test.keys, a.quotes, test.copied)
			}
		}
		m := ledgerModel(t, &fakeLedgers{ledger: l}, 120, 36, "c", "j", "j")
		if fills := m.Changes.(*fakeChanges).fills; !shows[*dialog.Handover](m) || len(fills) != 1 || len(fills[0].Rows) != 1 || fills[0].Rows[0].ID != m.ledger.Subject().Row.ID {
			t.Errorf("c fills %+v", fills)
		}
	})
}

func lineOfText(n *notes.Notes, begin string) string {
	before, _, _ := bytes.Cut(n.Text, []byte(begin))
	return fmt.Sprint(bytes.Count(before, []byte("\n")) + 1)
}

func TestLedgerMouse(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := ledgerModel(t, &fakeLedgers{ledger: testLedger(t)}, 120, 36)
		click := func(x, y int) {
			settle(t, m, func() tea.Msg { return tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft} })
		}
		find := func(text string) (x, y int) {
			for y, line := range strings.Split(plain(t, m), "\n") {
				if i := strings.Index(line, text); i >= 0 {
					return len([]rune(line[:i])), y
				}
			}
			t.Fatalf("no %q:\n%s", text, plain(t, m))
			return 0, 0
		}
		click(find("The waitlist promotes"))
		if !peekIn(m.ledger, "inside").Bool() || !strings.Contains(chosen(t, m), "The waitlist promotes") {
			t.Errorf("a click puts the bar on %q", chosen(t, m))
		}
		click(find("src/waitlist/promote.go"))
		if a := m.Actions.(*fakeActions); !slices.Equal(a.edited, []string{"src/waitlist/promote.go:20"}) {
			t.Errorf("a second click edits %q", a.edited)
		}
		m.away = false // after the editor
		click(find("Identifiers"))
		if peekIn(m.ledger, "inside").Bool() || !strings.HasPrefix(chosen(t, m), "Identifiers") {
			t.Errorf("a click puts the bar on %q", chosen(t, m))
		}
		click(find("Identifiers"))
		if !peekIn(m.ledger, "inside").Bool() {
			t.Error("a second click doesn't focus the pane")
		}
		settle(t, m, func() tea.Msg { return tea.MouseWheelMsg{X: 60, Y: 20, Button: tea.MouseWheelDown} })
		if peekIn(m.ledger, "content", "list", "Win", "Top").Int() == 0 && peekIn(m.ledger, "content", "list", "Win", "Off").Int() == 0 {
			t.Error("the wheel does not scroll")
		}
		click(find("Sessions"))
		if m.tab != sessionsTab {
			t.Error("a click doesn't show another tab")
		}
	})
}

func TestLedgerThemes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, keys := range [][]string{{"enter"}, {"g", "enter"}, {"j", "j", "enter"}, {"G", "enter"}} {
			for _, size := range [][2]int{{40, 10}, {120, 36}} {
				m := ledgerModel(t, &fakeLedgers{ledger: testLedger(t)}, size[0], size[1], keys...)
				want := plain(t, m)
				for _, theme := range []string{"light", "dark"} {
					m.opts.Theme = theme
					m.restyle(m.dark, m.profile)
					settle(t, m, m.fit())
					if got := plain(t, m); got != want {
						t.Errorf("%v: different characters in %s:\n%s", keys, theme, diff(want, got))
					}
				}
				m.opts.ASCII = true
				for _, c := range ansi.Strip(m.View().Content) {
					if c > 0x7e {
						t.Errorf("%v: %q is drawn", keys, c)
						break
					}
				}
			}
		}
	})
}
