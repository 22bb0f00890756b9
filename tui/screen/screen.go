// Package screen says what a screen of the browser is: what it has to be asked, and what it can ask for.
//
// The program keeps a stack of screens. A screen is a plain struct that knows neither the program nor another screen. Keys
// and clicks reach the one on top as intents, answers to its own commands reach it wherever it is in the stack, and what it
// wants of the program it returns as effects. I/O is in commands only, which close over values.
package screen

import tea "charm.land/bubbletea/v2"

// Screen is one thing that is shown: a list, a conversation, a page, a dialog.
type Screen interface {
	// Open is called once, when it was put on the stack: it has looked at what it needs.
	Open() []Effect
	// Name is what the panel of keys calls it.
	Name() string
	// Keys are its keys as they are now, the most useful first. A screen with nothing in it has all of them, too: those
	// that can be changed are known from it.
	Keys() []Binding
	// Do carries out an intent of its keys.
	Do(do Intent) []Effect
	// Click is for a click at a cell of the terminal. Tabs have theirs before.
	Click(x, y int) []Effect
	// Wheel scrolls what is at a cell of the terminal.
	Wheel(x, y, rows int) []Effect
	// Took takes the answer to one of its commands in, or news (Rows, Changed, Back). Who asks a question twice tells the
	// answers apart by a generation of its own.
	Took(msg tea.Msg) []Effect
	// Shape says how the terminal is to be laid out for it.
	Shape(width, height int) Shape
	// Fit fits it to its frame. It is called after whatever has happened, and asks for what is seen and not there yet.
	Fit(f Frame) []Effect
	// View is what is seen of it, as it was fitted last.
	View() View
	// Subject is what the bar stands on: the keys of all screens are about it.
	Subject() Subject
	// Close ends what is on its way. Commands that it returns still run; nobody takes their answers.
	Close() []Effect
}

// Reopened is a Screen that wants to know that the one in front of it was left.
type Reopened interface {
	Reopened() []Effect
}

// Dialog is a Screen in front of another one, which is seen around it. The terminal is laid out for that one, and footer, help
// and palette speak of its keys.
type Dialog interface {
	Screen
	// Over draws it over the lines of the terminal.
	Over(under []string)
	Cursored
	// Says reports whether what there is to say stands in it: else it stands in the status, behind it.
	Says() bool
}

// Cursored is a Screen in which something may be typed.
type Cursored interface {
	// Cursor is where, as it was fitted last.
	Cursor() (x, y int, ok bool)
}

// Planner is a Screen that looks at the plans that it has asked for, before a dialog shows them. It reports whether that is not
// needed.
type Planner interface {
	Planned(plan Plan) ([]Effect, bool)
}

// Notch is how many rows one notch of the wheel scrolls.
const Notch = 3

// Typed is a Screen, or a part of one, that takes text: keys that are not bound, and what is pasted.
type Typed interface {
	Typed(msg tea.Msg) []Effect
}

// Late is an answer that still holds something when its screen is gone.
type Late interface {
	// Drop lets it go.
	Drop() tea.Cmd
}

// Intent is what a person can ask for, whatever key or click it comes from: a name, with a number where it needs one.
type Intent struct {
	Name string
	N    int
}

// Intents that each screen may have, with the keys of Movement, Clear and Back.
const (
	Move  = "move"  // by N items
	Page  = "page"  // by N pages
	Half  = "half"  // by N halves of one
	ToEnd = "end"   // -1 the first, 1 the last
	Clear = "clear" // esc: takes back one thing, and leaves when there is none
	Leave = "leave" // q: goes up one level
	Fresh = "fresh" // ctrl+r: what it shows is looked at again
)

// Intents that the program carries out, about the subject of the screen.
const (
	Resume     = "resume"
	Fork       = "fork"
	ResumeIn   = "resume-in"
	CopyMenu   = "copy"
	EditFile   = "edit"
	Backup     = "backup"
	Checkpoint = "checkpoint"
	Discard    = "discard"
	Restore    = "restore"
	Verify     = "verify"
	Keep       = "keep"
	Undo       = "undo"
	UndoList   = "undo-list"
	Recover    = "recover" // at level N
	Note       = "note"
	Project    = "project"
	StepTab    = "step-tab" // by N tabs
	ToTab      = "to-tab"   // N
	NextTab    = "next-tab"
	LastTab    = "previous-tab"
	LeftToUndo = "left-to-undo" // what can be taken back, and the list of it, for a footer that has them at no other place
	Palette    = "palette"
	Help       = "help"
	Quit       = "quit"
	Suspend    = "suspend"
)
