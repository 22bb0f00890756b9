package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/action"
	"github.com/continuo-tui/continuo/tui/ledgerview"
	"github.com/continuo-tui/continuo/tui/screen"
)

// actions has the actions that every screen can use, and the state that the actions share.
type actions struct {
	state    action.State
	resume   *action.Resume
	edit     *action.Edit
	copy     *action.Copy
	backup   *action.Backup
	handover *action.Handover
	change   *action.Change
	recover  *action.Recover
	note     *action.Note
	organise *action.Organise
	facts    *action.Facts
	export   *action.Export
}

// The IDs of the actions. No screen has one of these IDs.
const (
	resumeAction = nobody - 1 - iota
	editAction
	copyAction
	backupAction
	handoverAction
	changeAction
	recoverAction
	noteAction
	organiseAction
	factsAction
	exportAction
)

// owned is an action and its ID.
type owned struct {
	id int
	action.Action
}

func newActions(lists action.Lists) *actions {
	a := &actions{state: action.State{Lists: lists}}
	d := &a.state
	a.resume, a.edit, a.copy = action.NewResume(d), action.NewEdit(d), action.NewCopy(d)
	a.backup, a.change, a.recover, a.note = action.NewBackup(d), action.NewChange(d), action.NewRecover(d), action.NewNote(d)
	a.organise, a.facts, a.export = action.NewOrganise(d), action.NewFacts(d), action.NewExport(d)
	a.handover = action.NewHandover(d, a.backup, a.change)
	return a
}

func (a *actions) all() []owned {
	return []owned{
		{resumeAction, a.resume},
		{editAction, a.edit},
		{copyAction, a.copy},
		{backupAction, a.backup},
		{handoverAction, a.handover},
		{changeAction, a.change},
		{recoverAction, a.recover},
		{noteAction, a.note},
		{organiseAction, a.organise},
		{factsAction, a.facts},
		{exportAction, a.export},
	}
}

// keys returns the bindings for an intent, or nil for an unknown intent.
func (a *actions) keys(intent string) []screen.Binding {
	for _, o := range a.all() {
		if keys := o.Keys(intent); keys != nil {
			return keys
		}
	}
	return nil
}

// do carries out an intent. ok is false for an unknown intent.
func (a *actions) do(do screen.Intent) (id int, effects []screen.Effect, ok bool) {
	for _, o := range a.all() {
		if effects, ok := o.Do(do); ok {
			return o.id, effects, true
		}
	}
	return nobody, nil, false
}

// cancelLookups cancels the lookups of all actions, after each key, click and paste.
func (a *actions) cancelLookups(offered bool) {
	for _, o := range a.all() {
		o.Took(screen.GoneOn{Offered: offered})
	}
}

// currentActions returns the actions after it has updated the state that they share.
func (m *model) currentActions() *actions {
	a := m.acts
	a.state = action.State{
		Subject: m.top().screen.Subject(), Context: m.ctx, Actions: m.Actions, Changes: m.Changes, Ledgers: m.Ledgers, Lists: a.state.Lists,
		Now: m.now, Home: m.opts.Home, Tmux: m.opts.Tmux, Popup: m.opts.Popup, Keys: m.opts.Keys, Prices: m.opts.Prices, Listed: m.lists.Listed(), Folder: m.opts.Folder,
		Said: m.status.text, Away: m.away, Asking: m.hasDialog(), OnBackups: m.top().screen == m.lists && m.tab == backupsTab, OnLedger: m.onLedger(), Drives: m.Live != nil,
		PlanLines: m.planLines, HasLedger: m.ledgers.of, Passed: func(ctx context.Context, dir string) (map[bool]time.Time, bool, error) {
			return ledgerview.Passed(ctx, m.Ledgers, dir)
		}, LastPassed: m.ledger.LastPassed,
	}
	return a
}

// actionRequest passes a screen's request to the action that handles it.
func (m *model) actionRequest(e screen.Effect) tea.Cmd {
	switch e := e.(type) {
	case screen.GoTo:
		return m.carry(resumeAction, m.currentActions().resume.GoTo(e))
	case screen.Ask:
		return m.carry(changeAction, m.currentActions().change.Ask(e.Change))
	case screen.CarryOut:
		form := m.note()
		closed := m.dropDialogs()
		return tea.Batch(closed, m.carry(changeAction, m.currentActions().change.CarryOut(e.Plan, form)))
	case screen.HandOver:
		return m.carry(handoverAction, m.currentActions().handover.HandOver(e))
	case screen.AskPast:
		return m.carry(changeAction, m.currentActions().change.AskPast())
	case screen.Take:
		return m.carry(recoverAction, m.currentActions().recover.Take(e))
	case screen.Copy:
		return m.carry(copyAction, m.currentActions().copy.Text(e))
	case screen.Edit:
		return m.carry(editAction, m.currentActions().edit.Open(e))
	case screen.ViewImage:
		return m.carry(editAction, m.currentActions().edit.View(e))
	}
	return nil
}
