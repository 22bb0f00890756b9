package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// noteModel has the dialog open, and keys pressed in it.
func noteModel(t *testing.T, f *fakeRecovery, w, h int, keys ...string) *model {
	t.Helper()
	m := recoverModel(t, f, w, h)
	settle(t, m, m.noteDialog("/home/ada/code/teahouse"))
	press(t, m, keys...)
	return m
}

// letters are the keys of a text.
func letters(text string) []string {
	var keys []string
	for _, r := range text {
		keys = append(keys, string(r))
	}
	return keys
}

// TestNoteGolden compares the menu and the forms with testdata.
func TestNoteGolden(t *testing.T) {
	t.Parallel()
	worked := func() *fakeRecovery {
		return &fakeRecovery{look: survey.Ledger{Beads: &beads.Graph{Beads: []beads.Bead{{ID: "br-7f2", Title: "Guest tokens", Status: "in_progress"}}}}}
	}
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
					golden(t, name, plain(t, noteModel(t, worked(), size[0], size[1], test.keys...)))
				})
			})
		}
	}
}

// TestNoteSizes: the form fits in every screen, and no key breaks it there.
func TestNoteSizes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, kind := range []string{"d", "o", "n", "h", "t"} {
			m := noteModel(t, &fakeRecovery{}, 120, 36, kind)
			m.panel.note.fields[0].wrong = "It is not there."
			for _, h := range []int{1, 2, 3, 4, 5, 8, 11, 12, 24} {
				for _, w := range []int{1, 2, 5, 16, 40, 71, 72, 120} {
					settle(t, m, func() tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} })
					for _, k := range []string{"世", "ctrl+j", "a", " ", "down", "x", "right", "up", "left", "backspace"} {
						press(t, m, k)
						if plain(t, m); t.Failed() {
							t.Fatalf("%s at %dx%d, after %s", kind, w, h, k)
						}
						m.View()
					}
				}
			}
		}
	})
}

// TestNoteWrite: what was typed is what the plan is asked for; a plan that is refused brings the form back.
func TestNoteWrite(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := noteModel(t, &fakeRecovery{}, 120, 36, append([]string{"o"}, letters("Who may edit hours")...)...)
		c := m.Changes.(*fakeChanges)
		c.err = errors.New("NOTES.md is being written by another program")
		if press(t, m, "enter"); m.panel.kind != notePanel || m.status.text != "NOTES.md is being written by another program." {
			t.Errorf("no plan: panel %d, %q", m.panel.kind, m.status.text)
		}
		c.err = nil
		if press(t, m, "enter"); m.panel.kind != planPanel || len(c.asks) != 2 {
			t.Fatalf("no plan: panel %d", m.panel.kind)
		}
		ask := c.asks[1]
		if want := (notes.Entry{Kind: notes.EntryQuestion, At: testNow(), Text: "Who may edit hours"}); ask.Kind != ChangeNote || ask.Bead || fmt.Sprint(*ask.Note) != fmt.Sprint(want) {
			t.Errorf("asked %+v for %+v", ask, *ask.Note)
		}
		if press(t, m, "esc"); m.panel.kind != notePanel || m.panel.note.fields[0].text != "Who may edit hours" {
			t.Fatalf("esc: panel %d", m.panel.kind)
		}
		c.doErr = errors.New("no space left")
		if press(t, m, "enter", "enter"); m.panel.kind != notePanel || m.panel.note.fields[0].text != "Who may edit hours" || m.status.text != "No space left." {
			t.Errorf("a failure: panel %d, %q", m.panel.kind, m.status.text)
		}
		c.doErr = nil
		if press(t, m, "esc", "enter", "enter"); m.panel.kind != noPanel || len(c.did) != 2 || !strings.HasPrefix(m.status.text, "Did note") {
			t.Errorf("done: panel %d, did %d, %q", m.panel.kind, len(c.did), m.status.text)
		}
	})
}

