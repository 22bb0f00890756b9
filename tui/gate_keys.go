package tui

// gateKeys has the bindings of the gate; ends are those that are everywhere.
func gateKeys(ends []binding) []binding {
	keys := []binding{
		{keys: []string{"enter"}, show: "enter", label: "apply the fix", as: (*model).enterGateWord, help: "apply the fix, open its place", group: groupThis, do: (*model).enterGate, when: (*model).canEnterGate, needed: "there is nothing to mend here", off: (*model).whyNotFix, quiet: (*model).isEnterEdit},
		{name: "checkpoint", keys: []string{"c"}, show: "c", label: "write the handoff", as: (*model).handOffWord, more: (*model).handOffMore, help: "write the handoff", group: groupThis, do: (*model).handOff, off: (*model).whyNotHandOff, quiet: (*model).cannotHandOff, needs: needsChanges},
		{show: "esc", label: "back", when: (*model).canHandOff},
		{name: "edit", keys: []string{"e"}, show: "e", label: "edit", more: (*model).editFindingMore, help: "edit at the finding", group: groupThis, do: (*model).editFinding, when: (*model).canEditFinding, needed: "choose a finding", needs: needsActions},
		{name: "refresh", keys: []string{"ctrl+r"}, show: "ctrl+r", label: "run again", help: "run the gate again", group: groupThis, do: (*model).askGate},
		noHandOff((*model).saysNoHandOff),
		{keys: []string{"esc"}, show: "esc", label: "back", help: "back, close, clear", group: groupEverywhere, do: (*model).clear, quiet: (*model).canHandOff},
		noHandOff((*model).saysNoHandOffLate),
		{keys: []string{"z"}, show: "z", label: "fold", help: "show or fold the findings", group: groupThis, do: (*model).foldGate, when: (*model).hasFindings},
		recoverFooter(),
		{name: "copy", keys: []string{"y"}, show: "y", label: "copy", help: "copy as text", group: groupThis, do: (*model).copyGate, when: (*model).onStep, needed: "nothing is chosen", needs: needsActions},
		{name: "note", keys: []string{"N"}, show: "N", label: "note", help: "add to the ledger", group: groupThis, do: (*model).noteAtGate, needs: needsChanges},
		{name: "next-tab", keys: []string{"tab"}, show: "tab", help: "next tab", group: groupMove, do: stepFromGate(1)},
		{name: "previous-tab", keys: []string{"shift+tab"}, show: "shift+tab", help: "previous tab", group: groupMove, do: stepFromGate(tabs - 1)},
		{name: "back", keys: []string{"q"}, show: "q", help: "back", group: groupEverywhere, do: (*model).back},
	}
	return append(append(keys, ends...), movement("step, finding")...)
}

// noHandOff says in the footer why no handoff can be written.
func noHandOff(when func(*model) bool) binding {
	return binding{pair: []string{"checkpoint"}, show: "c", label: "write the handoff", when: when, off: (*model).whyNotHandOff, needs: needsChanges}
}
