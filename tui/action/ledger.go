package action

import (
	"cmp"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// whyNoLedger returns a reason if the current project has no ledger. It returns "" if this is unknown.
func (a *Handover) whyNoLedger() string {
	switch has, known := a.state.HasLedger(a.state.Dir); {
	case a.state.Dir == "":
		return "no project folder"
	case known && !has:
		return noLedgerHere
	}
	return ""
}

// chosen returns the selected session. On the Ledger tab it returns nil, because the plan uses the newest session.
func (a *Handover) chosen() []sessions.Row {
	if row := a.row(); row != nil && !a.state.OnLedger {
		return []sessions.Row{*row}
	}
	return nil
}

// Ledger returns the palette's commands for the ledger of the current project. heal is the key for healing, or "".
func (a *Handover) Ledger(heal string) []dialog.Offer {
	if a.state.Ledgers == nil || a.state.Changes == nil || a.state.Dir == "" {
		return nil
	}
	var offers []dialog.Offer
	for _, o := range []struct {
		name string
		kind screen.ChangeKind
		key  string
		off  string // reason why there is no plan, besides a running change
	}{
		{"Delta-synthesis", screen.ChangeDelta, "", ""},
		{"Fork-check", screen.ChangeForks, "", a.whyNoLedger()},
		{"Heal the ledger", screen.ChangeHeal, heal, ""},
		{"Lint NOTES.md", screen.ChangeLint, "", a.whyNoLedger()},
	} {
		offers = append(offers, dialog.Offer{
			Name: o.name, Key: o.key, Off: cmp.Or(o.off, a.change.Busy()), Do: screen.Ask{Change: screen.Change{Kind: o.kind, Dir: a.state.Dir, Rows: a.chosen()}},
		})
	}
	return offers
}
