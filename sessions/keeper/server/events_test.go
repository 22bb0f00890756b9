package server

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/keeper/api"
)

// long returns true if CONTINUO_LONG is set. Tests then use the large numbers of issue 25.
func long() bool { return os.Getenv("CONTINUO_LONG") == "1" }

// TestAfter: a connection gets the events after an ID, and learns whether some are missing.
func TestAfter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial("")
	w.start("one")
	first := s.until(api.TypeRequested)
	last := first[len(first)-1].ID
	w.start("two")
	second := s.until(api.TypeRequested)

	for _, tt := range []struct {
		name  string
		after uint64
		lost  bool
		want  []api.Event
	}{
		{"the last event of the first session", last, false, second},
		{"the event before the first", s.Last, false, slices.Concat(first, second)},
		{"the newest event", second[len(second)-1].ID, false, nil},
		{"an event that doesn't exist yet", second[len(second)-1].ID + 1000, true, nil},
		{"an event of an earlier keeper", s.Last - 1, true, nil},
		{"an ID that isn't from a keeper", 7, true, nil},
	} {
		again := w.dial(fmt.Sprintf("?after=%d", tt.after))
		if again.Lost != tt.lost || again.Last < second[len(second)-1].ID {
			t.Errorf("%s: %+v", tt.name, again.Hello)
		}
		for i := range tt.want {
			var e api.Event
			again.read(&e)
			if e.Session != nil { // the session has its current state, not its state at the event
				e.Session, tt.want[i].Session = nil, nil
			}
			if !reflect.DeepEqual(e, tt.want[i]) {
				t.Errorf("%s: event %d is\n%+v, want\n%+v", tt.name, i, e, tt.want[i])
			}
		}
	}
}

// TestLost: the keeper no longer has the events after an ID.
func TestLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial("")
	id, err := w.Start(t.Context(), w.root, "")
	if err != nil {
		t.Fatal(err)
	}
	for range 10_000 { // more events than the keeper stores
		if err := w.keeper.Send(id, "x"); err != nil {
			t.Fatal(err)
		}
		w.keeper.Unqueue(id)
	}
	if again := w.dial(fmt.Sprintf("?after=%d", s.Last)); !again.Lost || again.Last < s.Last+10_000 {
		t.Errorf("hello %+v, the first one was %+v", again.Hello, s.Hello)
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tt := range []struct {
		prompt, body string
		status       int
		resolution   keeper.Resolution
	}{
		{"Heat the water.", `{"behavior":"allow"}`, 200, keeper.ResolvedAllow},
		{"Heat the water.", `{"behavior":"allow","updatedInput":{"command":"kettle off"}}`, 200, keeper.ResolvedAllow},
		{"Heat the water.", `{"behavior":"allowAlways"}`, 200, keeper.ResolvedAlways},
		{"Heat the water.", `{"behavior":"deny","message":"Not now."}`, 200, keeper.ResolvedDeny},
		{"Heat the water.", `{"behavior":"allowAlways","suggestion":1}`, 400, ""},
		{"Heat the water.", `{"behavior":"allowAlways","suggestion":-1}`, 400, ""},
		{"Heat the water.", `{"behavior":"allow","updatedInput":"kettle"}`, 400, ""},
		{"Heat the water.", `{"behavior":"allow","updatedInput":null}`, 400, ""},
		{"Heat the water.", `{"behavior":"never"}`, 400, ""},
		{"Heat the water.", `{}`, 400, ""},
		{"bypass", `{"behavior":"allowAlways"}`, 403, ""},
		{"bypass", `{"behavior":"allow"}`, 200, keeper.ResolvedAllow},
	} {
		s := w.dial("")
		id := w.start(tt.prompt)
		var q *api.Attention
		for q == nil || q.SessionID != id { // earlier sessions also send the ends of their turns
			frames := s.until(api.TypeRequested)
			q = frames[len(frames)-1].Attention
		}
		path := "/attention/" + q.ID + "/resolve"
		if status, text := w.do("POST", path, tt.body); status != tt.status {
			t.Errorf("%s %s: status %d, %s", tt.prompt, tt.body, status, text)
		}
		if tt.status != http.StatusOK {
			if state, _ := w.keeper.Session(id); len(state.Open) != 1 {
				t.Errorf("%s %s: open %+v", tt.prompt, tt.body, state.Open)
			}
			continue
		}
		frames := s.until(api.TypeResolved)
		if e := frames[len(frames)-1]; e.AttentionID != q.ID || e.Resolution != string(tt.resolution) {
			t.Errorf("%s %s: %+v", tt.prompt, tt.body, e)
		}
		if status, text := w.do("POST", path, tt.body); status != http.StatusNotFound {
			t.Errorf("%s again: status %d, %s", tt.body, status, text)
		}
	}
}

// reader is a page of a session. It reads the history in pages and the events over breaking connections.
type reader struct {
	w     *world
	id    string
	shown []api.Message
	more  bool     // there are messages before the first one
	sent  []string // prompts without a UUID yet, oldest first

	loaded uint64 // the history has all events up to this ID
	last   uint64 // ID of the last handled event

	conn   *websocket.Conn
	mu     sync.Mutex
	frames []api.Event // received but not handled
}

