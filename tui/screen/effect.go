package screen

import (
	"context"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
)

// Effect is a request of a screen to the program: one of the types below. Effects are carried out in order.
type Effect any

// The effects.
type (
	// Cmd runs a command. The screen receives the message that it returns.
	Cmd tea.Cmd
	// Push opens a screen in front of this one.
	Push struct{ Screen Screen }
	// Open closes the open dialogs, clears the status and shows a dialog.
	Open struct{ Dialog Dialog }
	// Reply sends a message to Took of the screen that pushed or opened this one.
	Reply struct{ Msg tea.Msg }
	// Pop closes this screen.
	Pop struct{}
	// Replace opens a screen in place of this one.
	Replace struct{ Screen Screen }
	// Do carries out an intent of the program, or else of the top screen.
	Do struct{ Intent Intent }
	// Ask plans a change and shows the plan in a dialog.
	Ask struct{ Change Change }
	// Tell shows a message in the status line, as an error if Wrong is set. An empty message clears the line.
	Tell struct {
		Text  string
		Wrong bool
	}
	// Fail shows an error in the status line.
	Fail struct {
		What string // sentence about the failure; "" if the error describes it
		Err  error
	}
	// Copy copies a text to the clipboard. Name is its name in messages.
	Copy struct {
		Name, Text string
		// Find, if set, returns the text to copy. None is the message if it finds no text.
		Find func(context.Context) (text string, err error)
		None string
	}
	// Edit opens a file in the editor. A relative path is relative to the folder of the row.
	Edit struct {
		Row  sessions.Row
		File string
		Line int
		// Find, if set, returns the file and the line. None is the message if it finds no file.
		Find func(context.Context) (file string, line int, err error)
		None string
	}
	// ViewImage opens an image in the viewer of the desktop. Read returns its bytes.
	ViewImage struct {
		Read func(context.Context) ([]byte, error)
	}
	// Run gives the terminal to a program. Said is the message after the program has ended.
	Run struct {
		Program Takeover
		Said    string
	}
	// Read opens a row in the reader.
	Read struct {
		Row   sessions.Row
		Seeks string // a todo or next step of a document to go to; "" for none
		At    *Place // where to open it; nil for its last position
		// Agent has the facts about a sub-agent whose transcript Row is; nil if they are unknown.
		Agent *Agent
	}
	// Along opens the previous (1) or the next (-1) document of a chain in place of this screen.
	Along struct {
		Row  sessions.Row
		Step int
	}
	// Show selects a row in its list.
	Show struct {
		Kind sessions.Kind
		Dir  string // project of the list
		Path string
	}
	// ShowFacts opens the facts of a session, or closes them if they are open.
	ShowFacts struct{ Row sessions.Row }
	// Gate opens the gate of a project.
	Gate struct {
		Dir  string
		Mode gate.Mode
		Of   []sessions.Row // session to hand off; if empty, the newest of the project
	}
	// HasLedger reports whether a project has a ledger.
	HasLedger struct {
		Dir string
		Has bool
	}
	// Send writes a control sequence to the terminal.
	Send struct{ Text string }
	// ShowPlan shows the plan of a change.
	ShowPlan struct{ Plan Plan }
	// Broadcast sends news to all screens.
	Broadcast struct{ News tea.Msg }
	// Reload reads the lists again.
	Reload struct{}
	// FindLedgers looks again for the ledgers of projects that had none.
	FindLedgers struct{}
	// LookAround reads all data again that another program may have changed.
	LookAround struct{}
	// CloseDialogs closes all dialogs.
	CloseDialogs struct{}
	// AskPast requests that the undo list is read again.
	AskPast struct{}
	// Clock sets the current time, unless the program knows a later one.
	Clock struct{ Now time.Time }
)

// Place is the place of a match in a file.
type Place struct {
	Offset int64    // offset of the record in the transcript, in bytes, or FromStart
	Words  []string // words and phrases to search for from this offset on
}

// FromStart is the Offset of a search from the first message on.
const FromStart = -1

// News are messages that all screens receive.
type (
	// Rows has the rows that were added or changed (Came) and those that were removed (Went).
	Rows struct{ Came, Went []sessions.Row }
	// Changed is sent after a change was carried out or failed.
	Changed struct {
		Change Change
		Done   bool
		Whole  bool // all parts were carried out
	}
	// Second is sent each second to a screen that asked for it.
	Second struct{ Now time.Time }
	// Back is sent after another program had the terminal.
	Back struct{}
	// GoneOn is sent to the actions after each key or click, so that they cancel preparations for earlier input.
	GoneOn struct{ Offered bool } // Offered: the status line offered an action
)

// SaveSearch saves the text of a search, or forgets it if it is saved.
type SaveSearch struct{ Text string }

// SearchFor opens the search with a text.
type SearchFor struct{ Text string }

// AskFolder asks for a folder in a dialog.
type AskFolder struct {
	About string
	Take  func(folder string) Effect
}

// Takeover is a program that uses the terminal until it ends. It has the methods of tea.ExecCommand.
type Takeover interface {
	Run() error
	SetStdin(io.Reader)
	SetStdout(io.Writer)
	SetStderr(io.Writer)
}

// CarryOut carries out a plan and closes the dialogs.
type CarryOut struct{ Plan Plan }

// Past is the undo list, newest first. Known reports whether it was read; Err is the error of the last read.
type Past struct {
	Actions []PastAction
	Known   bool
	Err     error
}

// Take is an effect that uses a recovery without writing to its project.
type Take struct {
	Dir    string
	Result recovery.Result
	How    Taking
}

// Agent has the facts about a sub-agent from the call that started it.
type Agent struct {
	Type   string        // "" unknown
	Tokens int64         // 0 unknown
	Took   time.Duration // 0 unknown
	Done   bool
	Of     string // title of the session that started it
	Prompt int    // number of the prompt after which it was started; 0 unknown
}
