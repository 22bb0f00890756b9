package reader

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// TestAgent checks that enter on the call of a sub-agent reads its transcript, and opens the call if it has none.
func TestAgent(t *testing.T) {
	call := func(agent string) transcript.Message {
		return answer(
			transcript.Block{Kind: transcript.BlockToolUse, Name: "Agent", ID: agent, Input: json.RawMessage(`{"description":"Find it"}`)},
			transcript.Block{Kind: transcript.BlockToolResult, CallID: agent, Text: "It is in b.go.", Agent: agent},
		)
	}
	bubble(t, func(t *testing.T) {
		d := &memoryDoc{turns: true, msgs: []transcript.Message{prompt("Ask."), call("a1"), call("a2"), answer(said("Done."))}}
		row := sessions.Row{Kind: sessions.KindSession}
		row.Agents = []string{"/p/s/subagents/agent-a1.jsonl"}
		s := open(t, Options{Source: d, Row: row}, 100, 30)
		s.settle()
		s.press("g", "j", "j")
		if !strings.HasPrefix(s.barLine(), "▸ Agent") {
			t.Fatalf("the bar is on %q", s.barLine())
		}
		s.press("enter")
		read, ok := s.wants[len(s.wants)-1].(screen.Read)
		if !ok || read.Row.Path != row.Agents[0] || read.Row.Name != "Sub-agent: Find it" || len(read.Row.Agents) != 1 {
			t.Errorf("enter wants %+v", s.wants[len(s.wants)-1])
		}
		n := len(s.wants)
		s.press("z")
		if got := s.text(); !strings.Contains(got, "It is in b.go.") || len(s.wants) != n {
			t.Errorf("z doesn't open the call:\n%s", got)
		}
		s.press("z", "j", "enter")
		if got := s.text(); !strings.Contains(got, "It is in b.go.") || len(s.wants) != n {
			t.Errorf("enter doesn't open a call without a transcript:\n%s", got)
		}
	})
}

// TestOutline checks that the outline of a conversation has each prompt with its answer, and goes to the chosen prompt.
func TestOutline(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := turnsDoc(3, 2)
		d.msgs = append(d.msgs, prompt("Last, without an answer."))
		s := read(t, d, 100, 30)
		s.press("g", "o")
		menu, ok := s.wants[len(s.wants)-1].(screen.Open)
		if !ok {
			t.Fatalf("o wants %+v", s.wants[len(s.wants)-1])
		}
		items := menu.Dialog.(*dialog.Menu).Items
		if len(items) != 4 || items[1].Name != "Prompt 1." || items[1].Note != "Answer 1." || items[3].Note != "" {
			t.Errorf("%+v", items)
		}
		s.take(s.page.Took(items[2].Do.(screen.Reply).Msg))
		s.settle()
		if !strings.HasPrefix(s.barLine(), "❯ Prompt 2.") {
			t.Errorf("the bar is on %q", s.barLine())
		}
	})
}
