// Package screen defines the screens of the browser.
//
// The program keeps a stack of screens. A screen doesn't know the program or other screens. The top screen receives
// intents (keys and clicks). Each screen receives the results of its own commands. A screen returns effects, which are
// requests to the program. Only commands do I/O. Commands share no variables with the screen.
package screen

import tea "charm.land/bubbletea/v2"

// Screen is one screen: a list, a conversation, a page or a dialog.
type Screen interface {
	// Open is called once, when the screen is on the stack. It starts to read the content.
	Open() []Effect
	// Name returns the title of the help.
	Name() string
	// Keys returns the current bindings, the most useful one first. A screen without content returns all its bindings,
	// to check the user's keys.
	Keys() []Binding
	// Do carries out an intent.
	Do(do Intent) []Effect
	// Click handles a click on a cell of the terminal, except for clicks on tabs.
	Click(x, y int) []Effect
	// Wheel scrolls the pane at a cell of the terminal.
	Wheel(x, y, rows int) []Effect
	// Took handles the answer to a command of the screen, or news (Rows, Changed, Back). A screen numbers repeated
	// requests, and drops answers with an old number.
	Took(msg tea.Msg) []Effect
	// Shape returns the inputs of the layout for a terminal of this size.
	Shape(width, height int) Shape
	// Fit sets the frame after every event, and starts to load missing content.
	Fit(f Frame) []Effect
	// View draws the screen with the last frame.
	View() View
	// Subject returns what the keys act on.
	Subject() Subject
	// Close cancels running commands. The program carries out the effects, but drops answers to their commands.
	Close() []Effect
}

// Reopened is a Screen that wants to know when the screen in front of it was closed.
type Reopened interface {
	Reopened() []Effect
}

// Dialog is a Screen that is drawn over another screen. The screen below keeps its layout, footer, help and palette.
type Dialog interface {
	Screen
	// Over draws the dialog over the lines of the terminal.
	Over(under []string)
	Cursored
	// Says reports whether the dialog shows messages. Otherwise the status line shows them.
	Says() bool
}

// Cursored is a Screen with a text cursor.
type Cursored interface {
	// Cursor returns the position of the cursor in the terminal, for the last frame.
	Cursor() (x, y int, ok bool)
}

// Planner is a Screen that handles its own plans. If Planned returns true, no dialog shows the plan.
type Planner interface {
	Planned(plan Plan) ([]Effect, bool)
}

// Notch is the number of rows that one notch of the wheel scrolls.
const Notch = 3

// Dragged is a Screen with something that the mouse can move, such as a divider.
type Dragged interface {
	// Drag is called when the pointer moves with a button down, and Dropped when the button is released.
	Drag(x, y int)
	Dropped()
}

// Typed is a Screen, or a part of one, that accepts pastes and keys without a binding.
type Typed interface {
	Typed(msg tea.Msg) []Effect
}

// Late is a result of a command that holds a resource, such as an open file. If the screen is closed, the program calls
// Drop.
type Late interface {
	// Drop releases the resource. It returns the effects that are still necessary.
	Drop() []Effect
}

// Intent is the request of a key or a click: a name and, for some names, a number.
type Intent struct {
	Name string
	N    int
}

// Intents for screens. Movement has keys for the first four.
const (
	Move  = "move"  // moves by N items
	Page  = "page"  // moves by N pages
	Half  = "half"  // moves by N half pages
	ToEnd = "end"   // moves to the first (-1) or the last (1) item
	Clear = "clear" // key esc: clears a filter, closes a pane, or closes the screen
	Leave = "leave" // key q: goes back one level
	Fresh = "fresh" // key ctrl+r: reads the content again
)

// Intents that the program carries out, for the subject of the screen.
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
	// SessionNote edits the note on a session. Note adds an entry to a ledger.
	SessionNote  = "session-note"
	Archive      = "archive"
	Organise     = "organise" // footer entry for Rename, Star and Tag
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
	// Footer entry for undo and the undo list, outside of the list of backups.
	LeftToUndo = "left-to-undo"
	// Footer entry for the undo list in the list of backups, while undo can't be used.
	StepBack = "step-back"
	Search   = "search"
	Palette  = "palette"
	Help     = "help"
	Quit     = "quit"
	Suspend  = "suspend"
)
