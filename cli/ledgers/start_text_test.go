package ledgers

import (
	"testing"

	"github.com/continuo-tui/continuo/ledger"
)

func TestIdentifierNote(t *testing.T) {
	t.Parallel()
	if got := identifierNote(&ledger.Check{Status: ledger.Holds}); got != "" {
		t.Error(got)
	}
	if got := identifierNote(&ledger.Check{Status: ledger.Moved, At: 7}); got != "moved to :7" {
		t.Error(got)
	}
}
