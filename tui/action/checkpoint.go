package action

import (
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

// Checkpoint offers several ways to save the state of a session and of its project.
type Checkpoint struct {
	desk   *Desk
	backup *Backup
	change *Change
}

// NewCheckpoint returns the action. It uses a desk, and offers the actions backup and change.
func NewCheckpoint(d *Desk, backup *Backup, change *Change) *Checkpoint {
	return &Checkpoint{desk: d, backup: backup, change: change}
}

// Keys implements Action.
func (a *Checkpoint) Keys(intent string) []screen.Binding {
	if intent != screen.Checkpoint {
		return nil
	}
	return []screen.Binding{{
		Name: "checkpoint", Keys: []string{"c"}, Show: "c", Label: "checkpoint", Help: "checkpoint…", Group: screen.GroupThis, Do: screen.Intent{Name: intent},
		Gone: !a.isThere(), Needed: a.desk.needsSession(), Needs: screen.NeedsChanges,
	}}
}

// Do implements Action.
func (a *Checkpoint) Do(do screen.Intent) ([]screen.Effect, bool) {
	if do.Name != screen.Checkpoint {
		return nil, false
	}
	return a.open(), true
}

// Took implements Action. It does nothing, because other actions handle the choices of the menu.
func (*Checkpoint) Took(tea.Msg) []screen.Effect { return nil }

// open shows the menu.
func (a *Checkpoint) open() []screen.Effect {
	dir := a.desk.Dir
	mn := &dialog.MenuOptions{Title: "Checkpoint", About: render.Base(dir), Verb: "choose", Note: "Nothing is written before you have seen the plan."}
	row := a.row()
	if row != nil {
		mn.ID = row.ID
	}
	which := "this"
	if row != nil && a.desk.OnLedger { // nothing on the screen shows which session this is about
		which = "its"
		name := "“" + render.Title(row) + "”"
		if row.Dated() {
			name += ", " + render.Ago(a.desk.Now, row.When())
		}
		mn.Note = "This is about the newest session of the project: " + name + ". " + mn.Note
	}
	mn.Items = a.Gates()
	gates := len(mn.Items)
	if a.desk.Actions != nil {
		off := a.whyNotKept(row, whyNotCopied)
		if off == "" {
			off = a.backup.Busy()
		}
		mn.Items = append(mn.Items, dialog.Offer{
			Key: "b", Name: "Backup", Note: "copy " + which + " transcript to raw/", Last: a.lastTime(a.lastBackup(row)), Off: off, Do: screen.Do{Intent: screen.Intent{Name: screen.Backup}},
		})
	}
	mn.Items = append(mn.Items, a.Save())
	mn.Items[gates].Gap = gates > 0
	a.askPassed(mn, dir)
	return menu(mn)
}

// Save returns the offer to write a session document.
func (a *Checkpoint) Save() dialog.Offer {
	row := a.row()
	save := dialog.Offer{Key: "o", Name: "Document", Note: "write a session document from it", Last: a.lastTime(a.lastDocument(row)), Off: a.whyNotKept(row, a.whyNotSaved)}
	if row != nil {
		save.Do = screen.Ask{Change: screen.Change{Kind: screen.ChangeSave, Rows: []sessions.Row{*row}}}
	}
	return save
}

// askPassed makes the menu look up when the gates last passed. The answer arrives while the menu is shown.
func (a *Checkpoint) askPassed(mn *dialog.MenuOptions, dir string) {
	if len(mn.Items) == 0 || mn.Items[0].Key != gateKeyLetter || mn.Items[0].Off != "" {
		return
	}
	var ctx context.Context
	ctx, mn.Cancel = context.WithCancel(a.desk.Context)
	mn.Ask = lookPassed(ctx, a.desk.Passed, dir, a.desk.Now)
}

// passedWords returns a text that says when a gate passed last. A zero time means never.
func passedWords(now, last time.Time) string {
	if last.IsZero() {
		return "never passed"
	}
	return "passed " + render.Ago(now, last)
}

// The keys of the gates in the menu, and why there may be no gate.
const (
	gateKeyLetter     = "g"
	fullGateKeyLetter = "G"
	noLedgerHere      = "no ledger in this project"
)

// Gates returns the items of a menu that run the simplified and the full gate of the current project.
func (a *Checkpoint) Gates() []dialog.Offer {
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
			Key: g.key, Name: g.name, Note: g.note, Off: off, Verb: "run",
			Below: "Reads NOTES.md, the bead and today's trajectory. Writes nothing.",
			Last:  a.lastGate(dir, g.mode),
			Do:    screen.Gate{Dir: dir, Mode: g.mode, Of: of},
		})
	}
	return offers
}

