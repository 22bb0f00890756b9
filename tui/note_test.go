package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// noteModel presses keys in an open note menu.
func noteModel(t *testing.T, f *fakeRecovery, w, h int, keys ...string) *model {
	t.Helper()
	m := recoverModel(t, f, w, h)
	settle(t, m, noteDialog(m, "/home/ada/code/teahouse"))
	press(t, m, keys...)
	return m
}

func noteDialog(m *model, dir string) tea.Cmd {
	a := m.currentActions()
	a.state.Dir = dir
	id, effects, _ := a.do(screen.Intent{Name: screen.Note})
	return m.carry(id, effects)
}

func letters(text string) []string {
	var keys []string
	for _, r := range text {
		keys = append(keys, string(r))
	}
	return keys
}

func workedOn(id string) *fakeRecovery {
	return &fakeRecovery{look: survey.Ledger{Beads: &beads.Graph{Beads: []beads.Bead{{ID: id, Title: "Guest tokens", Status: "in_progress"}}}}}
}

func wrong(m *model, i int) string { return peekIn(m.note(), "fields", i, "wrong").String() }

func TestNoteGolden(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a stolen token must not live a minute longer ", 4)
	tests := []struct {
		name string
		keys []string
	}{
		{"note-menu", nil},
		{"note-decision", append(append([]string{"d"}, letters("Leeway is 30 s")...), append([]string{"enter"}, letters(long)...)...)},
		{"note-scenario", []string{"t", "x", "down", "right", "down", "down", " "}},
	}
	for _, test := range tests {
		for _, size := range screenSizes() {
			name := fmt.Sprintf("%s-%dx%d", test.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					golden(t, name, plain(t, noteModel(t, workedOn("br-7f2"), size[0], size[1], test.keys...)))
				})
			})
		}
	}
}

func TestNoteSizes(t *testing.T) {
	drilltest.SkipUnderRace(t)
	bubble(t, func(t *testing.T) {
		for _, kind := range []string{"d", "o", "n", "h", "t", "s", "b", "r"} {
			m := noteModel(t, &fakeRecovery{}, 120, 36, kind)
			press(t, m, "enter", "enter", "enter", "enter", "enter")
			if peek(m, "fields", 0, "wrong").String() == "" {
				t.Fatalf("%s: no error for an empty field", kind)
			}
			for _, h := range []int{1, 2, 4, 8, 12, 24} {
				for _, w := range []int{1, 5, 16, 40, 71, 72} {
					settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} })
					for _, k := range []string{"世", "ctrl+j", "a", " ", "down", "x", "right", "up", "left", "backspace"} {
						press(t, m, k)
						if plain(t, m); t.Failed() {
							t.Fatalf("%s at %dx%d, after %s", kind, w, h, k)
						}
					}
				}
			}
		}
	})
}

// TestNoteContext: the bead in progress is suggested. These notes can't be added to a bead.
func TestNoteContext(t *testing.T) {
	ref := ledger.Ref{Path: "src/a.go", From: 12, To: 12, Form: ledger.FormRelative, Raw: "src/a.go:12"}
	bubble(t, func(t *testing.T) {
		for kind, test := range map[string]struct {
			keys []string
			want notes.Entry
		}{
			"s": {letters("Now the guests"), notes.Entry{Kind: notes.EntryState, Text: "Now the guests"}},
			"b": {[]string{"enter"}, notes.Entry{Kind: notes.EntryBead, Text: "br-7f2 Guest tokens"}},
			"r": {append(append(letters("src/a.go:12"), "enter"), letters("the leeway")...), notes.Entry{Kind: notes.EntryReference, Text: "the leeway", Evidence: []notes.Evidence{{Ref: ref}}}},
		} {
			m := noteModel(t, workedOn("br-7f2"), 120, 36, append([]string{kind}, test.keys...)...)
			c := m.Changes.(*fakeChanges)
			press(t, m, "enter")
			test.want.At = testNow()
			if len(c.asks) != 1 || c.asks[0].Bead || fmt.Sprint(*c.asks[0].Note) != fmt.Sprint(test.want) {
				t.Errorf("%s: asked %+v, want %+v\n%s", kind, c.asks, test.want, plain(t, m))
			}
		}
		m := noteModel(t, workedOn("br-7f2"), 120, 36, append([]string{"r"}, append(letters("src/a.go"), "enter", "x", "enter")...)...)
		if wrong(m, 0) != "“src/a.go” isn't a line of a file. Write path:line." {
			t.Errorf("a place without a line: %q", wrong(m, 0))
		}
	})
}