// TestNoteRefused: what the code has against a decision stands at its field, and goes when that is mended.
func TestNoteRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		keys := append(append([]string{"d", "x", "enter", "y", "enter"}, letters("src/gone.go:3")...), "enter")
		m := noteModel(t, &fakeRecovery{}, 120, 36, keys...)
		c := m.Changes.(*fakeChanges)
		c.plan = Plan{Title: "Note a decision", Wrong: []Wrong{{Field: "evidence[0].quote", Why: "src/gone.go:3 is not there."}, {Field: "evidence", Why: "There are two."}, {Field: "nonsense", Why: "No such thing."}}}
		press(t, m, "enter")
		f := m.panel.note
		if m.panel.kind != notePanel || f.at != 0 || f.fields[0].wrong != "No such thing." || f.fields[2].wrong != "src/gone.go:3 is not there. There are two." {
			t.Fatalf("panel %d: %+v", m.panel.kind, f)
		}
		if s := plain(t, m); !strings.Contains(s, "✗ src/gone.go:3 is not there. There are two.") {
			t.Errorf("it is not said:\n%s", s)
		}
		c.plan = Plan{}
		press(t, m, "tab", "tab", "backspace", "4")
		if f.at != 2 || f.fields[2].wrong != "" {
			t.Errorf("mended: at %d, %q", f.at, f.fields[2].wrong)
		}
		if press(t, m, "enter", "enter"); m.panel.kind != planPanel || f.fields[0].wrong != "" {
			t.Errorf("asked again: panel %d, %q", m.panel.kind, f.fields[0].wrong)
		}
	})
}

// TestNoteDecision: a decision goes to its plan as it is typed, also one with no evidence: what the code says of it is
// found out there.
func TestNoteDecision(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for typed, want := range map[string]string{"": "[]", "src/a.go:12": "[src/a.go:12 ``]", "src/a.go:12 | foo()": "[src/a.go:12 `foo()`]"} {
			keys := append(append([]string{"d", "x", "enter", "y", "enter"}, letters(typed)...), "enter", "enter")
			m := noteModel(t, &fakeRecovery{}, 120, 36, keys...)
			c := m.Changes.(*fakeChanges)
			if m.panel.kind != planPanel || len(c.asks) != 1 {
				t.Errorf("%q: panel %d, asked %d times\n%s", typed, m.panel.kind, len(c.asks), plain(t, m))
				continue
			}
			got := []string{}
			for _, v := range c.asks[0].Note.Evidence {
				got = append(got, fmt.Sprintf("%s:%d `%s`", v.Ref.Path, v.Ref.From, v.Quote))
			}
			if fmt.Sprint(got) != want {
				t.Errorf("%q: asked for %s", typed, got)
			}
			if press(t, m, "enter"); len(c.did) != 1 {
				t.Errorf("%q: not written", typed)
			}
		}
	})
}

// TestNoteBead: it goes to the bead as well where one is worked on and that is chosen.
func TestNoteBead(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := noteModel(t, &fakeRecovery{}, 120, 36, "n", "x")
		m.panel.note.bead = &beads.Bead{ID: "br-7f2", Title: "Guest tokens"}
		press(t, m, "enter", " ")
		c := m.Changes.(*fakeChanges)
		if press(t, m, "enter"); len(c.asks) != 1 || !c.asks[0].Bead || c.asks[0].Note.Bead != "br-7f2" {
			t.Errorf("asked %+v", c.asks)
		}
		late := m.panel.base().note.gen - 1
		m.Update(notedMsg{gen: late, bead: &beads.Bead{ID: "br-1"}})
		if got := m.panel.base().note.bead.ID; got != "br-7f2" {
			t.Errorf("a late answer was taken: %s", got)
		}
	})
}

// TestNoteWrong: what is wrong stands at its field, and the bar goes there.
func TestNoteWrong(t *testing.T) {
	bubble(t, func(t *testing.T) {
		keys := append(append([]string{"d", "x", "enter", "y", "enter"}, letters("nowhere at all")...), "enter", "enter")
		m := noteModel(t, &fakeRecovery{}, 120, 36, keys...)
		f := m.panel.note
		if f.at != 2 || !strings.Contains(plain(t, m), "✗ “nowhere” names no line of a file.") || len(m.Changes.(*fakeChanges).asks) != 0 {
			t.Errorf("the bar is on field %d:\n%s", f.at, plain(t, m))
		}
		if press(t, m, "a"); f.fields[2].wrong != "" {
			t.Error("it is still wrong while it is corrected")
		}
	})
}

