package action

import (
	"cmp"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// whyNoLedger returns the reason why the current project has no ledger, "" if it has one or that is unknown.
func (a *Handover) whyNoLedger() string {
	switch has, known := a.desk.HasLedger(a.desk.Dir); {
	case a.desk.Dir == "":
		return "no project folder"
	case known && !has:
		return noLedgerHere
	}
	return ""
}

// chosen returns the selected session; nil on the Ledger tab, where the newest of the project is meant.
func (a *Handover) chosen() []sessions.Row {
	if row := a.row(); row != nil && !a.desk.OnLedger {
		return []sessions.Row{*row}
	}
	return nil
}

// Ledger returns the offers to change the ledger of the current project, for the palette. heal is the key of the heal, ""
// if there is none.
func (a *Handover) Ledger(heal string) []dialog.Offer {
	if a.desk.Ledgers == nil || a.desk.Changes == nil || a.desk.Dir == "" {
		return nil
	}
	var offers []dialog.Offer
	for _, o := range []struct {
		name string
		kind screen.ChangeKind
		key  string
		off  string // reason why it can't be planned, besides another change
	}{
		{"Delta-synthesis", screen.ChangeDelta, "", ""},
		{"Fork-check", screen.ChangeForks, "", a.whyNoLedger()},
		{"Heal the ledger", screen.ChangeHeal, heal, ""},
		{"Lint NOTES.md", screen.ChangeLint, "", a.whyNoLedger()},
	} {
		offers = append(offers, dialog.Offer{
			Name: o.name, Key: o.key, Off: cmp.Or(o.off, a.change.Busy()), Do: screen.Ask{Change: screen.Change{Kind: o.kind, Dir: a.desk.Dir, Rows: a.chosen()}},
		})
	}
	return offers
}
