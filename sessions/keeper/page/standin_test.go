package page

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// standIn answers the requests of the page like a keeper. Prompts decide what its sessions do.
type standIn struct {
	t   *testing.T
	url string

	mu        sync.Mutex
	requests  []string // of the methods other than GET
	sessions  map[string]object
	messages  map[string][]object
	attention []object
	events    []object
	more      chan struct{}
	lost      bool
	ids       int
	sockets   []*websocket.Conn
}

func newStandIn(t *testing.T) *standIn {
	t.Helper()
	s := &standIn{t: t, sessions: map[string]object{}, messages: map[string][]object{}, attention: []object{}, more: make(chan struct{})}
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", Handler())
	mux.HandleFunc("GET /sessions", s.authorized(func(http.ResponseWriter, *http.Request) any { return s.list() }))
	mux.HandleFunc("GET /attention", s.authorized(func(http.ResponseWriter, *http.Request) any { return s.attention }))
	mux.HandleFunc("GET /sessions/{id}", s.authorized(s.history))
	mux.HandleFunc("POST /sessions", s.authorized(s.create))
	mux.HandleFunc("PATCH /sessions/{id}", s.authorized(s.rename))
	mux.HandleFunc("POST /sessions/{id}/send", s.authorized(s.send))
	mux.HandleFunc("POST /sessions/{id}/interrupt", s.authorized(s.interrupt))
	mux.HandleFunc("POST /attention/{id}/resolve", s.authorized(s.resolve))
	mux.HandleFunc("GET /ws", s.socket)
	server := httptest.NewServer(mux)
	t.Cleanup(func() {
		s.cut()
		server.Close()
	})
	s.url = server.URL
	return s
}

func (s *standIn) authorized(answer func(http.ResponseWriter, *http.Request) any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		var value any = object{"error": "Unauthorized"}
		if r.Header.Get("Authorization") == "Bearer secret" {
			s.mu.Lock()
			defer s.mu.Unlock()
			value = answer(w, r)
		} else {
			w.WriteHeader(http.StatusUnauthorized)
		}
		_ = json.NewEncoder(w).Encode(value)
	}
}

func (s *standIn) list() []object {
	list := []object{}
	for _, session := range s.sessions {
		list = append(list, session)
	}
	return list
}

func failed(w http.ResponseWriter, status int, fields object) any {
	w.WriteHeader(status)
	return fields
}

func (s *standIn) history(w http.ResponseWriter, r *http.Request) any {
	id := r.PathValue("id")
	session, ok := s.sessions[id]
	if !ok {
		return failed(w, http.StatusNotFound, object{"error": "This session doesn't exist."})
	}
	messages, limit := s.messages[id], 20
	if before := r.FormValue("before"); before != "" {
		messages = messages[:slices.IndexFunc(messages, func(m object) bool { return m["id"] == before })]
	}
	from := max(0, len(messages)-limit)
	answer := object{"messages": append([]object{}, messages[from:]...), "more": from > 0}
	for k, v := range session {
		answer[k] = v
	}
	return answer
}

func (s *standIn) body(r *http.Request) object {
	body := object{}
	_ = json.NewDecoder(r.Body).Decode(&body)
	text, _ := json.Marshal(body)
	s.requests = append(s.requests, fmt.Sprintf("%s %s %s", r.Method, r.URL.Path, text))
	return body
}

func (s *standIn) create(w http.ResponseWriter, r *http.Request) any {
	body := s.body(r)
	if !strings.HasPrefix(fmt.Sprint(body["workdir"]), "/home/dev/") {
		return failed(w, http.StatusForbidden, object{"error": "The folder is outside the allowed roots."})
	}
	id := s.uuid()
	s.sessions[id] = newSession(id, fmt.Sprint(body["workdir"]), fmt.Sprint(body["prompt"]), "pending", 0)
	w.WriteHeader(http.StatusCreated)
	go s.turn(id, fmt.Sprint(body["prompt"]))
	return object{"id": id, "tempId": "pending_" + id, "state": "pending"}
}

func (s *standIn) rename(_ http.ResponseWriter, r *http.Request) any {
	session := copied(s.sessions[r.PathValue("id")])
	session["name"] = s.body(r)["name"]
	s.sessions[r.PathValue("id")] = session
	return session
}

func (s *standIn) send(w http.ResponseWriter, r *http.Request) any {
	id, body := r.PathValue("id"), s.body(r)
	if s.sessions[id]["state"] == "live" {
		if body["fork"] != true {
			return failed(w, http.StatusConflict, object{"error": "Another client has this session open.", "pid": 4711, "since": time.Now().Add(-time.Hour)})
		}
		fork := s.uuid()
		s.sessions[fork] = newSession(fork, fmt.Sprint(s.sessions[id]["workdir"]), fmt.Sprint(s.sessions[id]["firstPrompt"]), "idle", 0)
		s.messages[fork] = slices.Clone(s.messages[id])
		id = fork
	}
	go s.turn(id, fmt.Sprint(body["message"]))
	return object{"sent": true, "id": id}
}

func (s *standIn) interrupt(_ http.ResponseWriter, r *http.Request) any {
	s.body(r)
	s.state(r.PathValue("id"), "idle")
	return object{"interrupted": true}
}

