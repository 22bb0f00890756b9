package screen

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// Rect is a rectangle of the terminal, in cells.
type Rect struct{ X, Y, W, H int }

// Has reports whether a cell is in the rectangle.
func (r Rect) Has(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Layout has the rectangles of all parts of the screen. A part for which there is no room has the height 0.
type Layout struct {
	Title, Rule, Context, Body, Status, Keys Rect

	Preview Rect // to the right of the divider, or in place of the list
	Divider int  // column of the divider; 0 if there is none
	Flipped bool // the preview replaces the list
}

// Shape has those inputs of the layout that aren't sizes.
type Shape struct {
	List    bool // the screen shows a list and not a text
	Preview bool // the list has a preview beside it
	Flip    bool // if there is no room beside the list, the preview replaces the list
	Typing  bool // the line above the body is a text field
	Wide    bool // the list has backups, so it takes the full width
	Outline bool // in place of a list, there is the outline of a ledger
	Split   int  // column to which the user has moved the divider; 0 for the default
}

// Frame has what a screen needs from its environment to draw itself.
type Frame struct {
	Width, Height int // size of the terminal in cells
	Layout        Layout
	Styles        *render.Styles
	Now           time.Time           // current time in the local time zone
	Home          string              // home directory, which is shown as ~
	Busy          string              // why nothing can be changed now; "" if changes are possible
	Said          string              // the current message; "" if there is none
	Wrong         bool                // the message is an error
	Keys          map[string][]string // keys from the config, by the name of the action
	// KeyOf returns the key of an action of this screen in the form for users; "" if the key can't be used now.
	KeyOf   func(string) string
	CanUndo bool // the last action of the listed projects can be undone
	Front   bool // no other screen than dialogs is in front of this screen
	Awake   bool // the terminal has the focus
}

// Key returns the key of an action. This is the key from the config or, if the config has none, own.
func (f *Frame) Key(name, own string) string {
	if other := f.Keys[name]; len(other) > 0 {
		return ShowKey(other[0])
	}
	return own
}

// ShowKey returns the name of a key for the help.
func ShowKey(key string) string {
	if key == "pgdown" {
		return "pgdn"
	}
	return key
}

// Sizes from which more is shown.
const (
	LeastPane   = 30  // minimum width, in columns, of each of two panes side by side
	PreviewFrom = 100 // minimum width of the terminal, in columns, for a preview beside the list
	WideFrom    = 160 // minimum width of the terminal, in columns, for branch and model in the rows
	BlankFrom   = 25  // minimum height of the body, in rows, for blank lines between groups
)

// ListMost is the maximum width, in columns, of a list with a preview beside it. It applies below WideFrom.
const ListMost = 72

// ListWidth returns the width, in columns, of a list with a preview beside it. w is the width of the terminal.
// From WideFrom on, the list takes half of it.
func ListWidth(w int) int {
	if w >= WideFrom {
		return w / 2
	}
	return min(max((w*53+50)/100, 56), ListMost)
}

// View is a screen after drawing.
type View struct {
	Title   string // "" for the tabs
	Rule    string // drawn line below the title; "" for a hairline, heavy under the tab
	Context string // line above the body
	Body    []string
	Inside  bool     // the keys act on Beside
	Beside  []string // pane beside the body or in place of it; nil if the body has the full width
	Status  string   // status line, drawn already; "" if the status line consists of Left and Right
	Field   string   // text field, drawn already; it replaces the status and messages; "" if there is none
	Left    string   // left part of the status line while there is no message
	Right   string
	Says    bool // if there is room for only one of them, the status line replaces the keys
	Reading bool // the status line shows how far the list was read
}

// Subject has what the keys of a screen act on.
type Subject struct {
	Row *sessions.Row // the selected row; nil if there is none
	Dir string        // the project; "" if there is none

	Marks  int                   // the number of marked rows; 0 if the keys act on Row
	Marked func() []sessions.Row // returns the marked rows in the order of the list

	Edit   *Edit  // the file that the key for the editor opens; nil if there is none
	Part   *Copy  // the selected part of a conversation, which the copy menu offers; nil if there is none
	NoPart string // why the reader has no selected part; "" if it has one
	At     *At    // the selected message of a conversation if a fork can end with it, otherwise nil
}

// At is a message of a conversation.
type At struct{ ID, Name string } // an example of Name is "message 18 of 142"
