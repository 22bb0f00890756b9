package reader

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
)

// callsOf returns the answers of a turn with n commands. The first command failed.
func callsOf(turn, n int) []transcript.Message {
	var list []transcript.Message
	for i := range n {
		id := fmt.Sprint(turn, "-", i)
		call := transcript.Block{Kind: transcript.BlockToolUse, Name: "Bash", ID: id, Input: json.RawMessage(fmt.Sprintf(`{"command":"make part-%s"}`, id))}
		result := transcript.Block{Kind: transcript.BlockToolResult, CallID: id, Text: "result of " + id, Failed: i == 0}
		list = append(list, answer(call, result))
	}
	return list
}

func turnsDoc(n, m int) *memoryDoc {
	d := &memoryDoc{turns: true}
	for i := range n {
		d.msgs = append(append(append(d.msgs, prompt(fmt.Sprint("Prompt ", i, "."))), callsOf(i, m)...), answer(said(fmt.Sprint("Answer ", i, "."))))
	}
	return d
}

// TestTurns: the work of each turn except the last is one line.
func TestTurns(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := read(t, turnsDoc(3, 4), 100, 30)
		const folded = "▸ 4 steps: 4 commands, 1 failed"
		got := s.text()
		if strings.Count(got, folded) != 2 || !strings.Contains(got, "▾ 4 steps: 4 commands, 1 failed") {
			t.Errorf("the last turn isn't the only open one:\n%s", got)
		}
		if want := "❯ Prompt 0. ▸ 4 steps: 4 commands, 1 failed Answer 0. ❯ Prompt 1."; !strings.Contains(squeezed(got), want) {
			t.Errorf("a folded turn isn't together:\n%s", got)
		}
		if strings.Contains(got, "part-0-") || !strings.Contains(got, "part-2-3") {
			t.Errorf("wrong calls are shown:\n%s", got)
		}
		s.press("g", "j")
		if got := s.barLine(); !strings.HasPrefix(got, folded) {
			t.Errorf("the bar is on %q", got)
		}
		s.press("enter")
		if got := s.text(); !strings.Contains(got, "      ▸ Bash   make part-0-0") || !strings.HasPrefix(s.barLine(), "▾ 4 steps") {
			t.Errorf("enter doesn't open the turn:\n%s", got)
		}
		s.press("j", "j", "enter")
		if got := s.text(); !strings.Contains(got, "result of 0-1") {
			t.Errorf("enter doesn't open the call:\n%s", got)
		}
		s.press("k", "k", "enter", "j")
		if got := s.text(); strings.Contains(got, "part-0-") || !strings.HasPrefix(s.barLine(), "Answer 0.") {
			t.Errorf("the turn isn't folded, bar on %q:\n%s", s.barLine(), got)
		}
		s.press("Z")
		if got := s.text(); !strings.Contains(got, "▸ Bash   make part-0-3") || strings.Contains(got, "result of 0-2") {
			t.Errorf("the first Z doesn't open the turns:\n%s", got)
		}
		s.press("Z", "g")
		if got := s.text(); !strings.Contains(got, "result of 0-2") {
			t.Errorf("the second Z doesn't open the calls:\n%s", got)
		}
		s.press("Z")
		if got := s.text(); strings.Count(got, folded) != 2 {
			t.Errorf("the third Z doesn't fold the turns:\n%s", got)
		}
	})
}

// TestTurnsFind: a match opens its folded turn. A key that goes to a prompt opens no turn.
func TestTurnsFind(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := read(t, turnsDoc(4, 300), 100, 24)
		s.press("g", "}")
		if s.openTurns()[1] || !strings.HasPrefix(s.barLine(), "❯ Prompt 1.") {
			t.Errorf("} opens the turn, or goes to %q", s.barLine())
		}
		s.key("/")
		for _, k := range strings.Split("result of 2-222", "") {
			s.key(k)
		}
		s.press("enter")
		if got := s.text(); !strings.Contains(got, "result of 2-222") || s.openTurns()[0] || !s.openTurns()[2] {
			t.Errorf("the match isn't shown:\n%s", got)
		}
	})
}

