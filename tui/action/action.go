// Package action contains the actions that every screen has: resume, copy, export, edit, back up, change files, undo,
// recover, add a note.
//
// An action is a plain struct that knows neither the program nor the screens. It provides the keys for its intents and
// returns effects, like a screen. The program passes its current state to all actions in one Desk.
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
	// Keys returns the current bindings of an intent, nil if the action doesn't have it.
	Keys(intent string) []screen.Binding
	// Do carries out an intent. It reports whether the action has the intent.
	Do(do screen.Intent) ([]screen.Effect, bool)
	// Took handles the answer to a command, the reply of a dialog, or screen.GoneOn.
	Took(msg tea.Msg) []screen.Effect
}

// Desk is the state of the program for all actions. It is updated before each call of an action.
type Desk struct {
	screen.Subject                 // of the top screen
	Context        context.Context // context of the program
	Actions        Actions         // nil for none
	Changes        Changes         // nil for none
	Ledgers        Ledgers         // nil for none
	Lists          Lists

	Now    time.Time
	Home   string              // the home directory: shown as ~
	Tmux   bool                // the browser runs inside tmux
	Popup  bool                // the browser runs in a tmux popup
	Keys   map[string][]string // the user's key bindings, by action
	Prices resume.Prices       // prices from the user's config
	Listed string              // the listed project, "" for all

	Said      string // the status message
	Away      bool   // another program has the terminal
	Asking    bool   // a dialog is open
	OnBackups bool   // the list of backups is shown, even if it is empty
	OnLedger  bool   // the ledger of a project is shown

	PlanLines dialog.Draw // draws the first lines of a plan
	HasLedger func(dir string) (has, known bool)
	// Passed reads when the gates of a project last passed; the key is true for the full gate. bare means that the
	// project has no ledger.
	Passed func(ctx context.Context, dir string) (last map[bool]time.Time, bare bool, err error)
	// LastPassed returns the time for one gate, as last read.
	LastPassed func(dir string, full bool) (at time.Time, known bool)
}

// Lists provides the rows of the browser.
type Lists interface {
	// Rows returns the rows of a kind in no particular order.
	Rows(kind sessions.Kind) iter.Seq[*sessions.Row]
	// Unsaved returns how many sessions ended without a backup.
	Unsaved() int
}

// isSession reports whether the subject is a session.
func (d *Desk) isSession() bool { return d.Row != nil && d.Row.Kind == sessions.KindSession }

// needsSession returns the message of a key that acts only on sessions.
func (d *Desk) needsSession() string {
	if d.Row != nil && d.Row.Lost() != nil {
		return "only a backup of this session is left"
	}
	return "choose a session"
}

// key returns the key of an action: the user's, else its own.
func (d *Desk) key(name, own string) string {
	f := screen.Frame{Keys: d.Keys}
	return f.Key(name, own)
}

// look is a pending lookup of an action. It ends when the user moves on or its result is used.
type look struct {
	gen    int
	cancel context.CancelFunc // nil if no lookup is pending
}

// begin cancels the pending lookup, if any, and starts a new one.
func (l *look) begin(of context.Context) context.Context {
	l.drop()
	ctx, cancel := context.WithCancel(of)
	l.cancel = cancel
	return ctx
}

// drop cancels the lookup. Its answer is ignored.
func (l *look) drop() {
	l.gen++
	if l.cancel != nil {
		l.cancel()
		l.cancel = nil
	}
}

// isOf reports whether the pending lookup has this generation.
func (l *look) isOf(gen int) bool { return l.cancel != nil && gen == l.gen }

// slowMsg is sent when a lookup takes long enough to show a message.
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
