package action

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Backup makes backups. It copies the transcripts of sessions to the memory directories of their projects.
type Backup struct {
	desk    *Desk
	lookup  lookup
	making  bool // backups are being created
	onOffer bool // the status line showed the offer before the current input
}

// NewBackup returns the action. It uses a desk.
func NewBackup(d *Desk) *Backup { return &Backup{desk: d} }

// Keys implements Action.
func (a *Backup) Keys(intent string) []screen.Binding {
	if intent != screen.Backup {
		return nil
	}
	return []screen.Binding{{
		Name: "backup", Keys: []string{"B"}, Show: "B", Label: "back up", Help: "back up", Group: screen.GroupThis, Do: screen.Intent{Name: intent},
		Gone: !a.desk.isSession() && a.desk.Lists.Unsaved() == 0, Needed: a.desk.needsSession(), Off: a.whyNot(), Needs: screen.NeedsActions,
	}}
}

// whyNot returns why nothing can be backed up; "" if something can be backed up.
func (a *Backup) whyNot() string {
	if why := a.Busy(); why != "" || a.desk.Lists.Unsaved() > 0 {
		return why
	}
	return whyNotCopied(a.desk.Row)
}

// Busy returns why no backup can be created now; "" if one can be created.
func (a *Backup) Busy() string {
	if a.making {
		return "a backup is being created"
	}
	return ""
}

// whyNotCopied returns why a session can't be backed up; "" if it can be backed up.
func whyNotCopied(row *sessions.Row) string {
	switch {
	case row == nil:
		return ""
	case row.Deleted:
		return "deleted"
	case row.State == sessions.StateUnreadable:
		return "unreadable"
	case row.State == sessions.StateEmpty:
		return "the session is empty"
	}
	return ""
}

// unsaved returns the sessions that ended without a backup, newest first.
func (a *Backup) unsaved() []sessions.Row {
	var rows []sessions.Row
	for r := range a.desk.Lists.Rows(sessions.KindSession) {
		if screen.IsUnsaved(r) {
			rows = append(rows, *r)
		}
	}
	slices.SortFunc(rows, func(p, q sessions.Row) int { return p.Compare(&q) })
	return rows
}

// Offer returns the message that offers to make backups. It has the number of sessions that ended without a
// backup, and the key that backs them up. If the width requires it, the message is shorter.
func (a *Backup) Offer(key string, width int) string {
	n := a.desk.Lists.Unsaved()
	does := key + " backs " + them(n) + " up."
	text := a.unsavedWords() + " " + does
	if ansi.StringWidth(text) > width-4 {
		text = words.Count(n) + " not backed up. " + does
	}
	return text
}

// unsavedWords returns a text that says how many sessions ended without a backup, in the listed project and
// elsewhere.
func (a *Backup) unsavedWords() string {
	here := 0
	rows := a.unsaved()
	for i := range rows {
		if a.desk.Listed == "" || rows[i].Project == a.desk.Listed {
			here++
		}
	}
	elsewhere := len(rows) - here
	count := func(n int) string { return words.Counted(n, "session", "sessions") }
	switch {
	case elsewhere == 0:
		return count(here) + " ended without a backup."
	case here == 0:
		return count(elsewhere) + " elsewhere ended without a backup."
	}
	return count(here) + " here ended without a backup, " + words.Count(elsewhere) + " elsewhere."
}

func them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// The messages of the action, and the replies of its menu.
type (
	// backupAskedMsg has the directories for backups. all has the sessions that ended without a backup.
	backupAskedMsg struct {
		gen     int
		one     *sessions.Row
		all     []sessions.Row
		onOffer bool // the user asked while the offer was shown
		outcome Outcome
		err     error
	}
	backedUpMsg struct {
		outcome Outcome
		err     error
	}
	backupSlowMsg struct{}
	// chosenMsg has the sessions that the user has chosen.
	chosenMsg struct{ rows []sessions.Row }
)

// Do implements Action. It looks up the directories for the backups of the selected session, and of all sessions
// that ended without a backup.
func (a *Backup) Do(do screen.Intent) ([]screen.Effect, bool) {
	if do.Name != screen.Backup {
		return nil, false
	}
	answer := backupAskedMsg{all: a.unsaved(), onOffer: a.onOffer}
	rows := answer.all
	if a.desk.isSession() {
		row := *a.desk.Row
		answer.one = &row
		if !slices.ContainsFunc(rows, func(r sessions.Row) bool { return r.Path == row.Path }) {
			rows = append([]sessions.Row{row}, rows...)
		}
	}
	ctx, actions := a.lookup.begin(a.desk.Context), a.desk.Actions
	answer.gen = a.lookup.gen
	return []screen.Effect{screen.Cmd(func() tea.Msg {
		answer.outcome, answer.err = actions.Backup(ctx, rows, false)
		return answer
	}), a.lookup.slow(ctx, checking)}, true
}

// Took implements Action.
func (a *Backup) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case screen.GoneOn:
		a.onOffer = msg.Offered
		a.lookup.drop()
	case slowMsg:
		return a.lookup.stillLooking(a.desk, msg)
	case backupAskedMsg:
		return a.asked(&msg)
	case chosenMsg:
		return a.make(msg.rows)
	case backupSlowMsg:
		if a.making && a.desk.Said == "" {
			return tell("Backing up…")
		}
	case backedUpMsg: // the watch updates the rows
		a.making = false
		if msg.err != nil {
			return []screen.Effect{fail(msg.err), screen.AskPast{}}
		}
		// Reading the list again updates undo.
		return []screen.Effect{screen.Tell{Text: msg.outcome.Said}, screen.AskPast{}}
	}
	return nil
}

// asked shows the plan. If there is no plan, it shows why.
func (a *Backup) asked(msg *backupAskedMsg) []screen.Effect {
	if msg.gen != a.lookup.gen { // the user has done something else
		return nil
	}
	a.lookup.drop()
	if msg.err != nil {
		return []screen.Effect{fail(msg.err)}
	}
	mn := backupMenu(msg)
	if len(mn.Items) == 1 && mn.Items[0].Do == nil { // there is nothing to choose
		return notBackedUp(msg)
	}
	if i := slices.IndexFunc(mn.Items, func(it dialog.Offer) bool { return it.Key == "a" && it.Off == "" }); msg.onOffer && i >= 0 {
		mn.At = i // select the offer first
	}
	return menu(mn)
}

// notBackedUp returns a message that says why nothing can be backed up.
func notBackedUp(msg *backupAskedMsg) []screen.Effect {
	goes := msg.outcome.Goes
	it := "They"
	is := " are"
	if len(goes) == 1 {
		it, is = "It", " is"
	}
	for i := range goes {
		if !goes[i].Kept {
			return []screen.Effect{screen.Tell{Text: it + " cannot be backed up: " + goes[i].Off + ".", Wrong: true}}
		}
	}
	return tell(it + is + " already fully backed up.")
}

// make creates backups of sessions.
func (a *Backup) make(rows []sessions.Row) []screen.Effect {
	a.making = true
	ctx, actions := a.desk.Context, a.desk.Actions
	return []screen.Effect{
		screen.Cmd(func() tea.Msg {
			outcome, err := actions.Backup(ctx, rows, true)
			return backedUpMsg{outcome: outcome, err: err}
		}),
		screen.Cmd(screen.After(ctx, screen.Quiet, func() tea.Msg { return backupSlowMsg{} })),
	}
}
