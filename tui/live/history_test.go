package live

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/reader"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// conversation is a driven session and its transcript, in memory.
type conversation struct {
	records  []json.RawMessage
	texts    []string // the text of each record; "" for calls and their results
	resumed  int      // index of the first record in the stream
	streamed int      // number of records that the client has sent
	written  int      // number of records in the transcript
	partial  string
}

func (c *conversation) Session(id string) (keeper.Session, bool) {
	return keeper.Session{ID: id, Status: keeper.StatusBusy, Partial: c.partial, Records: c.records[c.resumed:c.streamed]}, true
}

func (c *conversation) Sessions() []keeper.Session { return nil }

// Events returns one event. The next call fails, because a test can't wait for more.
func (c *conversation) Events(_ context.Context, after uint64) ([]keeper.Event, bool, error) {
	if after > 0 {
		return nil, false, context.Canceled
	}
	return []keeper.Event{{ID: 1, Session: "s", Kind: keeper.EventMessage}}, false, nil
}

func (*conversation) Send(string, string) error                      { return nil }
func (*conversation) Answer(string, string, keeper.Answer) error     { return nil }
func (*conversation) Interrupt(context.Context, string) error        { return nil }
func (*conversation) SetMode(context.Context, string, string) error  { return nil }
func (*conversation) SetModel(context.Context, string, string) error { return nil }
func (*conversation) End(string) error                               { return nil }
func (*conversation) Panes(context.Context, []int) map[int]Pane      { return nil }
func (c *conversation) row() sessions.Row {
	return sessions.Row{Kind: sessions.KindSession, Session: sessions.Session{ID: "s", Path: "/s.jsonl"}}
}

func (c *conversation) Open(ctx context.Context, _ sessions.Row) (opened.Doc, error) {
	t, err := transcript.New(ctx, c)
	return &memoryDoc{t, len(t.Outline().Records)}, err
}

func (c *conversation) rows(yield func(*sessions.Row) bool) {
	if row := c.row(); c.written > 0 {
		yield(&row)
	}
}

func (c *conversation) ReadAt(p []byte, at int64) (int, error) {
	var b bytes.Buffer
	for _, r := range c.records[:c.written] {
		b.Write(append(r, '\n'))
	}
	return bytes.NewReader(b.Bytes()).ReadAt(p, at)
}

type memoryDoc struct {
	*transcript.Transcript
	records int
}

func (d *memoryDoc) Outline() []transcript.MessageRef { return d.Transcript.Outline().Messages }
func (d *memoryDoc) Threads() []transcript.Thread     { return d.Transcript.Outline().Threads }

func (d *memoryDoc) Messages(_ context.Context, from, to int) (list []transcript.Message, err error) {
	for i := from; i < to; i++ {
		list = append(list, d.Message(i))
	}
	return list, nil
}

func (d *memoryDoc) Follow(ctx context.Context) (bool, error) {
	before := d.records
	_, err := d.Transcript.Follow(ctx)
	d.records = len(d.Transcript.Outline().Records)
	return d.records > before, err
}

func (d *memoryDoc) LastRecords() (uuids []string) {
	o := d.Transcript.Outline()
	for _, r := range o.Records {
		uuids = append(uuids, o.Name(r.UUID))
	}
	return uuids
}

