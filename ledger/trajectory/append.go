package trajectory

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/continuo-tui/continuo/ledger"
)

// SystemAgent is the agent name for records of changes to the ledger itself (fact sheet 002, self-heal-state.sh).
const SystemAgent = "system"

// The phases of the records that continuo appends.
const (
	PhaseHandoff   = "session_handoff"
	PhaseDelta     = "delta_sync"
	PhaseFork      = "fork_detected"
	PhaseSelfHeal  = "self_heal"
	PhaseGrounding = "grounding_check"
)

// phaseHandedOver is the phase of a Handoff that an agent wrote by hand (fact sheet 002, trajectory); continuo only
// reads it.
const phaseHandedOver = "handoff"

// Handoff records that a session ended with its work in the ledger (spec 002, synthesis checkpoint, step 5). Times are
// UTC.
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
	Status    string   `json:"checkpoint_status,omitempty"` // complete, as in the original script
}

// DeltaSync records which parts of a live session were written to the ledger (spec 002, delta-synthesis).
type DeltaSync struct {
	TS        string `json:"ts"`
	Agent     string `json:"agent"`
	Phase     string `json:"phase"`
	SessionID string `json:"session_id,omitempty"` // not in the spec; a session's last delta sets when its next is due
	Tokens    int    `json:"tokens"`
	Decisions int    `json:"decisions_persisted"`
	Bead      bool   `json:"bead_updated"`
	Notes     bool   `json:"notes_updated"`
}

// Fork records that a decision of a session contradicts the ledger (spec 002, fork detection). The ledger takes
// precedence.
type Fork struct {
	TS         string `json:"ts"`
	Agent      string `json:"agent"`
	Phase      string `json:"phase"`
	Bead       string `json:"bead_id"`
	Context    string `json:"context_decision"`
	Ledger     string `json:"bead_decision"`
	Resolution string `json:"resolution"` // bead_wins
}

// SelfHeal records which parts of the ledger were restored (fact sheet 002, self-heal-state.sh). The key of the time is
// "timestamp", not "ts" as in the other records.
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
	Status      string  `json:"status"`            // result for the claims: pass, fail, off, unknown
	Verdict     string  `json:"verdict,omitempty"` // not in the spec; result of the whole run: passed, rejected, unknown
}

// Append appends a record to a file of a trajectory below a root: one line, atomic for readers, under the lock of the
// project's ledger. It creates missing directories. An incomplete last line doesn't affect the new record. Errors are
// those of ledger.AppendLine, and ledger.ErrTooLong for a record that is too long to be read again.
func Append(ctx context.Context, root, path string, record any) error {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false) // keeps < readable for grep
	if err := e.Encode(record); err != nil {
		return fmt.Errorf("append to %s: %w", path, err)
	}
	text := bytes.TrimSuffix(line.Bytes(), []byte{'\n'})
	if len(text) == 0 || text[0] != '{' {
		return fmt.Errorf("append to %s: %w", path, errNoObject)
	}
	if len(text) > maxRecord {
		return fmt.Errorf("append to %s: a record of %d bytes: %w", path, len(text), ledger.ErrTooLong)
	}
	return ledger.AppendLine(ctx, root, path, text)
}
