package reader

import (
	"fmt"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
)

// backgroundLines returns a command in the background, three answers, and the notification of the end.
func backgroundLines() []string {
	lines := []string{
		`{"type":"user","uuid":"u0","timestamp":"2026-11-21T15:00:00.000Z","message":{"role":"user","content":"Test it."}}`,
		`{"type":"assistant","uuid":"u1","parentUuid":"u0","timestamp":"2026-11-21T15:00:00.000Z","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"go test ./..."}}]}}`,
		`{"type":"user","uuid":"u2","parentUuid":"u1","timestamp":"2026-11-21T15:00:00.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"Command running in background with ID: b1"}]},"toolUseResult":{"stdout":"","backgroundTaskId":"b1"}}`,
	}
	for i := 3; i < 6; i++ {
		lines = append(lines, fmt.Sprintf(`{"type":"assistant","uuid":"u%d","parentUuid":"u%d","message":{"id":"m%d","role":"assistant","content":[{"type":"text","text":"Answer %d."}]}}`, i, i-1, i, i))
	}
	return append(lines, `{"type":"user","uuid":"u6","parentUuid":"u5","timestamp":"2026-11-21T15:03:00.000Z","origin":{"kind":"task-notification"},"message":{"role":"user","content":"<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n<summary>Background command \"Test\" completed (exit code 0)</summary>\n</task-notification>"}}`)
}

func decoded(t *testing.T, lines []string) []transcript.Message {
	t.Helper()
	tr, err := transcript.New(t.Context(), strings.NewReader(strings.Join(lines, "\n")+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	msgs := make([]transcript.Message, len(tr.Outline().Messages))
	for i := range msgs {
		msgs[i] = tr.Message(i)
	}
	return msgs
}

// TestBackgroundEnds: the line of a background call changes when the file has the notification of its end.
func TestBackgroundEnds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		lines := backgroundLines()
		d := &memoryDoc{msgs: decoded(t, lines[:len(lines)-1])}
		d.shown = len(d.msgs)
		s := read(t, d, 100, 30)
		if got := s.text(); !strings.Contains(got, "running in background") {
			t.Errorf("the call isn't running:\n%s", got)
		}
		d.msgs = decoded(t, lines)
		s.page.pane.grown = true
		s.take(nil)
		s.settle()
		if got := s.text(); !strings.Contains(got, "✓ finished · exit 0 · 3 min") || strings.Contains(got, "running") {
			t.Errorf("the end isn't shown:\n%s", got)
		}
		s.press("G")
		if got := s.barLine(); !strings.HasPrefix(got, `▸ Background command "Test" completed (exit code 0)`) || !strings.Contains(got, "↑ call") {
			t.Errorf("the bar is on %q", got)
		}
		s.press("enter")
		if got := s.barLine(); !strings.HasPrefix(got, "▸ Bash   go test ./...") {
			t.Errorf("enter goes to %q:\n%s", got, s.text())
		}
	})
}
