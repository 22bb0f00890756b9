package tui

import tea "charm.land/bubbletea/v2"

// pageKeys has the bindings of the page of a project. acts are those of the list for the row under the bar, ends those
// that are everywhere.
func pageKeys(acts, ends []binding) []binding {
	keys := []binding{
		{keys: []string{"enter"}, show: "enter", label: "read", as: (*model).goInWord, help: "read, go there", group: groupThis, do: (*model).goIn, when: (*model).onItem, off: (*model).whyNotGoIn},
	}
	keys = append(keys, acts...)
	keys = append(keys, []binding{
		{name: "next-tab", keys: []string{"tab"}, show: "tab", label: "lists", help: "to the lists", group: groupMove, do: tabFromPage(1)},
		{name: "previous-tab", keys: []string{"shift+tab"}, show: "shift+tab", help: "previous tab", group: groupMove, do: tabFromPage(tabs - 1)},
		{show: "← → h l", help: "other column", group: groupMove, when: (*model).pageHasColumns},
		{keys: []string{"left", "h"}, do: toColumn(-1), when: (*model).pageHasColumns},
		{keys: []string{"right", "l"}, do: toColumn(1), when: (*model).pageHasColumns},
		{keys: []string{"esc"}, show: "esc", label: "back", help: "back, close, clear", group: groupEverywhere, do: (*model).clear},
		{name: "back", keys: []string{"q"}, show: "q", help: "back", group: groupEverywhere, do: (*model).back},
	}...)
	return append(append(keys, ends...), movement("item")...)
}

// tabFromPage goes on to the lists.
func tabFromPage(step int) intent {
	return func(m *model) tea.Cmd {
		m.leadOn()
		m.arrange()
		if cmd := m.stepTab(step); cmd != nil {
			return cmd
		}
		return m.narrow()
	}
}

// toColumn moves the bar to the other column.
func toColumn(step int) intent {
	return func(m *model) tea.Cmd {
		m.project.beside(step, m.layout.body.h)
		m.drawPage()
		return nil
	}
}

// enterList reads the row under the bar, opens the page of the project above the rows, or the demo where there are none.
func (m *model) enterList() tea.Cmd {
	switch {
	case m.onHead():
		return m.openPage()
	case m.offersDemo():
		return m.openDemo()
	}
	return m.readSelected()
}

func (m *model) canEnterList() bool { return m.onHead() || m.offersDemo() || m.canEnter() }

func (m *model) whyNotEnter() string {
	if m.onHead() || m.offersDemo() {
		return ""
	}
	return m.whyNotRead()
}

// enterWord is what enter does there.
func (m *model) enterWord() string {
	switch {
	case m.onHead():
		return "project page"
	case m.offersDemo():
		return "demo"
	}
	return ""
}

// goInWord is what enter does on the page with what is no text.
func (m *model) goInWord() string {
	if m.project.need() != nil {
		return "go there"
	}
	return ""
}
