package server

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/keeper/api"
)

const (
	teaID   = "3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35"
	otherID = "6a0b7c44-0d1e-4f6a-8b2c-93e5d7f1a208"
)

// until repeats a check until it succeeds. After a generous limit, the test fails.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("not in time: " + what)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add(teaID, w.root, "Tea?")
	_, port, _ := net.SplitHostPort(w.host)
	header := func(key, value string) func(r *http.Request) {
		return func(r *http.Request) { r.Header.Set(key, value) }
	}
	host := func(host string) func(r *http.Request) { return func(r *http.Request) { r.Host = host } }
	for _, tt := range []struct {
		name, method, path, body string
		change                   func(r *http.Request)
		status                   int
	}{
		{"no token", "GET", "/sessions", "", func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		{"wrong token", "GET", "/sessions", "", header("Authorization", "Bearer "+token+"x"), 401},
		{"a part of the token", "GET", "/sessions", "", header("Authorization", "Bearer page"), 401},
		{"another scheme", "GET", "/sessions", "", header("Authorization", "Basic "+token), 401},
		{"the token of the Live screen", "GET", "/sessions", "", header("Authorization", "Bearer "+liveToken), 401},
		{"the token of the page for the Live screen", "GET", "/live/x", "", nil, 401},
		{"the token in the query", "GET", "/sessions?token=" + token, "", func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		{"an unknown path without a token", "GET", "/x", "", func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		{"a WebSocket without a token", "GET", "/ws", "", func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		{"a WebSocket with a wrong token", "GET", "/ws", "", header("Sec-WebSocket-Protocol", subprotocol+", "+bearerPrefix+"x"), 401},
		{"a name that points here", "GET", "/", "", host("evil.example:" + port), 403},
		{"an address of the network", "GET", "/", "", host("192.168.1.5:" + port), 403},
		{"another port", "GET", "/sessions", "", host("localhost:1"), 403},
		{"no port", "GET", "/sessions", "", host("localhost"), 403},
		{"another site", "GET", "/sessions", "", header("Origin", "http://evil.example"), 403},
		{"another port of this machine", "GET", "/sessions", "", header("Origin", "http://localhost:1"), 403},
		{"a file", "GET", "/sessions", "", header("Origin", "null"), 403},
		{"https", "GET", "/sessions", "", header("Origin", "https://"+w.host), 403},
		{"another site for the WebSocket", "GET", "/ws", "", header("Origin", "http://evil.example"), 403},
		{"a preflight request", "OPTIONS", "/sessions", "", header("Origin", "http://evil.example"), 403},
		{"delete", "DELETE", "/sessions/" + teaID, "", nil, 405},
		{"put", "PUT", "/sessions", "", nil, 405},
		{"post of the page", "POST", "/", "", nil, 404},
		{"an unknown path", "GET", "/sessions/" + teaID + "/x", "", nil, 404},
		{"a path with ..", "GET", "/sessions/..%2f..%2fetc", "", nil, 404},
		{"an unknown session", "GET", "/sessions/x", "", nil, 404},
		{"limit", "GET", "/sessions/" + teaID + "?limit=0", "", nil, 400},
		{"limit is no number", "GET", "/sessions/" + teaID + "?limit=x", "", nil, 400},
		{"limit is too large", "GET", "/sessions/" + teaID + "?limit=2001", "", nil, 400},
		{"before", "GET", "/sessions/" + teaID + "?before=x", "", nil, 404},
		{"after", "GET", "/ws?after=x", "", nil, 400},
		{"no body", "POST", "/sessions", "", nil, 400},
		{"not JSON", "POST", "/sessions", "{", nil, 400},
		{"an array", "POST", "/sessions", "[]", nil, 400},
		{"two objects", "POST", "/sessions", `{"workdir":"/"} {}`, nil, 400},
		{"an unknown field", "POST", "/sessions", `{"workdir":"/","permissionMode":"bypassPermissions"}`, nil, 400},
		{"no workdir", "POST", "/sessions", `{}`, nil, 400},
		{"a relative workdir", "POST", "/sessions", `{"workdir":"tea"}`, nil, 400},
		{"fork of an unknown session", "POST", "/sessions", `{"fork":"x"}`, nil, 404},
		{"fork in another folder", "POST", "/sessions", `{"fork":"` + teaID + `","workdir":"/"}`, nil, 400},
		{"no message", "POST", "/sessions/" + teaID + "/send", `{}`, nil, 400},
		{"send to an unknown session", "POST", "/sessions/x/send", `{"message":"x"}`, nil, 404},
		{"rename an unknown session", "PATCH", "/sessions/x", `{"name":"x"}`, nil, 404},
		{"interrupt an unknown session", "POST", "/sessions/x/interrupt", ``, nil, 404},
		{"resolve an unknown question", "POST", "/attention/x/resolve", `{"behavior":"allow"}`, nil, 404},
		{"a long body", "POST", "/sessions", `{"prompt":"` + strings.Repeat("x", 1<<20) + `"}`, nil, 413},
	} {
		if tt.change == nil {
			tt.change = func(*http.Request) {}
		}
		status, text := w.do(tt.method, tt.path, tt.body, tt.change)
		var f api.Failure
		if err := json.Unmarshal([]byte(text), &f); status != tt.status || err != nil || !strings.HasSuffix(f.Error, ".") {
			t.Errorf("%s: status %d, want %d: %s %v", tt.name, status, tt.status, text, err)
		}
	}
	if list := w.keeper.Sessions(); len(list) > 0 {
		t.Errorf("a bad request started %+v", list)
	}
}

// TestAdmitted: some requests need no token. Some have the token of the Live screen.
func TestAdmitted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, port, _ := net.SplitHostPort(w.host)
	for _, host := range []string{"localhost:" + port, "127.0.0.1:" + port, "[::1]:" + port} {
		status, text := w.do(http.MethodGet, "/", "", func(r *http.Request) {
			r.Host = host
			r.Header.Del("Authorization")
			r.Header.Set("Origin", "http://"+host)
		})
		if status != http.StatusOK || text != "the page" {
			t.Errorf("%s: status %d, %q", host, status, text)
		}
	}
	long := strings.Repeat("x", 2<<20) // longer than the limit of other requests
	status, text := w.do(http.MethodPost, "/live/x", long, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+liveToken) })
	if status != http.StatusOK || text != long {
		t.Errorf("the Live screen got status %d and %d bytes", status, len(text))
	}
}

