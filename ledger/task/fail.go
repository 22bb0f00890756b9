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

// Failure is a type of failure (spec 003, table 5.2).
type Failure string

// The failure types of table 5.2.
const (
	Transient  Failure = "transient"
	TestFailed Failure = "test"
	Resource   Failure = "resource"
	Logic      Failure = "logic"
	Persistent Failure = "persistent"
)

// Failures returns the failure types in the order of table 5.2.
func Failures() []Failure { return []Failure{Transient, TestFailed, Resource, Logic, Persistent} }

// Retry returns the retry strategy of table 5.2.
func (f Failure) Retry() string {
	switch f {
	case Transient:
		return "Retry same step, max 3 attempts"
	case TestFailed:
		return "Diagnose, fix, retry step"
	case Resource:
		return "Wait, increase limits, retry"
	case Logic:
		return "Rollback to checkpoint, re-plan"
	case Persistent:
		return "Escalate to human review"
	}
	return ""
}

// Attempts is the number of consecutive failures of a step that need a fixer (section 5.3).
const Attempts = 3

// FixerTime is the time budget of a fixer (section 5.3).
const FixerTime = 10 * time.Minute

// ErrNoError is returned for a failure without a description.
var ErrNoError = errors.New("the failure has no description")

// Fail is a failure of a step.
type Fail struct {
	Now  time.Time
	Kind Failure
	Step int
	What string // the error, and the attempts to fix it
}

// failures returns the latest consecutive failures of a step, oldest first. Checkpoints of the types interrupted and
// session_end don't count.
func (t *Task) failures(gate Gate, step int) []*Checkpoint {
	var all []*Checkpoint
	for _, c := range slices.Backward(t.Checkpoints) {
		switch {
		case c.Type == Interrupted || c.Type == SessionEnd:
		case c.Type == ErrorRecovery && c.Gate == gate && c.Step == step && !isEmpty(c.state.values["failure"]):
			all = append(all, c)
		default:
			slices.Reverse(all)
			return all
		}
	}
	slices.Reverse(all)
	return all
}

// Brief is a text for a fixer (section 5.3). A fixer is an agent that looks at a step that keeps failing.
type Brief struct {
	File string // path below the directory of the task
	Gate Gate
	Step int
	Text string
}

// readBrief reads the brief for the current step if a fixer is needed.
func (t *Task) readBrief(ctx context.Context) {
	for _, c := range slices.Backward(t.Checkpoints) {
		if c.Type == Interrupted || c.Type == SessionEnd {
			continue
		}
		if file := Fixer(c.Gate, c.Step); len(t.failures(c.Gate, c.Step)) >= Attempts {
			if text := t.read(ctx, file); len(text) > 0 {
				t.Brief = &Brief{file, c.Gate, c.Step, string(text)}
			}
		}
		return
	}
}

// Fixer returns the path of the brief for a step, below the directory of the task.
func Fixer(gate Gate, step int) string { return fmt.Sprintf("ops/fixer-%s-step-%d.md", gate, step) }

// PlanFail plans to record a failure as an error_recovery checkpoint. A persistent failure also blocks the task. From
// the third consecutive failure of a step, a brief for a fixer is written. The error may be ErrNoSession, ErrNoError,
// *MoveError or *DamagedError.
func (t *Task) PlanFail(ctx context.Context, a *Fail) (change.Change, error) {
	s := t.Newest()
	switch {
	case s == nil:
		return change.Change{}, ErrNoSession
	case s.State != Active:
		return change.Change{}, &MoveError{s.ID, s.State, Active}
	case strings.TrimSpace(a.What) == "":
		return change.Change{}, ErrNoError
	}
	e := t.edit(ctx, a.Now)
	before := t.failures(s.Gate, a.Step)
	n := len(before) + 1
	if a.Kind == Persistent {
		t.Status.Blockers = append(slices.Clone(t.Status.Blockers), fmt.Sprintf("Human review of step %d at %s: %s", a.Step, s.Gate, oneLine(a.What)))
		t.Status.Status = Blocked
	}
	content, state := object{}, object{}
	state.set("error", a.What)
	state.set("failure", string(a.Kind))
	state.set("attempt", n)
	state.set("resolution", a.Kind.Retry())
	content.set("step", a.Step)
	content.set("summary", fmt.Sprintf("Step %d failed (%s, attempt %d): %s", a.Step, a.Kind, n, oneLine(a.What)))
	content.set("state", state)
	content.set("next_steps", orEmpty(t.Status.Next))
	content.set("resume_instructions", fmt.Sprintf("%s (step %d at %s)", a.Kind.Retry(), a.Step, s.Gate))
	filled, err := newContent(content)
	if err != nil {
		return change.Change{}, err
	}
	lacks, err := e.save(s, &Ask{Event: ErrorRecovery, Content: filled})
	if err != nil {
		return change.Change{}, err
	}
	r := &Report{Session: s, From: s.State, Lacks: lacks}
	if n >= Attempts && e.err == nil {
		file := Fixer(s.Gate, a.Step)
		e.op(file, t.read(ctx, file), []byte(t.brief(s.Gate, a.Step, append(before, e.made[0]))))
		r.Brief = file
	}
	c, err := e.finish(fmt.Sprintf("Step %d of %s failed", a.Step, t.Slug))
	r.Checkpoints, r.Evidence = e.made, e.said
	c.Report = r
	return c, err
}

// brief returns the text for the fixer of section 5.3.
func (t *Task) brief(gate Gate, step int, failures []*Checkpoint) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Fixer: step %d at %s of %s\n\n", step, gate, t.Slug)
	fmt.Fprintf(&b, "- Trigger: %d consecutive failures on the same step\n", len(failures))
	fmt.Fprintf(&b, "- Scope: only step %d at %s\n", step, gate)
	b.WriteString("- Permissions: read-only. Change no file.\n")
	fmt.Fprintf(&b, "- Time budget: %d minutes\n", int(FixerTime.Minutes()))
	b.WriteString("- Output: a suggested fix, or an escalation to a human\n\n## What was tried\n")
	for _, c := range failures {
		text, _ := textOf(c.state.values["error"])
		fmt.Fprintf(&b, "\n### %s, %s\n\n%s\n\n%s\n", c.ID, stamp(c.At), strings.TrimSpace(text), oneLine(c.Resume))
	}
	return b.String()
}
