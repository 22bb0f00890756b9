package server

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/coder/websocket"

	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/keeper/api"
)

// socket sends events over a WebSocket. A client that sends a message is disconnected.
func (s *server) socket(w http.ResponseWriter, r *http.Request) {
	text := r.URL.Query().Get("after")
	after, err := strconv.ParseUint(text, 10, 64)
	if text != "" && err != nil {
		refuse(w, failed(http.StatusBadRequest, "after must be the ID of an event."))
		return
	}
	c, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{subprotocol}})
	if err != nil {
		return // Accept has answered
	}
	defer func() { _ = c.CloseNow() }()
	l := &listener{server: s, conn: c, sees: map[string]bool{}}
	if lost := l.run(c.CloseRead(r.Context()), after, text != ""); lost {
		_ = c.Close(websocket.StatusTryAgainLater, "the connection was too slow; connect again with the ID of the last event")
	}
}

// listener is a WebSocket that gets events.
type listener struct {
	*server
	conn *websocket.Conn
	sees map[string]bool // IDs of sessions whose events it may see
}

// run sends events until ctx is done or a frame can't be sent in time. It returns true if the connection was so slow that
// the Keeper no longer has the next event. The Keeper never waits for a connection.
func (l *listener) run(ctx context.Context, after uint64, resumed bool) (lost bool) {
	last := l.Keeper.LastEvent()
	at := last
	if from := after - l.base; resumed && from <= last { // unsigned: an ID below base becomes a very large number
		if from < last {
			_, lost, _ = l.Keeper.Events(ctx, from) // there are events, so it doesn't wait
		}
		at = from
	} else {
		lost = resumed
	}
	if lost {
		at = last
	}
	if !l.write(ctx, api.Hello{Type: api.TypeHello, Last: l.base + last, Lost: lost}) {
		return false
	}
	for {
		events, lost, err := l.Keeper.Events(ctx, at)
		if err != nil || lost {
			return lost
		}
		for i := range events {
			at = events[i].ID
			if frame, ok := l.frame(ctx, &events[i]); ok && !l.write(ctx, frame) {
				return false
			}
		}
	}
}

// frame returns the frame for an event. ok is false if the event isn't sent to clients, or if its session isn't in
// the roots.
func (l *listener) frame(ctx context.Context, e *keeper.Event) (frame api.Event, ok bool) {
	var f found
	if !l.sees[e.Session] || e.Kind == keeper.EventActive || e.Kind == keeper.EventUpdated {
		var err error
		if f, err = l.find(ctx, e.Session); err != nil {
			return api.Event{}, false
		}
		l.sees[e.Session] = true
	}
	frame, ok = api.EventOf(e, f.api)
	frame.ID += l.base
	return frame, ok
}

// write sends a frame; ok is false if the connection is closed. write closes a connection that is too slow.
func (l *listener) write(ctx context.Context, frame any) (ok bool) {
	text, err := json.Marshal(frame)
	if err != nil {
		return true // can't happen: raw messages of the client are valid JSON
	}
	ctx, cancel := context.WithTimeout(ctx, l.frameTime)
	defer cancel()
	return l.conn.Write(ctx, websocket.MessageText, text) == nil
}
