package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// TestResumeFromReader: the conversation has gone on, so it is read again when the client has the terminal no more.
func TestResumeFromReader(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := testSource()
		m := testModel(t, s, testOptions(), 80, 24)
		press(t, m, "enter")
		gen := m.readerGen
		settle(t, m, func() tea.Msg { return resumedMsg{nil} })
		if m.reader == nil || m.readerGen == gen || m.reader.doc == nil || s.doc.closed != 1 {
			t.Errorf("reader %v, generation %d after %d, closed %d times", m.reader != nil, m.readerGen, gen, s.doc.closed)
		}
	})
}

// TestBackClearsTheFilter: a kept filter is a level of its own, and q goes back one level at a time.
func TestBackClearsTheFilter(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, testSource(), testOptions(), 80, 24)
		press(t, m, "/", "e", "x", "p", "enter")
		if cmd := m.back(); cmd != nil || m.list.pattern != "" {
			t.Errorf("q quits with the filter %q", m.list.pattern)
		}
		if m.back() == nil {
			t.Error("q at the top does not quit")
		}
	})
}

// TestFilterByID: an id as every list prints it finds its session, and the bar goes to the best row of a pattern.
func TestFilterByID(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, testSource(), testOptions(), 80, 24)
		want := m.list.held[testRows()[5].Path].row
		press(t, m, "j", "/")
		for _, c := range want.ID[:min(8, len(want.ID))] {
			press(t, m, string(c))
		}
		if got := m.list.selected(); got == nil || got.ID != want.ID {
			t.Errorf("%q found %+v", want.ID, got)
		}
	})
}
