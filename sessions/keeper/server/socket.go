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

// socket sends events over a WebSocket. It disconnects a client that sends a message.
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
	sees map[string]bool // IDs of sessions that it may see
}

// run sends events until ctx is done or a frame can't be sent in time. It returns true if the connection was too slow
// and events are lost. The Keeper never waits for it.
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

// frame returns the frame for an event. ok is false for an internal event or a session outside the roots.
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

// write sends a frame, and closes a connection that is too slow. ok is false for a closed connection.
func (l *listener) write(ctx context.Context, frame any) (ok bool) {
	text, err := json.Marshal(frame)
	if err != nil {
		return true // can't happen: raw messages of the client are valid JSON
	}
	ctx, cancel := context.WithTimeout(ctx, l.frameTime)
	defer cancel()
	return l.conn.Write(ctx, websocket.MessageText, text) == nil
}
