// Package keeper drives sessions of Claude Code: it starts the client, sends prompts, and passes the client's
// permission questions to a person. Keeper and client exchange stream-json with the control protocol (observed with
// client 2.1.330).
//
// A Keeper stores no messages. The client writes the transcript, and its records have the same UUIDs as those of the
// stream. Only Starter starts programs. An unanswered question never lets a tool run: the client waits for the
// answer. If the client ends, its open questions count as denied.
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

// Entrypoint is the value of CLAUDE_CODE_ENTRYPOINT for clients that a Keeper starts. The client writes it into each
// record and into the live registry, and passes it to hooks (client 2.1.330). Without this variable, the value is
// sdk-cli, and the session counts as a headless run. Lists hide headless runs, and backups don't mark them as
// pending.
const Entrypoint = "continuo"

// Variable is the environment variable for Entrypoint.
const Variable = "CLAUDE_CODE_ENTRYPOINT"

var (
	// ErrUnknown means that the Keeper doesn't drive a session, or that a question is no longer open.
	ErrUnknown = errors.New("the session or question is no longer open")
	// ErrDriven means that the Keeper already drives the session.
	ErrDriven = errors.New("continuo already drives this session")
	// ErrLive means that another client has the session open. Fork it instead.
	ErrLive = errors.New("another client has this session open")
	// ErrEnded means that the client has ended.
	ErrEnded = errors.New("the session has ended")
)

// Options configure a Keeper.
type Options struct {
	Start Starter
	Now   func() time.Time
	// Limit is how long a permission question stays open before it is denied; 0 means no limit. Questions that Claude
	// asks a person, and plans, have no limit.
	Limit time.Duration
	// Grace is how long the Keeper waits for a client to end before it terminates the client. After the same time
	// again, it kills the client.
	Grace time.Duration
}

// Keeper drives sessions. Its methods are safe for concurrent use. Only Interrupt, SetMode and SetModel wait for the
// client.
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

// Start starts a client for a launch that the resume guard has allowed, and returns the ID of the session. The launch
// starts a new session, resumes one, or forks one. environ is the environment of the client.
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

// Sessions returns the current state of all sessions in the order in which they started. Ended sessions are included.
func (k *Keeper) Sessions() []Session {
	list, _ := k.Snapshot()
	return list
}

// Snapshot returns Sessions, and the ID of the last event that their state includes.
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

// Session returns the current state of a session; ok is false if the Keeper doesn't know it.
func (k *Keeper) Session(id string) (s Session, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if found := k.sessions[id]; found != nil {
		return found.snapshot(), true
	}
	return Session{}, false
}

// Events waits until there are events after the given ID, and returns them in order. The ID before the first event is 0.
// lost means that older events are no longer stored, so the caller must read the state and the transcript again. The
// error is ctx.Err().
func (k *Keeper) Events(ctx context.Context, after uint64) (events []Event, lost bool, err error) {
	return k.events.After(ctx, after)
}

// LastEvent returns the ID of the newest event, or 0 if there is none.
func (k *Keeper) LastEvent() uint64 { return k.events.Last() }

// End interrupts the running turn of a session and closes the input of its client. It doesn't wait until the client
// has ended.
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

// Close ends all sessions, and waits until their clients have ended.
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

// with calls do for a session that hasn't ended. The error is ErrUnknown or ErrEnded if there is none, or that of do.
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

// newUUID returns a random UUID (RFC 9562, version 4). The IDs of the client have this format.
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // this never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
