package reader

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

func testNow() time.Time { return time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC) }

// memoryDoc is a conversation in memory.
type memoryDoc struct {
	msgs  []transcript.Message
	shown int   // number of messages before the next Follow; 0 for all
	turns bool  // the work of turns is folded
	quiet []int // quiet messages
	known []int // messages that the model knows
	// The last messages of the conversation are the branches. For each: the message after which it splits off.
	splits  []int
	agents  bool // the branches are conversations of sub-agents
	ids     []string
	decoded int
	closed  int
}

func (d *memoryDoc) Open(context.Context, sessions.Row) (opened.Doc, error) { return d, nil }

func (d *memoryDoc) Outline() []transcript.MessageRef {
	n := len(d.msgs)
	if d.shown != 0 {
		n = d.shown
	}
	refs := make([]transcript.MessageRef, n)
	for i := range refs {
		refs[i] = transcript.MessageRef{Kind: d.msgs[i].Kind, ID: transcript.ID(i + 1), Records: []int32{int32(i)}, Turn: true}
		if at := d.msgs[i].Time; !at.IsZero() {
			refs[i].Time = at.UnixMilli()
		}
		refs[i].Quiet, refs[i].Known = slices.Contains(d.quiet, i), slices.Contains(d.known, i)
		refs[i].Turn = d.msgs[i].Kind == transcript.Prompt || d.msgs[i].Kind == transcript.Answer
		refs[i].Thread = max(0, i-(len(d.msgs)-len(d.splits))+1)
		for _, b := range d.msgs[i].Blocks {
			if b.Kind == transcript.BlockToolUse && d.turns {
				refs[i].Calls++
			}
			if b.Cleared {
				refs[i].Cleared++
			}
		}
	}
	return refs
}

func (d *memoryDoc) Threads() []transcript.Thread {
	list := []transcript.Thread{{Kind: transcript.Main, Name: "main", From: -1}}
	for n, from := range d.splits {
		kind := transcript.Branch
		if d.agents {
			kind = transcript.Sidechain
		}
		list = append(list, transcript.Thread{Kind: kind, Name: fmt.Sprint("branch ", n+1), From: from, Messages: []int{len(d.msgs) - len(d.splits) + n}})
	}
	return list
}

func (d *memoryDoc) Messages(_ context.Context, from, to int) ([]transcript.Message, error) {
	if from < 0 || to > len(d.msgs) || from >= to {
		return nil, errors.New("range out of the outline")
	}
	d.decoded += to - from
	return d.msgs[from:to], nil
}

func (d *memoryDoc) MessagesNamed(prefix string) (list []int) {
	for i, id := range d.ids {
		if strings.HasPrefix(id, strings.ToLower(prefix)) {
			list = append(list, i)
		}
	}
	return list
}

func (d *memoryDoc) Follow(context.Context) (bool, error) {
	grown := d.shown != 0
	d.shown = 0
	return grown, nil
}

func (d *memoryDoc) Close() error {
	d.closed++
	return nil
}

func prompt(text string) transcript.Message {
	return transcript.Message{Kind: transcript.Prompt, Role: transcript.RoleUser, Thread: "main", Blocks: []transcript.Block{said(text)}}
}

func answer(blocks ...transcript.Block) transcript.Message {
	return transcript.Message{Kind: transcript.Answer, Role: transcript.RoleAssistant, Thread: "main", Blocks: blocks}
}

func said(text string) transcript.Block {
	return transcript.Block{Kind: transcript.BlockText, Text: text}
}

// longDoc returns n answers of one paragraph each.
func longDoc(n int) *memoryDoc {
	d := &memoryDoc{}
	for i := range n {
		d.msgs = append(d.msgs, answer(said(fmt.Sprintf("Answer **%d** has one line.", i))))
	}
	return d
}

func bubble(t *testing.T, test func(*testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, test)
}

// stage runs a page as the program does.
type stage struct {
	t     *testing.T
	page  *Page
	frame screen.Frame
	asked []tea.Cmd // commands without a result yet
	wants []screen.Effect
}

