package notes

import "time"

// Checkpointed returns the text with a new time of the last checkpoint in the newest Session Continuity (spec 002,
// Active Context). line is the line number of the key. Without a Session Continuity, ok is false and the text is
// unchanged.
func (n *Notes) Checkpointed(at time.Time) (text []byte, line int, ok bool) {
	if n.continuity.Section < 0 {
		return n.Text, 0, false
	}
	r := n.keyed(checkpointKey(), at.UTC().Format(time.RFC3339))
	return r.Text, r.Line, true
}
