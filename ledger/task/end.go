package task

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
)

// Outcome is the outcome of a session (spec 003, section 4.1).
type Outcome string

// The outcomes of a session.
const (
	Success Outcome = "success"
	Partial Outcome = "partial"
	Failed  Outcome = "failed"
)

// Outcomes returns the outcomes in the order of the spec.
func Outcomes() []Outcome { return []Outcome{Success, Partial, Failed} }

// event is a line of json/events.jsonl in the format of CloudEvents 1.0.
type event struct {
	SpecVersion string    `json:"specversion"`
	ID          string    `json:"id"`
	Source      string    `json:"source"`
	Type        string    `json:"type"`
	Subject     string    `json:"subject"`
	Time        string    `json:"time"`
	ContentType string    `json:"datacontenttype"`
	Data        eventData `json:"data"`
}

type eventData struct {
	Session string  `json:"session_id"`
	Outcome Outcome `json:"outcome"`
	Hint    string  `json:"next_session_hint"`
}

// PlanEnd plans to end the newest session (section 4.1, shutdown ritual). It adds a block to the log of the task, a
// session_end checkpoint and the event session.complete. With every outcome, the state becomes complete. The caller
// makes the git commit. The error may be ErrNoSession, *MoveError or *DamagedError.
func (t *Task) PlanEnd(ctx context.Context, outcome Outcome, a *Ask) (change.Change, error) {
	s := t.Newest()
	if s == nil {
		return change.Change{}, ErrNoSession
	}
	e := t.edit(ctx, a.Now)
	was := s.State
	if err := e.move(s, Complete); err != nil {
		return change.Change{}, err
	}
	if outcome != Success && t.Status.Status == Completed {
		t.Status.Status = InProgress
	}
	end := *a
	end.Event = SessionEnd
	lacks, err := e.save(s, &end)
	if err != nil {
		return change.Change{}, err
	}
	if e.err != nil {
		return change.Change{}, e.err
	}
	e.evidence("Session end: %s outcome=%s", s.ID, outcome)
	saved, written := e.made[0], e.ops
	e.ops = nil
	e.text(t.Log, e.block(s, saved))
	e.ops = append(e.ops, written...)
	c, err := e.finish("Ended a session of " + t.Slug + ": " + string(outcome))
	if err != nil {
		return c, err
	}
	hint := saved.Resume
	if len(t.Status.Next) > 0 {
		hint = t.Status.Next[0]
	}
	e.ops = nil
	e.lines(eventsFile, event{
		"1.0", s.ID + "-complete-" + saved.ID, "/tasks/" + t.Slug, "session.complete", s.ID, stamp(e.at), "application/json", eventData{s.ID, outcome, hint},
	})
	c.Ops = append(c.Ops, e.ops...)
	c.Report = &Report{Session: s, From: was, Checkpoints: e.made, Lacks: lacks, Evidence: e.said}
	return c, e.err
}

// block returns the text about a session for the log of the task.
func (e *editor) block(s *Session, end *Checkpoint) string {
	var done []string
	for _, c := range e.t.Of(s.ID) {
		if c.Type != SessionEnd || len(done) == 0 && c == end {
			done = append(done, oneLine(c.Summary))
		}
	}
	took := words.Duration(e.at.Sub(s.Started))
	if took == "" {
		took = "0 s"
	}
	text := fmt.Sprintf("## Session %s (%s)\n\n", s.Started.Format(time.DateOnly), took)
	for _, line := range [][2]string{
		{"Goal", oneLine(s.Goal)}, {"Completed", strings.Join(done, "; ")}, {"Blocked", strings.Join(e.t.Status.Blockers, "; ")}, {"Next", strings.Join(e.t.Status.Next, "; ")},
	} {
		if line[1] == "" {
			line[1] = "none"
		}
		text += "**" + line[0] + "**: " + oneLine(line[1]) + "\n"
	}
	if len(e.t.logText) > 0 {
		return "\n" + text
	}
	return text
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
