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
			name: "recover-" + key, keys: []string{key}, show: key, help: help, group: groupThis, do: recoverAt(recovery.Level(i + 1)), off: (*model).whyNotRecover, needs: needsLedgers,
		})
	}
	return keys
}

func (m *model) canRecover() bool { return m.recoverDir() != "" }

func (m *model) whyNotRecover() string {
	if m.recoverDir() == "" {
		return "no project folder"
	}
	return ""
}
