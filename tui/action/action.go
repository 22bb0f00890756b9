// Package action has what can be done from every screen: resume, copy, edit, back up, change files and undo that, recover, add a
// note.
//
// An action is a plain struct that knows neither the program nor a screen. It gives the keys of its intents, and returns what is to
// happen as effects, like a screen. The program tells all actions by one Desk what they are about.
package action

import (
	"context"
	"iter"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Action is something that can be done from several screens.
type Action interface {
	// Keys returns the bindings of an intent, as they are now; nil: it isn't one of this action.
	Keys(intent string) []screen.Binding
	// Do carries out an intent. It reports whether that is one of this action.
	Do(do screen.Intent) ([]screen.Effect, bool)
	// Took takes the answer to one of its commands in, the reply of one of its dialogs, or the news screen.GoneOn.
	Took(msg tea.Msg) []screen.Effect
}

// Desk is what all actions know of the program. It is up to date whenever one of them is asked.
type Desk struct {
	screen.Subject                 // of the screen on top
	Context        context.Context // of the program
	Actions        Actions         // nil: nothing can be done with rows
	Changes        Changes         // nil: nothing can be changed
	Ledgers        Ledgers         // nil: no ledger can be read
	Lists          Lists

	Now    time.Time
	Home   string              // the home directory: shown as ~
	Tmux   bool                // the browser runs inside tmux
	Popup  bool                // of tmux
	Keys   map[string][]string // other keys for actions, by name
	Listed string              // the project that is listed, "" all

	Said      string // what the status says
	Away      bool   // the terminal is that of a program
	Asking    bool   // a dialog is open
	OnBackups bool   // the list of the backups is shown, also with nothing in it
	OnLedger  bool   // the ledger of a project is shown

	PlanLines dialog.Draw // draws the first lines of a plan
	HasLedger func(dir string) (has, known bool)
	// Passed is when the gates of a project were passed last, the full one under true, read now. bare: it has no ledger.
	Passed func(ctx context.Context, dir string) (last map[bool]time.Time, bare bool, err error)
	// LastPassed is the same for one gate, as far as it was read before.
	LastPassed func(dir string, full bool) (at time.Time, known bool)
}

// Lists are the rows that the browser holds.
type Lists interface {
	// Rows returns those of a kind, in no order.
	Rows(kind sessions.Kind) iter.Seq[*sessions.Row]
	// Unsaved is how many sessions ended without a backup.
	Unsaved() int
}

// isSession reports whether the subject is one.
func (d *Desk) isSession() bool { return d.Row != nil && d.Row.Kind == sessions.KindSession }

// key is that of an action, which has one of its own unless it was given another.
func (d *Desk) key(name, own string) string {
	f := screen.Frame{Keys: d.Keys}
	return f.Key(name, own)
}

// look is what an action asks of the world before it does something. It ends when the person goes on to something else, or with what
// came of it.
type look struct {
	gen    int
	cancel context.CancelFunc // nil: it looks at nothing
}

// begin starts a look.
func (l *look) begin(of context.Context) context.Context {
	l.drop()
	ctx, cancel := context.WithCancel(of)
	l.cancel = cancel
	return ctx
}

// drop ends a look, and makes its answer a late one.
func (l *look) drop() {
	l.gen++
	if l.cancel != nil {
		l.cancel()
		l.cancel = nil
	}
}

// isOf reports whether an answer of a generation is awaited.
func (l *look) isOf(gen int) bool { return l.cancel != nil && gen == l.gen }

// slowMsg says that a look has taken long enough to say so.
type slowMsg struct {
	gen  int
	word string
}

func (l *look) slow(ctx context.Context, word string) screen.Effect {
	gen := l.gen
	return screen.Cmd(screen.After(ctx, screen.Quiet, func() tea.Msg { return slowMsg{gen, word} }))
}

func menu(o *dialog.MenuOptions) []screen.Effect {
	return []screen.Effect{screen.Open{Dialog: dialog.NewMenu(*o)}}
}

func tell(text string) []screen.Effect { return []screen.Effect{screen.Tell{Text: text}} }

func fail(err error) screen.Effect { return screen.Fail{Err: err} }
