package screen

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
)

// Effect is what a screen wants the program to do: one of the types below. Effects are carried out in their order.
type Effect any

// What a screen can want.
type (
	// Cmd runs a command; its answer comes back to the screen.
	Cmd tea.Cmd
	// Push shows a screen in front of this one.
	Push struct{ Screen Screen }
	// Pop leaves this one.
	Pop struct{}
	// Replace shows another one in its place.
	Replace struct{ Screen Screen }
	// Do has the program carry out one of its intents.
	Do struct{ Intent Intent }
	// Ask asks what a change would do. A dialog shows the plan.
	Ask struct{ Change Change }
	// Tell says something in the status.
	Tell struct{ Text string }
	// Fail says there what went wrong.
	Fail struct {
		What string // "" the error says it all
		Err  error
	}
	// Copy puts a text on the clipboard; Name is the word for it.
	Copy struct{ Name, Text string }
	// Edit opens a file in the editor. Its path may be relative to the folder of the row.
	Edit struct {
		Row  sessions.Row
		File string
		Line int
	}
	// Read opens a row in the reader.
	Read struct{ Row sessions.Row }
	// Show leads to a row in its list.
	Show struct {
		Kind sessions.Kind
		Dir  string // the list is that of this project
		Path string
	}
	// Gate shows the gate of a project.
	Gate struct {
		Dir  string
		Mode gate.Mode
		Of   []sessions.Row // the session that a handoff would be of; none: the newest of the project
	}
	// HasLedger says whether a project has a ledger.
	HasLedger struct {
		Dir string
		Has bool
	}
	// Reload reads the lists again.
	Reload struct{}
	// Clock says what time it is, when that is later than what the program knows.
	Clock struct{ Now time.Time }
)

// News, that every screen is told by Took.
type (
	// Rows says what the lists have taken in: the rows that came or changed, and those that went, as they were.
	Rows struct{ Came, Went []sessions.Row }
	// Changed says that a change was carried out, or failed.
	Changed struct{}
	// Second says that one has passed, to a screen that asked for it.
	Second struct{ Now time.Time }
	// Back says that the terminal was with another program.
	Back struct{}
)

// CarryOut does what a plan says, as it was shown. It closes the dialogs.
type CarryOut struct{ Plan Plan }

// Past says what was done, newest first. Known is whether that was asked for once; Err is of the last time.
type Past struct {
	Actions []PastAction
	Known   bool
	Err     error
}

// Take does with a recovery what writes nothing into the project of a folder.
type Take struct {
	Dir    string
	Result recovery.Result
	How    Taking
}
