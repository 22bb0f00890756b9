package tui

import (
	"testing"

	"github.com/continuo-tui/continuo/ledger/recovery"
)

// TestLedgerDialogs: the dialogs are there for what calls them.
func TestLedgerDialogs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		m := testModel(t, testSource(), testOptions(), 120, 36)
		settle(t, m, m.recoverDialog("/home/ada/code/teahouse", recovery.Topic))
		settle(t, m, m.noteDialog("/home/ada/code/teahouse"))
		plain(t, m)
	})
}