// TestRoots: sessions outside the roots are invisible, and none can be started there.
func TestRoots(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add(teaID, filepath.Join(w.root, "tea"), "Tea?")
	w.add(otherID, w.other, "Other?")
	w.add("sibling", w.root+"-2", "Sibling?") // the path begins with the root's path, but isn't in the root
	w.add("parent", filepath.Join(w.root, "..", "x"), "Parent?")
	w.add("nowhere", "", "Nowhere?")
	id, err := w.Start(t.Context(), w.other, "")
	if err != nil {
		t.Fatal(err)
	}
	s := w.dial("")
	if err := w.keeper.Send(id, "Heat the water."); err != nil {
		t.Fatal(err)
	}
	until(t, "the question", func() bool { state, _ := w.keeper.Session(id); return len(state.Open) > 0 })
	state, _ := w.keeper.Session(id)

	if list := must[[]api.Session](w, "GET", "/sessions", ""); len(list) != 1 || list[0].ID != teaID {
		t.Errorf("the list has %+v", list)
	}
	if list := must[[]api.Attention](w, "GET", "/attention", ""); len(list) != 0 {
		t.Errorf("the questions are %+v", list)
	}
	for _, request := range [][3]string{
		{"GET", "/sessions/" + otherID},
		{"GET", "/sessions/" + id},
		{"POST", "/sessions/" + otherID + "/send", `{"message":"x"}`},
		{"POST", "/sessions/" + id + "/send", `{"message":"x"}`},
		{"POST", "/sessions/" + otherID + "/send", `{"message":"x","fork":true}`},
		{"POST", "/sessions/" + id + "/interrupt"},
		{"PATCH", "/sessions/" + otherID, `{"name":"x"}`},
		{"POST", "/attention/" + state.Open[0].ID + "/resolve", `{"behavior":"allow"}`},
		{"POST", "/sessions", `{"fork":"` + otherID + `"}`},
	} {
		if status, text := w.do(request[0], request[1], request[2]); status != http.StatusNotFound {
			t.Errorf("%s %s: status %d, %s", request[0], request[1], status, text)
		}
	}

	link, file := filepath.Join(w.root, "link"), filepath.Join(w.root, "file")
	if err := errors.Join(os.Symlink(w.other, link), os.WriteFile(file, nil, 0o600)); err != nil {
		t.Skip(err) // Windows may not allow links
	}
	for dir, want := range map[string]int{
		w.other: 403, link: 403, filepath.Join(w.root, "..", filepath.Base(w.other)): 403, w.root + "-2": 403,
		file: 400, filepath.Join(w.root, "missing"): 400, w.root: 201,
	} {
		body, _ := json.Marshal(api.Create{Workdir: dir})
		if status, text := w.do("POST", "/sessions", string(body)); status != want {
			t.Errorf("start in %s: status %d, want %d: %s", dir, status, want, text)
		}
	}
	mine := w.start("Hello.")
	for _, e := range s.until(api.TypeMessage) {
		if e.Session != nil && e.Session.ID == id || e.SessionID == id || e.Attention != nil && e.Attention.SessionID == id {
			t.Errorf("the event of another session: %+v", e)
		}
		if e.Type == api.TypeMessage && e.SessionID != mine {
			t.Errorf("message of %s, want %s", e.SessionID, mine)
		}
	}
}

