// Package action contains the actions that every screen has. With them, users resume, copy, export and edit; make
// backups; change files and undo changes; recover a ledger; and add notes.
//
// An action is a plain struct that knows neither the program nor the screens. It has the keys for its intents.
// Like a screen, it returns effects. The program passes its current state to all actions in one Desk.
package action

import (
	"context"
	"iter"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Action is an action that several screens have.
type Action interface {
	// Keys returns the current bindings for an intent; nil if the action doesn't know the intent.
	Keys(intent string) []screen.Binding
	// Do carries out an intent. It returns false if the action doesn't know the intent.
	Do(do screen.Intent) ([]screen.Effect, bool)
	// Took handles the answer to a command, the reply of a dialog, or the news screen.GoneOn.
	Took(msg tea.Msg) []screen.Effect
}

// Desk is the state of the program that all actions see. It is updated before each call of an action.
type Desk struct {
	screen.Subject                 // the subject of the top screen
	Context        context.Context // context of the program
	Actions        Actions         // nil if there are none
	Changes        Changes         // nil if there are none
	Ledgers        Ledgers         // nil if there are none
	Lists          Lists

	Now    time.Time
	Home   string              // home directory, which is shown as ~
	Tmux   bool                // the browser runs inside tmux
	Popup  bool                // the browser runs in a tmux popup
	Keys   map[string][]string // key bindings of the user, by action
	Prices resume.Prices       // prices from the config of the user
	Listed string              // the listed project; "" if all projects are listed
	Folder string              // the folder in which the browser was started

	Said      string // the message in the status line
	Away      bool   // another program uses the terminal
	Asking    bool   // a dialog is open
	OnBackups bool   // the list of backups is shown, although it may be empty
	OnLedger  bool   // the ledger of a project is shown
	Drives    bool   // continuo can drive sessions

	PlanLines dialog.Draw // draws the first lines of a plan
	HasLedger func(dir string) (has, known bool)
	// Passed reads when the gates of a project passed last. The key true of the map stands for the full gate. bare
	// means that the project has no ledger.
	Passed func(ctx context.Context, dir string) (last map[bool]time.Time, bare bool, err error)
	// LastPassed returns when one gate passed last, as far as this was read.
	LastPassed func(dir string, full bool) (at time.Time, known bool)
}

// Lists has the rows of the browser.
type Lists interface {
	// Rows returns the rows of a kind. The order is undefined.
	Rows(kind sessions.Kind) iter.Seq[*sessions.Row]
	// Unsaved returns how many sessions ended without a backup.
	Unsaved() int
}

// isSession reports whether the subject is a session.
func (d *Desk) isSession() bool { return d.Row != nil && d.Row.Kind == sessions.KindSession }

// needsSession returns the message for a key that acts only on sessions.
func (d *Desk) needsSession() string {
	if d.Row != nil && d.Row.Lost() != nil {
		return "only a backup of this session is left"
	}
	return "choose a session"
}

// key returns the key of an action. This is the key of the user's config or, if there is none, own.
func (d *Desk) key(name, own string) string {
	f := screen.Frame{Keys: d.Keys}
	return f.Key(name, own)
}

// lookup is the running lookup of an action. It ends when its result is used, or when the user does something else.
type lookup struct {
	gen    int
	cancel context.CancelFunc // nil if no lookup is running
}

// begin cancels the running lookup, if there is one, and starts another one.
func (l *lookup) begin(of context.Context) context.Context {
	l.drop()
	ctx, cancel := context.WithCancel(of)
	l.cancel = cancel
	return ctx
}

// drop cancels the lookup. If an answer arrives, it is ignored.
func (l *lookup) drop() {
	l.gen++
	if l.cancel != nil {
		l.cancel()
		l.cancel = nil
	}
}

// isOf reports whether a lookup with this generation is running.
func (l *lookup) isOf(gen int) bool { return l.cancel != nil && gen == l.gen }

// slowMsg is sent when a lookup takes so long that a message should be shown.
type slowMsg struct {
	gen  int
	word string
}

func (l *lookup) slow(ctx context.Context, word string) screen.Effect {
	gen := l.gen
	return screen.Cmd(screen.After(ctx, screen.Quiet, func() tea.Msg { return slowMsg{gen, word} }))
}

func menu(o *dialog.MenuOptions) []screen.Effect {
	return []screen.Effect{screen.Open{Dialog: dialog.NewMenu(*o)}}
}

func tell(text string) []screen.Effect { return []screen.Effect{screen.Tell{Text: text}} }

func fail(err error) screen.Effect { return screen.Fail{Err: err} }
