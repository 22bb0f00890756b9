package action

import (
	"cmp"
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Handover writes the state of the work into the stores of a project, and runs the gates.
type Handover struct {
	state  *State
	backup *Backup
	change *Change
}

// NewHandover returns the action. It reads the program's state from s. backup and change know what can be written.
func NewHandover(s *State, backup *Backup, change *Change) *Handover {
	return &Handover{state: s, backup: backup, change: change}
}

// Keys implements Action.
func (a *Handover) Keys(intent string) []screen.Binding {
	if intent != screen.OpenHandover {
		return nil
	}
	return []screen.Binding{{
		Name: "handover", Keys: []string{"c"}, Show: "c", Label: "handover", Help: "handover…", Group: screen.GroupThis, Do: screen.Intent{Name: intent},
		Gone: !a.isThere(), Needed: a.state.needsSession(), Needs: screen.NeedsChanges,
	}}
}

// Do implements Action.
func (a *Handover) Do(do screen.Intent) ([]screen.Effect, bool) {
	if do.Name != screen.OpenHandover {
		return nil, false
	}
	return a.open(), true
}

// Took implements Action. It does nothing, because the dialog handles its own answers.
func (*Handover) Took(tea.Msg) []screen.Effect { return nil }

// open shows the handover.
func (a *Handover) open() []screen.Effect {
	e := screen.HandOver{Dir: a.state.Dir}
	row := a.row()
	if row != nil {
		e.Of = []sessions.Row{*row}
	}
	o := a.handover(e)
	o.Gates = a.Gates()
	if a.state.Actions != nil {
		o.Backup = dialog.Offer{Key: "B", Name: "Backup only", Off: cmp.Or(a.whyNotKept(row, whyNotCopied), a.backup.Busy()), Do: screen.Do{Intent: screen.Intent{Name: screen.Backup}}}
	}
	if len(o.Gates) > 0 && o.Gates[0].Off == "" {
		passed, dir, now := a.state.Passed, a.state.Dir, a.state.Now
		o.Ask = func(ctx context.Context) tea.Msg { return lookPassed(ctx, passed, dir, now) }
	}
	return []screen.Effect{screen.Open{Dialog: dialog.NewHandover(o)}}
}

// HandOver shows the handover without gates, after a gate has passed.
func (a *Handover) HandOver(e screen.HandOver) []screen.Effect {
	return []screen.Effect{screen.Open{Dialog: dialog.NewHandover(a.handover(e))}}
}

func (a *Handover) handover(e screen.HandOver) dialog.HandoverOptions {
	return dialog.HandoverOptions{
		Context: a.state.Context, Fill: a.state.Changes.Handover, About: render.Base(e.Dir),
		Change: screen.Change{Kind: screen.ChangeHandover, Dir: e.Dir, Rows: e.Of, Gate: e.Gate},
	}
}

// Save returns the offer to write a session document.
func (a *Handover) Save() dialog.Offer {
	row := a.row()
	save := dialog.Offer{Name: "Save a document", Off: a.whyNotKept(row, a.whyNotSaved)}
	if row != nil {
		save.Do = screen.Ask{Change: screen.Change{Kind: screen.ChangeSave, Rows: []sessions.Row{*row}}}
	}
	return save
}

// passedWords returns when a gate last passed, such as "passed 2 min ago", or that it never passed.
func passedWords(now, last time.Time) string {
	if last.IsZero() {
		return "never passed"
	}
	return "passed " + words.Ago(now, last)
}

// The keys of the gates in the dialog, and a reason why there is no gate.
const (
	gateKeyLetter     = "g"
	fullGateKeyLetter = "G"
	noLedgerHere      = "no ledger in this project"
)

// Gates returns the offers that run the simplified and the full gate of the current project.
func (a *Handover) Gates() []dialog.Offer {
	if a.state.Ledgers == nil {
		return nil
	}
	dir, of, off := a.state.Dir, a.chosen(), a.whyNoLedger()
	var offers []dialog.Offer
	for _, g := range []struct {
		key, name, note string
		mode            gate.Mode
	}{{gateKeyLetter, "Gate", "3 quick checks before /compact", gate.Simplified}, {fullGateKeyLetter, "Full gate", "7 checks before /clear", gate.Full}} {
		offers = append(offers, dialog.Offer{
			Key: g.key, Name: g.name, Note: g.note, Off: off, Last: a.lastGate(dir, g.mode),
			Do: screen.Gate{Dir: dir, Mode: g.mode, Of: of},
		})
	}
	return offers
}

// lastGate returns when a gate last passed, such as "passed 2 min ago", or "" if this is unknown.
func (a *Handover) lastGate(dir string, mode gate.Mode) string {
	at, known := a.state.LastPassed(dir, mode == gate.Full)
	if !known {
		return ""
	}
	return passedWords(a.state.Now, at)
}

// row returns the session for the handover, or nil.
func (a *Handover) row() *sessions.Row {
	if !a.state.isSession() {
		return nil
	}
	return a.state.Row
}

// isThere reports whether the current screen has a session or a ledger to hand over.
func (a *Handover) isThere() bool {
	return a.state.isSession() || a.state.Ledgers != nil && a.state.Dir != ""
}

// whyNotKept returns the reason why row can't be saved, or "". For a row, why decides.
func (a *Handover) whyNotKept(row *sessions.Row, why func(*sessions.Row) string) string {
	switch {
	case row != nil:
		return why(row)
	case a.state.OnLedger:
		return "no session of this project is listed"
	}
	return a.state.needsSession()
}

// whyNotSaved returns the reason why no document can be written from a session, or "".
func (a *Handover) whyNotSaved(row *sessions.Row) string {
	switch why := whyNotCopied(row); {
	case why != "":
		return why
	case row.State == sessions.StateStub:
		return "the session has no messages"
	}
	return a.change.Busy()
}

// lookPassed reads when the gates of a project last passed, with one read of the trajectory.
func lookPassed(ctx context.Context, passed func(context.Context, string) (map[bool]time.Time, bool, error), dir string, now time.Time) tea.Msg {
	msg := dialog.Learned{Off: map[string]string{}, Last: map[string]string{}}
	last, bare, err := passed(ctx, dir)
	off := ""
	switch {
	case err != nil && ctx.Err() == nil:
		off = inSentence(err)
	case bare:
		off = noLedgerHere
	}
	for letter, full := range map[string]bool{gateKeyLetter: false, fullGateKeyLetter: true} {
		if off != "" {
			msg.Off[letter] = off
		}
		if at, known := last[full]; known {
			msg.Last[letter] = passedWords(now, at)
		}
	}
	return msg
}

// inSentence returns the first sentence of an error for the middle of a sentence, such as "permission denied".
func inSentence(err error) string {
	first, _, _ := strings.Cut(err.Error(), ". ")
	r, size := utf8.DecodeRuneInString(first)
	return strings.TrimSuffix(string(unicode.ToLower(r))+first[size:], ".")
}
