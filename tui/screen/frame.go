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

// Layout has the rectangles of the screen. A rectangle without room has the height 0.
type Layout struct {
	Title, Rule, Context, Body, Status, Keys Rect

	Preview Rect // at the right of the divider, or instead of the list
	Divider int  // column of the divider; 0 if there is none
	Flipped bool // the preview replaces the list
}

// Shape has the inputs of the layout, except for the sizes.
type Shape struct {
	List    bool // the screen shows a list, not a text
	Preview bool // the list has a preview beside it
	Flip    bool // on a narrow screen, the preview replaces the list
	Typing  bool // the context line above the body is a text field
	Wide    bool // the list has many columns, such as that of backups, and uses the full width
	Outline bool // the screen has the outline of a ledger instead of a list
	Split   int  // column to which the user has dragged the divider; 0 for the default
}

// Frame has what a screen needs for drawing itself.
type Frame struct {
	Width, Height int // size of the terminal in cells
	Layout        Layout
	Styles        *render.Styles
	Now           time.Time           // current time in the local time zone
	Home          string              // home directory, shown as ~
	Busy          string              // reason why nothing can be changed now; "" if changes are possible
	Said          string              // current message; "" if there is none
	Wrong         bool                // the message is an error
	Keys          map[string][]string // the user's keys, by the name of the action
	// KeyOf returns the displayed key of an action of this screen; "" if the action can't be used now.
	KeyOf   func(string) string
	CanUndo bool // an action in the listed projects can be undone
	Front   bool // only dialogs are in front of this screen
	Awake   bool // the terminal has the focus
}

// Key returns the user's key for an action, or own if the user has set none.
func (f *Frame) Key(name, own string) string {
	if other := f.Keys[name]; len(other) > 0 {
		return ShowKey(other[0])
	}
	return own
}

// ShowKey returns the displayed name of a key.
func ShowKey(key string) string {
	if key == "pgdown" {
		return "pgdn"
	}
	return key
}

// Minimum sizes for showing more.
const (
	LeastPane   = 30  // minimum width, in columns, of each of two panes
	PreviewFrom = 100 // minimum width of the terminal, in columns, for a preview beside the list
	WideFrom    = 160 // minimum width of the terminal, in columns, for the branch and the model in rows
	BlankFrom   = 25  // minimum height of the body, in rows, for blank lines between groups
)

// ListMost is the maximum width, in columns, of a list beside a preview, on a terminal narrower than WideFrom.
const ListMost = 72

// ListWidth returns the width, in columns, of a list beside a preview on a terminal of w columns. From WideFrom on,
// this is half of w.
func ListWidth(w int) int {
	if w >= WideFrom {
		return w / 2
	}
	return min(max((w*53+50)/100, 56), ListMost)
}

// View is a drawn screen.
type View struct {
	Title   string // "" for the tabs
	Rule    string // line below the title; "" for a thin rule that is heavy under the current tab
	Context string // line above the body
	Body    []string
	Inside  bool     // the keys act on Beside
	Beside  []string // lines of the pane beside the body or instead of it; nil if the body has the full width
	Status  string   // status line; "" if it consists of Left and Right
	Field   string   // text field that replaces the status line and messages; "" if there is none
	Left    string   // left text of the status line; a message replaces it
	Right   string
	Says    bool // on a small screen, the status line replaces the keys
	Reading bool // the status line may show how far the list was read
}

// Subject has what the keys of a screen act on.
type Subject struct {
	Row *sessions.Row // the selected row; nil if there is none
	Dir string        // the project; "" if there is none

	Marks  int                   // number of marked rows; 0 if the keys act on Row
	Marked func() []sessions.Row // returns the marked rows, in the order of the list

	Edit   *Edit  // the file that the key e opens; nil if there is none
	Part   *Copy  // the selected part of a conversation, for the copy menu; nil if there is none
	NoPart string // reason why the reader has no selected part; "" if it has one
	At     *At    // the selected message if a fork can end with it; otherwise nil
}

// At is a message of a conversation.
type At struct{ ID, Name string } // Name is the name in menus, such as "message 18 of 142"