func open(t *testing.T, o Options, w, h int) *stage {
	t.Helper()
	o.Context = t.Context()
	if o.Answers == nil {
		o.Answers = render.Markdown
	}
	o.Prose = render.MarkdownDocument
	s := &stage{t: t, page: New(o), frame: screen.Frame{Styles: render.NewStyles(render.Dark), Now: testNow(), Front: true, Awake: true}}
	s.size(w, h)
	s.take(s.page.Open())
	return s
}

// read opens a conversation and waits until it is drawn.
func read(t *testing.T, d *memoryDoc, w, h int) *stage {
	t.Helper()
	s := open(t, Options{Source: d, Row: sessions.Row{Kind: sessions.KindSession}}, w, h)
	s.settle()
	return s
}

// size sets the layout of the terminal. In a low terminal, status and keys share a row.
func (s *stage) size(w, h int) {
	l := &s.frame.Layout
	rest := 4
	if h >= 20 {
		rest = 5
	}
	s.frame.Width, s.frame.Height = w, h
	l.Body = screen.Rect{Y: 3, W: w, H: max(h-rest, 0)}
	l.Keys = screen.Rect{Y: h - 1, W: w, H: 1}
	l.Status = screen.Rect{Y: h + 3 - rest, W: w, H: 1}
	s.take(nil)
}

// take handles the effects of the page and calls Fit, as the program does.
func (s *stage) take(effects []screen.Effect) {
	for _, e := range append(effects, s.page.Fit(s.frame)...) {
		if cmd, ok := e.(screen.Cmd); ok {
			s.asked = append(s.asked, tea.Cmd(cmd))
		} else {
			s.wants = append(s.wants, e)
		}
	}
}

// answer runs a waiting command and passes its result to the page.
func (s *stage) answer(i int) {
	cmd := s.asked[i]
	s.asked = slices.Delete(s.asked, i, i+1)
	switch msg := cmd().(type) {
	case nil, LookDue: // it would be repeated forever
	default:
		s.take(s.page.Took(msg))
	}
}

func (s *stage) settle() {
	s.t.Helper()
	for n := 0; len(s.asked) > 0; n++ {
		if n > 20_000 {
			s.t.Fatal("the page never stops requesting commands")
		}
		s.answer(0)
	}
}

func (s *stage) key(k string) {
	for _, b := range s.page.Keys() {
		if !b.Gone && !b.Common && slices.Contains(b.Keys, k) {
			s.take(s.page.Do(b.Do))
			return
		}
	}
	s.take(s.page.Typed(tea.KeyPressMsg{Code: []rune(k)[0], Text: k}))
}

// press presses keys and waits for the results of each.
func (s *stage) press(keys ...string) {
	s.t.Helper()
	for _, k := range keys {
		s.key(k)
		s.settle()
	}
}

// text returns the visible page without styles.
func (s *stage) text() string {
	s.t.Helper()
	v := s.page.View()
	lines := append([]string{v.Title, v.Context}, v.Body...)
	if len(v.Body) > s.frame.Layout.Body.H {
		s.t.Errorf("%d lines of a body of %d", len(v.Body), s.frame.Layout.Body.H)
	}
	for i, l := range lines {
		if w := ansi.StringWidth(l); w > s.frame.Width {
			s.t.Errorf("line %d is %d wide: %q", i, w, ansi.Strip(l))
		}
		lines[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return strings.Join(append(lines, ansi.Strip(v.Left+"  "+v.Right)), "\n")
}

func (s *stage) barLine() string {
	for line := range strings.Lines(s.text()) {
		if strings.HasPrefix(line, "▌") {
			return strings.TrimSpace(strings.TrimPrefix(line, "▌"))
		}
	}
	return ""
}

// openTurns returns for each turn with work whether it is open.
func (s *stage) openTurns() []bool {
	var list []bool
	r := &s.page.pane
	for i := range r.out.Refs {
		if w := r.out.Work(i); w != nil && w.From == i {
			list = append(list, r.folds.IsOpen(w))
		}
	}
	return list
}

func (s *stage) message() string {
	for _, e := range slices.Backward(s.wants) {
		if e, ok := e.(screen.Tell); ok {
			return e.Text
		}
	}
	return ""
}
