// Package screen defines the screens of the browser.
//
// The program keeps a stack of screens. A screen is a struct that knows neither the program nor other screens. The top
// screen receives keys and clicks as intents. Every screen receives the results of its own commands. A screen returns
// effects, which are requests to the program. Commands do the I/O; they never share variables with the screen.
package screen

import tea "charm.land/bubbletea/v2"

// Screen is one screen: a list, a conversation, a page or a dialog.
type Screen interface {
	// Open is called once, after the screen was pushed. It starts reading what the screen shows.
	Open() []Effect
	// Name is the title of help.
	Name() string
	// Keys returns the current keys, most useful first. An empty screen returns all keys too, because the keys of the
	// config are checked against them.
	Keys() []Binding
	// Do carries out an intent.
	Do(do Intent) []Effect
	// Click handles a click at a cell of the terminal. The program handles clicks on tabs.
	Click(x, y int) []Effect
	// Wheel scrolls the part of the screen at a cell of the terminal.
	Wheel(x, y, rows int) []Effect
	// Took handles the answer to a command of the screen, or news (Rows, Changed, Back). A screen that repeats a query
	// numbers it, and drops answers with an old number.
	Took(msg tea.Msg) []Effect
	// Shape returns the inputs of the layout for this screen.
	Shape(width, height int) Shape
	// Fit sets the frame. It is called after every event, and starts loading visible parts that are missing.
	Fit(f Frame) []Effect
	// View returns the drawn screen for the last frame.
	View() View
	// Subject returns the objects that the keys act on.
	Subject() Subject
	// Close cancels running commands. Effects that it returns are carried out, but their answers are dropped.
	Close() []Effect
}

// Reopened is a Screen that is notified when the screen in front of it was closed.
type Reopened interface {
	Reopened() []Effect
}

// Dialog is a Screen that floats over another one. Layout, footer, help and palette are those of the screen below.
type Dialog interface {
	Screen
	// Over draws the dialog over the lines of the terminal.
	Over(under []string)
	Cursored
	// Says reports whether the dialog shows the current message. If not, the status line does.
	Says() bool
}

// Cursored is a Screen with a text cursor.
type Cursored interface {
	// Cursor returns the cell of the cursor in the last frame.
	Cursor() (x, y int, ok bool)
}

// Planner is a Screen that handles the plans it asked for. If it returns true, no dialog shows the plan.
type Planner interface {
	Planned(plan Plan) ([]Effect, bool)
}

// Notch is the number of rows that one notch of the wheel scrolls.
const Notch = 3

// Dragged is a Screen in which the mouse moves something.
type Dragged interface {
	// Drag is called when the pointer moves with a button down, Dropped when the button is released.
	Drag(x, y int)
	Dropped()
}

// Typed is a Screen or part of one that accepts text: keys without a binding, and pastes.
type Typed interface {
	Typed(msg tea.Msg) []Effect
}

// Late is the result of a command with a resource to release if the screen was closed.
type Late interface {
	// Drop releases the resource and returns effects that are still needed.
	Drop() []Effect
}

// Intent is the action of a key or click: a name and, for some, a number.
type Intent struct {
	Name string
	N    int
}

// Intents of screens. Movement has the keys of the first four.
const (
	Move  = "move"  // by N items
	Page  = "page"  // by N pages
	Half  = "half"  // by N half pages
	ToEnd = "end"   // -1 the first, 1 the last
	Clear = "clear" // esc: clears a filter or closes a pane, and then the screen
	Leave = "leave" // q: goes back one level
	Fresh = "fresh" // ctrl+r: reads the shown data again
)

// Intents that the program carries out, for the subject of the screen.
const (
	Resume   = "resume"
	Fork     = "fork"
	ResumeIn = "resume-in"
	CopyMenu = "copy"
	Facts    = "facts"
	Rename   = "name"
	Star     = "star"
	Tag      = "tag"
	// SessionNote writes a note on a session; Note adds an entry to a ledger.
	SessionNote = "session-note"
	Archive     = "archive"
	Organise    = "organise" // footer entry of Rename, Star and Tag
	EditFile    = "edit"
	Backup      = "backup"
	Export      = "export"
	Checkpoint  = "checkpoint"
	Discard     = "discard"
	Restore     = "restore"
	Verify      = "verify"
	Keep        = "keep"
	Undo        = "undo"
	UndoList    = "undo-list"
	Recover     = "recover" // at level N
	Note        = "note"
	Project     = "project"
	Family      = "family"
	StepTab     = "step-tab" // by N tabs
	ToTab       = "to-tab"   // number N
	NextTab     = "next-tab"
	LastTab     = "previous-tab"
	LeftToUndo  = "left-to-undo" // footer entry of undo and the undo list, except for backups
	StepBack    = "step-back"    // footer entry of the undo list for backups, while undo itself can't be used
	Search      = "search"
	Palette     = "palette"
	Help        = "help"
	Quit        = "quit"
	Suspend     = "suspend"
)
