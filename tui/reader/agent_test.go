package reader

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/screen"
)

// TestAgent: enter on a call opens the transcript of its sub-agent. Without a transcript, enter opens the call.
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
		if !ok || read.Row.Path != row.Agents[0] || read.Row.Name != "Find it" || len(read.Row.Agents) != 1 {
			t.Errorf("enter wants %+v", s.wants[len(s.wants)-1])
		}
		if want := (screen.Agent{Done: true, Of: "No name", Prompt: 1}); read.Agent == nil || *read.Agent != want {
			t.Errorf("the facts are %+v, want %+v", read.Agent, want)
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

func TestAgentScreen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		result := answer(said("It is in b.go."))
		result.Model = "claude-haiku-4-5"
		d := &memoryDoc{turns: true, msgs: []transcript.Message{answer(transcript.Block{Kind: transcript.BlockThinking, Text: "Hm."}), result}}
		row := sessions.Row{Kind: sessions.KindSession}
		row.Path, row.Name, row.Agents = "/p/s/subagents/agent-a1.jsonl", "Find it", []string{"/p/s/subagents/agent-a1.jsonl"}
		row.First, row.Last = testNow(), testNow()
		s := open(t, Options{Source: d, Row: row, Agent: &screen.Agent{Type: "explorer", Tokens: 9800, Took: 26 * time.Second, Done: true, Of: "Mend the clock", Prompt: 11}}, 100, 30)
		s.settle()
		text := squeezed(s.text())
		for _, want := range []string{
			"explorer Find it haiku 2 messages 9.8k tokens 26 s ✓ done", "Sub-agent of Mend the clock, called at prompt 11", "Result to Claude ▌ It is in b.go.",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("the screen doesn't say %q:\n%s", want, s.text())
			}
		}
		if keys := s.page.Keys(); keys[0].Label != "back to the call" {
			t.Errorf("the first key is %+v", keys[0])
		}
	})
}

type files map[string]*memoryDoc

func (f files) Open(_ context.Context, row sessions.Row) (opened.Doc, error) {
	if d, ok := f[row.Path]; ok {
		return d, nil
	}
	return nil, errors.New("file not found")
}

// TestFindInAgents: find counts the matches in sub-agents. After the last match of the conversation, n opens the
// sub-agents.
func TestFindInAgents(t *testing.T) {
	bubble(t, func(t *testing.T) {
		source := files{
			"/p/s.jsonl":  {msgs: []transcript.Message{prompt("Ask for tea."), answer(said("Green tea."))}},
			"/p/a1.jsonl": {msgs: []transcript.Message{prompt("Find the tea."), answer(said("Tea is in b.go, tea is not in a.go."))}},
			"/p/a2.jsonl": {msgs: []transcript.Message{prompt("Count the cups."), answer(said("Four."))}},
			"/p/a3.jsonl": {msgs: []transcript.Message{prompt("Wash."), answer(said("A tea cup."))}},
		}
		row := sessions.Row{Kind: sessions.KindSession}
		row.Path, row.Agents = "/p/s.jsonl", []string{"/p/a1.jsonl", "/p/a2.jsonl", "/p/gone.jsonl", "/p/a3.jsonl"}
		s := open(t, Options{Source: source, Row: row}, 100, 30)
		s.settle()
		if n := source["/p/a1.jsonl"].decoded; n > 0 {
			t.Errorf("%d messages of a sub-agent were read", n)
		}
		status := func(want string) {
			t.Helper()
			if got := s.page.View().Left; !strings.Contains(got, want) {
				t.Errorf("the status is %q, want %q", got, want)
			}
		}
		goes := func(key, want string) {
			t.Helper()
			n := len(s.wants)
			s.press(key)
			got := ""
			if len(s.wants) > n {
				read := s.wants[n].(screen.Read)
				got = read.Row.Name
				if read.At.Offset != screen.FromStart || read.At.Words[0] != "tea" {
					t.Errorf("reads at %+v", read.At)
				}
			}
			if got != want {
				t.Errorf("%s goes to %q, want %q", key, got, want)
			}
		}
		s.press("g", "/", "t", "e", "a", "enter")
		status("match 1 of 2, 3 in 2 sub-agents")
		goes("n", "")
		status("match 2 of 2")
		goes("n", "Sub-agent: Find the tea.")
		goes("n", "Sub-agent: Wash.")
		goes("N", "Sub-agent: Find the tea.")
		goes("N", "")
		status("match 2 of 2")
		goes("n", "Sub-agent: Find the tea.")
		goes("n", "Sub-agent: Wash.")
		goes("n", "")
		status("match 1 of 2   wrapped around")
		s.press("/", "c", "u", "p", "s", "enter")
		status("is not in this conversation, 1 in 1 sub-agent")
		for _, d := range source {
			if d != source["/p/s.jsonl"] && d.closed == 0 {
				t.Error("a transcript wasn't closed")
			}
		}
	})
}

// TestInlineAgent: old clients wrote the conversations of sub-agents into the same file.
func TestInlineAgent(t *testing.T) {
	call := func(id string) transcript.Block {
		return transcript.Block{Kind: transcript.BlockToolUse, Name: "Task", ID: id, Input: json.RawMessage(`{"description":"Find ` + id + `"}`)}
	}
	bubble(t, func(t *testing.T) {
		d := &memoryDoc{agents: true, splits: []int{1, 1}, msgs: []transcript.Message{
			prompt("Ask."), answer(call("one"), call("two")), answer(said("Done.")), prompt("Look for one."), prompt("Look for two."),
		}}
		s := read(t, d, 100, 30)
		s.press("g", "j", "j")
		if !strings.HasPrefix(s.barLine(), "▸ Task   Find two") {
			t.Fatalf("the bar is on %q", s.barLine())
		}
		s.press("enter")
		if got := s.text(); !strings.Contains(got, "Look for two.") || strings.Contains(got, "Look for one.") || strings.Contains(got, "Done.") {
			t.Errorf("shows:\n%s", got)
		}
		s.press("esc")
		if got := s.text(); !strings.Contains(got, "Done.") || !strings.Contains(s.barLine(), "Find one") {
			t.Errorf("esc goes to %q:\n%s", s.barLine(), got)
		}
	})
}

// TestOutline: the outline has each prompt with its answer, and goes to the chosen prompt.
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