// TestTurnsDecoded: a folded turn is decoded once, to count its work.
func TestTurnsDecoded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := turnsDoc(40, 20)
		s := read(t, d, 100, 24)
		s.press("g", "G", "g", "G", "g")
		if all := len(d.msgs); d.decoded > 3*all {
			t.Errorf("decoded %d messages of %d", d.decoded, all)
		}
	})
}

// TestTypingDecodes: typing in find decodes nothing.
func TestTypingDecodes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := longDoc(2_000)
		s := read(t, d, 100, 24)
		before := d.decoded
		s.press("/", "l", "i", "n", "e", "backspace", "e")
		if d.decoded != before {
			t.Errorf("typing decodes %d messages", d.decoded-before)
		}
		s.press("esc")
		for i := range 200 {
			before = d.decoded
			s.press("k")
			if n := d.decoded - before; n > readAtOnce {
				t.Fatalf("line %d up decodes %d messages", i, n)
			}
		}
		if d.decoded > 2*300 {
			t.Errorf("200 lines decode %d messages", d.decoded)
		}
	})
}

// TestTurnsGrow: a turn stays open when the next turn begins, unless the view follows the end.
func TestTurnsGrow(t *testing.T) {
	t.Parallel()
	for _, follows := range []bool{true, false} {
		t.Run(fmt.Sprint(follows), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				d := turnsDoc(2, 3)
				d.shown = 5
				s := read(t, d, 100, 30)
				if !follows {
					s.press("g", "j", "j")
				}
				s.page.pane.grown = true
				s.take(nil)
				s.settle()
				open := s.openTurns()
				if want := []bool{!follows, true}; !slices.Equal(open, want) {
					t.Errorf("open: %v, want %v:\n%s", open, want, s.text())
				}
				if at := s.barLine(); !follows && !strings.HasPrefix(at, "▸ Bash   make part-0-0") {
					t.Errorf("the bar moved to %q", at)
				}
			})
		})
	}
}

// TestQuiet: quiet messages are hidden and counted. "." or a match shows them.
func TestQuiet(t *testing.T) {
	bubble(t, func(t *testing.T) {
		notice := func(text string) transcript.Message {
			return transcript.Message{Kind: transcript.Notice, Thread: "main", Blocks: []transcript.Block{said(text)}}
		}
		d := &memoryDoc{turns: true, quiet: []int{0, 2, 5, 7}, msgs: []transcript.Message{
			notice("first reminder"), prompt("Prompt."), notice("second reminder"), callsOf(0, 2)[0], callsOf(0, 2)[1],
			notice("third reminder"), answer(said("Answer.")), notice("last reminder"),
		}}
		s := read(t, d, 100, 30)
		got := s.text()
		if strings.Contains(got, "reminder") || !strings.Contains(got, "4 notices hidden (.)") || !strings.HasPrefix(s.barLine(), "Answer.") {
			t.Errorf("bar on %q:\n%s", s.barLine(), got)
		}
		s.press("g")
		if !strings.HasPrefix(s.barLine(), "❯ Prompt.") {
			t.Errorf("g goes to %q", s.barLine())
		}
		s.press("j", "k", "k", ".")
		if got := s.text(); strings.Count(got, "reminder") != 4 || strings.Contains(got, "hidden") || !strings.HasPrefix(s.barLine(), "❯ Prompt.") {
			t.Errorf("bar on %q:\n%s", s.barLine(), got)
		}
		s.press(".", "/")
		for _, k := range strings.Split("third", "") {
			s.key(k)
		}
		s.press("enter")
		if got := s.text(); !strings.Contains(got, "third reminder") {
			t.Errorf("the match isn't shown:\n%s", got)
		}
	})
}

func squeezed(s string) string { return strings.Join(strings.Fields(s), " ") }
