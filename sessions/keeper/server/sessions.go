package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/keeper/api"
	"github.com/continuo-tui/continuo/transcript"
)

// found is a session that a request may see.
type found struct {
	row   *sessions.Row   // nil without a transcript
	state *keeper.Session // nil if the Keeper doesn't drive the session
}

func (f found) api() api.Session { return api.SessionOf(f.row, f.state) }

// drives reports whether the Keeper has a running client of the session.
func (f found) drives() bool { return f.state != nil && f.state.Status != keeper.StatusEnded }

// find returns a session. Outside the roots, the error is ErrNotFound, too.
func (s *server) find(ctx context.Context, id string) (found, error) {
	var f found
	if state, ok := s.Keeper.Session(id); ok {
		f.state = &state
	}
	row, err := s.Machine.Session(ctx, id)
	if err == nil {
		f.row = row
	} else if !errors.Is(err, ErrNotFound) {
		return found{}, err
	}
	if !s.sees(f) {
		return found{}, ErrNotFound
	}
	return f, nil
}

// sees reports whether the folders of a session are in the roots. Just after the start, only the Keeper knows the
// folder.
func (s *server) sees(f found) bool {
	if f.row == nil || f.row.Workdir == "" && f.drives() {
		return f.state != nil && s.inRoots(f.state.Dir)
	}
	return s.inRoots(f.row.Workdir) && (f.state == nil || s.inRoots(f.state.Dir))
}

func (s *server) health(*http.Request) (any, error) {
	return api.Health{Status: "ok", Timestamp: s.Now().UTC()}, nil
}

func (s *server) list(r *http.Request) (any, error) {
	rows, err := s.Machine.Sessions(r.Context())
	if err != nil {
		return nil, err
	}
	driven := map[string]*keeper.Session{}
	for _, state := range s.Keeper.Sessions() {
		driven[state.ID] = &state
	}
	list := []api.Session{}
	for _, row := range rows {
		f := found{row, driven[row.ID]}
		if delete(driven, row.ID); s.sees(f) {
			list = append(list, f.api())
		}
	}
	for _, state := range driven {
		if f := (found{nil, state}); f.drives() && s.sees(f) {
			list = append(list, f.api())
		}
	}
	slices.SortFunc(list, func(a, b api.Session) int { return newestFirst(&a, &b) })
	return list, nil
}

// newestFirst compares sessions by Modified. Those without a time are last.
func newestFirst(a, b *api.Session) int {
	switch {
	case a.Modified == nil && b.Modified == nil:
		return 0
	case a.Modified == nil:
		return 1
	case b.Modified == nil:
		return -1
	}
	return b.Modified.Compare(*a.Modified)
}

func (s *server) history(r *http.Request) (any, error) {
	limit := api.DefaultLimit
	if text := r.URL.Query().Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > api.MaxLimit {
			return nil, failed(http.StatusBadRequest, "limit must be a number from 1 to "+strconv.Itoa(api.MaxLimit)+".")
		}
		limit = n
	}
	h, err := s.page(r.Context(), r.PathValue("id"), r.URL.Query().Get("before"), limit)
	return h, err
}

// page returns a page of the history. If the transcript is damaged, the page has the error and the readable messages.
func (s *server) page(ctx context.Context, id, before string, limit int) (h api.History, err error) {
	f, err := s.find(ctx, id)
	if err != nil {
		return h, err
	}
	var t *transcript.Transcript
	var unread error
	if f.row != nil {
		doc, err := s.Machine.History(ctx, f.row)
		if unread = err; err == nil {
			defer doc.Close()
			t = doc.Transcript()
		}
	}
	thread := api.Read(t)
	// Read the transcript first: the Keeper has all later messages.
	states, last := s.Keeper.Snapshot()
	var records []json.RawMessage
	if i := slices.IndexFunc(states, func(state keeper.Session) bool { return state.ID == id }); i >= 0 {
		f.state, records = &states[i], states[i].Records
	}
	h = api.History{Session: f.api(), Last: s.base + last}
	messages, more, err := thread.Page(records, before, limit)
	if unread = cmp.Or(unread, err); errors.Is(unread, api.ErrNoMessage) || ctx.Err() != nil {
		return h, unread
	}
	h.Messages, h.More = messages, more
	if unread != nil {
		h.State, h.Error = api.StateError, unread.Error()
	}
	return h, nil
}
