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

// shown is a screen on the stack. Answers to its commands find it by its id.
type shown struct {
	id     int
	screen screen.Screen
	opener int // the id of what has put it there, and gets what it replies; nobody: none wants that
}

// nobody is the id of no screen.
const nobody = -1

// screens are those of the stack. The first is that of a tab, and there always is one; dialogs are in front of the others.
type screens struct {
	stack []shown // the one in front is the last
	bases []shown // those of the tabs; one of them is at the bottom of the stack
	last  int     // id that was given
}

// front is what gets the keys: a dialog, or the screen on top. There always is one.
func (c *screens) front() *shown { return &c.stack[len(c.stack)-1] }

// top is the screen that no other covers; a dialog may be in front of it.
func (c *screens) top() *shown { return &c.stack[c.dialogsFrom()-1] }

// dialogsFrom is where the dialogs begin in the stack: they are in front of all screens.
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

// onBase reports whether the base is not covered by another screen.
func (c *screens) onBase() bool { return c.dialogsFrom() == 1 }

// insert puts a screen on the stack: a dialog in front of all, another screen behind the dialogs.
func (c *screens) insert(s shown) {
	at := len(c.stack)
	if !isDialog(s.screen) {
		at = c.dialogsFrom()
	}
	c.stack = slices.Insert(c.stack, at, s)
}

// openerOf is the id of what has opened a screen.
func (c *screens) openerOf(id int) int {
	for _, s := range c.stack {
		if s.id == id {
			return s.opener
		}
	}
	return nobody
}

// projectPage is the page of a project that is open, nil none.
func (c *screens) projectPage() *project.Page {
	for _, s := range c.stack {
		if p, ok := s.screen.(*project.Page); ok {
			return p
		}
	}
	return nil
}

// pageOf is the project whose page is open, "" none is.
func (c *screens) pageOf() string {
	if p := c.projectPage(); p != nil {
		return p.Subject().Dir
	}
	return ""
}

// dialog is what is in front of the screens, if anything is.
func (c *screens) dialog() (d screen.Dialog, ok bool) {
	d, ok = c.front().screen.(screen.Dialog)
	return d, ok
}

func (c *screens) hasDialog() bool {
	_, ok := c.dialog()
	return ok
}

// note is the form of a note that is open, nil none.
func (c *screens) note() *dialog.Note {
	for _, s := range c.stack {
		if d, ok := s.screen.(*dialog.Note); ok {
			return d
		}
	}
	return nil
}

// onGate reports whether a gate is in front.
func (c *screens) onGate() bool {
	_, ok := c.top().screen.(*gateview.Page)
	return ok
}

// onPage reports whether the page of a project is in front.
func (c *screens) onPage() bool {
	_, ok := c.top().screen.(*project.Page)
	return ok
}

// add puts a screen in front of the others, and returns the id that it gets.
func (c *screens) add(opener int, s screen.Screen) (id int) {
	c.last++
	c.insert(shown{c.last, s, opener})
	return c.last
}

// take takes a screen out of the stack, wherever it is; nil: it isn't there.
func (c *screens) take(id int) screen.Screen {
	i := slices.IndexFunc(c.stack, func(s shown) bool { return s.id == id })
	if i < 0 {
		return nil
	}
	taken := c.stack[i].screen
	c.stack = slices.Delete(c.stack, i, i+1)
	return taken
}

// isReading reports whether the reader is in front.
func (c *screens) isReading() bool {
	_, ok := c.top().screen.(*reader.Page)
	return ok
}

// onLedger reports whether the ledger of a project is in front.
func (c *screens) onLedger() bool {
	_, ok := c.top().screen.(*ledgerview.Page)
	return ok
}

// subject is the row that an action is about.
func (c *screens) subject() *sessions.Row { return c.top().screen.Subject().Row }

// all are the screens of the stack, and those at the bottom of other tabs: what they have asked for is still for them.
func (c *screens) all() []shown {
	all := slices.Clone(c.stack)
	for _, b := range c.bases {
		if b.id != c.stack[0].id {
			all = append(all, b)
		}
	}
	return all
}
