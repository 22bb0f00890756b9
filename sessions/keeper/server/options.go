// Package server is the HTTP and WebSocket interface of the keeper (spec 001; docs/keeper.md).
//
// The server listens on loopback and checks Host, Origin and the token of each request, so only local programs with
// the token have access. It stores no messages; the history comes from transcripts.
package server

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/transcript"
)

// Options configure New.
type Options struct {
	Keeper  *keeper.Keeper
	Machine Machine
	Now     func() time.Time

	Token string   // for the page and the API; it gives access only to sessions in Roots
	Roots []string // absolute paths of folders
	Page  http.Handler
	// Live handles the requests below /live/, which need LiveToken and see all sessions. Request paths include
	// /live/. The response may be a stream.
	Live      http.Handler
	LiveToken string
}

// Machine finds and starts sessions. Its methods are called concurrently. ErrNotFound, *LiveError and *Refusal have
// their own status. Other errors have the status 500.
type Machine interface {
	// Sessions returns the rows of all transcripts, with headless runs. The server doesn't change the rows.
	Sessions(ctx context.Context) ([]*sessions.Row, error)
	// Session returns the row of a transcript. The error is ErrNotFound without one, as in a session whose client
	// hasn't written yet.
	Session(ctx context.Context, id string) (*sessions.Row, error)
	// History opens the transcript of a row.
	History(ctx context.Context, row *sessions.Row) (History, error)
	// Start starts a new session in an existing folder, and returns its ID. name is the user's name for the session,
	// or "".
	Start(ctx context.Context, workdir, name string) (id string, err error)
	// Resume resumes or forks a session in the Keeper, and returns the ID of the new client's session. The error is a
	// *LiveError if another client has the session open, or a *Refusal if a person must decide something.
	Resume(ctx context.Context, row *sessions.Row, fork bool) (id string, err error)
	// Rename sets the user's name of a session; "" removes it. The session may have no transcript yet.
	Rename(ctx context.Context, id, name string) error
}

// History is an open transcript; *catalog.Doc implements it.
type History interface {
	Transcript() *transcript.Transcript
	Close() error
}

// ErrNotFound is returned for an unknown session. The status is 404.
var ErrNotFound = errors.New("the session doesn't exist")

// LiveError is returned if another client has the session open. The status is 409.
type LiveError struct {
	PID   int
	Since time.Time // time at which the client was started; zero if unknown
}

// Error implements error.
func (e *LiveError) Error() string {
	return "Another client has this session open. Send with \"fork\": true to continue in a copy."
}

// Refusal is returned if a person must decide something first. The status is 409.
type Refusal struct {
	Reason string // a sentence that says why and what to do
}

// Error implements error.
func (e *Refusal) Error() string { return e.Reason }
