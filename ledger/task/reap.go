package task

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
)

// Idle is the time without activity after which a session is interrupted (spec 003, section 4.2).
const Idle = 5 * time.Minute

// Seen describes a session of Claude Code.
type Seen struct {
	Live bool      // a client has the session open
	Last time.Time // time of the last record of its transcript; zero if unknown
}

// incident is a line of json/incidents.jsonl.
type incident struct {
	Timestamp    string `json:"timestamp"`
	Type         string `json:"type"`
	Task         string `json:"task_slug"`
	Session      string `json:"session_id"`
	Checkpoint   string `json:"checkpoint_id"`
	LastActivity string `json:"last_activity"`
	Gate         Gate   `json:"gate"`
}

// PlanReap plans the cleanup of interrupted sessions (section 4.2). Such a session is active, has no client, and
// hasn't changed for Idle. It becomes suspended. It gets a line in json/incidents.jsonl and an interrupted
// checkpoint. seen returns the session of Claude Code with an ID, which may be "".
//
// PlanReap also completes files after an interrupted write. It doesn't resolve contradictions. If there is nothing to
// do, the change has no ops.
func (t *Task) PlanReap(ctx context.Context, now time.Time, seen func(claudeID string) Seen) (change.Change, error) {
	e := t.edit(ctx, now)
	r := &Report{}
	known, incidents := string(t.read(ctx, incidentsFile)), []any(nil)
	for _, s := range t.Sessions {
		if s.damaged() || s.State != Active && s.State != Init {
			continue
		}
		client := seen(s.ClaudeID)
		last := later(t.activeOf(s), client.Last)
		half := t.halfReaped(s)
		if client.Live || !half && now.Sub(last) < Idle {
			continue
		}
		if id := t.nextID(e.at); !half && !strings.Contains(known, `"`+id+`"`) { // a PlanReap that was killed may have written the line
			incidents = append(incidents, incident{stamp(e.at), "session.interrupted", t.Slug, s.ID, id, stamp(last), s.Gate})
		}
		e.interrupt(s, last, half)
		r.Incidents = append(r.Incidents, s.ID)
	}
	if len(incidents) > 0 {
		n := len(e.ops)
		e.lines(incidentsFile, incidents...)
		if len(e.ops) > n { // write the incident first; the next reap adds a missing checkpoint
			e.ops = append(e.ops[n:], e.ops[:n]...)
		}
	}
	r.Repaired = e.repaired
	if len(t.Sessions)+len(t.Checkpoints) == 0 {
		return change.Change{Kind: Kind, Where: []string{t.Root}, Report: r}, t.Problem
	}
	what := "Reaped " + words.Counted(len(r.Incidents), "session", "sessions") + " of " + t.Slug
	if len(r.Incidents) == 0 {
		what = "Completed the files of " + t.Slug
	}
	c, err := e.finish(what)
	r.Checkpoints, r.Evidence = e.made, e.said
	c.Report = r
	return c, err
}

// activeOf returns the newest time in the files of a session.
func (t *Task) activeOf(s *Session) time.Time {
	at := later(s.Started, s.Active)
	for _, c := range t.Of(s.ID) {
		at = later(at, c.At)
	}
	return at
}

// halfReaped reports whether an earlier reap was killed after writing the checkpoint.
func (t *Task) halfReaped(s *Session) bool {
	own := t.Of(s.ID)
	return len(own) > 0 && own[len(own)-1].Type == Interrupted && s.Active.Before(own[len(own)-1].At)
}

// interrupt suspends a session. half means that its interrupted checkpoint exists.
func (e *editor) interrupt(s *Session, last time.Time, half bool) {
	if !half {
		c := &Checkpoint{Type: Interrupted, Gate: s.Gate, CanResume: true}
		if own := e.t.Of(s.ID); len(own) > 0 {
			p := own[len(own)-1]
			c.Step, c.Next, c.Resume, c.state = p.Step, p.Next, p.Resume, p.state
			c.object.set("next_steps", orEmpty(p.Next))
		}
		c.Summary = fmt.Sprintf("Found by reap: no activity for %s", words.Duration(e.at.Sub(last)))
		c.complete(nil)
		e.checkpoint(s, c)
	}
	s.State = Suspended
	s.Active = later(s.Active, e.t.activeOf(s))
	e.touch(s)
}

// repair completes files after an interrupted write.
func (e *editor) repair() {
	for _, s := range e.t.Sessions {
		if s.damaged() || s.ID == "" {
			continue
		}
		if own := e.t.Of(s.ID); s.Count < len(own) {
			e.derive(s)
		}
		if p := e.t.Session(s.Parent); p != nil && !p.damaged() && !slices.Contains(p.Children, s.ID) {
			p.Children = append(p.Children, s.ID)
			e.touch(p)
		}
	}
	for _, s := range e.touched {
		e.repaired = append(e.repaired, s.Path())
	}
	if len(e.t.Checkpoints) > 0 && slices.ContainsFunc(e.t.Checkpoints, func(c *Checkpoint) bool { return e.t.Index.find(c.Name) == nil }) {
		e.repaired = append(e.repaired, indexFileName)
	}
}
