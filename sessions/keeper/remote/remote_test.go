package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/resume"
)

// dial returns a Keeper that is connected to k through a middleware.
func dial(t *testing.T, k *keeper.Keeper, through func(http.Handler) http.Handler) *Keeper {
	t.Helper()
	server := httptest.NewServer(through(Handler(k)))
	r, err := Dial(t.Context(), server.URL, "token")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Close()
		server.Close()
	})
	return r
}

// plain is a middleware that changes nothing.
func plain(h http.Handler) http.Handler { return h }

// newKeeper returns a Keeper whose clients run a script.
func newKeeper(t *testing.T, script func(c *client)) *keeper.Keeper {
	t.Helper()
	k := keeper.New(keeper.Options{Start: &standIn{script: script}, Now: time.Now})
	t.Cleanup(k.Close)
	return k
}

func launchNew() *resume.Launch { return &resume.Launch{Argv: []string{"claude"}, Dir: "/code"} }

// until waits for an event, beginning with the first one.
func until(t *testing.T, k interface {
	Events(ctx context.Context, after uint64) ([]keeper.Event, bool, error)
}, is func(keeper.Event) bool,
) {
	t.Helper()
	for after := uint64(0); ; {
		events, _, err := k.Events(t.Context(), after)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if after = e.ID; is(e) {
				return
			}
		}
	}
}

// same waits until the mirror has the sessions of the Keeper. A state can be newer than the last event.
func same(t *testing.T, k *keeper.Keeper, r *Keeper) {
	t.Helper()
	for try := 0; ; try++ {
		want, got := text(t, k.Sessions()), text(t, r.Sessions())
		if got == want {
			return
		}
		if try == 1000 {
			t.Fatalf("the mirror has\n%s\nthe keeper has\n%s", got, want)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func text(t *testing.T, value any) string {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b, value); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// breaking breaks a third of the event responses, most of them in the middle.
func breaking(seed uint64) func(http.Handler) http.Handler {
	var mu sync.Mutex
	r := rand.New(rand.NewPCG(seed, 2)) //nolint:gosec // the fixed seed makes the test repeatable
	return func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
			mu.Lock()
			breaks, part := r.IntN(3) == 0 && request.FormValue("keeper") != "", r.Float64()
			mu.Unlock()
			if !breaks || request.Method != http.MethodGet {
				h.ServeHTTP(w, request)
				return
			}
			out := httptest.NewRecorder()
			h.ServeHTTP(out, request)
			w.Header().Set("Content-Length", fmt.Sprint(out.Body.Len()))
			_, _ = w.Write(out.Body.Bytes()[:int(part*float64(out.Body.Len()))])
			panic(http.ErrAbortHandler)
		})
	}
}

// TestBreaks: the connection breaks often. A reader gets every record once and in order.
func TestBreaks(t *testing.T) {
	t.Parallel()
	const turns = 30
	for seed := range uint64(8) {
		k := newKeeper(t, echo)
		r := dial(t, k, breaking(seed))
		id, err := r.Start(launchNew(), nil)
		other, err2 := r.Start(launchNew(), nil)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		choose := rand.New(rand.NewPCG(seed, 3)) //nolint:gosec // the fixed seed makes the test repeatable
		go func() {
			for range turns {
				to := []string{id, other}[choose.IntN(2)]
				if err := r.Send(to, []string{"again", "again", "<b> & \u2028"}[choose.IntN(3)]); err != nil {
					t.Error(err)
				}
			}
		}()
		got, n := map[string][]json.RawMessage{}, 0
		until(t, r, func(e keeper.Event) bool {
			if e.Kind == keeper.EventMessage {
				got[e.Session] = append(got[e.Session], e.Record)
				n++
			}
			return n == 2*turns
		})
		for _, s := range k.Sessions() {
			if text(t, got[s.ID]) != text(t, s.Records) && len(s.Records) > 0 {
				t.Errorf("seed %d: received\n%s\nof\n%s", seed, got[s.ID], s.Records)
			}
		}
		same(t, k, r)
		if err := r.End(id); err != nil {
			t.Fatal(err)
		}
		until(t, r, func(e keeper.Event) bool { return e.Kind == keeper.EventEnded && e.Session == id })
		if _, err := r.Start(&resume.Launch{Argv: []string{"claude"}, Dir: "/code", Writes: id}, nil); err != nil {
			t.Fatal(err)
		}
		if err := r.Send(id, "resumed"); err != nil {
			t.Fatal(err)
		}
		until(t, k, func(e keeper.Event) bool { return strings.Contains(string(e.Record), "I heard: resumed") })
		same(t, k, r)
		if s, _ := r.Session(id); len(s.Records) != 2 {
			t.Errorf("seed %d: resumed with %s", seed, s.Records)
		}
	}
}