// newConversation returns a conversation with repeated texts, so that equal messages follow each other.
func newConversation(r *rand.Rand) *conversation {
	c := &conversation{}
	add := func(kind, content, text string) {
		parent := "null"
		if n := len(c.records); n > 0 {
			parent = fmt.Sprintf(`"u%d"`, n-1)
		}
		n := len(c.records)
		c.records = append(c.records, json.RawMessage(fmt.Sprintf(
			`{"type":%q,"uuid":"u%d","parentUuid":%s,"sessionId":"s","message":{"role":%q,"id":"m%d","content":%s}}`, kind, n, parent, kind, n, content)))
		c.texts = append(c.texts, text)
	}
	for range 1 + r.IntN(8) {
		words := []string{"tea", "tea", "milk"}
		ask, say := "ask "+words[r.IntN(3)], "say "+words[r.IntN(3)]
		add("user", fmt.Sprintf("%q", ask), ask)
		if r.IntN(3) == 0 {
			add("assistant", fmt.Sprintf(`[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"ls"}}]`, len(c.records)), "")
			add("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"t%d","content":"file"}]`, len(c.records)-1), "")
		}
		add("assistant", fmt.Sprintf(`[{"type":"text","text":%q}]`, say), say)
	}
	if r.IntN(2) == 0 {
		c.resumed = r.IntN(len(c.records))
	}
	c.streamed, c.written = c.resumed, c.resumed
	return c
}

// stage shows a Talk.
type stage struct {
	*Talk
	t     *testing.T
	c     *conversation
	frame screen.Frame
}

func newStage(t *testing.T, c *conversation) *stage {
	t.Helper()
	s := &stage{t: t, c: c, Talk: NewTalk(TalkOptions{
		Context: t.Context(), Source: c, ID: "s", Rows: c.rows, Answers: func(string, int, int, *render.Styles) []string { return nil },
		Read: func(row sessions.Row) Reader {
			return reader.New(reader.Options{Context: t.Context(), Source: c, Row: row, Answers: func(string, int, int, *render.Styles) []string { return nil }})
		},
	})}
	s.frame = screen.Frame{Width: 50, Height: 74, Styles: render.NewStyles(render.None), Now: time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC), Front: true}
	s.frame.Layout.Body = screen.Rect{Y: 2, W: 50, H: 70}
	s.run(s.Open())
	return s
}

func (s *stage) run(effects []screen.Effect) {
	for effects = append(effects, s.Fit(s.frame)...); len(effects) > 0; {
		if cmd, ok := effects[0].(screen.Cmd); ok {
			if msg := cmd(); msg != nil {
				effects = append(effects, s.Took(msg)...)
			}
		}
		effects = append(effects[1:], s.Fit(s.frame)...)
	}
}

func (s *stage) event(grown bool) {
	state, _ := s.c.Session("s")
	s.run(s.Took(eventsMsg{state: state, after: 1, grown: grown}))
}

func (s *stage) shown() (texts []string) {
	for _, line := range s.View().Body {
		if text := strings.Trim(line, "▌❯ "); strings.HasPrefix(text, "ask ") || strings.HasPrefix(text, "say ") {
			texts = append(texts, text)
		}
	}
	return texts
}

// TestHistory is a property test: the screen always shows each message of a session once and in order. The client
// writes its transcript early or late, and the screen is opened at any time.
func TestHistory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for seed := range uint64(25) {
			r := rand.New(rand.NewPCG(seed, 2)) //nolint:gosec // a fixed seed makes the test repeatable
			c := newConversation(r)
			var s *stage
			for step := 0; c.streamed < len(c.records) || c.written < len(c.records); step++ {
				switch n := len(c.records); r.IntN(4) {
				case 0:
					if c.streamed < n {
						if text := c.texts[c.streamed]; strings.HasPrefix(text, "say") && c.partial == "" && c.written <= c.streamed {
							c.partial = text // the answer is complete, but not sent
						} else {
							c.streamed, c.partial = c.streamed+1, ""
						}
					}
					if s != nil {
						s.event(c.partial == "")
					}
				case 1: // the order of transcript and stream varies
					if c.written < min(c.streamed+1, n) && (c.partial == "" || c.written < c.streamed) {
						c.written++
					}
					if s != nil {
						s.run(s.Took(screen.Rows{Came: []sessions.Row{c.row()}}))
					}
				case 2:
					if s != nil {
						s.run(s.Close())
					}
					s = newStage(t, c)
				case 3:
					continue
				}
				if s == nil {
					continue
				}
				want := slices.Clone(c.texts[:max(c.streamed, c.written)])
				want = slices.DeleteFunc(append(want, c.partial), func(text string) bool { return text == "" })
				if got := s.shown(); !slices.Equal(got, want) {
					t.Fatalf("seed %d, step %d, %d streamed and %d written: the screen shows\n%q, want\n%q\n%s", seed, step, c.streamed, c.written, got, want, strings.TrimRight(strings.Join(s.View().Body, "\n"), " \n"))
				}
			}
		}
	})
}
