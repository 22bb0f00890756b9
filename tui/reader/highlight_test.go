package reader

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

func edited(old, with string) transcript.Message {
	input, err := json.Marshal(map[string]string{"file_path": "x.go", "old_string": old, "new_string": with})
	if err != nil {
		panic(err)
	}
	return answer(transcript.Block{Kind: transcript.BlockToolUse, ID: "1", Name: "Edit", Input: input},
		transcript.Block{Kind: transcript.BlockToolResult, CallID: "1", Text: "updated"})
}

// highlighting opens a conversation. Its Highlighter treats all code as a keyword and counts blocks and lines.
func highlighting(t *testing.T, d *memoryDoc, w, h int) (s *stage, blocks, lines *int) {
	t.Helper()
	blocks, lines = new(int), new(int)
	s = open(t, Options{Source: d, Row: sessions.Row{Kind: sessions.KindSession}}, w, h)
	s.frame.Styles = s.frame.Styles.Highlighted(func(file string, texts ...[]string) [][][]render.Span {
		if file != "x.go" {
			t.Errorf("code of %q", file)
		}
		*blocks++
		out := make([][][]render.Span, len(texts))
		for i, text := range texts {
			out[i] = make([][]render.Span, len(text))
			for k, line := range text {
				*lines++
				out[i][k] = []render.Span{{Ink: render.Keyword, Text: line}}
			}
		}
		return out
	})
	s.take(nil)
	s.settle()
	return s, blocks, lines
}

// TestHighlightScrolling: scrolling by one line highlights at most one more block.
func TestHighlightScrolling(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := &memoryDoc{}
		for i := range 200 {
			d.msgs = append(d.msgs, edited(fmt.Sprintf("was%d()", i), fmt.Sprintf("is%d()", i)))
		}
		s, blocks, _ := highlighting(t, d, 80, 24)
		s.press("Z")
		if *blocks > 40 {
			t.Errorf("opening all highlights %d blocks", *blocks)
		}
		for i := range 300 {
			before := *blocks
			s.press("k")
			if n := *blocks - before; n > 1 {
				t.Fatalf("line %d up highlights %d blocks", i, n)
			}
			checkDrawn(s)
		}
		before := *blocks
		if before < 60 {
			t.Errorf("only %d blocks are highlighted", before)
		}
		for range 50 {
			s.press("j")
		}
		if *blocks != before {
			t.Errorf("going back highlights %d blocks", *blocks-before)
		}
	})
}

// TestHighlightLater: a call is shown before its code is highlighted.
func TestHighlightLater(t *testing.T) {
	bubble(t, func(t *testing.T) {
		long := strings.Repeat("f()\n", 40)
		d := &memoryDoc{msgs: []transcript.Message{prompt("Go."), edited("", long)}}
		s, blocks, lines := highlighting(t, d, 80, 30)
		if *blocks != 0 {
			t.Error("the code of a folded call is highlighted")
		}
		keyword := func() int {
			return strings.Count(strings.Join(s.page.View().Body, "\n"), s.frame.Styles.Paint(render.Keyword.On(render.Added), "f()"))
		}
		s.key("z")
		for keyword() == 0 && len(s.asked) > 0 {
			if strings.Contains(s.text(), "f()") && *blocks == 0 {
				break
			}
			s.answer(0)
		}
		if *blocks != 0 || !strings.Contains(s.text(), "f()") {
			t.Errorf("the text waits for %d highlighted blocks:\n%s", *blocks, s.text())
		}
		s.settle()
		if *blocks != 1 || keyword() != 12 || *lines != 12 {
			t.Errorf("%d blocks, %d lines are highlighted, %d visible", *blocks, *lines, keyword())
		}
		s.size(100, 30)
		s.settle()
		if *blocks != 1 || keyword() != 12 {
			t.Errorf("another width: %d blocks are highlighted, %d lines visible", *blocks, keyword())
		}
		s.key("enter")
		for range 2 * len(s.asked) {
			if s.answer(0); keyword() < 12 {
				t.Errorf("only %d lines are highlighted while the call is opened further", keyword())
			}
			if len(s.asked) == 0 {
				break
			}
		}
		s.settle()
		if *blocks != 2 || *lines != 12+40 {
			t.Errorf("the whole call: %d blocks, %d lines are highlighted", *blocks, *lines)
		}
	})
}
