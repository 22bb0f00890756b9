package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

func longDoc(n int) *fakeDoc {
	d := &fakeDoc{}
	for i := range n {
		d.msgs = append(d.msgs, answer(textBlock(fmt.Sprintf("Answer **%d** has one line.", i))))
	}
	return d
}

// countMarkdown makes a model count the blocks that it renders.
func countMarkdown(m *model) *int {
	n, inner := new(int), m.markdown
	m.markdown = func(text string, prose, code int, s *render.Styles) []string {
		*n++
		return inner(text, prose, code, s)
	}
	return n
}

// TestWorkOfScrolling: opening a long conversation renders only about two screens.
func TestWorkOfScrolling(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := testSource()
		s.doc = longDoc(20_000)
		m := testModel(t, s, testOptions(), 80, 24)
		rendered := countMarkdown(m)
		s.doc.decoded = 0
		press(t, m, "enter")
		if s.doc.decoded > 200 || *rendered > 60 {
			t.Errorf("opening decoded %d messages and rendered %d blocks", s.doc.decoded, *rendered)
		}
		if got := plain(t, m); !strings.Contains(got, "Answer 19999 has one line.") {
			t.Errorf("does not open at the end:\n%s", got)
		}
		for i := range 200 {
			before := *rendered
			press(t, m, "k")
			if n := *rendered - before; n > 1 {
				t.Fatalf("line %d up rendered %d blocks", i, n)
			}
		}
		before := *rendered
		for range 50 {
			press(t, m, "j")
		}
		if *rendered != before {
			t.Errorf("going back rendered %d blocks again", *rendered-before)
		}
		press(t, m, "g")
		if got := plain(t, m); !strings.Contains(got, "Answer 0 has one line.") || strings.Contains(got, "**") {
			t.Errorf("the first message is not rendered:\n%s", got)
		}
		if n := *rendered - before; n > 60 {
			t.Errorf("going to the start rendered %d blocks", n)
		}
	})
}

func TestFilterRendersNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := memorySource()
		m := testModel(t, s, testOptions(), 90, 36) // without a preview
		press(t, m, "enter", "q", "tab")
		rendered := countMarkdown(m)
		press(t, m, "/", "b", "o", "o", "k", "esc")
		if *rendered != 0 {
			t.Errorf("rendered %d blocks", *rendered)
		}
	})
}

// TestResizeKeepsLines: the old lines are shown, cut to the new width, until the new lines are rendered.
func TestResizeKeepsLines(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, testSource(), testOptions(), 120, 36)
		press(t, m, "enter")
		_, cmd := m.Update(tea.WindowSizeMsg{Width: 60, Height: 18})
		if got := plain(t, m); !strings.Contains(got, "one clock, in UTC") {
			t.Errorf("the pane is empty:\n%s", got)
		}
		settle(t, m, cmd)
		golden(t, "reader-60x18", plain(t, m))
	})
}

func TestPrompts(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, testSource(), testOptions(), 80, 14)
		first := func() string { return strings.Split(plain(t, m), "\n")[m.layout.Body.Y] }
		press(t, m, "enter", "g", "}")
		if got := first(); !strings.Contains(got, "❯ Now the same") {
			t.Errorf("} goes to %q", got)
		}
		press(t, m, "j", "j", "{")
		if got := first(); !strings.Contains(got, "❯ Now the same") {
			t.Errorf("{ goes to %q", got)
		}
		press(t, m, "{")
		if got := first(); !strings.Contains(got, "❯ Tokens issued") {
			t.Errorf("{ goes to %q", got)
		}
	})
}

func TestDocument(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := testSource()
		s.doc = &fakeDoc{msgs: []transcript.Message{answer(textBlock("# Handoff\n\nThe **leeway** stays."))}}
		s.batches[0].Rows = append(s.batches[0].Rows, testDocument())
		m := testModel(t, s, testOptions(), 80, 24)
		press(t, m, "tab", "tab", "enter")
		if got := plain(t, m); !strings.Contains(got, "▌   Handoff") || !strings.Contains(got, "The leeway stays.") {
			t.Errorf("got:\n%s", got)
		}
	})
}
