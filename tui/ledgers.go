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

// Ledgers reads the ledgers of projects. Without it there is no Ledger tab and no recovery.
type Ledgers interface {
	// In returns the folders that have a ledger, without reading them. A folder that doesn't exist has none.
	In(ctx context.Context, dirs []string) []string
	ledgerview.Ledgers
	// Recall reads the current ledger of a folder for a recovery.
	Recall(ctx context.Context, dir string) (Recall, error)
	// Take copies a recovery to the clipboard or starts a session with it. It doesn't write to the project.
	Take(ctx context.Context, dir string, r recovery.Result, how Taking) (Taken, error)
	// Gate runs the gate of a folder. Nothing is written.
	Gate(ctx context.Context, dir string, ask GateAsk) (gate.Report, error)
}

// TimelineAsk selects records of a trajectory; "" matches any.
type TimelineAsk = ledgerview.TimelineAsk

// GateAsk selects the gate to run and its session.
type GateAsk = gateview.Ask

// Recall is a ledger that was read once and can be recovered at several levels.
type Recall = dialog.Recall

// Taking is a way to use a recovery.
type Taking = screen.Taking

// The ways to use a recovery.
const (
	TakeCopy    = screen.TakeCopy
	TakeSession = screen.TakeSession
	TakeFile    = screen.TakeFile
)
