package screen

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// Rect is a rectangle of the terminal, in cells.
type Rect struct{ X, Y, W, H int }

// Has reports whether a cell is in it.
func (r Rect) Has(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Layout says where everything stands. A part without room has no height.
type Layout struct {
	Title, Rule, Context, Body, Status, Keys Rect

	Preview Rect // beside the list, its left neighbour is the hairline; or in the place of the list
	Divider int  // column of the hairline, 0 none
	Flipped bool // the preview stands in the place of the list
}

// Shape is what the layout depends on besides the size.
type Shape struct {
	List    bool // a list of things, not a text
	Preview bool // wanted beside the list
	Flip    bool // wanted in the place of the list, where there is no room beside it
	Typing  bool // the context line is a field
	Wide    bool // a list of backups: it takes what it may
	Outline bool // of a ledger, in the place of the list
	Split   int  // column of the divider that the person chose, 0 none
}

// Frame is what a screen is drawn in, and by.
type Frame struct {
	Width, Height int // of the terminal
	Layout        Layout
	Styles        *render.Styles
	Now           time.Time           // in the zone of the times shown
	Home          string              // the home directory: shown as ~
	Busy          string              // why nothing can be changed now, "" it can
	Said          string              // what there is to say, "" nothing
	Wrong         bool                // it is an error
	Keys          map[string][]string // other keys for actions, by name
	Front         bool                // nothing but dialogs is in front of it
	Awake         bool                // the terminal has the focus
}

// Key is the key of an action, which has one of its own unless it was given another.
func (f *Frame) Key(name, own string) string {
	if other := f.Keys[name]; len(other) > 0 {
		return ShowKey(other[0])
	}
	return own
}

// ShowKey is a key as help writes it.
func ShowKey(key string) string {
	if key == "pgdown" {
		return "pgdn"
	}
	return key
}

// Columns from which there is room for more.
const (
	PreviewFrom = 100 // for something beside the list
	BlankFrom   = 25  // rows of a body from which groups stand apart
)

// View is what is seen of a screen.
type View struct {
	Title   string // "" the tabs
	Context string // the line above the body
	Body    []string
	Beside  []string // what stands beside it, or in its place; nil: the body has the whole width
	Status  string   // the line of the status, drawn; "" Left and Right
	Left    string   // of the status, where there is nothing else to say
	Right   string
	Reading bool // the status says how far the list is read, while it is
}

// Subject is what the bar stands on.
type Subject struct {
	Row *sessions.Row // nil: none
	Dir string        // of the project; "" none
}
