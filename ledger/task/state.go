package task

import "fmt"

// State is the state of a session (spec 003, section 1.1).
type State string

// The states of a session.
const (
	Init       State = "init"
	Active     State = "active"
	Suspended  State = "suspended"
	Complete   State = "complete"
	Terminated State = "terminated"
)

// To returns the states that may follow a state; nil for an unknown state. The move from suspended to active isn't in
// the spec.
func (s State) To() []State {
	switch s {
	case Init:
		return []State{Active, Suspended}
	case Active:
		return []State{Suspended, Complete, Terminated}
	case Suspended:
		return []State{Active, Terminated}
	case Complete:
		return []State{Suspended} // the task goes on
	case Terminated:
	}
	return nil
}

// IsState reports whether a word is a state of the spec.
func (s State) IsState() bool { return s.To() != nil || s == Terminated }

// Ended reports whether the state is an end. Such a session must have a session_end or interrupted checkpoint.
func (s State) Ended() bool { return s == Complete || s == Terminated }

// MoveError is returned for a change of state that the spec doesn't allow.
type MoveError struct {
	Session  string
	From, To State
}

// Error implements error.
func (e *MoveError) Error() string {
	return fmt.Sprintf("session %s: %s → %s is not allowed", e.Session, e.From, e.To)
}

// Event is the type of a checkpoint.
type Event string

// The types of checkpoints, from table 3.1 and section 4.2.
const (
	GateTransition Event = "gate_transition"
	Decided        Event = "decision"
	FileChange     Event = "file_change"
	ErrorRecovery  Event = "error_recovery"
	SessionEnd     Event = "session_end"
	Interrupted    Event = "interrupted"
)

// Events returns the types of checkpoints in the order of table 3.1.
func Events() []Event {
	return []Event{GateTransition, Decided, FileChange, ErrorRecovery, SessionEnd, Interrupted}
}

// Label returns the type as a short text for lists, such as "session end".
func (e Event) Label() string {
	switch e {
	case GateTransition:
		return "gate"
	case FileChange:
		return "files"
	case ErrorRecovery:
		return "error"
	case SessionEnd:
		return "session end"
	case Decided, Interrupted:
	}
	return string(e)
}
