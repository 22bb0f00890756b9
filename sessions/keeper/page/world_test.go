package page

import (
	"context"
	"errors"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/keeper/server"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/transcript"
)

// world is a keeper with its server, transcripts and stand-ins for clients.
type world struct {
	transcripts
	t      *testing.T
	root   string // the allowed root, with a folder for each project
	url    string
	keeper *keeper.Keeper
	stop   func()

	mu      sync.Mutex
	rows    map[string]*sessions.Row // rows of the catalog; messages are in the transcripts
	clients map[string]*client
	answer  string // the last answer that a client got to a question
}

func clock() string { return time.Now().UTC().Format(time.RFC3339Nano) }

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{
		transcripts: transcripts{dir: t.TempDir(), parents: map[string]string{}}, t: t, root: sessions.RealPath(t.TempDir()),
		rows: map[string]*sessions.Row{}, clients: map[string]*client{},
	}
	for _, dir := range []string{"teahouse", "pantry", "ferry"} {
		if err := os.Mkdir(filepath.Join(w.root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.serve("127.0.0.1:0")
	t.Cleanup(func() { w.stop() })
	return w
}

// serve starts a keeper.
func (w *world) serve(address string) {
	w.t.Helper()
	tcp, err := (&net.ListenConfig{}).Listen(w.t.Context(), "tcp", address)
	if err != nil {
		w.t.Fatal(err)
	}
	k := keeper.New(keeper.Options{Start: w, Now: time.Now, Grace: 10 * time.Millisecond})
	h := server.New(server.Options{Keeper: k, Machine: machine{w}, Now: time.Now, Token: "secret", LiveToken: "other", Roots: []string{w.root}, Page: Handler(), Live: Handler()})
	ctx, cancel := context.WithCancel(context.WithoutCancel(w.t.Context()))
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, tcp, h) }()
	w.keeper, w.url = k, "http://"+tcp.Addr().String()
	w.stop = func() {
		k.Close()
		cancel()
		if err := <-served; err != nil {
			w.t.Error(err)
		}
	}
}

// restart ends the keeper, calls between and starts a new keeper at the same address.
func (w *world) restart(between func()) {
	w.t.Helper()
	w.stop()
	between()
	w.serve(strings.TrimPrefix(w.url, "http://"))
}

// seed adds a session with a prompt and an answer.
func (w *world) seed(prompt string) (id string) {
	id = w.uuid()
	w.add(&sessions.Row{Session: sessions.Session{ID: id, Prompt: prompt, Workdir: filepath.Join(w.root, "teahouse"), State: sessions.StateOK, Messages: 2, Modified: time.Now().Add(-time.Hour)}})
	w.write(id, w.rows[id].Workdir, w.uuid(), "user", prompt)
	w.write(id, w.rows[id].Workdir, w.uuid(), "assistant", "Answer to "+prompt)
	return id
}

func (w *world) add(row *sessions.Row) {
	w.mu.Lock()
	defer w.mu.Unlock()
	row.Kind, row.Path, row.Branch, row.Exact = sessions.KindSession, w.path(row.ID), "main", true
	w.rows[row.ID] = row
}

// change changes a session's row in the catalog.
func (w *world) change(id string, do func(row *sessions.Row)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	do(w.rows[id])
}

// order makes a session's client call do. It starts a client if necessary.
func (w *world) order(id string, do func(c *client)) {
	w.t.Helper()
	if _, ok := w.keeper.Session(id); !ok {
		if _, err := w.keeper.Start(&resume.Launch{Argv: []string{"claude", "--resume", id}, Dir: w.rows[id].Workdir, Writes: id}, nil); err != nil {
			w.t.Fatal(err)
		}
	}
	w.mu.Lock()
	c := w.clients[id]
	w.mu.Unlock()
	done := make(chan struct{})
	c.orders <- func() {
		do(c)
		close(done)
	}
	<-done
}

// machine implements server.Machine.
type machine struct{ *world }

func (m machine) Sessions(ctx context.Context) (rows []*sessions.Row, err error) {
	m.mu.Lock()
	ids := slices.Sorted(maps.Keys(m.rows))
	m.mu.Unlock()
	for _, id := range ids {
		row, failed := m.Session(ctx, id)
		rows, err = append(rows, row), errors.Join(err, failed)
	}
	return rows, err
}

func (m machine) Session(_ context.Context, id string) (*sessions.Row, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	row := m.rows[id]
	if row == nil {
		return nil, server.ErrNotFound
	}
	return new(*row), nil
}

func (m machine) History(ctx context.Context, row *sessions.Row) (server.History, error) {
	if row.State == sessions.StateUnreadable {
		return nil, errors.New(row.Reason)
	}
	t, err := transcript.Open(ctx, row.Path)
	return opened{t}, err
}

type opened struct{ t *transcript.Transcript }

func (o opened) Transcript() *transcript.Transcript { return o.t }
func (o opened) Close() error                       { return o.t.Close() }

func (m machine) Start(_ context.Context, workdir, _ string) (string, error) {
	return m.keeper.Start(&resume.Launch{Argv: []string{"claude"}, Dir: workdir}, nil)
}

func (m machine) Resume(_ context.Context, row *sessions.Row, fork bool) (string, error) {
	l := &resume.Launch{Argv: []string{"claude", "--resume", row.ID}, Dir: row.Workdir, Writes: row.ID}
	if fork {
		l.Argv, l.Writes = []string{"claude"}, ""
	} else if row.Live != nil {
		return "", &server.LiveError{PID: row.Live.PID, Since: row.Live.Started}
	}
	return m.keeper.Start(l, nil)
}

func (m machine) Rename(_ context.Context, id, name string) error {
	m.change(id, func(row *sessions.Row) { row.Name, row.Renamed = name, name != "" })
	return nil
}
