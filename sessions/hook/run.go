package hook

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// The events of the client that continuo has hooks for (spec 000), as `continuo hook` is called with them.
const (
	EventStart   = "session-start" // SessionStart: a session begins, or continues after a /clear or a compaction
	EventEnd     = "session-end"   // SessionEnd
	EventCompact = "pre-compact"   // PreCompact
)

const (
	runLimit = 20 * time.Second // of a run; the client has a limit of 30 s
	// runGrace is the time in which an interrupted run deletes its temporary file. If the disk doesn't respond by then,
	// the file stays.
	runGrace = 2 * time.Second
)

// EventGate isn't an event of Claude Code: the hooks of the gate run it (spec 002), at two events.
const EventGate = "gate"

// Events returns the events of the backup hooks, without the gate.
func Events() []string { return []string{EventStart, EventEnd, EventCompact} }

// EventName returns an event as Claude Code names it.
func EventName(event string) string {
	switch event {
	case EventStart:
		return "SessionStart"
	case EventCompact:
		return "PreCompact"
	case EventEnd:
		return "SessionEnd"
	}
	return event
}

// In holds the inputs of a hook.
type In struct {
	Payload io.Reader                // input of the client, JSON; nil is empty
	Env     func(name string) string // a variable of the environment, "" when it is not set
	Dir     string                   // current directory; "" unknown
	Home    string                   // home directory; "" unknown
	Now     func() time.Time
	// Discard moves the backups of a plan to the trash.
	Discard func(ctx context.Context, m *backup.Memory, plan *backup.DiscardPlan) error
}

// Result is the result of an event.
type Result struct {
	Out string // for stdout, which the client hands to the model; "" is nothing
	Run Run    // to be noted
}

// Handle handles an event as in spec 000, within 20 seconds, and stops early when ctx ends. It returns no error and
// never panics: errors are in the Run, because a failing hook must not block Claude Code.
func Handle(ctx context.Context, event string, in In) Result {
	ctx, cancel := context.WithTimeout(ctx, runLimit)
	defer cancel()
	began := in.Now()
	first := Run{Time: began.UTC().Truncate(time.Millisecond), Event: event, Result: ResultFailed}
	h := &handling{in: in, Result: Result{Run: first}}
	h.known.Store(&first)
	done := make(chan Result, 1)
	go func() {
		if p := sessions.Catch(func() { h.handle(ctx) }); p != nil {
			h.fail(p)
		}
		done <- h.Result
	}()
	r := awaited(ctx, done, func() Result { // its own Result is still being written
		known := *h.known.Load()
		known.Error = errorText(ctx.Err())
		return Result{Run: known}
	})
	r.Run.MS = in.Now().Sub(began).Milliseconds()
	return r
}

// awaited returns the result of a run, which may take until runGrace after ctx ends; late returns the result without
// it.
func awaited[T any](ctx context.Context, done <-chan T, late func() T) T {
	select {
	case r := <-done:
		return r
	case <-ctx.Done():
	}
	grace := time.NewTimer(runGrace)
	defer grace.Stop()
	select {
	case r := <-done:
		return r
	case <-grace.C: // a disk does not answer
		return late()
	}
}

// handling is one run of Handle.
type handling struct {
	in In
	Result
	known atomic.Pointer[Run] // the facts known when its project was found
}

func (h *handling) fail(err error) {
	h.Run.Result, h.Run.Error = ResultFailed, errorText(err)
}

// errorText returns an error on one line, for the note.
func errorText(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "took longer than 20 s"
	}
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	return oneLine(err.Error())
}

func (h *handling) handle(ctx context.Context) {
	run := &h.Run
	run.Session = h.in.Env("CLAUDE_CODE_SESSION_ID")
	var said payload
	var unread error
	switch run.Event {
	case EventStart: // it doesn't use the input of the client, so it needn't wait for it
	case EventEnd:
		said, unread = readPayload(ctx, h.in.Payload)
		run.Reason = cmp.Or(string(said.Reason), string(said.StopReason))
	case EventCompact:
		said, unread = readPayload(ctx, h.in.Payload)
		run.Reason = string(said.Trigger)
	default:
		h.fail(errors.New("unknown event"))
		return
	}
	run.Session = cmp.Or(string(said.Session), run.Session)
	dir := directoryOf(h.in, said)
	project, ok := ProjectOf(dir, h.in.Home)
	run.Project = cmp.Or(project, dir)
	known := *run
	h.known.Store(&known)
	if !ok {
		run.Result = ResultNoMemory
		return
	}
	if unread != nil {
		h.fail(unread)
		return
	}
	m, err := backup.OpenMemory(project)
	if err != nil {
		h.fail(err)
		return
	}
	defer m.Close()
	if run.Event == EventStart {
		h.start(ctx, m)
		return
	}
	h.save(ctx, m, string(said.Transcript))
}

// directoryOf returns the directory of the session.
func directoryOf(in In, said payload) string {
	for _, dir := range []string{in.Env("CLAUDE_PROJECT_DIR"), string(said.Cwd), in.Dir} {
		if filepath.IsAbs(dir) {
			return dir
		}
	}
	return ""
}

func (h *handling) start(ctx context.Context, m *backup.Memory) {
	out, err := start(ctx, m, h.Run.Time)
	h.Out = out
	switch {
	case out != "":
		h.Run.Result = ResultTold
	case err == nil:
		h.Run.Result = ResultNothing
	}
	if err != nil {
		h.Run.Error = errorText(err)
	}
}

// save makes the backup. Its problems are noted beside it.
func (h *handling) save(ctx context.Context, m *backup.Memory, transcript string) {
	if rest, ok := strings.CutPrefix(transcript, "~/"); ok && h.in.Home != "" { // as the client's manual writes it
		transcript = filepath.Join(h.in.Home, rest)
	}
	if !filepath.IsAbs(transcript) {
		h.fail(errors.New("payload has no transcript path"))
		return
	}
	by := backup.ByEnd
	if h.Run.Event == EventCompact {
		by = backup.ByCompact
	}
	saved, err := m.Save(ctx, backup.Request{
		Transcript: transcript, By: by, Reason: h.Run.Reason, SessionID: h.Run.Session, At: h.Run.Time,
	})
	switch {
	case errors.Is(err, backup.ErrNothing):
		h.Run.Result = ResultNothing
		return
	case err != nil && saved.Name == "":
		h.fail(err)
		return
	}
	h.Run.Result, h.Run.Backup, h.Run.Bytes = ResultSaved, saved.Name, saved.Bytes
	if err = errors.Join(append(saved.Problems, err)...); err != nil {
		h.Run.Error = errorText(err)
	}
}