// TestNoteLeave: esc drops what was typed only when it is pressed twice.
func TestNoteLeave(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := noteModel(t, &fakeRecovery{}, 120, 36, "h")
		if press(t, m, "esc"); m.panel.kind != noPanel {
			t.Error("an empty form asks")
		}
		settle(t, m, m.noteDialog("/home/ada/code/teahouse"))
		if press(t, m, "t", "x", "esc"); m.panel.kind != notePanel || m.status.text == "" {
			t.Error("a form that is filled does not ask")
		}
		if press(t, m, "y", "esc"); m.panel.kind != notePanel {
			t.Error("what was typed since is dropped")
		}
		if press(t, m, "esc"); m.panel.kind != noPanel {
			t.Error("it does not close")
		}
	})
}

// TestNoteLines: a field with several entries has one a line, typed or pasted.
func TestNoteLines(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := noteModel(t, &fakeRecovery{}, 120, 36, "d", "tab", "tab", "a", "ctrl+j", "ctrl+j", "b")
		f := m.panel.note
		if f.fields[2].text != "a\nb" {
			t.Errorf("typed %q", f.fields[2].text)
		}
		if press(t, m, "backspace", "backspace", "c"); f.fields[2].text != "ac" {
			t.Errorf("erased %q", f.fields[2].text)
		}
		settle(t, m, func() tea.Msg { return tea.PasteMsg{Content: "d\r\ne\x1b[31m\n"} })
		if f.fields[2].text != "acd\ne" {
			t.Errorf("pasted %q", f.fields[2].text)
		}
		press(t, m, "up", "ctrl+j", "x")
		settle(t, m, func() tea.Msg { return tea.PasteMsg{Content: "one\ntwo"} })
		if f.fields[1].text != "xone two" {
			t.Errorf("a field of one line has %q", f.fields[1].text)
		}
	})
}

// TestNoteEvidence: evidence as it is typed; what the plan finds out is not asked for.
func TestNoteEvidence(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"src/a.go:12 | x := 1": "src/a.go:12|x := 1", "src/a.go:12": "src/a.go:12|", "src/a.go:12-14 `x | y`": "", "src/a.go:12 x := 1": "src/a.go:12|x := 1",
		"${PROJECT_ROOT}/src/a.go:12 | `x`": "src/a.go:12|x", "a.go": "", "| x": "", "src/a.go:1\n\nsrc/b.go:2 | y": "src/a.go:1| src/b.go:2|y",
	} {
		f := &noteForm{kind: notes.EntryDecision, fields: noteFields(notes.EntryDecision)}
		f.fields[0].text, f.fields[1].text, f.fields[2].text = "x", "y", typed
		e, fine := f.entry(testNow())
		var got []string
		for _, v := range e.Evidence {
			got = append(got, fmt.Sprintf("%s:%d|%s", v.Ref.Path, v.Ref.From, v.Quote))
		}
		if fine != (want != "") || fine && strings.Join(got, " ") != want {
			t.Errorf("%q: %q, fine %v: %s", typed, got, fine, f.fields[2].wrong)
		}
	}
	for kind, required := range map[notes.EntryKind]int{notes.EntryDecision: 2, notes.EntryQuestion: 1, notes.EntryNext: 1, notes.EntryHandoff: 3, notes.EntryScenario: 2} {
		f := &noteForm{kind: kind, fields: noteFields(kind)}
		if _, fine := f.entry(testNow()); fine {
			t.Errorf("an empty %s is fine", kind)
		}
		wrong := 0
		for i := range f.fields {
			if f.fields[i].wrong != "" {
				wrong++
			}
		}
		if wrong != required {
			t.Errorf("%s: %d fields are required, not %d", kind, wrong, required)
		}
	}
}
