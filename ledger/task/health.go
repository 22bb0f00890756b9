package task

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
)

// Health is the result of the last health check, at the key health of task-status.json. After a failure, no
// checkpoint at a higher gate is accepted (spec 003, section 2.2).
type Health struct {
	Passed bool
	At     time.Time
}

// Check is the result of a health check.
type Check struct {
	Command string
	Code    int    // exit code; 0 if it passed
	Output  string // end of its output
}

// ErrUnhealthy is returned for a checkpoint at a higher gate after a failed health check.
var ErrUnhealthy = errors.New("the health check failed")

// fixHealth starts the next step for a failed health check.
const fixHealth = "P0: fix the health check: "

func (s *Status) parseHealth(f *fields) {
	if o, ok := f.inner("health", optional); ok {
		s.Health = &Health{o.flag("passed", optional), o.time("checked_at", optional)}
	}
}

func (h *Health) object() any {
	o := object{}
	o.set("passed", h.Passed)
	o.set("checked_at", stamp(h.At))
	return o
}

// checked records a health check in the status. A failure becomes the first next step.
func (e *editor) checked(c *Check) {
	st := &e.t.Status
	st.Health = &Health{Passed: c.Code == 0, At: e.at}
	e.evidence("Health check: %s", passed(c.Code == 0))
	st.Next = slices.DeleteFunc(slices.Clone(st.Next), func(step string) bool { return strings.HasPrefix(step, fixHealth) })
	if c.Code != 0 {
		st.Next = slices.Insert(st.Next, 0, fixHealth+c.Command)
	}
}

// recovery adds an error_recovery checkpoint for a health check.
func (e *editor) recovery(s *Session, c *Check) {
	summary := "The health check passes again"
	if c.Code != 0 {
		summary = fmt.Sprintf("The health check failed with exit code %d", c.Code)
	}
	content, state := object{}, object{}
	state.set("error", summary)
	state.set("command", c.Command)
	state.set("exit_code", c.Code)
	state.set("output", c.Output)
	if c.Code == 0 {
		state.set("resolution", summary)
	}
	content.set("summary", summary)
	content.set("state", state)
	content.set("next_steps", orEmpty(e.t.Status.Next))
	filled, err := newContent(content)
	if err == nil {
		_, err = e.save(s, &Ask{Event: ErrorRecovery, Content: filled})
	}
	if err != nil {
		e.fail(err)
	}
}

// PlanUnhealthy plans the checkpoint for a health check that failed at the start of the newest session. PlanStart
// doesn't add it, because a kill could leave a checkpoint without a session.
func (t *Task) PlanUnhealthy(ctx context.Context, now time.Time, c *Check) (change.Change, error) {
	s := t.Newest()
	if s == nil {
		return change.Change{}, ErrNoSession
	}
	e := t.edit(ctx, now)
	e.recovery(s, c)
	done, err := e.finish("Health check of " + t.Slug + " failed")
	done.Report = &Report{Session: s, From: s.State, Checkpoints: e.made, Evidence: e.said}
	return done, err
}

// PlanHealth plans to record a health check. In an active session, a failure also adds an error_recovery checkpoint.
// The first success after it does too.
func (t *Task) PlanHealth(ctx context.Context, now time.Time, c *Check) (change.Change, error) {
	s := t.Newest()
	if s == nil {
		return change.Change{}, ErrNoSession
	}
	e := t.edit(ctx, now)
	failed := t.Status.Health != nil && !t.Status.Health.Passed
	if e.checked(c); s.State == Active && (failed || c.Code != 0) {
		e.recovery(s, c)
	}
	done, err := e.finish("Health check of " + t.Slug + ": " + passed(c.Code == 0))
	done.Report = &Report{Session: s, From: s.State, Checkpoints: e.made, Evidence: e.said}
	return done, err
}