// lastGate returns a text that says when the gate of a project passed last; "" if that isn't known yet.
func (a *Checkpoint) lastGate(dir string, mode gate.Mode) string {
	at, known := a.desk.LastPassed(dir, mode == gate.Full)
	if !known {
		return ""
	}
	return passedWords(a.desk.Now, at)
}

// row returns the session for the checkpoint; nil if there is none.
func (a *Checkpoint) row() *sessions.Row {
	if !a.desk.isSession() {
		return nil
	}
	return a.desk.Row
}

// isThere reports whether there is a session or a ledger that can be saved.
func (a *Checkpoint) isThere() bool {
	return a.desk.isSession() || a.desk.Ledgers != nil && a.desk.Dir != ""
}

// whyNotKept returns why a session can't be saved; "" if it can be saved. why returns the reason for a certain way
// to save.
func (a *Checkpoint) whyNotKept(row *sessions.Row, why func(*sessions.Row) string) string {
	switch {
	case row != nil:
		return why(row)
	case a.desk.OnLedger:
		return "no session of this project is listed"
	}
	return a.desk.needsSession()
}

// whyNotSaved returns why no document can be written from a session; "" if one can be written.
func (a *Checkpoint) whyNotSaved(row *sessions.Row) string {
	switch why := whyNotCopied(row); {
	case why != "":
		return why
	case row.State == sessions.StateStub:
		return "no message in it"
	}
	return a.change.Busy()
}

// lastTime returns the time of the last use, in the form for a menu.
func (a *Checkpoint) lastTime(last time.Time) string { return words.Moment(a.desk.Now, last) }

// lastBackup returns the time of the newest listed backup of a session.
func (a *Checkpoint) lastBackup(row *sessions.Row) time.Time {
	if row == nil {
		return time.Time{}
	}
	return a.newest(sessions.KindBackup, func(r *sessions.Row) bool { return row.ID != "" && r.Of == row.ID })
}

// lastDocument returns the time of the newest listed session document of a project.
func (a *Checkpoint) lastDocument(row *sessions.Row) time.Time {
	if row == nil {
		return time.Time{}
	}
	return a.newest(sessions.KindDocument, func(r *sessions.Row) bool {
		return r.IsSessionDocument() && row.Project != "" && r.Project == row.Project
	})
}

// newest returns the time of the newest row of a kind for which match returns true.
func (a *Checkpoint) newest(kind sessions.Kind, match func(*sessions.Row) bool) time.Time {
	var last time.Time
	for r := range a.desk.Lists.Rows(kind) {
		if match(r) && !r.Deleted && r.Dated() && r.When().After(last) {
			last = r.When()
		}
	}
	return last
}

// lookPassed returns a command that reads when the gates of a project passed last. It reads the trajectory once
// for both gates.
func lookPassed(ctx context.Context, passed func(context.Context, string) (map[bool]time.Time, bool, error), dir string, now time.Time) tea.Cmd {
	return func() tea.Msg {
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
}

// inSentence returns the first sentence of an error in a form for use inside another sentence.
func inSentence(err error) string {
	first, _, _ := strings.Cut(err.Error(), ". ")
	r, size := utf8.DecodeRuneInString(first)
	return strings.TrimSuffix(string(unicode.ToLower(r))+first[size:], ".")
}
