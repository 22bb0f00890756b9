package tui

import (
	"context"

	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/gateview"
	"github.com/continuo-tui/continuo/tui/ledgerview"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Ledgers is what a project keeps besides its sessions. Without it there is no Ledger tab and no recovery.
type Ledgers interface {
	// In returns those of the folders that have a ledger, without reading it. A folder that doesn't exist has none.
	In(ctx context.Context, dirs []string) []string
	ledgerview.Ledgers
	// Recall looks at the ledger of a folder, now, for all that is recovered of it.
	Recall(ctx context.Context, dir string) (Recall, error)
	// Take does with a recovery what writes nothing into the project: to the clipboard, or a new session that starts
	// with it.
	Take(ctx context.Context, dir string, r recovery.Result, how Taking) (Taken, error)
	// Gate runs the gate of a folder. Nothing is written.
	Gate(ctx context.Context, dir string, ask GateAsk) (gate.Report, error)
}

// TimelineAsk is which records of a trajectory are asked for; "" is any.
type TimelineAsk = ledgerview.TimelineAsk

// GateAsk is which gate is run, and of what.
type GateAsk = gateview.Ask

// Recall is a ledger that was looked at once, to be recovered level by level.
type Recall = dialog.Recall

// Taking is what is done with a recovery.
type Taking = screen.Taking

// The takings.
const (
	TakeCopy    = screen.TakeCopy
	TakeSession = screen.TakeSession
	TakeFile    = screen.TakeFile
)