func (s *standIn) resolve(w http.ResponseWriter, r *http.Request) any {
	body := s.body(r)
	i := slices.IndexFunc(s.attention, func(a object) bool { return a["id"] == r.PathValue("id") })
	if i < 0 {
		return failed(w, http.StatusNotFound, object{"error": "The question is no longer open."})
	}
	a := s.attention[i]
	s.attention = slices.Delete(slices.Clone(s.attention), i, i+1)
	s.event(object{"type": "attention:resolved", "attentionId": a["id"], "resolution": body["behavior"]})
	s.say(fmt.Sprint(a["sessionId"]), "assistant", fmt.Sprint("Resolved: ", body["behavior"]))
	s.state(fmt.Sprint(a["sessionId"]), "idle")
	return object{"resolved": true}
}

// turn plays a turn: it repeats the prompt, and answers it.
func (s *standIn) turn(id, prompt string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if strings.HasPrefix(prompt, "later") { // it stays in the queue
		return
	}
	s.say(id, "user", prompt)
	switch {
	case strings.HasPrefix(prompt, "hold"):
		s.state(id, "busy")
		s.event(object{"type": "session:partial", "sessionId": id, "text": "Half an **ans"})
	case strings.HasPrefix(prompt, "run"):
		s.ask(id, "permission", "Bash", object{"command": strings.TrimPrefix(prompt, "run "), "description": "Runs it"})
	case strings.HasPrefix(prompt, "edit"):
		s.ask(id, "permission", "Edit", object{"file_path": "/home/dev/code/teahouse/a.go", "old_string": "one\ntwo\nthree", "new_string": "one\n2\nthree"})
	case strings.HasPrefix(prompt, "plan"):
		s.ask(id, "plan", "ExitPlanMode", object{"plan": "# Plan\n\n1. Read\n2. Write"})
	case strings.HasPrefix(prompt, "question"):
		s.ask(id, "question", "AskUserQuestion", object{"questions": []object{
			{"question": "Which store?", "options": []object{{"label": "Postgres"}, {"label": "SQLite", "description": "One writer"}}},
			{"question": "Which parts?", "multiSelect": true, "options": []object{{"label": "Read"}, {"label": "Write"}, {"label": "Delete"}}},
		}})
	case strings.HasPrefix(prompt, "fail"):
		s.event(object{"type": "session:ended", "sessionId": id, "reason": "failed", "error": "claude: exit status 1"})
	default:
		s.state(id, "busy")
		s.say(id, "assistant", "Answer to "+prompt)
		s.state(id, "idle")
	}
}

func (s *standIn) ask(id, kind, tool string, input object) {
	a := object{
		"id": "attn_" + s.uuid(), "sessionId": id, "type": kind, "toolName": tool, "toolInput": input, "title": tool, "timestamp": time.Now(),
		"suggestions": []object{{"type": "addRules", "rules": []object{{"toolName": "Bash", "ruleContent": "go test *"}}, "behavior": "allow", "destination": "localSettings"}},
	}
	s.attention = append(slices.Clone(s.attention), a)
	s.event(object{"type": "attention:requested", "attention": a})
	s.state(id, "waiting")
}

func (s *standIn) say(id, role string, content any) object {
	m := object{"id": s.uuid(), "role": role, "content": content, "timestamp": time.Now()}
	s.messages[id] = append(s.messages[id], m)
	session := copied(s.sessions[id])
	session["messageCount"] = len(s.messages[id])
	s.sessions[id] = session
	s.event(object{"type": "session:message", "sessionId": id, "message": m})
	return m
}

func (s *standIn) state(id, state string) {
	session := copied(s.sessions[id])
	session["state"], session["modified"] = state, time.Now()
	s.sessions[id] = session
	s.event(object{"type": "session:updated", "session": session})
}

func (s *standIn) event(e object) {
	e["id"] = len(s.events) + 1
	s.events = append(s.events, e)
	close(s.more)
	s.more = make(chan struct{})
}

func (s *standIn) uuid() string {
	s.ids++
	return fmt.Sprintf("%08x-0000-4000-8000-000000000000", s.ids)
}

// cut closes all WebSockets.
func (s *standIn) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.sockets {
		_ = c.CloseNow()
	}
	s.sockets = nil
}

func (s *standIn) socket(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.Header.Get("Sec-Websocket-Protocol"), "bearer.secret") {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	c, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"continuo.v1"}})
	if err != nil {
		return
	}
	defer func() { _ = c.CloseNow() }()
	ctx := c.CloseRead(context.Background())
	s.mu.Lock()
	s.sockets = append(s.sockets, c)
	at := len(s.events)
	hello := object{"type": "hello", "last": at, "lost": s.lost}
	if n := r.FormValue("after"); n != "" && !s.lost {
		_, _ = fmt.Sscan(n, &at)
	}
	s.lost = false
	s.mu.Unlock()
	err = wsjson.Write(ctx, c, hello)
	for err == nil {
		s.mu.Lock()
		events, more := s.events[at:], s.more
		s.mu.Unlock()
		for _, e := range events {
			if err == nil {
				err = wsjson.Write(ctx, c, e)
			}
		}
		at += len(events)
		if len(events) == 0 {
			select {
			case <-more:
			case <-ctx.Done():
				return
			}
		}
	}
}

func newSession(id, workdir, prompt, state string, old time.Duration) object {
	return object{
		"id": id, "workdir": workdir, "firstPrompt": prompt, "messageCount": 0, "created": time.Now().Add(-old), "modified": time.Now().Add(-old), "state": state,
		"gitBranch": "main",
	}
}

func copied(o object) object {
	c := object{}
	for k, v := range o {
		c[k] = v
	}
	return c
}
