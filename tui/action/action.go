// Package action has the actions that all screens share, such as resume, copy, backup and undo.
//
// An action has the keys for its intents and, like a screen, returns effects. It doesn't know the program or the
// screens. The program passes its state to all actions in one State.
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

// Action has keys and effects that several screens share, such as resume or copy.
type Action interface {
	// Keys returns the current bindings for an intent, or nil for an unknown intent.
	Keys(intent string) []screen.Binding
	// Do carries out an intent. It returns false for an unknown intent.
	Do(do screen.Intent) ([]screen.Effect, bool)
	// Took handles the answer to a command, the reply of a dialog, or screen.GoneOn.
	Took(msg tea.Msg) []screen.Effect
}

// State is the state of the program for the actions. The program sets it before each call of an action.
type State struct {
	screen.Subject                 // subject of the top screen
	Context        context.Context // context of the program
	Actions        Actions         // nil if there are none
	Changes        Changes         // nil if there are none
	Ledgers        Ledgers         // nil if there are none
	Lists          Lists

	Now    time.Time
	Home   string              // home directory, shown as ~
	Tmux   bool                // the browser runs inside tmux
	Popup  bool                // the browser runs in a tmux popup
	Keys   map[string][]string // the user's key bindings, by action
	Prices resume.Prices       // prices from the config
	Listed string              // listed project; "" if all projects are listed
	Folder string              // folder in which the browser was started

	Said      string // the message in the status line
	Away      bool   // another program uses the terminal
	Asking    bool   // a dialog is open
	OnBackups bool   // the list of backups is shown, even if it is empty
	OnLedger  bool   // the ledger of a project is shown
	Drives    bool   // continuo can drive sessions

	PlanLines dialog.Draw // draws the first lines of a plan
	HasLedger func(dir string) (has, known bool)
	// Passed reads when the gates of a project last passed. last[true] is for the full gate, last[false] for the
	// simplified gate. bare means that the project has no ledger.
	Passed func(ctx context.Context, dir string) (last map[bool]time.Time, bare bool, err error)
	// LastPassed returns when a gate last passed, without reading anything. known is false if this is unknown.
	LastPassed func(dir string, full bool) (at time.Time, known bool)
}

// Lists has the rows of the lists.
type Lists interface {
	// Rows returns the rows of a kind. The order is undefined.
	Rows(kind sessions.Kind) iter.Seq[*sessions.Row]
	// Unsaved returns the number of sessions that ended without a backup.
	Unsaved() int
}

// isSession reports whether the subject is a session.
func (s *State) isSession() bool { return s.Row != nil && s.Row.Kind == sessions.KindSession }

// needsSession returns the message of a key that acts only on sessions.
func (s *State) needsSession() string {
	if s.Row != nil && s.Row.Lost() != nil {
		return "only a backup of this session is left"
	}
	return "choose a session"
}

// key returns the user's key for an action, or own if the user has set none.
func (s *State) key(name, own string) string {
	f := screen.Frame{Keys: s.Keys}
	return f.Key(name, own)
}

// lookup is the running lookup of an action. It ends with its result, or with the next key or click.
type lookup struct {
	gen    int
	cancel context.CancelFunc // nil if no lookup is running
}

// begin cancels the running lookup, if any, and starts a new one.
func (l *lookup) begin(of context.Context) context.Context {
	l.drop()
	ctx, cancel := context.WithCancel(of)
	l.cancel = cancel
	return ctx
}

// drop cancels the lookup. Its answer will be ignored.
func (l *lookup) drop() {
	l.gen++
	if l.cancel != nil {
		l.cancel()
		l.cancel = nil
	}
}

// isOf reports whether the running lookup has this generation.
func (l *lookup) isOf(gen int) bool { return l.cancel != nil && gen == l.gen }

// slowMsg is sent when a lookup takes long enough to show a message.
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
