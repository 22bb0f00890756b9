package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/keeper/api"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	token     = "page-token"
	liveToken = "live-token"
)

// now is the time of every test.
func now() time.Time { return time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC) }

// world is a keeper with a stand-in client and a directory of transcripts.
type world struct {
	t      testing.TB
	root   string // the allowed root
	other  string // a folder outside the root
	client *standIn
	keeper *keeper.Keeper
	host   string // host and port of the server
	http   *http.Client
	stop   func() // ends server and keeper
	small  atomic.Bool
	kept   bool // rows are read once, like the rows of a catalog

	mu       sync.Mutex
	names    map[string]string
	rows     map[string]func(r *sessions.Row) // by ID: changes the row of a transcript
	outlines map[string]*transcript.Outline   // by path
}

// newWorld starts a server. change may set other limits.
func newWorld(t testing.TB, change ...func(l *limits)) *world {
	t.Helper()
	w := &world{
		t: t, root: sessions.RealPath(t.TempDir()), other: sessions.RealPath(t.TempDir()), client: &standIn{dir: t.TempDir()},
		http: &http.Client{Transport: &http.Transport{}}, names: map[string]string{}, rows: map[string]func(*sessions.Row){}, outlines: map[string]*transcript.Outline{},
	}
	w.keeper = keeper.New(keeper.Options{Start: w.client, Now: now})
	l := usual()
	for _, c := range change {
		c(&l)
	}
	page := http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(rw, "the page") })
	live := http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { _, _ = io.Copy(rw, r.Body) })
	h := newServer(Options{
		Keeper: w.keeper, Machine: w, Now: now, Token: token, LiveToken: liveToken, Roots: []string{w.root}, Page: page, Live: live,
	}, l)
	tcp, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.host = tcp.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- serve(ctx, listenerOf{tcp, w}, h, l) }()
	w.stop = sync.OnceFunc(func() {
		w.keeper.Close()
		w.http.CloseIdleConnections()
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(w.stop)
	return w
}

// listenerOf is the listener of a world. If world.small is set, its connections have a small write buffer. A client
// that doesn't read soon fills the buffer.
type listenerOf struct {
	net.Listener
	w *world
}

// Accept implements net.Listener.
func (l listenerOf) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil && l.w.small.Load() {
		err = c.(*net.TCPConn).SetWriteBuffer(4 << 10)
	}
	return c, err
}

// Sessions implements Machine.
func (w *world) Sessions(ctx context.Context) ([]*sessions.Row, error) {
	files, err := filepath.Glob(filepath.Join(w.client.dir, "*.jsonl"))
	var rows []*sessions.Row
	for _, f := range files {
		if row, err := w.Session(ctx, strings.TrimSuffix(filepath.Base(f), ".jsonl")); err == nil {
			rows = append(rows, row)
		}
	}
	return rows, err
}

