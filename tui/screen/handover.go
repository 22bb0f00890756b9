package screen

import (
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/sessions/stores"
)

// Handover is the handover of a session, and the stores of its project.
type Handover struct {
	Title  string // of the session; "" if there is none
	Value  *handover.Handover
	Stores []HandoverStore // in the order in which they are written
	Checks map[string]ledger.Check
	Held   any // belongs to Changes
}

// HandoverStore is a store that a handover can be written to.
type HandoverStore struct {
	stores.Store
	On   bool   // the handover is written to it
	Size string // size of the file, or how it grows
	New  bool   // the file is created
	Same bool   // the file already has everything
}
