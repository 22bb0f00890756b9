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

// Layout has the rectangles of the screen. A missing rectangle has the height 0.
type Layout struct {
	Title, Rule, Context, Body, Status, Keys Rect

	Preview Rect // right of the divider, or in place of the list
	Divider int  // column of the divider, or 0
	Flipped bool // the preview replaces the list
}

// Shape has the inputs of the layout, except for the sizes.
type Shape struct {
	List    bool // the screen shows a list, not a text
	Preview bool // the list has a preview beside it
	Flip    bool // on a narrow screen, the preview replaces the list
	Typing  bool // the context line above the body is a text field
	Wide    bool // a list of many columns, which uses the full width
	Outline bool // the outline of a ledger in place of a list
	Split   int  // column of the moved divider; 0 for the default
}

// Frame has what a screen needs for drawing itself.
type Frame struct {
	Width, Height int // size of the terminal in cells
	Layout        Layout
	Styles        *render.Styles
	Now           time.Time           // current time in the local time zone
	Home          string              // home directory, shown as ~
	Busy          string              // reason why nothing can be changed now, or ""
	Said          string              // current message, or ""
	Wrong         bool                // the message is an error
	Keys          map[string][]string // the user's keys, by the name of the action
	// KeyOf returns the displayed key of an action of this screen, or "".
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
	PreviewFrom = 100 // minimum terminal width for a preview beside the list
	WideFrom    = 160 // minimum terminal width for branch and model in rows
	BlankFrom   = 25  // minimum body height for blank lines between groups
)

// ListMost is the maximum width, in columns, of a list beside a preview, on a terminal narrower than WideFrom.
const ListMost = 72

// ListWidth returns the width, in columns, of a list beside a preview on a terminal of w columns. It is half of w from
// WideFrom on.
func ListWidth(w int) int {
	if w >= WideFrom {
		return w / 2
	}
	return min(max((w*53+50)/100, 56), ListMost)
}

// View is a drawn screen.
type View struct {
	Title   string // "" for the tabs
	Rule    string // line below the title; "" for the default rule
	Context string // line above the body
	Body    []string
	Inside  bool     // the keys act on Beside
	Beside  []string // lines of the pane beside the body, or nil
	Status  string   // status line; "" if it consists of Left and Right
	Field   string   // text field in place of the status line, or ""
	Left    string   // left text of the status line; a message replaces it
	Right   string
	Says    bool // the status line may replace the keys
	Reading bool // the status line may show the progress of reading
}

// Subject has what the keys of a screen act on.
type Subject struct {
	Row *sessions.Row // the selected row, or nil
	Dir string        // the project, or ""

	Marks  int                   // number of marked rows; 0 if the keys act on Row
	Marked func() []sessions.Row // returns the marked rows, in the order of the list

	Edit   *Edit  // the file for the key e, or nil
	Part   *Copy  // the selected part, for the copy menu, or nil
	NoPart string // reason why the reader has no selected part, or ""
	At     *At    // the selected message if a fork can end there, or nil
}

// At is a message of a conversation.
type At struct{ ID, Name string } // Name is for menus, such as "message 18 of 142"
