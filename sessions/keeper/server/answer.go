package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/sessions/keeper/api"
)

// failure is an error with an HTTP status.
type failure struct {
	status int
	api.Failure
}

// Error implements error.
func (f *failure) Error() string { return f.Failure.Error }

func failed(status int, text string) error { return &failure{status, api.Failure{Error: text}} }

var errTooMany = failed(http.StatusTooManyRequests, "There are too many requests. Try again in a second.")

// failureOf returns the response for an error.
func failureOf(err error) *failure {
	var f *failure
	var live *LiveError
	var refusal *Refusal
	status, text := http.StatusInternalServerError, err.Error()
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &live):
		f = &failure{http.StatusConflict, api.Failure{Error: live.Error(), PID: live.PID}}
		if !live.Since.IsZero() {
			f.Since = live.Since.UTC().Format(time.RFC3339)
		}
		return f
	case errors.As(err, &refusal):
		status = http.StatusConflict
	case errors.Is(err, ErrNotFound):
		status, text = http.StatusNotFound, "The session doesn't exist."
	case errors.Is(err, api.ErrNoMessage):
		status, text = http.StatusNotFound, "The session doesn't show this message."
	case errors.Is(err, keeper.ErrUnknown):
		status, text = http.StatusNotFound, "The session or question is no longer open."
	case errors.Is(err, keeper.ErrEnded):
		status, text = http.StatusConflict, "The session has ended. Try again to resume it."
	}
	return &failure{status, api.Failure{Error: text}}
}

func refuse(w http.ResponseWriter, err error) {
	f := failureOf(err)
	if f.status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "1")
	}
	answer(w, f.status, f.Failure)
}

func answer(w http.ResponseWriter, status int, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte(`{"error":"The answer could not be encoded."}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // the client may be gone
}

// read decodes the body of a request. Unknown fields are errors.
func read[T any](r *http.Request) (value T, err error) {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err = d.Decode(&value); err == nil {
		if _, end := d.Token(); !errors.Is(end, io.EOF) {
			err = errors.New("more than one value")
		}
	}
	if err != nil {
		return value, failed(http.StatusBadRequest, "The body isn't valid: "+err.Error()+".")
	}
	return value, nil
}

// isObject reports whether a text is a JSON object.
func isObject(text json.RawMessage) bool {
	return json.Valid(text) && bytes.HasPrefix(bytes.TrimSpace(text), []byte("{"))
}
