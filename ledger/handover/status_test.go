package handover_test

import (
	"testing"

	"github.com/continuo-tui/continuo/ledger/handover"
)

func TestNormal(t *testing.T) {
	t.Parallel()
	for want, words := range map[handover.Status][]string{
		handover.Open: {
			"", "open", "pending", "todo", "Not Started", "[ ]", "init", "deferred", "pinned", "suspended", "failed", // specs 002, 003, 004
			"review", "a word of a later version",
		},
		handover.InProgress: {"in-progress", "in_progress", "In Progress", "active", "partial", "IN_PROGRESS"},
		handover.Blocked:    {"blocked", "BLOCKED", "[BLOCKED]", " blocked "},
		handover.Done:       {"completed", "complete", "closed", "done", "[RESOLVED]", "answered", "fixed", "[x]", "[X]", "✅", "success", "**Completed**"},
		handover.Dropped:    {"tombstone", "deleted", "cancelled", "terminated", "[-]"},
	} {
		for _, word := range words {
			if got := handover.Normal(word); got != want {
				t.Errorf("%q is %q, not %q", word, got, want)
			}
		}
	}
	if handover.Done.IsOpen() || handover.Dropped.IsOpen() || !handover.Blocked.IsOpen() || !handover.Status("").IsOpen() {
		t.Error("a finished task is open, or an open one isn't")
	}
}