// connect opens a connection and receives frames until its end.
func (p *reader) connect(query string) {
	s := p.w.dial(query)
	if p.conn = s.conn; query == "" {
		p.last = s.Last
	} else if s.Lost {
		p.w.t.Error("events are lost")
	}
	conn := s.conn
	p.frames = nil
	go func() {
		for {
			_, text, err := conn.Read(p.w.t.Context())
			var e api.Event
			if err != nil || json.Unmarshal(text, &e) != nil {
				return
			}
			p.mu.Lock()
			if p.conn == conn {
				p.frames = append(p.frames, e)
			}
			p.mu.Unlock()
		}
	}()
}

// disconnect breaks the connection. Unhandled frames are lost.
func (p *reader) disconnect() {
	p.mu.Lock()
	conn := p.conn
	p.conn, p.frames = nil, nil
	p.mu.Unlock()
	_ = conn.CloseNow()
}

// refresh acts like a reload: first the connection, then the newest messages.
func (p *reader) refresh(limit int) {
	p.disconnect()
	p.shown, p.sent = nil, nil
	p.connect("")
	p.older(limit)
}

func (p *reader) older(limit int) {
	query := fmt.Sprintf("?limit=%d", limit)
	if len(p.shown) > 0 {
		query += "&before=" + p.shown[0].ID
	}
	first := len(p.shown) == 0
	h := must[api.History](p.w, http.MethodGet, "/sessions/"+p.id+query, "")
	for _, m := range h.Messages {
		if p.shows(m.ID) {
			p.w.t.Errorf("a page has %s, which is shown", m.ID)
		}
	}
	if p.shown, p.more = append(h.Messages, p.shown...), h.More; first {
		p.loaded = h.Last
	}
}

func (p *reader) shows(id string) bool {
	return slices.ContainsFunc(p.shown, func(m api.Message) bool { return m.ID == id })
}

// handle shows the received messages. A message of the user replaces the first prompt with the same text.
func (p *reader) handle() {
	p.mu.Lock()
	frames := p.frames
	p.frames = nil
	p.mu.Unlock()
	for _, e := range frames {
		if e.ID <= p.last {
			p.w.t.Errorf("event %d after %d", e.ID, p.last)
		}
		if p.last = e.ID; e.Type != api.TypeMessage || e.SessionID != p.id || e.ID <= p.loaded {
			continue
		}
		if p.shows(e.Message.ID) {
			p.w.t.Errorf("message %s is shown already", e.Message.ID)
		}
		p.shown = append(p.shown, *e.Message)
		if i := slices.Index(p.sent, e.Message.Content[0].Text); e.Message.Role == "user" && i >= 0 {
			p.sent = slices.Delete(p.sent, i, i+1)
		}
	}
}

// TestExactlyOnce: a page reloads, reads pages of any size and loses its connection. It shows each message once and
// in order.
func TestExactlyOnce(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	runs := uint64(4)
	if long() {
		runs = 300
	}
	w := newWorld(t, func(l *limits) { l.burst = 1e9 })
	for seed := range runs {
		r := rand.New(rand.NewPCG(seed, 2)) //nolint:gosec // the fixed seed makes the test repeatable
		w.client.late.Store(r.Int64N(5))
		p := &reader{w: w, id: w.start("again")}
		p.connect("")
		p.older(1 + r.IntN(5))
		prompts := 1
		for range 40 {
			switch r.IntN(6) {
			case 0, 1:
				if state, _ := w.keeper.Session(p.id); len(state.Queued) < 15 {
					text := []string{"again", "again", "other"}[r.IntN(3)]
					prompts++
					p.sent = append(p.sent, text)
					must[api.Sent](w, http.MethodPost, "/sessions/"+p.id+"/send", `{"message":"`+text+`"}`)
				}
			case 2:
				p.disconnect()
				p.connect(fmt.Sprintf("?after=%d", p.last))
			case 3:
				p.refresh(1 + r.IntN(5))
			case 4:
				if p.more {
					p.older(1 + r.IntN(5))
				}
			case 5:
				p.handle()
			}
		}
		p.disconnect()
		p.connect(fmt.Sprintf("?after=%d", p.last))
		until(t, "the end of the last turn", func() bool {
			state, _ := w.keeper.Session(p.id)
			return state.Status == keeper.StatusIdle
		})
		for p.more {
			p.older(1 + r.IntN(50))
		}
		until(t, "the last message", func() bool { p.handle(); return len(p.shown) >= 2*prompts })
		p.disconnect()
		all := must[api.History](w, http.MethodGet, "/sessions/"+p.id+"?limit=2000", "")
		if len(all.Messages) != 2*prompts || !reflect.DeepEqual(p.shown, all.Messages) || len(p.sent) > 0 {
			t.Fatalf("seed %d: %d prompts, shown\n%s\nhistory\n%s\nwithout a UUID %q", seed, prompts, ids(p.shown), ids(all.Messages), p.sent)
		}
	}
}

func ids(list []api.Message) string {
	var b strings.Builder
	for _, m := range list {
		fmt.Fprintf(&b, "%s %s %q\n", m.ID, m.Role, m.Content[0].Text)
	}
	return b.String()
}