func TestNoteWrite(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := noteModel(t, &fakeRecovery{}, 120, 36, append([]string{"o"}, letters("Who may edit hours")...)...)
		c := m.Changes.(*fakeChanges)
		c.err = errors.New("NOTES.md is being written by another program")
		if press(t, m, "enter"); !shows[*dialog.Note](m) || m.status.text != "NOTES.md is being written by another program." {
			t.Errorf("no plan: panel %T, %q", m.front().screen, m.status.text)
		}
		c.err = nil
		if press(t, m, "enter"); !shows[*dialog.Plan](m) || len(c.asks) != 2 {
			t.Fatalf("no plan: panel %T", m.front().screen)
		}
		ask := c.asks[1]
		if want := (notes.Entry{Kind: notes.EntryQuestion, At: testNow(), Text: "Who may edit hours"}); ask.Kind != ChangeNote || ask.Bead || fmt.Sprint(*ask.Note) != fmt.Sprint(want) {
			t.Errorf("asked %+v for %+v", ask, *ask.Note)
		}
		if press(t, m, "esc"); !shows[*dialog.Note](m) || typedIn(m, "fields", 0, "line") != "Who may edit hours" {
			t.Fatalf("esc: panel %T", m.front().screen)
		}
		c.doErr = errors.New("no space left")
		if press(t, m, "enter", "enter"); !shows[*dialog.Note](m) || typedIn(m, "fields", 0, "line") != "Who may edit hours" || m.status.text != "No space left." {
			t.Errorf("a failure: panel %T, %q", m.front().screen, m.status.text)
		}
		c.doErr = nil
		if press(t, m, "esc", "enter", "enter"); m.hasDialog() || len(c.did) != 2 || !strings.HasPrefix(m.status.text, "Did note") {
			t.Errorf("done: panel %T, did %d, %q", m.front().screen, len(c.did), m.status.text)
		}
	})
}

// TestNoteRefused: an error of the plan disappears when its field is corrected.
func TestNoteRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		keys := append(append([]string{"d", "x", "enter", "y", "enter"}, letters("src/gone.go:3")...), "enter")
		m := noteModel(t, &fakeRecovery{}, 120, 36, keys...)
		c := m.Changes.(*fakeChanges)
		c.plan = Plan{Title: "Note a decision", Wrong: []Wrong{{Field: "evidence[0].quote", Why: "src/gone.go:3 is not there."}, {Field: "evidence", Why: "There are two."}, {Field: "nonsense", Why: "No such thing."}}}
		press(t, m, "enter")
		if !shows[*dialog.Note](m) || at(m) != 0 || wrong(m, 0) != "No such thing." || wrong(m, 2) != "src/gone.go:3 is not there. There are two." {
			t.Fatalf("panel %T: %q, %q", m.front().screen, wrong(m, 0), wrong(m, 2))
		}
		if s := plain(t, m); !strings.Contains(s, "✗ src/gone.go:3 is not there. There are two.") {
			t.Errorf("no error is shown:\n%s", s)
		}
		c.plan = Plan{}
		press(t, m, "tab", "tab", "backspace", "4")
		if at(m) != 2 || wrong(m, 2) != "" {
			t.Errorf("corrected: at %d, %q", at(m), wrong(m, 2))
		}
		if press(t, m, "enter", "enter"); !shows[*dialog.Plan](m) || wrong(m, 0) != "" {
			t.Errorf("asked again: panel %T, %q", m.front().screen, wrong(m, 0))
		}
	})
}

