package reader

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// TestFold: enter and z open the selected part step by step and then fold it. Its first line stays on its row.
func TestFold(t *testing.T) {
	bubble(t, func(t *testing.T) {
		long := strings.TrimSuffix(strings.Repeat("--- FAIL: TestRefresh\n", 40), "\n")
		s := read(t, &memoryDoc{msgs: []transcript.Message{
			prompt("Run it."),
			answer(transcript.Block{Kind: transcript.BlockToolUse, ID: "1", Name: "Bash", Input: []byte(`{"command":"go test ./..."}`)},
				transcript.Block{Kind: transcript.BlockToolResult, CallID: "1", Text: long}),
			answer(said("Done.")),
		}}, 80, 30)
		s.press("k")
		if got := s.barLine(); !strings.HasPrefix(got, "▸ Bash") {
			t.Fatalf("the bar is on %q", got)
		}
		r := &s.page.pane
		row := func() int { from, _ := r.cur.barRows(); return from }
		at := row()
		s.press("z")
		got := s.text()
		if n := strings.Count(got, "--- FAIL"); n == 0 || n >= 40 || !strings.Contains(got, "more lines") || !strings.HasPrefix(s.barLine(), "▾ Bash") {
			t.Errorf("%d lines are shown:\n%s", n, got)
		}
		if row() != at {
			t.Errorf("the bar went from row %d to %d", at, row())
		}
		s.press("enter")
		if p := r.view.part(r.cur.bar); p.Fold != talk.Whole || p.To-p.From < 40 {
			t.Errorf("the part is not Whole: %+v", p)
		}
		s.press("z")
		if got := s.barLine(); !strings.HasPrefix(got, "▸ Bash") {
			t.Errorf("z does not fold the part: %q", got)
		}
		if s.press("j", "z"); s.message() != "Nothing to open here." {
			t.Errorf("a text is opened: %q\n%s", s.message(), s.text())
		}
		s.press("Z")
		if got := s.text(); !strings.Contains(got, "▾ Bash") {
			t.Errorf("Z does not open all:\n%s", got)
		}
		s.press("Z")
		if got := s.text(); !strings.Contains(got, "▸ Bash") {
			t.Errorf("Z does not fold all:\n%s", got)
		}
	})
}

// follow calls Follow, but doesn't pass the result to the page.
func (s *stage) follow(d *memoryDoc) {
	s.t.Helper()
	d.shown = len(d.msgs)
	if _, err := s.page.pane.doc.Follow(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// TestReadOfAnOlderOutline: messages can't be read because the file has grown, so they are requested again.
func TestReadOfAnOlderOutline(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := longDoc(80)
		s := read(t, d, 80, 24)
		r := &s.page.pane
		r.view.cache = cache{}
		s.follow(d)
		s.take(s.page.Took(readMessages(r.ctx, reading{version: r.version, doc: r.doc, options: s.page.options()}, 70, 80)()))
		if got := s.text(); strings.Contains(got, "changed") || r.view.cache.messages[75] != nil {
			t.Errorf("shown as a changed file:\n%s", got)
		}
		r.version++
		s.settle()
		s.take(nil)
		s.settle()
		if got := s.text(); !strings.Contains(got, "Answer 79 ") {
			t.Errorf("not requested again:\n%s", got)
		}
	})
}

func TestAnswersOfAnOlderOutline(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := longDoc(80)
		s := read(t, d, 80, 24)
		want := s.text()
		msg := answer(said("Stale."))
		r := &s.page.pane
		r.version++
		s.follow(d)
		for _, late := range []tea.Msg{
			readMsg{version: r.version - 1, from: 79, to: 80, drawn: []drawing{{index: 79, msg: &msg, lines: []string{"Stale."}}}},
			drawnMsg{version: r.version - 1, drawn: []drawing{{index: 79, msg: &msg, lines: []string{"Stale."}}}},
			searchedMsg{gen: r.find.gen - 1, matches: []found{{1, 0}}},
			soughtMsg{version: r.version - 1, message: 3, text: "Answer"},
			outlinedMsg{version: r.version - 1},
		} {
			n := len(s.wants)
			s.take(s.page.Took(late))
			s.settle()
			if got := s.text(); got != want || len(s.wants) > n {
				t.Errorf("a late %T changed the screen, or asks for %v:\n%s", late, s.wants[n:], got)
			}
		}
	})
}