// Session implements Machine.
func (w *world) Session(ctx context.Context, id string) (*sessions.Row, error) {
	path := filepath.Join(w.client.dir, id+".jsonl")
	info, err := os.Stat(path)
	if err != nil {
		return nil, ErrNotFound
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	o := w.outlines[path]
	if o == nil || o.Size != info.Size() && !w.kept {
		t, err := transcript.Open(ctx, path)
		if err != nil {
			return nil, err
		}
		_ = t.Close()
		o = t.Outline()
		w.outlines[path] = o
	}
	row := &sessions.Row{Kind: sessions.KindSession, Session: sessions.Session{
		Path: path, ID: id, Workdir: o.Facts.Cwd, Prompt: o.Facts.Prompt, Created: transcript.At(o.Facts.Created), Modified: now(),
		Messages: o.Turns, State: sessions.StateOK, Exact: true,
	}}
	if row.Name = w.names[id]; row.Name != "" {
		row.Renamed = true
	}
	if change := w.rows[id]; change != nil {
		change(row)
	}
	return row, nil
}

// History implements Machine.
func (w *world) History(ctx context.Context, row *sessions.Row) (History, error) {
	if row.State == sessions.StateUnreadable {
		return nil, errors.New("permission denied")
	}
	t, err := transcript.Open(ctx, row.Path)
	return opened{t}, err
}

type opened struct{ t *transcript.Transcript }

func (o opened) Transcript() *transcript.Transcript { return o.t }
func (o opened) Close() error                       { return o.t.Close() }

// Start implements Machine.
func (w *world) Start(ctx context.Context, workdir, name string) (string, error) {
	id, err := w.keeper.Start(&resume.Launch{Argv: []string{"claude"}, Dir: workdir}, nil)
	return id, errors.Join(err, w.Rename(ctx, id, name))
}

// Resume implements Machine.
func (w *world) Resume(_ context.Context, row *sessions.Row, fork bool) (string, error) {
	l := &resume.Launch{Argv: []string{"claude"}, Dir: row.Workdir}
	switch {
	case row.Live != nil && !fork:
		return "", &LiveError{PID: row.Live.PID, Since: row.Live.Started}
	case row.Deleted:
		return "", &Refusal{Reason: "The folder no longer exists."}
	case !fork:
		l.Argv, l.Writes = append(l.Argv, "--resume", row.ID), row.ID
	}
	return w.keeper.Start(l, nil)
}

// Rename implements Machine.
func (w *world) Rename(_ context.Context, id, name string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.names[id] = name
	return nil
}

// add writes a transcript with one prompt per text.
func (w *world) add(id, dir string, prompts ...string) {
	w.t.Helper()
	c := &client{standIn: w.client, id: id, dir: dir, out: io.Discard}
	for _, prompt := range prompts {
		text, _ := json.Marshal(prompt)
		c.record(newUUID(), `"type":"user","message":{"role":"user","content":`+string(text)+`}`)
	}
	if len(prompts) == 0 {
		w.write(id, "")
	}
}

func (w *world) write(id, text string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.client.dir, id+".jsonl"), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// change changes the row of a transcript.
func (w *world) change(id string, do func(r *sessions.Row)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rows[id] = do
}

// do sends a request with the token. change may modify the request.
func (w *world) do(method, path, body string, change ...func(r *http.Request)) (status int, answer string) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, "http://"+w.host+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	for _, c := range change {
		c(r)
	}
	resp, err := w.http.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// must returns the answer to a successful request.
func must[T any](w *world, method, path, body string) (value T) {
	w.t.Helper()
	status, text := w.do(method, path, body)
	if err := json.Unmarshal([]byte(text), &value); err != nil || status >= http.StatusBadRequest {
		w.t.Fatalf("%s %s: status %d, %s, %v", method, path, status, text, err)
	}
	return value
}

// start creates a session in the root. It sends prompt, if that isn't empty.
func (w *world) start(prompt string) string {
	w.t.Helper()
	body, _ := json.Marshal(api.Create{Workdir: w.root, Prompt: prompt})
	return must[api.Created](w, http.MethodPost, "/sessions", string(body)).ID
}

// socket is a WebSocket of a test.
type socket struct {
	w    *world
	conn *websocket.Conn
	api.Hello
}

// dial opens a WebSocket. query is empty or begins with ?.
func (w *world) dial(query string) *socket {
	w.t.Helper()
	conn, _, err := websocket.Dial( //nolint:bodyclose // the connection closes it
		w.t.Context(), "ws://"+w.host+"/ws"+query, &websocket.DialOptions{
			Subprotocols: []string{subprotocol, bearerPrefix + token},
		})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = conn.CloseNow() })
	conn.SetReadLimit(-1) // a browser has no limit
	s := &socket{w: w, conn: conn}
	s.read(&s.Hello)
	return s
}

func (s *socket) read(to any) {
	s.w.t.Helper()
	ctx, cancel := context.WithTimeout(s.w.t.Context(), time.Minute) // much longer than it takes
	defer cancel()
	_, text, err := s.conn.Read(ctx)
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		s.w.t.Fatalf("frame %s: %v", text, err)
	}
}

// until returns the frames up to the first one of a type.
func (s *socket) until(kind string) (frames []api.Event) {
	s.w.t.Helper()
	for {
		var e api.Event
		s.read(&e)
		if frames = append(frames, e); e.Type == kind {
			return frames
		}
	}
}
