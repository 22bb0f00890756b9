package tui

import (
	"context"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/tui/render"
)

// Ledgers is what a project keeps besides its sessions. Without it there is no Ledger tab and no recovery.
type Ledgers interface {
	// Ledger looks at the ledger of a folder, now. A project without one is no error: Ledger.None says so.
	Ledger(ctx context.Context, dir string) (render.Ledger, error)
	// Recover reads a level. A query that is empty becomes the one that Result.Query names.
	Recover(ctx context.Context, dir string, ask recovery.Ask) (recovery.Result, error)
	// Take does with a recovery what writes nothing into the project: to the clipboard, or a new session that starts
	// with it.
	Take(ctx context.Context, dir string, r recovery.Result, how Taking) (Taken, error)
}

// Taking is what is done with a recovery.
type Taking string

// The takings.
const (
	TakeCopy    Taking = "copy"
	TakeSession Taking = "session" // a new claude session in the project, as resume.in of the config says
	TakeFile    Taking = "file"    // a new file below the current directory, never over another one
)

// Taken is what became of it: one of Run and Said is set. Send is what the terminal has to be sent.
type Taken struct {
	Run  Takeover
	Said string
	Send string
}