func TestLongMessageScroll(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := read(t, &memoryDoc{msgs: []transcript.Message{
			prompt("Go."), answer(said(strings.Repeat("A line of its own.\n\n", 100) + "The end.")),
		}}, 80, 24)
		s.press("g", "j")
		first := s.page.pane.view.win
		s.press("j")
		if now := s.page.pane.view.win; now.Off-first.Off != 1 && now.Top == first.Top {
			t.Errorf("from %+v to %+v", first, now)
		}
	})
}

// TestDocumentOpens: a document opens at its first section, below the front matter.
func TestDocumentOpens(t *testing.T) {
	t.Parallel()
	for first, turns := range map[int][]bool{1: {false, true, true}, 0: {true, true}} {
		r := newPane(Options{Row: sessions.Row{Kind: sessions.KindDocument}})
		msg := openedMsg{threads: []transcript.Thread{{Kind: transcript.Main, Name: "main", From: -1}}}
		for _, turn := range turns {
			msg.refs = append(msg.refs, transcript.MessageRef{Kind: transcript.Answer, Turn: turn})
		}
		if r.opened(msg, 3); r.cur.bar.message != first || r.view.win.Top != first {
			t.Errorf("%v: the bar is on %d, the view begins at %d", turns, r.cur.bar.message, r.view.win.Top)
		}
	}
}

// TestCacheIsBounded: the cache stays within its limit, but keeps the heights of all messages.
func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	const n, rows = 3_000, 20
	r := newPane(Options{Row: sessions.Row{Kind: sessions.KindSession}})
	r.opened(openedMsg{refs: make([]transcript.MessageRef, n), threads: []transcript.Thread{{Kind: transcript.Main, From: -1}}}, rows)
	v := r.view
	line := strings.Repeat("x", 4_000)
	for i := range n {
		v.show(i, 0, rows)
		msg := answer()
		d := drawing{index: i, msg: &msg, lines: []string{line, line, line, line}, parts: []talk.Part{{To: 4}}}
		r.drawn([]drawing{d}, 80, render.Dark, rows)
		if v.cache.bytes > maxCache {
			t.Fatalf("%d bytes in the cache", v.cache.bytes)
		}
		if v.cache.messages[i] == nil {
			t.Fatalf("message %d is visible but not in the cache", i)
		}
	}
	if v.cache.messages[0] != nil || v.height(0) != 4 {
		t.Error("the first message is still in the cache, or its height is lost")
	}
	total := 0
	for _, e := range v.cache.messages {
		total += e.bytes
	}
	if total != v.cache.bytes {
		t.Errorf("%d bytes in the cache, %d are counted", total, v.cache.bytes)
	}
}

// TestChangedFile: missing messages are shown as errors and requested once.
func TestChangedFile(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := longDoc(8)
		s := open(t, Options{Source: d}, 80, 24)
		s.asked = nil
		refs := append(d.Outline(), make([]transcript.MessageRef, 5)...)
		s.take(s.page.Took(openedMsg{doc: opened.New(d), refs: refs, threads: d.Threads()}))
		s.settle()
		if got := s.text(); !strings.Contains(got, "could not be read: range out of the outline") {
			t.Errorf("the error is not shown:\n%s", got)
		}
	})
}

// TestLateAnswers: the document opens after its page was closed, so it is closed again.
func TestLateAnswers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := longDoc(8)
		s := open(t, Options{Source: d}, 80, 24)
		late := s.asked[0]().(openedMsg)
		if s.take(s.page.Close()); len(s.wants) != 1 || s.wants[0] != (Left{}) {
			t.Errorf("unexpected effects %+v", s.wants)
		}
		s.asked = nil
		if s.take(late.Drop()); len(s.asked) != 1 {
			t.Fatal("the document is not closed")
		}
		if s.answer(0); d.closed != 1 {
			t.Errorf("closed %d times, want once", d.closed)
		}
	})
}

