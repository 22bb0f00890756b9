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

// Checkpoint offers how what there is of a session and of its project can be kept.
type Checkpoint struct {
	desk   *Desk
	backup *Backup
	change *Change
}

// NewCheckpoint is the action at a desk, with those that it offers.
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
		Gone: !a.isThere(), Needed: "choose a session", Needs: screen.NeedsChanges,
	}}
}

// Do implements Action.
func (a *Checkpoint) Do(do screen.Intent) ([]screen.Effect, bool) {
	if do.Name != screen.Checkpoint {
		return nil, false
	}
	return a.open(), true
}

// Took implements Action: what its menu offers goes elsewhere.
func (*Checkpoint) Took(tea.Msg) []screen.Effect { return nil }

// open lists it.
func (a *Checkpoint) open() []screen.Effect {
	dir := a.desk.Dir
	mn := &dialog.MenuOptions{Title: "Checkpoint", About: render.Base(dir), Verb: "choose", Note: "Nothing is written before you have seen the plan."}
	row := a.row()
	if row != nil {
		mn.ID = row.ID
	}
	which := "this"
	if row != nil && a.desk.OnLedger { // nothing on the screen says which session
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
	save := dialog.Offer{Key: "o", Name: "Document", Note: "write a session document from it", Last: a.lastTime(a.lastDocument(row)), Off: a.whyNotKept(row, a.whyNotSaved)}
	if row != nil {
		session := *row
		save.Do = screen.Ask{Change: screen.Change{Kind: screen.ChangeSave, Rows: []sessions.Row{session}}}
	}
	mn.Items = append(mn.Items, save)
	mn.Items[gates].Gap = gates > 0
	a.askPassed(mn, dir)
	return menu(mn)
}

// askPassed has the menu ask when the gates of a project were passed last. The answer comes while it is shown.
func (a *Checkpoint) askPassed(mn *dialog.MenuOptions, dir string) {
	if len(mn.Items) == 0 || mn.Items[0].Key != gateKeyLetter || mn.Items[0].Off != "" {
		return
	}
	var ctx context.Context
	ctx, mn.Cancel = context.WithCancel(a.desk.Context)
	mn.Ask = lookPassed(ctx, a.desk.Passed, dir, a.desk.Now)
}

// passedWords say when a gate was passed last; a zero time is never.
func passedWords(now, last time.Time) string {
	if last.IsZero() {
		return "never passed"
	}
	return "passed " + render.Ago(now, last)
}

// The letters of the gates in the menu, and why there is none to run.
const (
	gateKeyLetter     = "g"
	fullGateKeyLetter = "G"
	noLedgerHere      = "no ledger in this project"
)

// Gates are the offers to run the gate of the project that is here, simplified and full.
func (a *Checkpoint) Gates() []dialog.Offer {
	if a.desk.Ledgers == nil {
		return nil
	}
	dir := a.desk.Dir
	var of []sessions.Row
	if row := a.row(); row != nil && !a.desk.OnLedger {
		of = []sessions.Row{*row}
	}
	off := ""
	switch has, known := a.desk.HasLedger(dir); {
	case dir == "":
		off = "no project folder"
	case known && !has:
		off = noLedgerHere
	}
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

// lastGate is when the gate of a project was passed last, as far as its trajectory is known here; "" it is not.
func (a *Checkpoint) lastGate(dir string, mode gate.Mode) string {
	at, known := a.desk.LastPassed(dir, mode == gate.Full)
	if !known {
		return ""
	}
	return passedWords(a.desk.Now, at)
}

// row is the session that a checkpoint is about, nil none.
func (a *Checkpoint) row() *sessions.Row {
	if !a.desk.isSession() {
		return nil
	}
	return a.desk.Row
}

// isThere reports whether there is something to be kept here: a session, or a ledger.
func (a *Checkpoint) isThere() bool {
	return a.desk.isSession() || a.desk.Ledgers != nil && a.desk.Dir != ""
}

// whyNotKept is the reason why nothing can be kept of a session.
func (a *Checkpoint) whyNotKept(row *sessions.Row, why func(*sessions.Row) string) string {
	switch {
	case row != nil:
		return why(row)
	case a.desk.OnLedger:
		return "no session of this project is listed"
	}
	return "choose a session"
}

// whyNotSaved is the reason why no document can be written from a session.
func (a *Checkpoint) whyNotSaved(row *sessions.Row) string {
	switch why := whyNotCopied(row); {
	case why != "":
		return why
	case row.State == sessions.StateStub:
		return "no message in it"
	}
	return a.change.Busy()
}

// lastTime is when something was done last, as a menu says it.
func (a *Checkpoint) lastTime(last time.Time) string { return words.Moment(a.desk.Now, last) }

// lastBackup is when a session was backed up last, as far as the list knows.
func (a *Checkpoint) lastBackup(row *sessions.Row) time.Time {
	if row == nil {
		return time.Time{}
	}
	return a.newest(sessions.KindBackup, func(r *sessions.Row) bool { return row.ID != "" && r.Of == row.ID })
}

// lastDocument is when the last session document of a project was written.
func (a *Checkpoint) lastDocument(row *sessions.Row) time.Time {
	if row == nil {
		return time.Time{}
	}
	return a.newest(sessions.KindDocument, func(r *sessions.Row) bool {
		return r.Archived() && row.Project != "" && r.Project == row.Project
	})
}

// newest is the time of the newest row of some of a kind.
func (a *Checkpoint) newest(kind sessions.Kind, is func(*sessions.Row) bool) time.Time {
	var last time.Time
	for r := range a.desk.Lists.Rows(kind) {
		if is(r) && !r.Deleted && r.Dated() && r.When().After(last) {
			last = r.When()
		}
	}
	return last
}

// lookPassed looks when the gates of a project were passed last. The trajectory is read once for both.
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

// inSentence is the first sentence of an error as it stands behind something else.
func inSentence(err error) string {
	first, _, _ := strings.Cut(err.Error(), ". ")
	r, size := utf8.DecodeRuneInString(first)
	return strings.TrimSuffix(string(unicode.ToLower(r))+first[size:], ".")
}
