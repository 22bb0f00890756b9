// Package remote drives the sessions of a Keeper in another process of the same user. Handler serves a Keeper over
// HTTP. Keeper is the client, with the methods of keeper.Keeper. The caller of Handler checks the address and the
// token.
//
// A request for events waits for the next ones. After a broken connection, it is repeated, so no event is lost.
package remote

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/resume"
)

// batch is the response to GET /events.
type batch struct {
	Keeper   string           // ID of the Keeper; event IDs of different Keepers can't be compared
	Last     uint64           // ID of the last event of the batch
	Lost     bool             // events after the requested one are gone, so Sessions has everything
	Events   []keeper.Event   // none if Lost is set
	Sessions []keeper.Session // all sessions if Lost is set; otherwise the sessions of Events, without Records
}

// call is a request of a method. Some fields are unused.
type call struct {
	Session  string
	Text     string // prompt, permission mode or model
	Question string
	Answer   keeper.Answer
	Launch   *resume.Launch
	Environ  []string
}

// reply is the response to a call.
type reply struct {
	Session *keeper.Session // of start, without its Records
	Text    string          // of unqueue
	OK      bool            // of unqueue
}

// failure is the response to a request that has failed.
type failure struct {
	Text     string `json:"error"`
	Sentinel string `json:"sentinel,omitempty"`
	status   int
}

// Error implements error.
func (f *failure) Error() string { return f.Text }

// Unwrap returns the error of package keeper that the failure names, or nil.
func (f *failure) Unwrap() error { return sentinels()[f.Sentinel] }

func sentinels() map[string]error {
	return map[string]error{"unknown": keeper.ErrUnknown, "driven": keeper.ErrDriven, "live": keeper.ErrLive, "ended": keeper.ErrEnded}
}

func failureOf(err error) *failure {
	f := &failure{Text: err.Error()}
	for name, sentinel := range sentinels() {
		if errors.Is(err, sentinel) {
			f.Sentinel = name
		}
	}
	return f
}

// encode writes JSON without escaping <, > and &, so that messages stay unchanged.
func encode(to io.Writer, value any) error {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	return e.Encode(value)
}

// answer writes a response.
func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = encode(w, value) // if the connection is broken, the other side repeats or reports its request
}

// decode reads a response. If the request has failed, the error is a *failure.
func decode(r *http.Response, value any) error {
	if r.StatusCode == http.StatusOK {
		return json.NewDecoder(r.Body).Decode(value)
	}
	f := &failure{status: r.StatusCode}
	if err := json.NewDecoder(r.Body).Decode(f); err != nil || f.Text == "" {
		f.Text = "the keeper answered " + strings.ToLower(r.Status)
	}
	return f
}
