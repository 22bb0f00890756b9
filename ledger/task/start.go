package task

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
)

// Start is a request for a new session of a task.
type Start struct {
	Now      time.Time
	Agent    string // agent_id
	ClaudeID string // ID of the session of Claude Code; "" if unknown
	FromGate Gate   // gate to start from; default: the gate of the task
	State    State  // Init or Active; "" for Active
	Goal     string // "" for none
	Check    *Check // result of the health check; nil if it wasn't run
}

// PlanStart plans a new session. It continues from the newest checkpoint at or below FromGate, or from the newest
// checkpoint. The session of this checkpoint becomes the parent. PlanStart creates a missing task. The error may be
// ErrActive or *DamagedError.
func (t *Task) PlanStart(ctx context.Context, a *Start) (change.Change, error) {
	last := t.Newest()
	if last != nil && (last.State == Active || last.State == Init) {
		return change.Change{}, fmt.Errorf("session %s: %w", last.ID, ErrActive)
	}
	e := t.edit(ctx, a.Now)
	if last != nil && !e.at.After(last.Started) {
		e.at = last.Started.Add(time.Second) // the newest session must start last
	}
	s := &Session{Agent: a.Agent, Slug: t.Slug, State: a.State, Started: e.at, Active: e.at, Gate: "G0", ClaudeID: a.ClaudeID, Goal: a.Goal}
	if s.State == "" {
		s.State = Active
	}
	s.ID = t.sessionID(e.at)
	s.Name = s.ID
	e.touch(s)
	parent, from := last, t.last(a.FromGate)
	if last != nil {
		s.Gate = last.Gate
	}
	if from != nil {
		parent, s.Gate, s.ResumedFrom = t.Session(from.Session), from.Gate, from.ID
	}
	if a.FromGate != "" {
		s.Gate = a.FromGate
		if from == nil {
			parent = nil // the session starts anew
		}
	}
	if parent == nil {
		s.ResumedFrom = "" // the session of the checkpoint doesn't exist
	} else {
		s.Parent = parent.ID
		parent.Children = append(parent.Children, s.ID)
		e.touch(parent)
	}
	t.Sessions = append(t.Sessions, s)
	if t.Status.Status == Completed {
		t.Status.Status = InProgress
	}
	e.evidence("Session start: %s resuming from %s", s.ID, cmp.Or(s.ResumedFrom, "none"))
	if a.Check != nil {
		e.checked(a.Check)
	}
	if a.Goal != "" {
		e.evidence("Session starting: %s", oneLine(a.Goal))
	}
	c, err := e.finish("Started a session of " + t.Slug)
	c.Report = &Report{Session: s, Evidence: e.said}
	return c, err
}

// From returns the checkpoint from which PlanStart would continue; nil if there is none.
func (t *Task) From(gate Gate) *Checkpoint { return t.last(gate) }

// last returns the newest checkpoint at or below a gate; nil if there is none. "" means any gate.
func (t *Task) last(most Gate) *Checkpoint {
	for i := len(t.Checkpoints) - 1; i >= 0; i-- {
		if c := t.Checkpoints[i]; most == "" || !most.Below(c.Gate) {
			return c
		}
	}
	return nil
}

// sessionID returns the ID of a new session (section 1.2). It is the same if act.Do plans again.
func (t *Task) sessionID(at time.Time) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d", t.Slug, stamp(at), len(t.Sessions)))
	return "session-" + at.Format(time.DateOnly) + "-" + hex.EncodeToString(sum[:3])
}
