package reader

import (
	"fmt"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/dropped"
)

// droppedDoc has n answers without calls before its compaction, and then three with calls.
func droppedDoc(n int) *memoryDoc {
	call := func(id, tool, input string) transcript.Message {
		return answer(
			transcript.Block{Kind: transcript.BlockToolUse, Name: tool, ID: id, Input: []byte(input)},
			transcript.Block{Kind: transcript.BlockToolResult, CallID: id, Text: "result of " + id},
		)
	}
	d := &memoryDoc{turns: true, msgs: []transcript.Message{prompt("Begin.")}}
	for i := range n {
		d.msgs = append(d.msgs, answer(said(fmt.Sprint("Line ", i, "."))))
	}
	d.msgs = append(
		d.msgs, prompt("Work."), call("kept", "Edit", `{"file_path":"/p/kept.go"}`), call("gone", "Edit", `{"file_path":"/p/gone.go"}`),
		call("vet", "Bash", `{"command":"go vet ./..."}`), answer(said("Done.")),
		transcript.Message{Kind: transcript.Boundary, Compaction: &transcript.Compaction{Auto: true, Before: 9_000, After: 900}},
		transcript.Message{Kind: transcript.Summary, Blocks: []transcript.Block{said("Changed kept.go.")}},
		prompt("Go on."),
	)
	for i := range 9 {
		d.msgs = append(d.msgs, answer(said(fmt.Sprint("Later ", i, "."))))
	}
	return d
}

// TestDropped: the list below a summary is read when it is opened, and only from the messages with calls.
func TestDropped(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := droppedDoc(3_000)
		s := read(t, d, 100, 30)
		first := d.decoded
		if first > 2*readAtOnce {
			t.Errorf("opening decodes %d messages", first)
		}
		s.press("[", "pgup")
		for !strings.HasPrefix(s.barLine(), "▸ Not in the summary") {
			s.press("j") // down to the lower edge
		}
		if got := s.barLine(); strings.Contains(got, ":") {
			t.Errorf("counted already: %q", got)
		}
		before := d.decoded
		s.key("enter")
		if got := s.text(); d.decoded != before || strings.Contains(got, "gone.go ") {
			t.Errorf("the key itself reads %d messages:\n%s", d.decoded-before, got)
		}
		s.settle()
		if n := d.decoded - before; n > 2*readAtOnce {
			t.Errorf("the list decodes %d messages", n)
		}
		got := s.text()
		for _, want := range []string{"▾ Not in the summary  2 of 3: 1 file, 1 command", "      files       /p/gone.go", "      commands    go vet ./..."} {
			if !strings.Contains(got, want) {
				t.Errorf("no %q in\n%s", want, got)
			}
		}
		if strings.Contains(got, "kept.go  ") {
			t.Errorf("a file of the summary is listed:\n%s", got)
		}
		if at := strings.Index(got, "▾ Not in"); strings.Count(got[:at], "\n") > 12 {
			t.Errorf("there is no room for the list:\n%s", got)
		}
		s.press("enter", "enter")
		before = d.decoded
		s.press("j", "j", "enter")
		if got := s.barLine(); !strings.HasPrefix(got, "▸ Bash") || !strings.Contains(got, "go vet ./...") {
			t.Errorf("enter goes to %q:\n%s", got, s.text())
		}
		if n := d.decoded - before; n > readAtOnce {
			t.Errorf("going there decodes %d messages", n)
		}
	})
}

func TestDroppedEmpty(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := &memoryDoc{msgs: []transcript.Message{{Kind: transcript.Summary, Blocks: []transcript.Block{said("Nothing.")}}, answer(said("Yes."))}}
		s := read(t, d, 60, 20)
		s.press("k", "enter")
		if got := s.text(); !strings.Contains(got, "Not in the summary: nothing") {
			t.Errorf("\n%s", got)
		}
	})
}

func TestGoLabel(t *testing.T) {
	t.Parallel()
	for kind, want := range map[dropped.Kind]string{dropped.Decision: "go to the message", dropped.File: "go to the call", dropped.Command: "go to the call"} {
		if got := goLabel(&dropped.Item{Kind: kind}); got != want {
			t.Errorf("enter on a %s says %q, want %q", kind, got, want)
		}
	}
}
