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

// Effect is a request of a screen to the program. Its type is one of those below. Effects are carried out in
// order.
type Effect any

// The effects.
type (
	// Cmd runs a command. The screen receives the message that the command returns.
	Cmd tea.Cmd
	// Push opens a screen in front of this one.
	Push struct{ Screen Screen }
	// Open closes all open dialogs, clears the status, and shows a dialog.
	Open struct{ Dialog Dialog }
	// Reply sends a message to the screen that has opened this screen. That screen receives it in Took.
	Reply struct{ Msg tea.Msg }
	// Pop closes this screen.
	Pop struct{}
	// Replace opens a screen in place of this one.
	Replace struct{ Screen Screen }
	// Do carries out an intent of the program. If the program doesn't know the intent, the top screen carries it out.
	Do struct{ Intent Intent }
	// Ask plans a change. A dialog then shows the plan.
	Ask struct{ Change Change }
	// Tell shows a message in the status line. If Wrong is set, the message is shown as an error. An empty message
	// clears the line.
	Tell struct {
		Text  string
		Wrong bool
	}
	// Fail shows an error in the status line.
	Fail struct {
		What string // a sentence about the failure; "" if the error needs no such sentence
		Err  error
	}
	// Copy copies a text to the clipboard. Messages use Name for this text.
	Copy struct {
		Name, Text string
		// Find, if set, returns the text to copy. If it finds no text, None is shown.
		Find func(context.Context) (text string, err error)
		None string
	}
	// Edit opens a file in the editor. If the path is relative, it is relative to the folder of the row.
	Edit struct {
		Row  sessions.Row
		File string
		Line int
		// Find, if set, returns the file and the line.
		Find func(context.Context) (file string, line int, err error)
		None string // without File and Find: how to select a file
	}
	// ViewImage opens an image in the image viewer of the desktop. Read returns the bytes of the image.
	ViewImage struct {
		Read func(context.Context) ([]byte, error)
	}
	// Run hands the terminal to a program. Said is the message that is shown after the program has ended.
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
	// GoTo goes to the tmux pane of a session.
	GoTo struct {
		Row  sessions.Row
		Pane string
	}
	// Drive opens a session that continuo drives. With Answer, its oldest question is opened too.
	Drive struct {
		ID     string
		Answer bool
	}
	// Along replaces this screen by the previous (1) or the next (-1) document of a chain.
	Along struct {
		Row  sessions.Row
		Step int
	}
	// Show selects a row in its list.
	Show struct {
		Kind sessions.Kind
		Dir  string // the project that the list shows
		Path string
	}
	// ShowTask selects a task in the Tasks tab of a project.
	ShowTask struct{ Dir, Slug string }
	// ShowFacts opens the facts of a session. If the facts are open, it closes them.
	ShowFacts struct{ Row sessions.Row }
	// Gate opens the gate of a project.
	Gate struct {
		Dir  string
		Mode gate.Mode
		Of   []sessions.Row // the session to hand off; if empty, the newest session of the project
	}
	// HandOver opens the handover of a project whose gate has passed.
	HandOver struct {
		Dir  string
		Of   []sessions.Row // the session; if empty, the newest session of the project
		Gate *gate.Report
	}
	// HasLedger tells the program whether a project has a ledger.
	HasLedger struct {
		Dir string
		Has bool
	}
	// HasTasks tells the program how many tasks a project has.
	HasTasks struct {
		Dir   string
		Count int
	}
	// Send writes a control sequence to the terminal.
	Send struct{ Text string }
	// ShowPlan shows the plan of a change.
	ShowPlan struct{ Plan Plan }
	// Broadcast sends news to all screens.
	Broadcast struct{ News tea.Msg }
	// Reload reads all lists again.
	Reload struct{}
	// FindLedgers checks again whether projects without a known ledger have one now.
	FindLedgers struct{}
	// LookAround reads again all data that another program may have changed.
	LookAround struct{}
	// CloseDialogs closes all dialogs.
	CloseDialogs struct{}
	// AskPast reads the list of actions that can be undone again.
	AskPast struct{}
	// Clock sets the current time. The program ignores it if it knows a later time.
	Clock struct{ Now time.Time }
)

// Place is the place of a match or of a call in a file.
type Place struct {
	Offset int64    // offset of the record in the transcript, in bytes, or FromStart
	Words  []string // words and phrases to search for from this offset on
	Call   string   // ID of the tool call to go to; "" for none

	Message string // ID of the message to go to, in place of Offset; "" for none
}

// FromStart is an Offset. It means that the search starts at the first message.
const FromStart = -1

// News are messages that all screens receive.
type (
	// Rows has the rows that were added or changed (Came) and the rows that were removed (Went).
	Rows struct{ Came, Went []sessions.Row }
	// Changed is sent after a change was carried out or has failed.
	Changed struct {
		Change Change
		Done   bool
		Whole  bool // all parts were carried out
	}
	// Second is sent every second to a screen that has asked for it.
	Second struct{ Now time.Time }
	// Back is sent when another program has returned the terminal.
	Back struct{}
	// GoneOn is sent to all actions after each key or click. They then cancel what they were preparing for earlier
	// input.
	GoneOn struct{ Offered bool } // Offered says that the status line offered an action
)

// SaveSearch saves the text of a search. If the text is already saved, it is removed.
type SaveSearch struct{ Text string }

// SearchFor opens the search with a text.
type SearchFor struct{ Text string }

// AskFolder opens a dialog that asks for a folder.
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

// LastActions is the list of actions that can be undone, newest first. Known reports whether the list was read. Err is
// the error of the last attempt to read it.
type LastActions struct {
	Actions []PastAction
	Known   bool
	Err     error
}

// Take is an effect that uses a recovery. It writes nothing to the project of the recovery.
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
