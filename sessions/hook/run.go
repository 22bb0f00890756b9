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

// The arguments of `continuo hook` for backup hooks (spec 000).
const (
	EventStart   = "session-start" // SessionStart: after the start of a session, a /clear or a compaction
	EventEnd     = "session-end"   // SessionEnd
	EventCompact = "pre-compact"   // PreCompact
)

const (
	runLimit = 20 * time.Second // time limit of a run; Claude Code's limit is 30 s
	// runGrace is the extra time for an interrupted run to delete its temporary file. On a slow disk, the file stays.
	runGrace = 2 * time.Second
)

// EventGate is the argument of the gate hooks (spec 002), which run at PreCompact and SessionStart.
const EventGate = "gate"

// EventSnapshot is the argument of the snapshot hook (spec 004), which runs at SessionStart.
const EventSnapshot = "snapshot"

// EventTask is the argument of the task hooks (spec 003), which run at SessionStart and SessionEnd.
const EventTask = "task"

// Events returns the arguments of the backup hooks.
func Events() []string { return []string{EventStart, EventEnd, EventCompact} }

// EventName returns Claude Code's name for the event of a backup hook.
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

// In has the inputs of a hook.
type In struct {
	Payload io.Reader                // JSON from Claude Code; nil if there is none
	Env     func(name string) string // returns an environment variable, or "" if it isn't set
	Dir     string                   // current directory; "" if unknown
	Home    string                   // home directory; "" if unknown
	Now     func() time.Time
	// MarkRuns reports whether backups of headless runs become pending. Nil means no.
	MarkRuns func() bool
	// Discard moves the backups of a plan to the trash.
	Discard func(ctx context.Context, m *backup.Memory, plan *backup.DiscardPlan) error
}

// Result is the result of an event.
type Result struct {
	Out string // text for stdout, which Claude Code passes to the model
	Run Run    // the record of this run
}

// Handle handles an event of spec 000, within 20 seconds or until ctx ends. A failed hook must not block Claude Code,
// so Handle doesn't panic. Its errors are in the Run.
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
	r := awaited(ctx, done, func() Result { // the run may still be writing to h.Result
		known := *h.known.Load()
		known.Error = errorText(ctx.Err())
		return Result{Run: known}
	})
	r.Run.MS = in.Now().Sub(began).Milliseconds()
	return r
}

// awaited waits for a run and returns its result. If the run is still going runGrace after ctx is done, it returns
// late() instead.
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
	case <-grace.C: // a disk may not respond
		return late()
	}
}

// handling is the state of one call of Handle.
type handling struct {
	in In
	Result
	known atomic.Pointer[Run] // copy of the Run without results, for a run that takes too long
}

func (h *handling) fail(err error) {
	h.Run.Result, h.Run.Error = ResultFailed, errorText(err)
}

// errorText returns the text of an error on one line.
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
	var input payload
	var unread error
	switch run.Event {
	case EventStart: // needs no payload, so it doesn't wait for stdin
	case EventEnd:
		input, unread = readPayload(ctx, h.in.Payload)
		run.Reason = cmp.Or(string(input.Reason), string(input.StopReason))
	case EventCompact:
		input, unread = readPayload(ctx, h.in.Payload)
		run.Reason = string(input.Trigger)
	default:
		h.fail(errors.New("unknown event"))
		return
	}
	run.Session = cmp.Or(string(input.Session), run.Session)
	dir := directoryOf(h.in, input)
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
	h.save(ctx, m, string(input.Transcript))
}

// directoryOf returns the session's working directory, or "".
func directoryOf(in In, input payload) string {
	for _, dir := range []string{in.Env("CLAUDE_PROJECT_DIR"), string(input.Cwd), in.Dir} {
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

// save makes the backup and records the result. Few users continue a headless run (claude -p or the SDK, entry point
// sdk-*). So its backup becomes pending only if MarkRuns returns true.
func (h *handling) save(ctx context.Context, m *backup.Memory, transcript string) {
	if rest, ok := strings.CutPrefix(transcript, "~/"); ok && h.in.Home != "" { // the manual of Claude Code shows paths with a tilde
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
		Unmarked: strings.HasPrefix(h.in.Env("CLAUDE_CODE_ENTRYPOINT"), "sdk") && (h.in.MarkRuns == nil || !h.in.MarkRuns()),
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
