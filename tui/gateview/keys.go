package gateview

import (
	"slices"

	"github.com/continuo-tui/continuo/tui/screen"
)

// Intents of this screen.
const (
	enter   = "enter"
	handOff = "hand-off"
	edit    = "edit-finding"
	fold    = "fold"
	copied  = "copy-finding"
)

// Keys implements screen.Screen.
func (p *Page) Keys() []screen.Binding {
	can, why := p.canHandOff(), p.noHandOffReason()
	says := !can && p.err == nil
	wide := p.frame.Width >= screen.PreviewFrom
	// noHandOff returns a footer entry with the reason why no handover can be written. On a narrow screen, the entry
	// comes after esc. After a failed run, the page shows the reason.
	noHandOff := func(when bool) screen.Binding {
		return screen.Binding{Pair: []string{"handover"}, Show: "c", Label: "handover", Gone: !when, Off: why, Needs: screen.NeedsChanges}
	}
	needed := func(there bool, words string) string {
		if there {
			return ""
		}
		return words
	}
	place, hasFindings, onStep := p.hasPlace(), p.hasFindings(), p.step() != nil
	return slices.Concat([]screen.Binding{
		{Keys: []string{"enter"}, Show: "enter", Label: "apply the fix", As: p.enterWord(), Help: "apply or open", Group: screen.GroupThis, Do: screen.Intent{Name: enter}, Gone: !p.canEnter(), Needed: "there is nothing to fix here", Off: p.whyNotFix(), Quiet: p.isEnterEdit()},
		{Name: "handover", Keys: []string{"c"}, Show: "c", Label: "handover", As: p.handOffWord(), More: p.handOffMore(), Help: "handover…", Group: screen.GroupThis, Do: screen.Intent{Name: handOff}, Off: why, Quiet: !can, Needs: screen.NeedsChanges},
		{Show: "esc", Label: "back", Gone: !can},
		{Name: "edit", Keys: []string{"e"}, Show: "e", Label: "edit", More: p.editMore(), Help: "edit at the finding", Group: screen.GroupThis, Do: screen.Intent{Name: edit}, Gone: !place, Needed: needed(place, "choose a finding"), Needs: screen.NeedsActions},
		{Name: "refresh", Keys: []string{"ctrl+r"}, Show: "ctrl+r", Label: "run again", Help: "run the gate again", Group: screen.GroupThis, Do: screen.Intent{Name: screen.Fresh}},
		noHandOff(says && wide),
		{Keys: []string{"esc"}, Show: "esc", Label: "back", Help: "back, close, clear", Group: screen.GroupEverywhere, Do: screen.Intent{Name: screen.Clear}, Quiet: can},
		noHandOff(says && !wide),
		{Keys: []string{"z"}, Show: "z", Label: "fold", Help: "show or fold the findings", Group: screen.GroupThis, Do: screen.Intent{Name: fold}, Gone: !hasFindings},
	}, screen.Common(screen.Recover), []screen.Binding{
		{Name: "copy", Keys: []string{"y"}, Show: "y", Label: "copy", Help: "copy as text", Group: screen.GroupThis, Do: screen.Intent{Name: copied}, Gone: !onStep, Needed: "nothing is selected", Needs: screen.NeedsActions},
		{Name: "note", Keys: []string{"N"}, Show: "N", Label: "note", Help: "add to the ledger", Group: screen.GroupThis, Do: screen.Intent{Name: screen.Note}, Needs: screen.NeedsChanges},
		{Name: "next-tab", Keys: []string{"tab"}, Show: "tab", Help: "next tab", Group: screen.GroupMove, Do: screen.Intent{Name: screen.StepTab, N: 1}},
		{Name: "previous-tab", Keys: []string{"shift+tab"}, Show: "shift+tab", Help: "previous tab", Group: screen.GroupMove, Do: screen.Intent{Name: screen.StepTab, N: -1}},
		{Name: "back", Keys: []string{"q"}, Show: "q", Help: "back", Group: screen.GroupEverywhere, Do: screen.Intent{Name: screen.Leave}},
	}, screen.Common(screen.Undo, screen.UndoList, screen.Search, screen.Palette, screen.Help, screen.Suspend, screen.Quit), screen.Movement("step, finding"))
}

// Do implements screen.Screen.
func (p *Page) Do(do screen.Intent) []screen.Effect {
	rows := max(p.frame.Layout.Body.H, 0)
	switch do.Name {
	case screen.Move:
		p.list.Move(do.N)
	case screen.Page:
		p.list.Scroll(do.N * max(rows-1, 1))
	case screen.Half:
		p.list.Scroll(do.N * max(rows/2, 1))
	case screen.ToEnd:
		p.list.ToEnd(do.N)
	case screen.Clear, screen.Leave:
		return []screen.Effect{screen.Pop{}}
	case screen.Fresh:
		return p.start()
	case enter:
		return p.enter()
	case handOff:
		return p.handOff()
	case edit:
		return p.edit()
	case fold:
		p.fold()
	case copied:
		return p.copy()
	}
	return nil
}
