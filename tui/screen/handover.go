package screen

import (
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/handover"
	"github.com/continuo-tui/continuo/sessions/stores"
)

// Handover is the handover of a session, and the stores of its project.
type Handover struct {
	Title  string // title of the session, or ""
	Value  *handover.Handover
	Stores []HandoverStore // stores in the order of writing
	Checks map[string]ledger.Check
	Held   any // belongs to Changes
}

// HandoverStore is a store that a handover can be written to.
type HandoverStore struct {
	stores.Store
	On   bool   // the handover will be written to this store
	Size string // size of the file, or by how much it grows
	New  bool   // the file is created
	Same bool   // the file has everything already
}
