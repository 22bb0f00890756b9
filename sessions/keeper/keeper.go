// Package keeper drives sessions of Claude Code: it starts the client, sends prompts, and passes permission questions
// to a person. Keeper and client exchange stream-json with the control protocol (observed with client 2.1.330).
//
// The client writes the transcript. Its records have the UUIDs of the stream, so a Keeper stores no messages. Only
// Starter starts programs. The client waits for the answer to a question before it runs a tool. If the client ends,
// its open questions count as denied.
package keeper

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/sessions/resume"
)

// Entrypoint is the value of CLAUDE_CODE_ENTRYPOINT for clients of a Keeper. The client writes the value into records
// and the live registry, and passes it to hooks (client 2.1.330). Without it, the client counts as a headless run:
// lists hide it, and its backups aren't pending.
const Entrypoint = "continuo"

// Variable is the environment variable for Entrypoint.
const Variable = "CLAUDE_CODE_ENTRYPOINT"

var (
	// ErrUnknown is returned if the Keeper doesn't drive a session, or if a question is no longer open.
	ErrUnknown = errors.New("the session or question is no longer open")
	// ErrDriven is returned if the Keeper already drives the session.
	ErrDriven = errors.New("continuo already drives this session")
	// ErrLive is returned if another client has the session open. Fork it instead.
	ErrLive = errors.New("another client has this session open")
	// ErrEnded is returned if the client has ended.
	ErrEnded = errors.New("the session has ended")
)

// Options configure a Keeper.
type Options struct {
	Start Starter
	Now   func() time.Time
	// Limit is the time until an unanswered permission question is denied; 0 means no limit. Questions of Claude and
	// plans have no limit.
	Limit time.Duration
	// Grace is the time for a client to end before the Keeper terminates it. After the same time again, the Keeper
	// kills the client.
	Grace time.Duration
}

// Keeper drives sessions. It is safe for concurrent use. Only Interrupt, SetMode and SetModel wait for the client.
type Keeper struct {
	opts    Options
	events  *Log
	running sync.WaitGroup

	mu       sync.Mutex
	closed   bool
	sessions map[string]*session
}

// New returns a Keeper without sessions.
func New(opts Options) *Keeper {
	opts.Grace = cmp.Or(opts.Grace, 5*time.Second)
	return &Keeper{opts: opts, events: NewLog(), sessions: map[string]*session{}}
}

// Start starts a client for a launch of the resume guard, and returns the session ID. The launch may be a new
// session, a resume or a fork. environ is the environment of the client.
func (k *Keeper) Start(l *resume.Launch, environ []string) (id string, err error) {
	if l.Second || l.Pane != "" {
		return "", ErrLive
	}
	id = l.Writes
	args := slices.Concat(l.Argv[1:], wireArgs())
	if id == "" {
		id = newUUID()
		args = append(args, "--session-id", id)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	switch old := k.sessions[id]; {
	case k.closed:
		return "", ErrEnded
	case old != nil && old.Status != StatusEnded:
		return "", ErrDriven
	}
	s := newSession(k, id, l.Dir)
	p, err := k.opts.Start.Start(Command{
		Program: l.Argv[0], Args: args, Dir: l.Dir, Environ: append(slices.Clip(environ), Variable+"="+Entrypoint),
		Stdout: &lineWriter{line: s.line}, Stderr: s.stderr,
	})
	if err != nil {
		return "", fmt.Errorf("start claude in %s: %w", l.Dir, err)
	}
	s.process, s.PID, s.Active = p, p.PID(), l.Writes != ""
	k.sessions[id] = s
	k.events.Add(Event{Kind: EventCreated, Session: id})
	k.running.Go(func() { s.out.run(p.Stdin()) })
	k.running.Go(func() {
		err := p.Wait()
		s.out.close()
		k.mu.Lock()
		defer k.mu.Unlock()
		s.ended(err)
	})
	return id, nil
}

// Sessions returns the state of all sessions, ended ones too, in the order of their start.
func (k *Keeper) Sessions() []Session {
	list, _ := k.Snapshot()
	return list
}

// Snapshot returns Sessions and the ID of the last event in their state.
func (k *Keeper) Snapshot() (list []Session, last uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	list = make([]Session, 0, len(k.sessions))
	for _, s := range k.sessions {
		list = append(list, s.snapshot())
	}
	slices.SortFunc(list, func(a, b Session) int { return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.ID, b.ID)) })
	return list, k.events.Last()
}

// Session returns the state of a session. ok is false for an unknown one.
func (k *Keeper) Session(id string) (s Session, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if found := k.sessions[id]; found != nil {
		return found.snapshot(), true
	}
	return Session{}, false
}

// Events waits for events after the given ID, and returns them in order. The ID before the first event is 0. If lost
// is true, some events are no longer stored, and the caller must read state and transcript again. The error is
// ctx.Err().
func (k *Keeper) Events(ctx context.Context, after uint64) (events []Event, lost bool, err error) {
	return k.events.After(ctx, after)
}

// LastEvent returns the ID of the newest event, or 0.
func (k *Keeper) LastEvent() uint64 { return k.events.Last() }

// End interrupts the turn of a session and closes the input of its client. It doesn't wait for the client.
func (k *Keeper) End(id string) error {
	return k.with(id, func(s *session) error {
		s.end()
		return nil
	})
}

// Forget removes an ended session from Sessions.
func (k *Keeper) Forget(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s := k.sessions[id]; s != nil && s.Status == StatusEnded {
		delete(k.sessions, id)
	}
}

// Close ends all sessions and waits for their clients.
func (k *Keeper) Close() {
	k.mu.Lock()
	k.closed = true
	for _, s := range k.sessions {
		if s.Status != StatusEnded {
			s.end()
		}
	}
	k.mu.Unlock()
	k.running.Wait()
}

// with calls do for a running session. The error is ErrUnknown, ErrEnded, or that of do.
func (k *Keeper) with(id string, do func(s *session) error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch s := k.sessions[id]; {
	case s == nil:
		return ErrUnknown
	case s.Status == StatusEnded:
		return ErrEnded
	default:
		return do(s)
	}
}

// newUUID returns a random UUID (RFC 9562, version 4), like the IDs of the client.
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // this never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
