package reader

import (
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/screen"
)

// copied returns the text that the page copied last, and its name.
func (s *stage) copied() (text, name string) {
	s.t.Helper()
	for _, e := range slices.Backward(s.wants) {
		if c, ok := e.(screen.Copy); ok {
			text, err := c.Find(s.t.Context())
			if err != nil {
				s.t.Fatal(err)
			}
			return text, c.Name
		}
	}
	return "", ""
}

func TestMark(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := read(t, &memoryDoc{msgs: []transcript.Message{prompt("One."), answer(said("First.")), prompt("Two."), answer(said("Second."))}}, 100, 24)
		rail := func() int { return strings.Count(s.text(), "\n┃") }
		s.press("g", "v", "j")
		if rail() == 0 || !strings.Contains(s.text(), "2 marked   message 2 of 4") {
			t.Errorf("not marked:\n%s", s.text())
		}
		s.press("y")
		if text, name := s.copied(); text != "## You\n\n> One.\n\n## Claude\n\nFirst.\n" || name != "2 messages as markdown" {
			t.Errorf("%s: %q", name, text)
		}
		if rail() > 0 || strings.Contains(s.text(), "marked") {
			t.Errorf("still marked:\n%s", s.text())
		}
		s.press("G", "v", "k", "k", "Y")
		if text, name := s.copied(); text != "First.\n\nTwo.\n\nSecond." || name != "3 messages as plain text" {
			t.Errorf("upwards: %s: %q", name, text)
		}
		s.press("v", "j")
		s.take(s.page.Do(screen.Intent{Name: screen.Clear}))
		if rail() > 0 || slices.Contains(s.wants, screen.Effect(screen.Pop{})) {
			t.Error("esc left the range, or the reader")
		}
	})
}

// TestMarkFolded: folded work is left out. The range stays with its messages when new ones arrive.
func TestMarkFolded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		call := answer(transcript.Block{Kind: transcript.BlockToolUse, ID: "t1", Name: "Bash", Input: []byte(`{"command":"ls"}`)})
		d := &memoryDoc{turns: true, msgs: []transcript.Message{prompt("One."), call, answer(said("First.")), prompt("Two."), answer(said("Second."))}, shown: 4}
		s := read(t, d, 100, 24)
		s.press("g", "v", "}")
		s.take(s.page.Took(screen.Back{}))
		s.settle()
		s.press("y")
		if text, name := s.copied(); name != "3 messages as markdown" || strings.Contains(text, "ls") || !strings.Contains(text, "Two.") || strings.Contains(text, "Second.") {
			t.Errorf("folded: %s: %q", name, text)
		}
		s.press("Z", "g", "v", "}", "y")
		if text, name := s.copied(); name != "4 messages as markdown" || !strings.Contains(text, "ls") {
			t.Errorf("open: %s: %q", name, text)
		}
	})
}
