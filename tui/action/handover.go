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
	desk   *Desk
	backup *Backup
	change *Change
}

// NewHandover returns the action. It uses a desk, and the state of the actions backup and change.
func NewHandover(d *Desk, backup *Backup, change *Change) *Handover {
	return &Handover{desk: d, backup: backup, change: change}
}

// Keys implements Action.
func (a *Handover) Keys(intent string) []screen.Binding {
	if intent != screen.OpenHandover {
		return nil
	}
	return []screen.Binding{{
		Name: "handover", Keys: []string{"c"}, Show: "c", Label: "handover", Help: "handover…", Group: screen.GroupThis, Do: screen.Intent{Name: intent},
		Gone: !a.isThere(), Needed: a.desk.needsSession(), Needs: screen.NeedsChanges,
	}}
}

// Do implements Action.
func (a *Handover) Do(do screen.Intent) ([]screen.Effect, bool) {
	if do.Name != screen.OpenHandover {
		return nil, false
	}
	return a.open(), true
}

// Took implements Action. It does nothing, because the dialog asks for what it shows.
func (*Handover) Took(tea.Msg) []screen.Effect { return nil }

// open shows the handover.
func (a *Handover) open() []screen.Effect {
	e := screen.HandOver{Dir: a.desk.Dir}
	row := a.row()
	if row != nil {
		e.Of = []sessions.Row{*row}
	}
	o := a.handover(e)
	o.Gates = a.Gates()
	if a.desk.Actions != nil {
		o.Backup = dialog.Offer{Key: "B", Name: "Backup only", Off: cmp.Or(a.whyNotKept(row, whyNotCopied), a.backup.Busy()), Do: screen.Do{Intent: screen.Intent{Name: screen.Backup}}}
	}
	if len(o.Gates) > 0 && o.Gates[0].Off == "" {
		passed, dir, now := a.desk.Passed, a.desk.Dir, a.desk.Now
		o.Ask = func(ctx context.Context) tea.Msg { return lookPassed(ctx, passed, dir, now) }
	}
	return []screen.Effect{screen.Open{Dialog: dialog.NewHandover(o)}}
}

// HandOver shows the handover after a gate has passed. It offers no gate.
func (a *Handover) HandOver(e screen.HandOver) []screen.Effect {
	return []screen.Effect{screen.Open{Dialog: dialog.NewHandover(a.handover(e))}}
}

func (a *Handover) handover(e screen.HandOver) dialog.HandoverOptions {
	return dialog.HandoverOptions{
		Context: a.desk.Context, Fill: a.desk.Changes.Handover, About: render.Base(e.Dir),
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

// passedWords returns a text that says when a gate passed last. A zero time means never.
func passedWords(now, last time.Time) string {
	if last.IsZero() {
		return "never passed"
	}
	return "passed " + words.Ago(now, last)
}

// The keys of the gates in the dialog, and why there may be no gate.
const (
	gateKeyLetter     = "g"
	fullGateKeyLetter = "G"
	noLedgerHere      = "no ledger in this project"
)

// Gates returns the offers that run the simplified and the full gate of the current project.
func (a *Handover) Gates() []dialog.Offer {
	if a.desk.Ledgers == nil {
		return nil
	}
	dir, of, off := a.desk.Dir, a.chosen(), a.whyNoLedger()
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

// lastGate returns a text that says when the gate of a project passed last; "" if that isn't known yet.
func (a *Handover) lastGate(dir string, mode gate.Mode) string {
	at, known := a.desk.LastPassed(dir, mode == gate.Full)
	if !known {
		return ""
	}
	return passedWords(a.desk.Now, at)
}

// row returns the session for the handover; nil if there is none.
func (a *Handover) row() *sessions.Row {
	if !a.desk.isSession() {
		return nil
	}
	return a.desk.Row
}

// isThere reports whether there is a session or a ledger that can be saved.
func (a *Handover) isThere() bool {
	return a.desk.isSession() || a.desk.Ledgers != nil && a.desk.Dir != ""
}

// whyNotKept returns why a session can't be saved; "" if it can be saved. why returns the reason for a certain way
// to save.
func (a *Handover) whyNotKept(row *sessions.Row, why func(*sessions.Row) string) string {
	switch {
	case row != nil:
		return why(row)
	case a.desk.OnLedger:
		return "no session of this project is listed"
	}
	return a.desk.needsSession()
}

// whyNotSaved returns why no document can be written from a session; "" if one can be written.
func (a *Handover) whyNotSaved(row *sessions.Row) string {
	switch why := whyNotCopied(row); {
	case why != "":
		return why
	case row.State == sessions.StateStub:
		return "the session has no messages"
	}
	return a.change.Busy()
}

// lookPassed reads when the gates of a project passed last. It reads the trajectory once for both gates.
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

// inSentence returns the first sentence of an error in a form for use inside another sentence.
func inSentence(err error) string {
	first, _, _ := strings.Cut(err.Error(), ". ")
	r, size := utf8.DecodeRuneInString(first)
	return strings.TrimSuffix(string(unicode.ToLower(r))+first[size:], ".")
}
