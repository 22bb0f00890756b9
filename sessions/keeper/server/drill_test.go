package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/keeper/api"
)

// resources counts goroutines and open files. Without /proc, files is 0.
func resources() (goroutines, files int) {
	list, _ := os.ReadDir("/proc/self/fd")
	return runtime.NumGoroutine(), len(list)
}

// nothingLeft runs a drill. No goroutine and no file may stay open. The drill mustn't run in parallel.
func nothingLeft(t *testing.T, drill func(t *testing.T)) {
	t.Helper()
	drilltest.SkipUnderRace(t)
	goroutines, files := resources()
	if !t.Run("drill", drill) {
		return
	}
	until(t, "the end of goroutines", func() bool {
		runtime.GC()
		g, f := resources()
		return g <= goroutines && f <= files
	})
}

// stream reads all messages of a session over connections that may break.
type stream struct {
	last  uint64
	texts []string
}

// read handles frames until the connection breaks or there are want messages.
func (s *stream) read(ctx context.Context, conn *websocket.Conn, want int) error {
	for len(s.texts) < want {
		_, text, err := conn.Read(ctx)
		if err != nil {
			return err
		}
		var e api.Event
		if err := json.Unmarshal(text, &e); err != nil {
			return err
		}
		if e.ID > 0 {
			s.last = e.ID
		}
		if e.Type == api.TypeMessage && e.Message.Role == "assistant" {
			s.texts = append(s.texts, e.Message.Content[0].Text)
		}
	}
	return nil
}

// TestManyClients: one client never reads. All others get every message.
func TestManyClients(t *testing.T) {
	nothingLeft(t, func(t *testing.T) {
		clients, prompts := 15, 15
		if long() {
			clients, prompts = 100, 40
		}
		w := newWorld(t, func(l *limits) { l.frameTime = 500 * time.Millisecond })
		id := w.start("")
		begin := w.dial("").Last

		stuck := w.stuck(fmt.Sprintf("/ws?after=%d", begin))
		var running sync.WaitGroup
		want := make([]string, prompts)
		for i := range want {
			want[i] = fmt.Sprint(i, strings.Repeat(" tea", 12000))
		}
		for range clients - 1 {
			s := &stream{last: begin}
			running.Go(func() {
				for {
					conn := w.dial(fmt.Sprintf("?after=%d", s.last)).conn
					err := s.read(t.Context(), conn, prompts)
					_ = conn.CloseNow()
					if err == nil {
						break
					}
				}
				if !slices.Equal(s.texts, want) {
					t.Errorf("a client got %d messages", len(s.texts))
				}
			})
		}
		for _, text := range want {
			if err := w.keeper.Send(id, text); err != nil {
				t.Fatal(err)
			}
		}
		running.Wait()
		until(t, "the end of the connection that doesn't read", func() bool {
			_, err := stuck.Write([]byte{0x8a, 0x80, 0, 0, 0, 0}) // a pong, which is ignored
			return err != nil
		})
		w.stop()
	})
}

// stuck opens a WebSocket and never reads its frames.
func (w *world) stuck(path string) net.Conn {
	w.t.Helper()
	w.small.Store(true)
	defer w.small.Store(false)
	conn, err := new(net.Dialer).DialContext(w.t.Context(), "tcp", w.host)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = conn.Close() })
	_ = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"+
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: %s, %s%s\r\n\r\n", path, w.host, subprotocol, bearerPrefix, token)
	status := 0
	if err == nil {
		_, err = fmt.Fscanf(conn, "HTTP/1.1 %d", &status)
	}
	if err != nil || status != http.StatusSwitchingProtocols {
		w.t.Fatal(status, err)
	}
	return conn
}

// raw sends bytes unchanged and returns the status. Without an answer, the status is 0.
func (w *world) raw(request string) (status int) {
	w.t.Helper()
	conn, err := new(net.Dialer).DialContext(w.t.Context(), "tcp", w.host)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_, _ = io.WriteString(conn, request) // the server may have answered and closed already
	_, _ = fmt.Fscanf(conn, "HTTP/1.1 %d", &status)
	return status
}

// badRequest returns a request that must have no effect.
func badRequest(r *rand.Rand, host string) string {
	method := []string{"GET", "POST", "PATCH", "DELETE", "PUT"}[r.IntN(5)]
	path := []string{"/sessions", "/sessions/" + teaID + "/send", "/attention/x/resolve", "/ws", "/live/x", "/%2e%2e/x"}[r.IntN(6)]
	authorization, body, origin := "Bearer "+token, `{"message":"x"}`, ""
	switch r.IntN(20) {
	case 0, 10:
		authorization = "Bearer " + fuzzed(r, "not-the-token")
	case 1, 11:
		host = "evil.example" // DNS rebinding: a foreign name that resolves to loopback
	case 2, 12:
		origin = "Origin: http://evil.example\r\n"
	case 3:
		method, path, body = "POST", "/sessions", `{"workdir":"/","prompt":"`+strings.Repeat("x", 1<<20)+`"}`
	case 4, 5, 6, 7:
		method, path, body = "POST", "/sessions", fuzzed(r, `{"workdir":"/","prompt":"x","name":[{"a":null}]}`)
	case 8, 9, 13, 14, 15:
		method, path, body = "GET", "/"+fuzzed(r, "sessions/x?limit=1&before=y"), ""
	default:
		method, path = "DELETE", "/sessions/"+teaID
	}
	return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: %s\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		method, path, host, authorization, origin, len(body), body)
}

