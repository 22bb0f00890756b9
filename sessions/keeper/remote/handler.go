package remote

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/continuo-tui/continuo/sessions/keeper"
)

// callLimit is the limit of a call in bytes. Most of a large call is the environment.
const callLimit = 16 << 20

// Handler serves a Keeper.
func Handler(k *keeper.Keeper) http.Handler {
	h := &handler{keeper: k, id: rand.Text()}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /events", h.events)
	for name, method := range methods() {
		mux.HandleFunc("POST /"+name, func(w http.ResponseWriter, r *http.Request) {
			var c call
			if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, callLimit)).Decode(&c); err != nil {
				answer(w, http.StatusBadRequest, failureOf(err))
				return
			}
			var out reply
			if err := method(r.Context(), k, &c, &out); err != nil {
				status := http.StatusConflict
				if errors.Is(err, keeper.ErrUnknown) {
					status = http.StatusNotFound
				}
				answer(w, status, failureOf(err))
				return
			}
			answer(w, http.StatusOK, out)
		})
	}
	return mux
}

type handler struct {
	keeper *keeper.Keeper
	id     string
}

// events waits for events after the ID in the request. Without a valid ID of this Keeper, it answers at once with the
// state of all sessions.
func (h *handler) events(w http.ResponseWriter, r *http.Request) {
	after, err := strconv.ParseUint(r.FormValue("after"), 10, 64)
	b := batch{Keeper: h.id, Lost: err != nil || r.FormValue("keeper") != h.id}
	if !b.Lost {
		if b.Events, b.Lost, err = h.keeper.Events(r.Context(), after); err != nil {
			return // the other side has closed the connection, or the server ends
		}
	}
	if b.Lost {
		b.Events = nil
		b.Sessions, b.Last = h.keeper.Snapshot()
	} else {
		b.Last = b.Events[len(b.Events)-1].ID
		b.Sessions = h.states(b.Events)
	}
	answer(w, http.StatusOK, b)
}

// states returns the states of the events' sessions, without Records.
func (h *handler) states(events []keeper.Event) (list []keeper.Session) {
	var seen []string
	for _, e := range events {
		if slices.Contains(seen, e.Session) {
			continue
		}
		seen = append(seen, e.Session)
		if s, ok := h.keeper.Session(e.Session); ok {
			s.Records = nil
			list = append(list, s)
		}
	}
	return list
}

var errBypass = errors.New(keeper.Bypass + " can't be set over HTTP")

// methods returns the methods of a Keeper by the names of their routes.
func methods() map[string]func(ctx context.Context, k *keeper.Keeper, c *call, out *reply) error {
	return map[string]func(ctx context.Context, k *keeper.Keeper, c *call, out *reply) error{
		"start": func(_ context.Context, k *keeper.Keeper, c *call, out *reply) error {
			if c.Launch == nil || len(c.Launch.Argv) == 0 {
				return errors.New("the launch is missing")
			}
			id, err := k.Start(c.Launch, c.Environ)
			if s, ok := k.Session(id); ok && err == nil {
				s.Records = nil
				out.Session = &s
			}
			return err
		},
		"send": func(_ context.Context, k *keeper.Keeper, c *call, _ *reply) error { return k.Send(c.Session, c.Text) },
		"answer": func(_ context.Context, k *keeper.Keeper, c *call, _ *reply) error {
			if slices.ContainsFunc(c.Answer.Always, keeper.Bypasses) {
				return errBypass
			}
			return k.Answer(c.Session, c.Question, c.Answer)
		},
		"interrupt": func(ctx context.Context, k *keeper.Keeper, c *call, _ *reply) error {
			return k.Interrupt(ctx, c.Session)
		},
		"mode": func(ctx context.Context, k *keeper.Keeper, c *call, _ *reply) error {
			if c.Text == keeper.Bypass {
				return errBypass
			}
			return k.SetMode(ctx, c.Session, c.Text)
		},
		"model": func(ctx context.Context, k *keeper.Keeper, c *call, _ *reply) error {
			return k.SetModel(ctx, c.Session, c.Text)
		},
		"end": func(_ context.Context, k *keeper.Keeper, c *call, _ *reply) error { return k.End(c.Session) },
		"unqueue": func(_ context.Context, k *keeper.Keeper, c *call, out *reply) error {
			out.Text, out.OK = k.Unqueue(c.Session)
			return nil
		},
		"seen": func(_ context.Context, k *keeper.Keeper, c *call, _ *reply) error {
			k.Seen(c.Session)
			return nil
		},
		"forget": func(_ context.Context, k *keeper.Keeper, c *call, _ *reply) error {
			k.Forget(c.Session)
			return nil
		},
	}
}