// TestLost: the Keeper no longer has the next events of a slow mirror.
func TestLost(t *testing.T) {
	t.Parallel()
	k := newKeeper(t, func(c *client) {
		for {
			prompt, uuid, ok := c.prompt()
			if !ok {
				return
			}
			c.answer(prompt, uuid, strings.Repeat("a ", 9000))
		}
	})
	read, release := make(chan struct{}, 1), make(chan struct{})
	r := dial(t, k, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
			if request.FormValue("keeper") != "" {
				select {
				case read <- struct{}{}:
					<-release
				default:
				}
			}
			h.ServeHTTP(w, request)
		})
	})
	<-read
	id, err := k.Start(launchNew(), nil)
	if err == nil {
		err = k.Send(id, "much")
	}
	if err != nil {
		t.Fatal(err)
	}
	until(t, k, func(e keeper.Event) bool { return e.Kind == keeper.EventRequested })
	close(release)
	if events, lost, err := r.Events(t.Context(), 0); !lost || len(events) == 0 || err != nil {
		t.Errorf("%d events, lost %v, %v", len(events), lost, err)
	}
	same(t, k, r)
}

// TestGone: the Keeper ends, and another one starts at the same address.
func TestGone(t *testing.T) {
	t.Parallel()
	listen := func(address string) net.Listener {
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	serve := func(l net.Listener, k *keeper.Keeper) *http.Server {
		s := &http.Server{Handler: Handler(k), ReadHeaderTimeout: time.Minute}
		go func() { _ = s.Serve(l) }()
		return s
	}
	l := listen("127.0.0.1:0")
	first := newKeeper(t, echo)
	server := serve(l, first)
	r, err := Dial(t.Context(), "http://"+l.Addr().String(), "token")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	id, err := r.Start(launchNew(), nil)
	if err == nil {
		err = r.Send(id, "hello")
	}
	if err != nil {
		t.Fatal(err)
	}
	until(t, r, func(e keeper.Event) bool { return e.Kind == keeper.EventRequested })
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	last := uint64(0)
	until(t, r, func(e keeper.Event) bool { last = e.ID; return e.Kind == keeper.EventEnded && e.Session == id })
	if s, _ := r.Session(id); s.Status != keeper.StatusEnded || !strings.HasPrefix(s.Err, "The keeper has ended: ") || len(s.Records) != 2 {
		t.Errorf("without a keeper: %+v", s)
	}
	if err := r.Send(id, "more"); err == nil || strings.Contains(err.Error(), "/send") {
		t.Errorf("send: %v", err)
	}
	second := newKeeper(t, echo)
	server = serve(listen(l.Addr().String()), second)
	defer func() { _ = server.Close() }()
	if _, lost, err := r.Events(t.Context(), last); !lost || err != nil {
		t.Errorf("the events of another keeper: lost %v, %v", lost, err)
	}
	same(t, second, r)
}

// TestMethods: errors keep their sentinels.
func TestMethods(t *testing.T) {
	t.Parallel()
	answers := make(chan string, 1)
	stand := &standIn{script: func(c *client) {
		c.say(`{"type":"control_request","request_id":"q1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"a <b> && c"}}}`)
		for m := c.next(); m != nil; m = c.next() {
			if m["type"] == "control_response" {
				text, _ := json.Marshal(m["response"].(map[string]any)["response"])
				answers <- string(text)
			} else if request, ok := m["request"].(map[string]any); ok {
				c.say(fmt.Sprintf(`{"type":"control_response","response":{"request_id":%q,"subtype":"success","response":{}}}`, m["request_id"]))
				if request["subtype"] == "interrupt" {
					c.say(`{"type":"result","is_error":true,"result":"broken"}`)
				}
			}
		}
	}}
	k := keeper.New(keeper.Options{Start: stand, Now: time.Now})
	defer k.Close()
	r := dial(t, k, plain)
	const id = "3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35"
	launch := &resume.Launch{Argv: []string{"claude", "--resume", id}, Dir: "/code", Writes: id}
	if got, err := r.Start(launch, []string{"A=b"}); got != id || err != nil {
		t.Fatal(got, err)
	}
	if s, ok := r.Session(id); !ok || s.PID != 1 || s.Dir != "/code" { // at once
		t.Errorf("started: %+v", s)
	}
	if !slices.Contains(stand.environ, "A=b") {
		t.Errorf("environment %q", stand.environ)
	}
	if _, err := r.Start(launch, nil); !errors.Is(err, keeper.ErrDriven) {
		t.Errorf("driven twice: %v", err)
	}
	if _, err := r.Start(&resume.Launch{Argv: []string{"claude"}, Second: true}, nil); !errors.Is(err, keeper.ErrLive) {
		t.Errorf("a second writer: %v", err)
	}
	if _, err := r.Start(&resume.Launch{}, nil); err == nil {
		t.Error("a launch without a program was started")
	}
	until(t, r, func(e keeper.Event) bool { return e.Kind == keeper.EventRequested })
	if s, _ := r.Session(id); len(s.Open) != 1 || string(s.Open[0].Input) != `{"command":"a <b> && c"}` {
		t.Errorf("open: %+v", s.Open)
	}
	if err := r.Answer(id, "other", keeper.Answer{}); !errors.Is(err, keeper.ErrUnknown) {
		t.Errorf("an unknown question: %v", err)
	}
	bypass := json.RawMessage(`{"type":"setMode","mode":"bypassPermissions"}`)
	for _, err := range []error{r.SetMode(t.Context(), id, keeper.Bypass), r.Answer(id, "q1", keeper.Answer{Allow: true, Always: []json.RawMessage{bypass}})} {
		if err == nil || err.Error() != errBypass.Error() {
			t.Errorf("without permission questions: %v", err)
		}
	}
	if err := r.Answer(id, "q1", keeper.Answer{Allow: true}); err != nil {
		t.Error(err)
	}
	if got := <-answers; got != `{"behavior":"allow","updatedInput":{"command":"a \u003cb\u003e \u0026\u0026 c"}}` {
		t.Errorf("the client got %s", got)
	}
	for _, prompt := range []string{"one", "two"} {
		if err := r.Send(id, prompt); err != nil {
			t.Error(err)
		}
	}
	for _, want := range []string{"two", "one", ""} {
		if got, ok := r.Unqueue(id); got != want || ok != (want != "") {
			t.Errorf("unqueued %q, %v, want %q", got, ok, want)
		}
	}
	if err := errors.Join(r.SetMode(t.Context(), id, "plan"), r.SetModel(t.Context(), id, "opus"), r.Interrupt(t.Context(), id)); err != nil {
		t.Error(err)
	}
	until(t, r, func(e keeper.Event) bool {
		return e.Kind == keeper.EventRequested && e.Attention.Kind == keeper.AttentionError
	})
	if s, _ := r.Session(id); s.Mode != "plan" || s.Model != "opus" || len(s.Open) == 0 || s.Open[0].Input != nil {
		t.Errorf("after the turn: %+v", s)
	}
	r.Seen(id)
	until(t, r, func(e keeper.Event) bool {
		return e.Kind == keeper.EventResolved && e.Attention.Resolution == keeper.ResolvedSeen
	})
	if err := r.Interrupt(t.Context(), "other"); !errors.Is(err, keeper.ErrUnknown) {
		t.Errorf("an unknown session: %v", err)
	}
	if err := r.End(id); err != nil {
		t.Error(err)
	}
	until(t, r, func(e keeper.Event) bool { return e.Kind == keeper.EventEnded })
	if err := r.Send(id, "more"); !errors.Is(err, keeper.ErrEnded) || err.Error() != keeper.ErrEnded.Error() {
		t.Errorf("send: %v", err)
	}
	if r.Forget(id); len(k.Sessions()) != 0 || len(r.Sessions()) != 0 {
		t.Error("the session is still listed")
	}
}

// TestClose: Close leaves the sessions running. A canceled context ends a request.
func TestClose(t *testing.T) {
	t.Parallel()
	k := newKeeper(t, func(c *client) {
		for c.next() != nil {
		}
	})
	r := dial(t, k, plain)
	id, err := r.Start(launchNew(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if err := r.Interrupt(ctx, id); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupt: %v", err)
	}
	r.Close()
	if s, _ := k.Session(id); s.Status == keeper.StatusEnded {
		t.Error("the session has ended")
	}
}

// TestRefused: the server isn't a Keeper, or refuses the token.
func TestRefused(t *testing.T) {
	t.Parallel()
	for status, body := range map[int]string{http.StatusUnauthorized: `{"error":"the token is wrong"}`, http.StatusOK: "<html>"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if got := r.Header.Get("Authorization"); got != "Bearer token" {
				t.Errorf("Authorization %q", got)
			}
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}))
		if _, err := Dial(t.Context(), server.URL, "token"); err == nil || status != http.StatusOK && err.Error() != "the token is wrong" {
			t.Errorf("status %d: %v", status, err)
		}
		server.Close()
	}
}