// fuzzed returns a text with some bytes changed, removed or repeated.
func fuzzed(r *rand.Rand, text string) string {
	b := []byte(text)
	for range 1 + r.IntN(4) {
		switch i := r.IntN(len(b)); r.IntN(3) {
		case 0:
			b[i] = byte(r.IntN(256))
		case 1:
			b = b[:max(i, 1)]
		case 2:
			b = slices.Insert(b, i, b[i:]...)
		}
	}
	return string(b)
}

func TestBadRequests(t *testing.T) {
	nothingLeft(t, func(t *testing.T) {
		requests := 400
		if long() {
			requests = 10_000
		}
		w := newWorld(t, func(l *limits) { l.burst, l.badBurst = 1e9, 30 })
		w.add(teaID, w.root, "Tea?")
		id := w.start("")
		r := rand.New(rand.NewPCG(25, 4)) //nolint:gosec // the fixed seed makes the test repeatable
		statuses := map[int]int{}
		for n := range requests {
			request := badRequest(r, w.host)
			status := w.raw(request)
			if statuses[status]++; status >= 500 || status == http.StatusCreated {
				t.Errorf("status %d for %.300q", status, request)
			}
			if n%(requests/20) == 0 {
				must[api.Sent](w, "POST", "/sessions/"+id+"/send", fmt.Sprintf(`{"message":"%d"}`, n))
			}
		}
		for _, status := range []int{400, 401, 403, 404, 405, 413, 429} {
			if statuses[status] == 0 {
				t.Errorf("no request had the status %d: %v", status, statuses)
			}
		}
		until(t, "the answers", func() bool {
			return len(must[api.History](w, "GET", "/sessions/"+id, "").Messages) == 40
		})
		if list := w.keeper.Sessions(); len(list) != 1 {
			t.Errorf("bad requests started sessions: %+v", list)
		}
		w.stop()
	})
}

// TestSlowLoris: connections never complete a request. The server closes them.
func TestSlowLoris(t *testing.T) {
	nothingLeft(t, func(t *testing.T) {
		w := newWorld(t, func(l *limits) { l.readTime, l.idleTime = 50*time.Millisecond, 50*time.Millisecond })
		complete := "POST /sessions HTTP/1.1\r\nHost: " + w.host + "\r\nAuthorization: Bearer " + token + "\r\nContent-Length: 9\r\n\r\n"
		var conns []net.Conn
		for n := range 60 {
			conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", w.host)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_, _ = io.WriteString(conn, []string{"", "POST /sess", complete, complete + "{", strings.Replace(complete, "Bearer", "Other", 1)}[n%5])
			conns = append(conns, conn)
		}
		for n, conn := range conns {
			_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
			if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("connection %d is open", n)
			}
		}
		w.stop()
	})
}

// TestReconnects: connections break while a session runs. Each message arrives once.
func TestReconnects(t *testing.T) {
	nothingLeft(t, func(t *testing.T) {
		reconnects := 100
		if long() {
			reconnects = 1000
		}
		w := newWorld(t, func(l *limits) { l.burst = 1e9 })
		id := w.start("")
		s := &stream{last: w.dial("").Last}
		var want []string
		for n := range reconnects {
			if n%5 == 0 {
				want = append(want, fmt.Sprint(n))
				must[api.Sent](w, "POST", "/sessions/"+id+"/send", fmt.Sprintf(`{"message":"%d"}`, n))
			}
			conn := w.dial(fmt.Sprintf("?after=%d", s.last)).conn
			if n%3 > 0 && len(s.texts) < len(want) { // otherwise nothing is read
				if err := s.read(t.Context(), conn, len(s.texts)+1); err != nil {
					t.Fatal(err)
				}
			}
			if n%2 == 0 {
				_ = conn.CloseNow()
			} else {
				_ = conn.Close(websocket.StatusNormalClosure, "")
			}
		}
		conn := w.dial(fmt.Sprintf("?after=%d", s.last)).conn
		if err := s.read(t.Context(), conn, len(want)); err != nil || !slices.Equal(s.texts, want) {
			t.Errorf("%d messages of %d, %v", len(s.texts), len(want), err)
		}
		w.stop()
	})
}

// BenchmarkLatency measures the time from a message to its frame. The goal is 5 ms for 99 %.
func BenchmarkLatency(b *testing.B) {
	w := newWorld(b, func(l *limits) { l.burst = 1e9 })
	w.kept = true
	id := w.start("")
	s := w.dial("")
	var took []time.Duration
	for b.Loop() {
		begin := time.Now()
		if err := w.keeper.Send(id, "Tea?"); err != nil { // publishes the prompt
			b.Fatal(err)
		}
		s.until(api.TypeMessage)
		took = append(took, time.Since(begin))
		s.until(api.TypeRequested) // the end of the turn
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-p50")
}
