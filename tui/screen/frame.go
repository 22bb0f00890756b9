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

// Layout has the rectangles of all parts. A part without room has no height.
type Layout struct {
	Title, Rule, Context, Body, Status, Keys Rect

	Preview Rect // beside the list, to the right of the divider; or in place of the list
	Divider int  // column of the divider, 0 for none
	Flipped bool // the preview is in place of the list
}

// Shape has the inputs of the layout other than the size.
type Shape struct {
	List    bool // the screen has a list, not a text
	Preview bool // show a preview beside the list
	Flip    bool // show the preview in place of the list if it doesn't fit beside it
	Typing  bool // the context line is a text field
	Wide    bool // list of backups, which takes the full width
	Outline bool // outline of a ledger instead of a list
	Split   int  // column of the divider chosen by the user, 0 for the default
}

// Frame is the environment that a screen is drawn in.
type Frame struct {
	Width, Height int // size of the terminal
	Layout        Layout
	Styles        *render.Styles
	Now           time.Time           // current time in the local zone
	Home          string              // home directory, shown as ~
	Busy          string              // reason why nothing can be changed now; "" if changes are possible
	Said          string              // current message; "" for none
	Wrong         bool                // the message is an error
	Keys          map[string][]string // keys from the config by name of action
	KeyOf         func(string) string // key of an action of this screen as it is shown; "" if it can't be used now
	CanUndo       bool                // the last action can be undone here
	Front         bool                // only dialogs are in front of the screen
	Awake         bool                // the terminal has the focus
}

// Key returns the key of an action: the one from the config, or else own.
func (f *Frame) Key(name, own string) string {
	if other := f.Keys[name]; len(other) > 0 {
		return ShowKey(other[0])
	}
	return own
}

// ShowKey returns the name of a key for help.
func ShowKey(key string) string {
	if key == "pgdown" {
		return "pgdn"
	}
	return key
}

// Sizes at which more is shown.
const (
	LeastPane   = 30  // minimum columns of each of two panes side by side
	PreviewFrom = 100 // minimum columns of the terminal for a preview beside the list
	WideFrom    = 160 // minimum columns of the terminal for branch and model in the rows
	BlankFrom   = 25  // minimum rows of the body for blank lines between groups
)

// ListMost is the maximum number of columns of a list beside a preview, below WideFrom.
const ListMost = 72

// ListWidth returns the columns of a list beside a preview in a terminal of w columns: half of a wide one.
func ListWidth(w int) int {
	if w >= WideFrom {
		return w / 2
	}
	return min(max((w*53+50)/100, 56), ListMost)
}

// View is the drawn screen.
type View struct {
	Title   string // "" for the tabs
	Context string // line above the body
	Body    []string
	Inside  bool     // Beside has the focus
	Beside  []string // pane beside or in place of the body; nil if the body has the full width
	Status  string   // drawn status line; "" if Left and Right are the status
	Field   string   // drawn text field, shown in place of the status and of messages; "" if there is none
	Left    string   // left part of the status while there is no message
	Right   string
	Says    bool // the status line replaces the keys if there is room for only one of them
	Reading bool // the status shows the progress of reading the list
}

// Subject has the objects that the keys of a screen act on.
type Subject struct {
	Row *sessions.Row // selected row, nil if there is none
	Dir string        // project, "" if there is none

	Marks  int                   // number of marked rows; 0 if the keys act on Row
	Marked func() []sessions.Row // the marked rows in the order of the list

	Edit   *Edit  // file that the editor key opens; nil if there is none
	Part   *Copy  // selected part of a conversation, offered by the copy menu; nil if there is none
	NoPart string // reason why the reader has no selected part; "" otherwise
	At     *At    // selected message of a conversation, which a fork can end with; nil for none, and for the last one
}

// At is a message of a conversation.
type At struct{ ID, Name string } // Name is such as "message 18 of 142"
