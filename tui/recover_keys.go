package tui

import (
	"slices"

	"github.com/continuo-tui/continuo/ledger/recovery"
)

// recoverFooter is what the footer says of the keys that open a recovery: the same in every list, in the reader, on the
// page of a project and in its ledger.
func recoverFooter() binding {
	return binding{pair: []string{"recover-1", "recover-2", "recover-3"}, show: "1 2 3", label: "recover", when: (*model).canRecover, needs: needsLedgers}
}

// addRecovers adds those keys behind it.
func addRecovers(t *[places][]binding) {
	for p := range t {
		if i := slices.IndexFunc(t[p], func(b binding) bool { return slices.Contains(b.pair, "recover-1") }); i >= 0 {
			t[p] = slices.Insert(t[p], i+1, recoverBindings()...)
		}
	}
}

// recoverBindings are the keys that open a recovery.
func recoverBindings() []binding {
	var keys []binding
	for i, help := range []string{"recover where I was", "recover this topic", "recover everything"} {
		key := string(rune('1' + i))
		keys = append(keys, binding{
			name: "recover-" + key, keys: []string{key}, show: key, help: help, group: groupThis, do: recoverAt(levels()[i]), off: (*model).whyNotRecover, needs: needsLedgers,
		})
	}
	return keys
}

// recoverDialogKeys are the keys of the dialog.
func recoverDialogKeys(quit binding) []binding {
	take := func(key, label string, how Taking) binding {
		return binding{keys: []string{key}, show: key, label: label, do: take(how), off: (*model).whyNotTaken}
	}
	return []binding{
		take("enter", "new session", TakeSession),
		{keys: []string{"S"}, show: "S", label: "stage", do: (*model).stage, when: (*model).canStage, off: (*model).whyNotTaken},
		{keys: []string{"x"}, show: "x", label: "unstage", do: (*model).unstage, when: (*model).canUnstage, needed: "nothing is staged"},
		take("y", "copy", TakeCopy),
		take("E", "export", TakeFile),
		{keys: []string{"1"}, do: toLevel(recovery.Where)},
		{keys: []string{"2"}, do: toLevel(recovery.Topic)},
		{keys: []string{"3"}, do: toLevel(recovery.All)},
		{keys: []string{"up", "k", "ctrl+p"}, do: byLevel(-1)},
		{keys: []string{"down", "j", "ctrl+n"}, do: byLevel(1)},
		{keys: []string{"pgup", "ctrl+u"}, do: scrollRecovered(-menuPage)},
		{keys: []string{"pgdown", "ctrl+d"}, do: scrollRecovered(menuPage)},
		{keys: []string{"g", "home"}, do: (*model).toRecoveredStart},
		{keys: []string{"G", "end"}, do: (*model).toRecoveredEnd},
		{keys: []string{"/"}, do: (*model).startAbout},
		{keys: []string{"esc", "q"}, do: (*model).closeRecover},
		quit,
	}
}

// aboutKeys are those of its field.
func aboutKeys() []binding {
	return []binding{
		{keys: []string{"enter"}, do: (*model).keepAbout},
		{keys: []string{"tab"}, do: (*model).takeAbout},
		{keys: []string{"up", "ctrl+p"}, do: byLevel(-1)},
		{keys: []string{"down", "ctrl+n"}, do: byLevel(1)},
		{keys: []string{"pgup"}, do: scrollRecovered(-menuPage)},
		{keys: []string{"pgdown", "ctrl+d"}, do: scrollRecovered(menuPage)},
		{keys: []string{"esc"}, do: (*model).dropAbout},
	}
}

// noteDialogKeys are the keys of what is added.
func noteDialogKeys() []binding {
	return []binding{
		{keys: []string{"enter"}, do: (*model).noteOn},
		{keys: []string{"up", "shift+tab", "ctrl+p"}, do: byField(-1)},
		{keys: []string{"down", "tab", "ctrl+n"}, do: byField(1)},
		{keys: []string{"left"}, do: turnField(-1)},
		{keys: []string{"right"}, do: turnField(1)},
		{keys: []string{"space"}, do: (*model).flipField, when: (*model).onChoice},
		{keys: []string{"ctrl+j"}, do: (*model).anotherLine},
		{keys: []string{"esc"}, do: (*model).leaveNote},
	}
}
