package tui

import (
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/gateview"
	"github.com/continuo-tui/continuo/tui/ledgerview"
	"github.com/continuo-tui/continuo/tui/project"
	"github.com/continuo-tui/continuo/tui/reader"
	"github.com/continuo-tui/continuo/tui/screen"
)

// shown is a screen on the stack. Answers to its commands have its ID.
type shown struct {
	id     int
	screen screen.Screen
	opener int // ID of the screen that gets the replies, or nobody
}

// nobody is an ID that no screen has.
const nobody = -1

// screens is the stack of screens. The first screen belongs to the current tab. Dialogs are in front.
type screens struct {
	stack []shown // the last one is in front
	bases []shown // the screens of the tabs; one is first on the stack
	last  int     // the ID that was assigned last
}

// front returns the screen that receives the keys.
func (c *screens) front() *shown { return &c.stack[len(c.stack)-1] }

// top returns the frontmost screen that isn't a dialog.
func (c *screens) top() *shown { return &c.stack[c.dialogsFrom()-1] }

// dialogsFrom returns the index of the first dialog in the stack.
func (c *screens) dialogsFrom() int {
	i := len(c.stack)
	for i > 1 && isDialog(c.stack[i-1].screen) {
		i--
	}
	return i
}

func isDialog(s screen.Screen) bool {
	_, ok := s.(screen.Dialog)
	return ok
}

// onBase reports whether the screen of a tab is on top.
func (c *screens) onBase() bool { return c.dialogsFrom() == 1 }

// insert adds a screen to the stack: a dialog to the front, any other screen behind the dialogs.
func (c *screens) insert(s shown) {
	at := len(c.stack)
	if !isDialog(s.screen) {
		at = c.dialogsFrom()
	}
	c.stack = slices.Insert(c.stack, at, s)
}

// openerOf returns the ID of the screen that opened another screen.
func (c *screens) openerOf(id int) int {
	for _, s := range c.stack {
		if s.id == id {
			return s.opener
		}
	}
	return nobody
}

// projectPage returns the open project page, or nil.
func (c *screens) projectPage() *project.Page {
	for _, s := range c.stack {
		if p, ok := s.screen.(*project.Page); ok {
			return p
		}
	}
	return nil
}

// pageOf returns the project of the open project page, or "".
func (c *screens) pageOf() string {
	if p := c.projectPage(); p != nil {
		return p.Subject().Dir
	}
	return ""
}

// dialog returns the front dialog. ok is false without a dialog.
func (c *screens) dialog() (d screen.Dialog, ok bool) {
	d, ok = c.front().screen.(screen.Dialog)
	return d, ok
}

func (c *screens) hasDialog() bool {
	_, ok := c.dialog()
	return ok
}

// note returns the open note form, or nil.
func (c *screens) note() *dialog.Note {
	for _, s := range c.stack {
		if d, ok := s.screen.(*dialog.Note); ok {
			return d
		}
	}
	return nil
}

func (c *screens) onGate() bool {
	_, ok := c.top().screen.(*gateview.Page)
	return ok
}

// onPage reports whether a project page is on top.
func (c *screens) onPage() bool {
	_, ok := c.top().screen.(*project.Page)
	return ok
}

func (c *screens) add(opener int, s screen.Screen) (id int) {
	c.last++
	c.insert(shown{c.last, s, opener})
	return c.last
}

// take removes and returns the screen with an ID, or returns nil.
func (c *screens) take(id int) screen.Screen {
	i := slices.IndexFunc(c.stack, func(s shown) bool { return s.id == id })
	if i < 0 {
		return nil
	}
	taken := c.stack[i].screen
	c.stack = slices.Delete(c.stack, i, i+1)
	return taken
}

// isReading reports whether the reader is on top.
func (c *screens) isReading() bool {
	_, ok := c.top().screen.(*reader.Page)
	return ok
}

// onLedger reports whether the Ledger tab is on top.
func (c *screens) onLedger() bool {
	_, ok := c.top().screen.(*ledgerview.Page)
	return ok
}

// subject returns the row that actions use.
func (c *screens) subject() *sessions.Row { return c.top().screen.Subject().Row }

// all returns the screens of the stack and of the other tabs, which may receive answers.
func (c *screens) all() []shown {
	all := slices.Clone(c.stack)
	for _, b := range c.bases {
		if b.id != c.stack[0].id {
			all = append(all, b)
		}
	}
	return all
}
