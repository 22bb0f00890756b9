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

// Backup copies transcripts of sessions to the memory directories of their projects.
type Backup struct {
	state   *State
	lookup  lookup
	making  bool // backups are being created
	onOffer bool // the status line offered backups at the current key
}

// NewBackup returns the action. It reads the program's state from s.
func NewBackup(s *State) *Backup { return &Backup{state: s} }

// Keys implements Action.
func (a *Backup) Keys(intent string) []screen.Binding {
	if intent != screen.Backup {
		return nil
	}
	return []screen.Binding{{
		Name: "backup", Keys: []string{"B"}, Show: "B", Label: "back up", Help: "back up", Group: screen.GroupThis, Do: screen.Intent{Name: intent},
		Gone: !a.state.isSession() && a.state.Lists.Unsaved() == 0, Needed: a.state.needsSession(), Off: a.whyNot(), Needs: screen.NeedsActions,
	}}
}

// whyNot returns the reason why there is nothing to back up, or "".
func (a *Backup) whyNot() string {
	if why := a.Busy(); why != "" || a.state.Lists.Unsaved() > 0 {
		return why
	}
	return whyNotCopied(a.state.Row)
}

// Busy returns the reason why no backup can be made now, or "".
func (a *Backup) Busy() string {
	if a.making {
		return "a backup is being created"
	}
	return ""
}

// whyNotCopied returns the reason why a session can't be backed up, or "".
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
	for r := range a.state.Lists.Rows(sessions.KindSession) {
		if screen.IsUnsaved(r) {
			rows = append(rows, *r)
		}
	}
	slices.SortFunc(rows, func(p, q sessions.Row) int { return p.Compare(&q) })
	return rows
}

// Offer returns the message that offers to back up the unsaved sessions. key is the key for backups. A small width, in
// cells, shortens the text.
func (a *Backup) Offer(key string, width int) string {
	n := a.state.Lists.Unsaved()
	does := key + " backs " + them(n) + " up."
	text := a.unsavedWords() + " " + does
	if ansi.StringWidth(text) > width-4 {
		text = words.Count(n) + " not backed up. " + does
	}
	return text
}

// unsavedWords returns a sentence with the number of unsaved sessions, in the listed project and in others.
func (a *Backup) unsavedWords() string {
	here := 0
	rows := a.unsaved()
	for i := range rows {
		if a.state.Listed == "" || rows[i].Project == a.state.Listed {
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

// The messages of Backup and the replies of its menu.
type (
	// backupAskedMsg has the target directories of the backups. one is the selected session, all has the unsaved
	// sessions.
	backupAskedMsg struct {
		gen     int
		one     *sessions.Row
		all     []sessions.Row
		onOffer bool // the user accepted the offer in the status line
		outcome Outcome
		err     error
	}
	backedUpMsg struct {
		outcome Outcome
		err     error
	}
	backupSlowMsg struct{}
	// chosenMsg has the sessions to back up, as chosen in the menu.
	chosenMsg struct{ rows []sessions.Row }
)

// Do implements Action. It looks up the target directories for the selected session and for all unsaved sessions.
func (a *Backup) Do(do screen.Intent) ([]screen.Effect, bool) {
	if do.Name != screen.Backup {
		return nil, false
	}
	answer := backupAskedMsg{all: a.unsaved(), onOffer: a.onOffer}
	rows := answer.all
	if a.state.isSession() {
		row := *a.state.Row
		answer.one = &row
		if !slices.ContainsFunc(rows, func(r sessions.Row) bool { return r.Path == row.Path }) {
			rows = append([]sessions.Row{row}, rows...)
		}
	}
	ctx, actions := a.lookup.begin(a.state.Context), a.state.Actions
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
		return a.lookup.stillLooking(a.state, msg)
	case backupAskedMsg:
		return a.asked(&msg)
	case chosenMsg:
		return a.make(msg.rows)
	case backupSlowMsg:
		if a.making && a.state.Said == "" {
			return tell("Backing up…")
		}
	case backedUpMsg: // the watch updates the rows
		a.making = false
		if msg.err != nil {
			return []screen.Effect{fail(msg.err), screen.AskPast{}}
		}
		// AskPast, because the backup can be undone.
		return []screen.Effect{screen.Tell{Text: msg.outcome.Said}, screen.AskPast{}}
	}
	return nil
}

// asked shows the plan of the backup or, if nothing can be backed up, the reason.
func (a *Backup) asked(msg *backupAskedMsg) []screen.Effect {
	if msg.gen != a.lookup.gen { // the lookup was cancelled
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

// notBackedUp returns the message with the reason why nothing can be backed up.
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

// make starts to back up sessions.
func (a *Backup) make(rows []sessions.Row) []screen.Effect {
	a.making = true
	ctx, actions := a.state.Context, a.state.Actions
	return []screen.Effect{
		screen.Cmd(func() tea.Msg {
			outcome, err := actions.Backup(ctx, rows, true)
			return backedUpMsg{outcome: outcome, err: err}
		}),
		screen.Cmd(screen.After(ctx, screen.Quiet, func() tea.Msg { return backupSlowMsg{} })),
	}
}
