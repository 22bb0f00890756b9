// Package screen defines the screens of the browser.
//
// The program keeps a stack of screens. A screen is a struct that knows neither the program nor other screens. The
// top screen receives keys and clicks as intents. Every screen receives the results of its own commands. A screen
// returns effects, which are requests to the program. Only commands do I/O, and they never share variables with
// the screen.
package screen

import tea "charm.land/bubbletea/v2"

// Screen is one screen: a list, a conversation, a page or a dialog.
type Screen interface {
	// Open is called once, after the screen was added to the stack. It starts to read what the screen shows.
	Open() []Effect
	// Name returns the title for the help.
	Name() string
	// Keys returns the current keys. The most useful key is first. An empty screen returns all keys too, because the
	// keys of the config are checked against them.
	Keys() []Binding
	// Do carries out an intent.
	Do(do Intent) []Effect
	// Click handles a click on a cell of the terminal. The program itself handles clicks on tabs.
	Click(x, y int) []Effect
	// Wheel scrolls that part of the screen which is at a cell of the terminal.
	Wheel(x, y, rows int) []Effect
	// Took handles the answer to a command of the screen, or news (Rows, Changed, Back). A screen that asks the same
	// question repeatedly numbers its questions, and drops answers with an old number.
	Took(msg tea.Msg) []Effect
	// Shape returns the inputs for the layout of this screen.
	Shape(width, height int) Shape
	// Fit sets the frame. It is called after every event. It starts to load what is visible but still missing.
	Fit(f Frame) []Effect
	// View draws the screen for the last frame.
	View() View
	// Subject returns what the keys act on.
	Subject() Subject
	// Close cancels running commands. The program carries out the returned effects, but drops the answers to their
	// commands.
	Close() []Effect
}

// Reopened is a Screen that is told when the screen in front of it was closed.
type Reopened interface {
	Reopened() []Effect
}

// Dialog is a Screen that is drawn over another screen. The layout, the footer, the help and the palette are those
// of the screen below.
type Dialog interface {
	Screen
	// Over draws the dialog over the given lines of the terminal.
	Over(under []string)
	Cursored
	// Says reports whether the dialog shows the current message. If it doesn't, the status line shows the message.
	Says() bool
}

// Cursored is a Screen with a text cursor.
type Cursored interface {
	// Cursor returns the cell of the terminal in which the cursor is, for the last frame.
	Cursor() (x, y int, ok bool)
}

// Planner is a Screen that handles the plans for which it has asked. If its method returns true, no dialog shows
// the plan.
type Planner interface {
	Planned(plan Plan) ([]Effect, bool)
}

// Notch is how many rows one notch of the wheel scrolls.
const Notch = 3

// Dragged is a Screen on which the user can move something with the mouse.
type Dragged interface {
	// Drag is called when the pointer moves while a button is down. Dropped is called when the button is released.
	Drag(x, y int)
	Dropped()
}

// Typed is a Screen, or a part of one, that accepts text. It receives pastes, and keys that have no binding.
type Typed interface {
	Typed(msg tea.Msg) []Effect
}

// Late is the result of a command. It has a resource that must be released if the screen is already closed.
type Late interface {
	// Drop releases the resource. It returns the effects that are still needed.
	Drop() []Effect
}

// Intent is what a key or a click asks for. It is a name and, for some names, a number.
type Intent struct {
	Name string
	N    int
}

// Intents for screens. Movement returns keys for the first four.
const (
	Move  = "move"  // moves by N items
	Page  = "page"  // moves by N pages
	Half  = "half"  // moves by N half pages
	ToEnd = "end"   // moves to the first (-1) or the last (1) item
	Clear = "clear" // the key esc: clears a filter or closes a pane, and otherwise closes the screen
	Leave = "leave" // the key q: goes back one level
	Fresh = "fresh" // the key ctrl+r: reads the shown data again
)

// Intents that the program carries out. They act on the subject of the screen.
const (
	Resume   = "resume"
	Fork     = "fork"
	ResumeIn = "resume-in"
	StartNew = "start-session"
	CopyMenu = "copy"
	Facts    = "facts"
	Rename   = "name"
	Star     = "star"
	Tag      = "tag"
	// SessionNote writes a note about a session. Note adds an entry to a ledger.
	SessionNote  = "session-note"
	Archive      = "archive"
	Organise     = "organise" // entry of the footer for Rename, Star and Tag
	EditFile     = "edit"
	Backup       = "backup"
	Export       = "export"
	OpenHandover = "handover"
	Discard      = "discard"
	Restore      = "restore"
	Verify       = "verify"
	Keep         = "keep"
	Undo         = "undo"
	UndoList     = "undo-list"
	Recover      = "recover" // recovers at level N
	Note         = "note"
	Project      = "project"
	Family       = "family"
	StepTab      = "step-tab" // moves by N tabs
	ToTab        = "to-tab"   // goes to tab number N
	NextTab      = "next-tab"
	LastTab      = "previous-tab"
	// Entry of the footer for undo and the list of actions; the list of backups doesn't have it.
	LeftToUndo = "left-to-undo"
	// For backups: entry of the footer for the list of actions, while undo itself can't be used.
	StepBack = "step-back"
	Search   = "search"
	Palette  = "palette"
	Help     = "help"
	Quit     = "quit"
	Suspend  = "suspend"
)
