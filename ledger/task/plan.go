package task

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
)

// Report describes a change of this package. It is the Report of the change.Change.
type Report struct {
	Session     *Session      // the session after the change
	From        State         // state of the session before the change; "" for a new session
	Checkpoints []*Checkpoint // the new ones
	Lacks       []Want        // required content that the new checkpoints lack
	Incidents   []string      // IDs of the sessions that PlanReap suspends
	Evidence    []string      // lines of logs/session.log (section 6.1)
	Brief       string        // path of the brief for a fixer, below the directory of the task
	Repaired    []string      // files that PlanReap completes, below the directory of the task
}

var (
	// ErrNoSession is returned if a task has no session.
	ErrNoSession = errors.New("the task has no session")
	// ErrActive is returned if the newest session is init or active, so a new one can't start.
	ErrActive = errors.New("the newest session is active")
)

// GateError is returned for a checkpoint below the gate of the session.
type GateError struct{ Gate, Reached Gate }

// Error implements error.
func (e *GateError) Error() string {
	return fmt.Sprintf("gate %s is below %s, which the task has reached; only an error_recovery goes back", e.Gate, e.Reached)
}

// Ask is a request for a checkpoint.
type Ask struct {
	Now     time.Time
	Event   Event
	Gate    Gate        // default: the gate of the content, or of the session
	Content *Checkpoint // from ParseContent or FromHandover; nil if there is none
	Branch  string      // of git; "" if unknown
	Commit  string      // hash of HEAD; "" if unknown
}

// PlanCheckpoint plans a checkpoint of the newest session, which must be active. The Report has the missing content.
// The error may be ErrNoSession, *MoveError, *GateError or *DamagedError.
func (t *Task) PlanCheckpoint(ctx context.Context, a *Ask) (change.Change, error) {
	s := t.Newest()
	if s == nil {
		return change.Change{}, ErrNoSession
	}
	if s.State != Active {
		return change.Change{}, &MoveError{s.ID, s.State, Active}
	}
	e := t.edit(ctx, a.Now)
	lacks, err := e.save(s, a)
	if err != nil {
		return change.Change{}, err
	}
	c, err := e.finish("Checkpoint of " + t.Slug + ": " + words.Cut(strings.Join(strings.Fields(e.summary()), " "), summaryCells))
	c.Report = &Report{Session: s, From: s.State, Checkpoints: e.made, Lacks: lacks, Evidence: e.said}
	return c, err
}

// summaryCells is the maximum width of a summary in the title of a change, in cells.
const summaryCells = 60

func (e *editor) summary() string {
	if len(e.made) == 0 {
		return ""
	}
	return e.made[0].Summary
}

// save adds a checkpoint to a session. It returns the required content that is missing.
func (e *editor) save(s *Session, a *Ask) ([]Want, error) {
	c := &Checkpoint{CanResume: true}
	if a.Content != nil {
		given := *a.Content
		c = &given
	}
	c.Type = a.Event
	if a.Gate != "" {
		c.Gate = a.Gate
	}
	if c.Gate == "" {
		c.Gate = s.Gate
	}
	if c.Gate.Below(s.Gate) && c.Type != ErrorRecovery {
		return nil, &GateError{c.Gate, s.Gate}
	}
	if h := e.t.Status.Health; s.Gate.Below(c.Gate) && h != nil && !h.Passed {
		return nil, ErrUnhealthy
	}
	c.object = c.object.clone()
	if a.Commit != "" {
		c.object.set("git_commit", a.Commit)
		c.object.set("git_branch", orNull(a.Branch))
	}
	var lacks []Want
	for _, w := range c.Wanted() {
		if !w.Has {
			lacks = append(lacks, w)
		}
	}
	p := e.t.origin(s)
	if own := e.t.Of(s.ID); len(own) > 0 {
		p = own[len(own)-1]
	}
	c.complete(p)
	if c.Next != nil {
		e.t.Status.Next = c.Next
	}
	e.checkpoint(s, c)
	return lacks, nil
}

// PlanMove plans to change the state of the newest session. It adds a missing session_end checkpoint. The error may
// be ErrNoSession, *MoveError or *DamagedError.
func (t *Task) PlanMove(ctx context.Context, to State, a *Ask) (change.Change, error) {
	s := t.Newest()
	if s == nil {
		return change.Change{}, ErrNoSession
	}
	e := t.edit(ctx, a.Now)
	was := s.State
	if err := e.move(s, to); err != nil {
		return change.Change{}, err
	}
	var lacks []Want
	if to.Ended() && !t.hasEnd(s) {
		end := *a
		end.Event = SessionEnd
		var err error
		if lacks, err = e.save(s, &end); err != nil {
			return change.Change{}, err
		}
	}
	c, err := e.finish(fmt.Sprintf("Session of %s: %s → %s", t.Slug, was, to))
	c.Report = &Report{Session: s, From: was, Checkpoints: e.made, Lacks: lacks, Evidence: e.said}
	return c, err
}

// move changes the state of a session, and the status of the task.
func (e *editor) move(s *Session, to State) error {
	if !slices.Contains(s.State.To(), to) {
		return &MoveError{s.ID, s.State, to}
	}
	s.State, s.Active = to, later(s.Active, e.at)
	e.touch(s)
	st := &e.t.Status
	switch {
	case to == Complete && len(st.Blockers) > 0:
		st.Status = Blocked
	case to == Complete && s.Gate == LastGate:
		st.Status = Completed
	case to == Complete, st.Status == Completed:
		st.Status = InProgress
	}
	return nil
}

// PlanIndex plans to rebuild the index of a task. Entries of missing files are kept and marked.
func (t *Task) PlanIndex(ctx context.Context) (change.Change, error) {
	e := &editor{ctx: ctx, t: t, err: t.Problem}
	if len(t.Checkpoints) > 0 || t.Index.There() {
		e.op(indexFileName, t.Index.text, t.rebuilt(false))
	}
	return change.Change{Kind: Kind, What: "Rebuilt the index of " + t.Slug, Where: []string{t.Root}, Ops: e.ops, Report: &Report{}}, e.err
}