func TestReordered(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][]string{
		"read": {"g", "pgdown", "z", "j", "z", "G", "Z", "k", "k", "pgup"},
		"find": {"/", "A", "n", "s", "w", "e", "r", " ", "7", "enter", "n", "n", "N"},
		"back": {"pgup", "pgup", "k", "z", "{", "}", "z", "ctrl+d"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				for seed := range uint64(25) {
					d := longDoc(300)
					for i := 3; i < 300; i += 7 {
						d.msgs[i] = prompt(fmt.Sprintf("Question %d?", i))
					}
					s := open(t, Options{Source: d, Row: sessions.Row{Kind: sessions.KindSession}}, 120, 36)
					shuffled(s, keys, rand.New(rand.NewPCG(seed, 7))) //nolint:gosec // a fixed seed makes the test repeatable
					checkDrawn(s)
				}
			})
		})
	}
}

// shuffled presses keys and passes the results of commands in random order.
func shuffled(s *stage, keys []string, r *rand.Rand) {
	for s.page.pane.doc == nil && len(s.asked) > 0 {
		s.answer(r.IntN(len(s.asked)))
	}
	for _, k := range keys {
		s.key(k)
		for len(s.asked) > 0 && r.IntN(3) > 0 {
			s.answer(r.IntN(len(s.asked)))
		}
	}
	for n := 0; len(s.asked) > 0; n++ {
		if n > 20_000 {
			s.t.Fatal("the page never stops requesting commands")
		}
		s.answer(r.IntN(len(s.asked)))
	}
}

func checkDrawn(s *stage) {
	t, r := s.t, &s.page.pane
	t.Helper()
	if from, to := r.cur.barRows(); to <= 0 || from >= s.page.rows {
		t.Errorf("the bar is at %d to %d, out of the view", from, to)
	}
	for _, span := range r.view.visible(s.page.rows) {
		e := r.view.cache.messages[span.Item]
		if e == nil || e.stale || e.index != span.Item || r.view.height(span.Item) != len(e.lines) {
			t.Fatalf("message %d is visible but not drawn: %+v", span.Item, e)
		}
		fresh := e.drawing
		fresh.base, fresh.folds, fresh.after = r.folds.Base(), r.folds.Of(span.Item), r.view.endBefore(span.Item, e.after)
		fresh.draw(s.page.options(), nil)
		if !slices.Equal(fresh.lines, e.lines) {
			t.Fatalf("message %d: got\n%q\nwant\n%q", span.Item, e.lines, fresh.lines)
		}
		for _, p := range e.parts {
			if e.waits(p.Block) && p.From < span.To && p.To > span.From {
				t.Errorf("block %d of message %d was never rendered as markdown", p.Block, span.Item)
			}
		}
	}
}

// TestMovedWhileSearching: results arrive after the user has moved the bar. They don't move the view.
func TestMovedWhileSearching(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := read(t, longDoc(40), 80, 24)
		s.press("g", "/", "l", "i", "n", "e")
		s.key("enter")
		s.key("G")
		s.settle()
		if r := &s.page.pane; r.cur.bar.message != 39 || len(r.find.matches) != 40 {
			t.Errorf("the bar is on message %d with %d matches", r.cur.bar.message, len(r.find.matches))
		}
		if s.press("N"); s.page.pane.cur.bar.message != 38 {
			t.Errorf("N goes to message %d from the last one", s.page.pane.cur.bar.message)
		}
	})
}

// TestOpenAlignsTop: after a call was opened, the view starts with the first row of a part.
func TestOpenAlignsTop(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := turnsDoc(2, 3)
		d.msgs[4].Blocks[0].Text = strings.Repeat("One line.\n\n", 5) + "The last line."
		d.msgs = append(d.msgs, prompt("More."), answer(said(strings.Repeat("Text.\n\n", 8))))
		s := read(t, d, 80, 24)
		s.press("g", "}")
		for !strings.HasPrefix(s.barLine(), "▸ Bash") && !strings.HasPrefix(s.barLine(), "▾ Bash") {
			if s.press("j"); strings.Contains(s.barLine(), "steps") {
				s.press("enter")
			}
		}
		s.page.pane.view.scroll(-2, s.page.rows)
		if top := strings.TrimSpace(ansi.Strip(s.page.body()[s.page.above])); !strings.Contains(top, "line.") {
			t.Fatalf("before, the view starts with %q:\n%s", top, s.text())
		}
		s.press("enter")
		if top := ansi.Strip(s.page.body()[s.page.above]); !strings.Contains(top, "❯ Prompt 1.") {
			t.Errorf("the view starts with %q:\n%s", top, s.text())
		}
	})
}
