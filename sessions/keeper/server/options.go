// Package server is the HTTP and WebSocket interface of the keeper (spec 001). docs/keeper.md describes it.
//
// Only programs on this machine that know a token can use the interface: the server listens on loopback, and checks
// Host, Origin and the token of each request. It stores no messages; the history comes from transcripts.
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
	// Live handles the requests below /live/, which need LiveToken and see all sessions. The path of a request includes
	// /live/. The response may be a stream.
	Live      http.Handler
	LiveToken string
}

// Machine finds and starts sessions. The server calls its methods concurrently. The errors
// ErrNotFound, *LiveError and *Refusal have their own status; the status of any other error is 500.
type Machine interface {
	// Sessions returns the rows of all transcripts, including those of headless runs. The server doesn't change them.
	Sessions(ctx context.Context) ([]*sessions.Row, error)
	// Session returns the row of the transcript with an ID. The error is ErrNotFound if there is none, for example
	// because the client of a new session hasn't written one yet.
	Session(ctx context.Context, id string) (*sessions.Row, error)
	// History opens the transcript of a row.
	History(ctx context.Context, row *sessions.Row) (History, error)
	// Start starts a new session in the Keeper, and returns its ID. The folder exists. name is "" or the name that the
	// user gives the session.
	Start(ctx context.Context, workdir, name string) (id string, err error)
	// Resume resumes a session in the Keeper, or forks it, and returns the ID of the session to which the client writes.
	// The error is a *LiveError if another client has the session open, and a *Refusal if a person must decide something.
	Resume(ctx context.Context, row *sessions.Row, fork bool) (id string, err error)
	// Rename sets the name that the user gave a session, or removes it if name is "". The session may not have a
	// transcript yet.
	Rename(ctx context.Context, id, name string) error
}

// History is an open transcript; *catalog.Doc implements it.
type History interface {
	Transcript() *transcript.Transcript
	Close() error
}

// ErrNotFound means that there is no such session. The status is 404.
var ErrNotFound = errors.New("the session doesn't exist")

// LiveError means that another client has the session open. The status is 409.
type LiveError struct {
	PID   int
	Since time.Time // time at which the client was started; zero if unknown
}

// Error implements error.
func (e *LiveError) Error() string {
	return "Another client has this session open. Send with \"fork\": true to continue in a copy."
}

// Refusal means that a person must decide something before the session can be started or resumed. The status is 409.
type Refusal struct {
	Reason string // a sentence that says why and what to do
}

// Error implements error.
func (e *Refusal) Error() string { return e.Reason }