// TestNoteDecision: a decision without evidence is planned too, because the plan checks the evidence.
func TestNoteDecision(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for typed, want := range map[string]string{"": "[]", "src/a.go:12": "[src/a.go:12 ``]", "src/a.go:12 | foo()": "[src/a.go:12 `foo()`]"} {
			keys := append(append([]string{"d", "x", "enter", "y", "enter"}, letters(typed)...), "enter", "enter")
			m := noteModel(t, &fakeRecovery{}, 120, 36, keys...)
			c := m.Changes.(*fakeChanges)
			if !shows[*dialog.Plan](m) || len(c.asks) != 1 {
				t.Errorf("%q: panel %T, asked %d times\n%s", typed, m.front().screen, len(c.asks), plain(t, m))
				continue
			}
			got := []string{}
			for _, v := range c.asks[0].Note.Evidence {
				got = append(got, fmt.Sprintf("%s:%d `%s`", v.Ref.Path, v.Ref.From, v.Quote))
			}
			if fmt.Sprint(got) != want {
				t.Errorf("%q: requested %s", typed, got)
			}
			if press(t, m, "enter"); len(c.did) != 1 {
				t.Errorf("%q: not written", typed)
			}
		}
	})
}

func TestNoteBead(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := noteModel(t, workedOn("br-7f2"), 120, 36, "n", "x")
		press(t, m, "enter", " ")
		c := m.Changes.(*fakeChanges)
		if press(t, m, "enter"); len(c.asks) != 1 || !c.asks[0].Bead || c.asks[0].Note.Bead != "br-7f2" {
			t.Errorf("asked %+v", c.asks)
		}
		press(t, m, "esc", "esc", "esc")
		settle(t, m, noteDialog(m, "/home/ada/code/teahouse"))
		_, late := m.Update(keyPress("n"))
		press(t, m, "esc")
		m.Ledgers = &fakeRecovery{}
		settle(t, m, noteDialog(m, "/home/ada/code/teahouse"))
		press(t, m, "n")
		m.Ledgers = workedOn("br-1")
		if settle(t, m, late); !peek(m, "bead").IsNil() {
			t.Error("a late answer was taken")
		}
	})
}

func TestNoteWrong(t *testing.T) {
	bubble(t, func(t *testing.T) {
		keys := append(append([]string{"d", "x", "enter", "y", "enter"}, letters("nowhere at all")...), "enter", "enter")
		m := noteModel(t, &fakeRecovery{}, 120, 36, keys...)
		if at(m) != 2 || !strings.Contains(plain(t, m), "✗ “nowhere” isn't a line of a file.") || len(m.Changes.(*fakeChanges).asks) != 0 {
			t.Errorf("the bar is on field %d:\n%s", at(m), plain(t, m))
		}
		if press(t, m, "a"); wrong(m, 2) != "" {
			t.Error("the error stays while the field is corrected")
		}
	})
}

// TestNoteLeave: esc discards typed text only when it is pressed twice.
func TestNoteLeave(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := noteModel(t, &fakeRecovery{}, 120, 36, "h")
		if press(t, m, "esc"); m.hasDialog() {
			t.Error("an empty form isn't closed at once")
		}
		settle(t, m, noteDialog(m, "/home/ada/code/teahouse"))
		if press(t, m, "t", "x", "esc"); !shows[*dialog.Note](m) || m.status.text == "" {
			t.Error("a form with text is closed at once")
		}
		if press(t, m, "y", "esc"); !shows[*dialog.Note](m) {
			t.Error("text typed after the first esc is discarded")
		}
		if press(t, m, "esc"); m.hasDialog() {
			t.Error("the form isn't closed")
		}
	})
}

// TestNoteLines: a field for several entries has one entry per line.
func TestNoteLines(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := noteModel(t, &fakeRecovery{}, 120, 36, "d", "tab", "tab", "a", "ctrl+j", "ctrl+j", "b")
		if linesIn(m, "fields", 2, "lines") != "a\nb" {
			t.Errorf("typed %q", linesIn(m, "fields", 2, "lines"))
		}
		if press(t, m, "backspace", "backspace", "c"); linesIn(m, "fields", 2, "lines") != "ac" {
			t.Errorf("erased %q", linesIn(m, "fields", 2, "lines"))
		}
		settle(t, m, func() tea.Msg { return tea.PasteMsg{Content: "d\r\ne\x1b[31m\n"} })
		if linesIn(m, "fields", 2, "lines") != "acd\ne" {
			t.Errorf("pasted %q", linesIn(m, "fields", 2, "lines"))
		}
		press(t, m, "up", "ctrl+j", "x")
		settle(t, m, func() tea.Msg { return tea.PasteMsg{Content: "one\ntwo"} })
		if typedIn(m, "fields", 1, "line") != "xone two" {
			t.Errorf("a field of one line has %q", typedIn(m, "fields", 1, "line"))
		}
	})
}
