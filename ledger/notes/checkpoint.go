package notes

import "time"

// Checkpointed returns the text with the time of the last checkpoint in its newest Session Continuity (spec 002, Active
// Context). It replaces the value of Last Checkpoint, or adds a line Last Checkpoint. The result line is the number of
// this line. If the text has no Session Continuity, Checkpointed returns the text unchanged, and ok is false.
func (n *Notes) Checkpointed(at time.Time) (text []byte, line int, ok bool) {
	if n.continuity.Section < 0 {
		return n.Text, 0, false
	}
	r := n.keyed(checkpointKey(), at.UTC().Format(time.RFC3339))
	return r.Text, r.Line, true
}
