package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// openPalette lists what can be done here: everything that has a key, and the tabs.
func (m *model) openPalette() tea.Cmd {
	var all []dialog.Command
	for _, b := range m.keysBehind() {
		if b.Help == "" || b.Do.Name == "" || b.Gone || slices.ContainsFunc(b.Keys, isPlain) {
			continue
		}
		all = append(all, dialog.Command{Name: sentenceCase(b.Help), Group: b.Group, Key: b.Show, Off: b.Off, Do: screen.Do{Intent: b.Do}})
	}
	for tab := range tabs {
		if m.hasTab(tab) && (m.onPage() || m.onBase() && tab != m.tab) {
			all = append(all, dialog.Command{Name: tabName(tab), Group: groupTab, Do: switchTab(tab)})
		}
	}
	all = append(append(all, m.gates()...), m.pairs()...)
	groups := screen.Groups()
	slices.SortStableFunc(all, func(a, b dialog.Command) int { return slices.Index(groups, a.Group) - slices.Index(groups, b.Group) })
	return m.push(dialog.NewPalette(all))
}

// isPlain reports whether a key needs no name: it opened the palette, or it closes it.
func isPlain(key string) bool { return key == ":" || key == "esc" || key == "ctrl+c" }

// gates are the commands that run the gate of the project that is here, as the checkpoint menu has them.
func (m *model) gates() []dialog.Command {
	dir := m.recoverDir()
	if m.onGate() || dir == "" {
		return nil
	}
	var list []dialog.Command
	for _, it := range m.atDesk().checkpoint.Gates() {
		list = append(list, dialog.Command{Name: it.Name, Group: groupThis, Key: strings.TrimSpace(m.keyOf("checkpoint") + " " + it.Key), Off: it.Off, Do: it.Do})
	}
	return list
}

// pairs are the commands whose two keys share a line of help.
func (m *model) pairs() []dialog.Command {
	if !m.isReading() {
		return nil
	}
	var list []dialog.Command
	add := func(name, key string, do intent) {
		list = append(list, dialog.Command{Name: name, Group: groupRead, Key: key, Do: do})
	}
	what := "prompt"
	if m.isDocument() {
		what = "section"
	}
	add("Next "+what, "}", (*model).nextPrompt)
	add("Previous "+what, "{", (*model).previousPrompt)
	if m.hasBounds() {
		add("Next compaction boundary", "]", (*model).nextBound)
		add("Previous compaction boundary", "[", (*model).previousBound)
	}
	if m.hasSearch() {
		add("Next match", "n", (*model).nextPlace)
		add("Previous match", "N", (*model).previousPlace)
	}
	add("Go to the start", "g", (*model).toFirst)
	add("Go to the end", "G", (*model).toLast)
	return list
}

func sentenceCase(s string) string {
	return strings.ToUpper(s[:1]) + s[1:]
}
