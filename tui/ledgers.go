package tui

import (
	"context"

	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/gateview"
	"github.com/continuo-tui/continuo/tui/ledgerview"
	"github.com/continuo-tui/continuo/tui/screen"
	"github.com/continuo-tui/continuo/tui/taskview"
)

// Ledgers reads the ledgers of projects. If Ledgers is nil, there is no Ledger tab and no recovery.
type Ledgers interface {
	// In returns the folders that have a ledger. It doesn't read the ledgers.
	In(ctx context.Context, dirs []string) []string
	ledgerview.Ledgers
	// Recall reads the ledger of a folder, to make recoveries.
	Recall(ctx context.Context, dir string) (Recall, error)
	// Take copies a recovery to the clipboard, or starts a session with it. Take writes nothing to the project.
	Take(ctx context.Context, dir string, r recovery.Result, how Taking) (Taken, error)
	// Gate runs the gate of a folder, without writing anything.
	Gate(ctx context.Context, dir string, ask GateAsk) (gate.Report, error)
}

// TaskSnapshot is the snapshot that the Tasks tab shows.
type TaskSnapshot = taskview.Snapshot

// Tasks reads the tasks of projects (spec 003). If Tasks is nil, there is no Tasks tab.
type Tasks interface {
	// Counts returns the number of tasks of each folder that has tasks, without reading the tasks.
	Counts(ctx context.Context, dirs []string) map[string]int
	taskview.Tasks
}

// TimelineAsk selects records of a trajectory. An empty field matches all records.
type TimelineAsk = ledgerview.TimelineAsk

// GateAsk selects the gate to run, and the session for it.
type GateAsk = gateview.Ask

// Recall is a ledger that was read once. It makes recoveries of several levels.
type Recall = dialog.Recall

// Taking is a way to use a recovery.
type Taking = screen.Taking

// The ways to use a recovery.
const (
	TakeCopy    = screen.TakeCopy
	TakeSession = screen.TakeSession
	TakePlan    = screen.TakePlan
	TakeFile    = screen.TakeFile
)
