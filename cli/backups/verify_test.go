package backups

import (
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

func TestVerdictSum(t *testing.T) {
	t.Parallel()
	if got := VerdictSum(0, nil); got != "No backups here." {
		t.Error(got)
	}
	got := VerdictSum(6, map[backup.Verdict]int{
		backup.VerdictSum: 1, backup.VerdictTranscript: 1, backup.VerdictNoRecord: 2, backup.VerdictMismatch: 1, backup.VerdictUnreadable: 1,
	})
	if got != "6 backups: 2 ok, 2 with nothing to compare, 1 changed since copied, 1 unreadable." {
		t.Error(got)
	}
}

func TestNewUUID(t *testing.T) {
	t.Parallel()
	a, b := newUUID(), newUUID()
	if !sessions.IsUUID(a) || a == b || a[14] != '4' {
		t.Errorf("%q %q", a, b)
	}
}
