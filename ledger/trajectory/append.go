package trajectory

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/continuo-tui/continuo/ledger"
)

// SystemAgent is the agent of records about changes to the ledger itself.
const SystemAgent = "system"

// The phases of the records that continuo appends.
const (
	PhaseHandoff   = "session_handoff"
	PhaseDelta     = "delta_sync"
	PhaseFork      = "fork_detected"
	PhaseSelfHeal  = "self_heal"
	PhaseGrounding = "grounding_check"
)

// phaseHandedOver is the phase of a handoff that an agent wrote by hand.
const phaseHandedOver = "handoff"

// Handoff records that the work of an ended session is in the ledger (spec 002, synthesis checkpoint, step 5). Times
// are in UTC.
type Handoff struct {
	TS        string   `json:"ts"`
	Agent     string   `json:"agent"`
	Phase     string   `json:"phase"`
	SessionID string   `json:"session_id"`
	RootSpan  string   `json:"root_span_id"`
	Bead      string   `json:"bead_id"`
	NotesRefs []string `json:"notes_refs"`
	Ratio     float64  `json:"grounding_ratio"`
	Decisions int      `json:"decisions_count"`
	Scenarios int      `json:"test_scenarios"`
	EDD       bool     `json:"edd_verified"`
	Ready     bool     `json:"next_session_ready"`
	Hints     []string `json:"next_session_hints,omitempty"`
	Status    string   `json:"checkpoint_status,omitempty"` // always complete, as in the original script
}

// DeltaSync records what was added from a live session to the ledger (spec 002, delta-synthesis).
type DeltaSync struct {
	TS    string `json:"ts"`
	Agent string `json:"agent"`
	Phase string `json:"phase"`
	// SessionID isn't in the spec. The last delta of a session determines when the next one is due.
	SessionID string `json:"session_id,omitempty"`
	Tokens    int    `json:"tokens"`
	Decisions int    `json:"decisions_persisted"`
	Bead      bool   `json:"bead_updated"`
	Notes     bool   `json:"notes_updated"`
}

// Fork records that a decision of a session contradicts the ledger, which wins (spec 002, fork detection).
type Fork struct {
	TS         string `json:"ts"`
	Agent      string `json:"agent"`
	Phase      string `json:"phase"`
	Bead       string `json:"bead_id"`
	Context    string `json:"context_decision"`
	Ledger     string `json:"bead_decision"`
	Resolution string `json:"resolution"` // always "bead_wins"
}

// SelfHeal records which parts of the ledger were restored (spec 002, self-heal-state.sh). The key of its time is
// "timestamp" instead of "ts".
type SelfHeal struct {
	Timestamp string `json:"timestamp"`
	Phase     string `json:"phase"`
	Status    string `json:"status"`
	Message   string `json:"message"`
}

// GroundingCheck records the counts of a run of the gate (spec 002, grounding enforcement).
type GroundingCheck struct {
	TS          string  `json:"ts"`
	Agent       string  `json:"agent"`
	Phase       string  `json:"phase"`
	Claims      int     `json:"total_claims"`
	Grounded    int     `json:"grounded_claims"`
	Assumptions int     `json:"assumptions"`
	Ratio       float64 `json:"grounding_ratio"`
	Threshold   float64 `json:"threshold"`
	Status      string  `json:"status"` // result for the claims: pass, fail, off or unknown
	// Verdict is the result of all steps: passed, rejected or unknown. It isn't in the spec.
	Verdict string `json:"verdict,omitempty"`
}

// Append appends a record as one line to a file of a trajectory below a root. It takes the lock of the project's
// ledger and creates missing directories. After an incomplete last line, the record starts on a new line. The errors
// are those of ledger.AppendLine, and ledger.ErrTooLong for a record that is too long to read.
func Append(ctx context.Context, root, path string, record any) error {
	line, err := Line(record)
	if err != nil {
		return fmt.Errorf("append to %s: %w", path, err)
	}
	return ledger.AppendLine(ctx, root, path, line)
}

// Line returns a record as a line of a file, without the line break.
func Line(record any) ([]byte, error) {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false) // < stays readable for grep
	if err := e.Encode(record); err != nil {
		return nil, err
	}
	text := bytes.TrimSuffix(line.Bytes(), []byte{'\n'})
	if len(text) == 0 || text[0] != '{' {
		return nil, errNoObject
	}
	if len(text) > maxRecord {
		return nil, fmt.Errorf("a record of %d bytes: %w", len(text), ledger.ErrTooLong)
	}
	return text, nil
}
