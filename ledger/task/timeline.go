package task

import (
	"slices"
	"time"
)

// Moment is an entry in the timeline of a task.
type Moment struct {
	At         time.Time
	Kind       MomentKind
	Session    *Session    // nil if the session of a checkpoint is unknown
	Checkpoint *Checkpoint // of MomentCheckpoint
	// After is the state of the session after a checkpoint. After the last one, it is the current state. After a
	// session_end, it is the ended state. After any other one, it is active.
	After State
}

// MomentKind is the kind of a moment.
type MomentKind string

// The kinds of moments.
const (
	MomentStart      MomentKind = "start"
	MomentCheckpoint MomentKind = "checkpoint"
	MomentEnd        MomentKind = "end"
)

// Timeline returns the starts and ends of sessions and all checkpoints, oldest first.
func (t *Task) Timeline() []Moment {
	var all []Moment
	for _, s := range t.Sessions {
		all = append(all, Moment{At: s.Started, Kind: MomentStart, Session: s, After: Active})
		own := t.Of(s.ID)
		for i, c := range own {
			after := Active
			switch {
			case i == len(own)-1:
				after = s.State
			case c.Type == SessionEnd:
				after = Complete
			case c.Type == Interrupted:
				after = Suspended
			}
			all = append(all, Moment{At: c.At, Kind: MomentCheckpoint, Session: s, Checkpoint: c, After: after})
		}
		if s.State != Init && s.State != Active {
			all = append(all, Moment{At: s.Active, Kind: MomentEnd, Session: s, After: s.State})
		}
	}
	for _, c := range t.Checkpoints {
		if t.Session(c.Session) == nil {
			all = append(all, Moment{At: c.At, Kind: MomentCheckpoint, Checkpoint: c})
		}
	}
	if e := t.Emergency; e != nil {
		all = append(all, Moment{At: e.At, Kind: MomentCheckpoint, Session: t.Session(e.Session), Checkpoint: e, After: Suspended})
	}
	slices.SortStableFunc(all, func(a, b Moment) int { return a.At.Compare(b.At) })
	return all
}
