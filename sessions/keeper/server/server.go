package server

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper/api"
)

// server implements the HTTP interface.
type server struct {
	Options
	limits
	base      uint64 // added to event IDs; makes the IDs of an earlier keeper invalid
	token     [sha256.Size]byte
	liveToken [sha256.Size]byte
	good, bad *bucket
	resuming  sync.Mutex // locked while a prompt resumes a session, because a second prompt must not resume it too
	mux       *http.ServeMux
}

// New returns the handler of all requests. Serve it with Serve, which sets the time limits.
func New(opts Options) http.Handler { return newServer(opts, usual()) }

func newServer(opts Options, l limits) *server {
	s := &server{
		Options: opts, limits: l, base: uint64(opts.Now().UnixMilli()) << 10,
		token: sha256.Sum256([]byte(opts.Token)), liveToken: sha256.Sum256([]byte(opts.LiveToken)),
		good: newBucket(l.rate, l.burst), bad: newBucket(l.badRate, l.badBurst), mux: http.NewServeMux(),
	}
	s.Roots = slices.Clone(opts.Roots)
	for _, root := range opts.Roots {
		s.Roots = append(s.Roots, sessions.RealPath(root))
	}
	s.route("/health", methods{http.MethodGet: s.health})
	s.route("/sessions", methods{http.MethodGet: s.list, http.MethodPost: s.create})
	s.route("/sessions/{id}", methods{http.MethodGet: s.history, http.MethodPatch: s.rename})
	s.route("/sessions/{id}/send", methods{http.MethodPost: s.send})
	s.route("/sessions/{id}/interrupt", methods{http.MethodPost: s.interrupt})
	s.route("/attention", methods{http.MethodGet: s.attention})
	s.route("/attention/{id}/resolve", methods{http.MethodPost: s.resolve})
	s.mux.HandleFunc("/ws", s.socket)
	s.mux.Handle("/live/", opts.Live)
	s.mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, failed(http.StatusNotFound, "This path doesn't exist."))
	})
	return s
}

// methods has the handlers of a path, by method. A result becomes JSON with the status 200, or 201 for an
// api.Created.
type methods map[string]func(r *http.Request) (any, error)

func (s *server) route(path string, m methods) {
	s.mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		do := m[r.Method]
		if do == nil {
			w.Header().Set("Allow", strings.Join(slices.Sorted(maps.Keys(m)), ", "))
			refuse(w, failed(http.StatusMethodNotAllowed, r.Method+" isn't possible here."))
			return
		}
		value, err := do(r)
		if err != nil {
			refuse(w, err)
			return
		}
		status := http.StatusOK
		if _, ok := value.(api.Created); ok {
			status = http.StatusCreated
		}
		answer(w, status, value)
	})
}

// ServeHTTP implements http.Handler. It reads the body last, so that a bad request costs little.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	live := strings.HasPrefix(r.URL.Path, "/live/")
	switch {
	case !fromHere(r):
		h.Set("Connection", "close") // the body isn't read
		refuse(w, failed(http.StatusForbidden, "Use the address that `continuo keeper status` prints."))
		return
	case r.URL.Path == "/" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		s.Page.ServeHTTP(w, r)
		return
	case !s.knows(r, live):
		h.Set("Connection", "close")
		if !s.bad.take(s.Now()) {
			refuse(w, errTooMany)
			return
		}
		h.Set("WWW-Authenticate", "Bearer")
		refuse(w, failed(http.StatusUnauthorized, "The token is missing or wrong. `continuo keeper status` names the file with the token."))
		return
	case !live && !s.good.take(s.Now()):
		h.Set("Connection", "close")
		refuse(w, errTooMany)
		return
	}
	limit := s.body
	if live {
		limit = s.liveBody
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if err != nil {
		h.Set("Connection", "close")
		if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
			err = failed(http.StatusRequestEntityTooLarge, "The body is too long.")
		} else {
			err = failed(http.StatusBadRequest, "The body could not be read.")
		}
		refuse(w, err)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // after the deadline, net/http would cancel the request
	if live {
		_ = control.SetWriteDeadline(time.Time{})
	}
	s.mux.ServeHTTP(w, r)
}

// fromHere reports whether Host is a loopback name or address with this server's port, and Origin is the same or
// missing. Pages of other sites have another Origin. DNS rebinding has another Host.
func fromHere(r *http.Request) bool {
	addr, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	_, port, err := net.SplitHostPort(addr.String())
	if err != nil || !isLoopback(r.Host, port) {
		return false
	}
	origins := r.Header.Values("Origin")
	return len(origins) == 0 || len(origins) == 1 && origins[0] == "http://"+r.Host
}

func isLoopback(host, port string) bool {
	name, p, err := net.SplitHostPort(host)
	return err == nil && p == port && (name == "localhost" || net.ParseIP(name).IsLoopback())
}

// The subprotocols of the WebSocket. A page can't set headers, so the token is a subprotocol.
const (
	subprotocol  = "continuo.v1"
	bearerPrefix = "bearer."
)

// knows reports whether a request has the right token.
func (s *server) knows(r *http.Request, live bool) bool {
	want := s.token
	if live {
		want = s.liveToken
	}
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if r.URL.Path == "/ws" {
		for _, p := range strings.Split(strings.Join(r.Header.Values("Sec-WebSocket-Protocol"), ","), ",") {
			if t, ok := strings.CutPrefix(strings.TrimSpace(p), bearerPrefix); ok {
				token = t
			}
		}
	}
	got := sha256.Sum256([]byte(token)) // hashes have the same length and reveal nothing about the token
	return token != "" && subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// inRoots reports whether a folder is in Options.Roots.
func (s *server) inRoots(dir string) bool {
	return filepath.IsAbs(dir) && slices.ContainsFunc(s.Roots, func(root string) bool { return sessions.Within(filepath.Clean(dir), root) })
}
