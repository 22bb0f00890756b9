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

// Effect is a request from a screen to the program, of one of the types below. Effects are carried out in order.
type Effect any

// The effects.
type (
	// Cmd runs a command. The screen receives its message in Took.
	Cmd tea.Cmd
	// Push opens a screen in front of this one.
	Push struct{ Screen Screen }
	// Open closes all dialogs, clears the status, and opens a dialog.
	Open struct{ Dialog Dialog }
	// Reply sends a message to Took of the screen that opened this screen.
	Reply struct{ Msg tea.Msg }
	// Pop closes this screen.
	Pop struct{}
	// Replace closes this screen and opens another one.
	Replace struct{ Screen Screen }
	// Do carries out an intent of the program or, if the program doesn't know it, of the top screen.
	Do struct{ Intent Intent }
	// Ask requests the plan of a change. The plan is shown in a dialog.
	Ask struct{ Change Change }
	// Tell shows a message in the status line, or an error if Wrong is set. An empty text clears the line.
	Tell struct {
		Text  string
		Wrong bool
	}
	// Fail shows an error in the status line.
	Fail struct {
		What string // a sentence before the error; may be ""
		Err  error
	}
	// Copy copies a text to the clipboard. Messages call it Name.
	Copy struct {
		Name, Text string
		// Find, if set, returns the text to copy. Without a text, the message None is shown.
		Find func(context.Context) (text string, err error)
		None string
	}
	// Edit opens a file in the editor. A relative path starts at the folder of the row.
	Edit struct {
		Row  sessions.Row
		File string
		Line int
		// Find, if set, returns the file and the line to open.
		Find func(context.Context) (file string, line int, err error)
		None string // message without File and Find: how to select a file
	}
	// ViewImage opens an image in the image viewer of the desktop. Read returns the image.
	ViewImage struct {
		Read func(context.Context) ([]byte, error)
	}
	// Run hands the terminal to a program. Afterwards Said is shown.
	Run struct {
		Program Takeover
		Said    string
	}
	// Read opens a row in the reader.
	Read struct {
		Row   sessions.Row
		Seeks string // a todo or next step to start at, or ""
		At    *Place // where to start; nil for the last position
		// Agent has the facts about the sub-agent of Row, or nil.
		Agent *Agent
	}
	// GoTo goes to the tmux pane of a session.
	GoTo struct {
		Row  sessions.Row
		Pane string
	}
	// Drive opens a driven session. If Answer is set, it also opens the oldest question.
	Drive struct {
		ID     string
		Answer bool
	}
	// Along replaces this screen with the previous (1) or next (-1) document of the chain.
	Along struct {
		Row  sessions.Row
		Step int
	}
	// Show selects a row in its list.
	Show struct {
		Kind sessions.Kind
		Dir  string // the project that the list should show
		Path string
	}
	// ShowTask selects a task in the Tasks tab of a project.
	ShowTask struct{ Dir, Slug string }
	// ShowFacts opens the facts of a session, or closes them if they are open.
	ShowFacts struct{ Row sessions.Row }
	// Gate opens the gate of a project.
	Gate struct {
		Dir  string
		Mode gate.Mode
		Of   []sessions.Row // the session to hand off; if empty, the project's newest one
	}
	// HandOver opens the handover of a project after its gate has passed.
	HandOver struct {
		Dir  string
		Of   []sessions.Row // the session; if empty, the project's newest one
		Gate *gate.Report
	}
	// HasLedger reports to the program whether a project has a ledger.
	HasLedger struct {
		Dir string
		Has bool
	}
	// HasTasks reports to the program how many tasks a project has.
	HasTasks struct {
		Dir   string
		Count int
	}
	// Send writes a control sequence to the terminal.
	Send struct{ Text string }
	// ShowPlan shows the plan of a change in a dialog.
	ShowPlan struct{ Plan Plan }
	// Broadcast sends news to all screens.
	Broadcast struct{ News tea.Msg }
	// Reload reads all lists again.
	Reload struct{}
	// FindLedgers checks again whether projects without a ledger have one now.
	FindLedgers struct{}
	// LookAround reads again everything that another program may have changed.
	LookAround struct{}
	// CloseDialogs closes all dialogs.
	CloseDialogs struct{}
	// AskPast reads the undo list again.
	AskPast struct{}
	// Clock sets the current time, unless the program already has a later one.
	Clock struct{ Now time.Time }
)

// Place is a position in a transcript, such as the position of a match or a tool call.
type Place struct {
	Offset int64    // byte offset of the record, or FromStart
	Words  []string // words and phrases to search for, from Offset on
	Call   string   // ID of a tool call to start at, or ""

	Message string // ID of a message to start at, or ""
}

// FromStart as an Offset starts the search at the first message.
const FromStart = -1

// News are messages for all screens.
type (
	// Rows has the rows that were added or changed (Came), and the removed rows (Went).
	Rows struct{ Came, Went []sessions.Row }
	// Changed is sent when a change has been carried out or has failed.
	Changed struct {
		Change Change
		Done   bool
		Whole  bool // the whole plan was carried out
	}
	// Second is sent every second to a screen that requested it.
	Second struct{ Now time.Time }
	// Back is sent when a program that had the terminal has ended.
	Back struct{}
	// GoneOn is sent to all actions after each key or click. They cancel their lookups for an earlier key.
	GoneOn struct{ Offered bool } // Offered means that the status line offered to make backups
)

// SaveSearch saves a search, or removes it if it is already saved.
type SaveSearch struct{ Text string }

// SearchFor opens the search with a text.
type SearchFor struct{ Text string }

// AskFolder opens a dialog for choosing a folder.
type AskFolder struct {
	About string
	Take  func(folder string) Effect
}

// Takeover is a program that has the terminal until it ends. It has the methods of tea.ExecCommand.
type Takeover interface {
	Run() error
	SetStdin(io.Reader)
	SetStdout(io.Writer)
	SetStderr(io.Writer)
}

// CarryOut closes the dialogs and carries out a plan.
type CarryOut struct{ Plan Plan }

// LastActions is the undo list, newest action first. Known reports whether it was read. Err is from the last read.
type LastActions struct {
	Actions []PastAction
	Known   bool
	Err     error
}

// Take copies a recovery or starts a session with it, without writing to its project.
type Take struct {
	Dir    string
	Result recovery.Result
	How    Taking
}

// Agent describes a sub-agent, with facts from the call that started it.
type Agent struct {
	Type   string        // "" unknown
	Tokens int64         // 0 unknown
	Took   time.Duration // 0 unknown
	Done   bool
	Of     string // title of the session that started the sub-agent
	Prompt int    // number of the prompt before the sub-agent, or 0
}