// TestCreated: a session runs from start to end. Another client ends before its first record.
func TestCreated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial("")
	body, _ := json.Marshal(api.Create{Workdir: w.root, Name: "Morning"})
	created := must[api.Created](w, "POST", "/sessions", string(body))
	if h := must[api.History](w, "GET", "/sessions/"+created.ID, ""); h.State != api.StatePending || len(h.Messages) != 0 || h.More {
		t.Errorf("before the first prompt: %+v", h)
	}
	must[api.Sent](w, "POST", "/sessions/"+created.ID+"/send", `{"message":"Assam?"}`)
	frames := s.until(api.TypeRequested)
	var types []string
	for _, e := range frames {
		if e.Type != api.TypeUpdated {
			types = append(types, e.Type)
		}
		if e.Type == api.TypeCreated && (e.TempID != created.TempID || e.Session.ID != created.ID || e.Session.Workdir != w.root) {
			t.Errorf("created: %+v %+v", e, e.Session)
		}
	}
	if want := []string{api.TypeMessage, api.TypeCreated, api.TypePartial, api.TypeMessage, api.TypeRequested}; !slices.Equal(types, want) {
		t.Errorf("events %q, want %q", types, want)
	}
	h := must[api.History](w, "GET", "/sessions/"+created.ID, "")
	if h.State != api.StateIdle || h.Name != "Morning" || h.FirstPrompt != "Assam?" || len(h.Messages) != 2 || h.Messages[1].Content[0].Text != "Assam?" {
		t.Errorf("after the first turn: %+v", h)
	}

	dead := w.start("die")
	last := s.until(api.TypeEnded)
	if e := last[len(last)-1]; e.SessionID != dead || e.Reason != api.ReasonFailed || !strings.Contains(e.Error, "exit status 1") {
		t.Errorf("ended: %+v", e)
	}
	if slices.ContainsFunc(last, func(e api.Event) bool { return e.Type == api.TypeCreated }) {
		t.Errorf("created in %+v", last)
	}
	if list := must[[]api.Session](w, "GET", "/sessions", ""); len(list) != 1 {
		t.Errorf("the list has %+v", list)
	}
	if status, text := w.do("POST", "/sessions/"+dead+"/send", `{"message":"x"}`); status != http.StatusConflict {
		t.Errorf("send: status %d, %s", status, text)
	}
}

