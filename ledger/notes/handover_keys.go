package notes

import (
	"slices"
	"time"

	"github.com/continuo-tui/continuo/ledger/handover"
)

// withKeys sets the current bead, the checkpoint and the state in Session Continuity. It adds a missing Session
// Continuity.
func (n *Notes) withKeys(h *handover.Handover) *Notes {
	bead, state := "", oneText(h.State)
	if i := slices.IndexFunc(h.Items, func(i handover.Item) bool { return i.Status == handover.InProgress }); i >= 0 {
		bead = beadLine(&h.Items[i])
	}
	if n.continuity.Section < 0 {
		if bead == "" && state == "" && h.When.IsZero() {
			return n
		}
		var lines []string
		if bead != "" {
			lines = append(lines, beadKey().line(bead))
		}
		if !h.When.IsZero() {
			lines = append(lines, checkpointKey().line(h.When.UTC().Format(time.RFC3339)))
		}
		if state != "" {
			lines = append(lines, stateKey().line(state))
		}
		return Parse(inserter{n, Entry{}}.newContext(lines...).Apply(n.Text))
	}
	if state != "" {
		n = Parse(n.keyed(stateKey(), state).Text)
	}
	if !h.When.IsZero() {
		text, _, _ := n.Checkpointed(h.When)
		n = Parse(text)
	}
	if bead != "" {
		n = Parse(n.keyed(beadKey(), bead).Text)
	}
	return n
}

// beadLine returns an item as the value of Current Bead; "" if beadOf would read another item.
func beadLine(i *handover.Item) string {
	line := oneText(i.ID + i.Title)
	if i.ID != "" && i.Title != "" {
		line = oneText(i.ID + " (" + i.Title + ")")
	}
	if id, title := beadOf(line); id != i.ID || title != oneText(i.Title) {
		return ""
	}
	return line
}