// TestSend: a prompt goes to the running client, a resumed one or a fork.
func TestSend(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add(teaID, w.root, "Tea?")
	send := "/sessions/" + teaID + "/send"
	w.change(teaID, func(r *sessions.Row) { r.Live = &sessions.Live{PID: 4711, Started: now()} })
	status, text := w.do("POST", send, `{"message":"x"}`)
	if want := `"pid":4711,"since":"2026-11-28T09:00:00Z"`; status != http.StatusConflict || !strings.Contains(text, want) {
		t.Errorf("to a session of another client: status %d, %s", status, text)
	}
	fork := must[api.Sent](w, "POST", send, `{"message":"x","fork":true}`)
	if state, ok := w.keeper.Session(fork.ID); fork.ID == teaID || !ok || state.Dir != w.root {
		t.Errorf("the fork is %+v", state)
	}
	copied := must[api.Created](w, "POST", "/sessions", `{"fork":"`+teaID+`","name":"Copy"}`)
	if h := must[api.History](w, "GET", "/sessions/"+copied.ID, ""); copied.ID == teaID || h.State != api.StatePending {
		t.Errorf("the copy is %+v", h)
	}
	w.change(teaID, func(r *sessions.Row) { r.Deleted = true })
	if status, text := w.do("POST", send, `{"message":"x"}`); status != http.StatusConflict || !strings.Contains(text, "no longer exists") {
		t.Errorf("to a session that can't be resumed: status %d, %s", status, text)
	}

	w.change(teaID, nil)
	done := make(chan string, 2)
	for range 2 { // both need the client
		go func() { done <- must[api.Sent](w, "POST", send, `{"message":"hold"}`).ID }()
	}
	if a, b := <-done, <-done; a != teaID || b != teaID {
		t.Errorf("sent to %s and %s", a, b)
	}
	until(t, "the queue", func() bool {
		state, _ := w.keeper.Session(teaID)
		return state.Status == keeper.StatusBusy && len(state.Queued) == 1
	})
	for n := range 20 {
		want := http.StatusOK
		if n == 19 {
			want = http.StatusTooManyRequests
		}
		if status, text := w.do("POST", send, `{"message":"x"}`); status != want {
			t.Fatalf("prompt %d: status %d, %s", n, status, text)
		}
	}
	for range 2 { // the running turn and the queued prompt's turn wait for an interrupt
		until(t, "the prompt", func() bool {
			return must[api.Interrupted](w, "POST", "/sessions/"+teaID+"/interrupt", "").Interrupted
		})
	}
	until(t, "the end of the last turn", func() bool {
		state, _ := w.keeper.Session(teaID)
		return state.Status == keeper.StatusIdle && len(state.Queued) == 0
	})
	if status, text := w.do("POST", "/sessions/"+teaID+"/interrupt", ""); text != "{\"interrupted\":false}\n" {
		t.Errorf("interrupt after the turn: status %d, %s", status, text)
	}
}

func TestServe(t *testing.T) {
	t.Parallel()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	if err := Serve(t.Context(), l, http.NotFoundHandler()); !errors.Is(err, ErrNotLoopback) {
		t.Errorf("all addresses: %v", err)
	}
	if _, err := l.Accept(); err == nil {
		t.Error("the listener is open")
	}
}

// TestUnreadable: transcripts are damaged or unreadable. The sessions are listed with their readable messages.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.add(teaID, w.root, "Tea?", "More?")
	w.change(teaID, func(r *sessions.Row) { r.State, r.Reason = sessions.StateUnreadable, "Check the mode of the file." })
	h := must[api.History](w, "GET", "/sessions/"+teaID, "")
	if h.State != api.StateError || h.Error != "permission denied" || h.Messages == nil || len(h.Messages) != 0 {
		t.Errorf("unreadable: %+v", h)
	}
	if list := must[[]api.Session](w, "GET", "/sessions", ""); len(list) != 1 || list[0].State != api.StateError || list[0].Error != "Check the mode of the file." {
		t.Errorf("the list has %+v", list)
	}

	w.change(teaID, func(r *sessions.Row) { r.State, r.Reason = sessions.StateDamaged, "1 line could not be parsed." })
	text, err := os.ReadFile(filepath.Join(w.client.dir, teaID+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	w.write(teaID, strings.Replace(string(text), "\n", "\n{torn\n", 1))
	if h := must[api.History](w, "GET", "/sessions/"+teaID, ""); h.State != api.StatePartial || h.Error == "" || len(h.Messages) != 2 {
		t.Errorf("damaged: %+v", h)
	}

	w.add(otherID, w.root) // an empty file has no folder
	if status, text := w.do("GET", "/sessions/"+otherID, ""); status != http.StatusNotFound {
		t.Errorf("empty: status %d, %s", status, text)
	}
}

// TestRate: too many requests are refused. Those without a token have their own limit.
func TestRate(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(l *limits) { l.burst, l.badBurst = 3, 2 }) // the clock of the test stands still
	for n, want := range []int{401, 401, 429, 429} {
		if status, text := w.do("GET", "/health", "", func(r *http.Request) { r.Header.Del("Authorization") }); status != want {
			t.Errorf("bad request %d: status %d, %s", n, status, text)
		}
	}
	for n, want := range []int{200, 200, 200, 429} {
		if status, text := w.do("GET", "/health", ""); status != want {
			t.Errorf("good request %d: status %d, %s", n, status, text)
		}
	}

	b := newBucket(10, 2)
	for i, step := range []struct {
		after time.Duration
		want  bool
	}{{0, true}, {0, true}, {0, false}, {90 * time.Millisecond, false}, {110 * time.Millisecond, true}, {109 * time.Millisecond, false}, {time.Hour, true}, {time.Hour, true}, {time.Hour, false}, {0, false}} {
		if got := b.take(now().Add(step.after)); got != step.want {
			t.Errorf("step %d: %v", i, got)
		}
	}
}
