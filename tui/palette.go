package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// healKey is a key of the Ledger tab. The palette has the same command from Handover.Ledger.
const healKey = "heal"

// openPalette opens the list of all available commands.
func (m *model) openPalette() tea.Cmd {
	var all []dialog.Command
	for _, b := range m.keysBehind() {
		if b.Help == "" || b.Do.Name == "" || b.Gone || b.Name == healKey || slices.ContainsFunc(b.Keys, isPlain) {
			continue
		}
		all = append(all, dialog.Command{Name: sentenceCase(b.Help), Group: b.Group, Key: b.Show, Off: b.Off, Do: screen.Do{Intent: b.Do}})
	}
	for tab := range tabs {
		if m.hasTab(tab) && (m.onPage() || m.onBase() && tab != m.tab) {
			all = append(all, dialog.Command{Name: tabName(tab), Group: groupTab, Do: switchTab(tab)})
		}
	}
	handover := m.currentActions().handover
	if m.top().screen.Subject().Dir != "" && !m.onGate() {
		all = append(all, offered(handover.Gates(), m.keyOf("handover"))...)
	}
	if save := handover.Save(); m.has(screen.NeedsChanges) {
		all = append(all, offered([]dialog.Offer{save}, "")...)
	}
	all = append(all, offered(handover.Ledger(m.keyOf(healKey)), "")...)
	all = append(all, pairs(m.keysBehind())...)
	all = append(all, m.saved.commands()...)
	groups := screen.Groups()
	slices.SortStableFunc(all, func(a, b dialog.Command) int { return slices.Index(groups, a.Group) - slices.Index(groups, b.Group) })
	return m.push(dialog.NewPalette(all))
}

// isPlain reports whether a key opens or closes the palette. The palette leaves it out.
func isPlain(key string) bool { return key == ":" || key == "esc" || key == "ctrl+c" }

// offered returns the commands for the offers of a dialog. key opens the dialog.
func offered(offers []dialog.Offer, key string) []dialog.Command {
	var list []dialog.Command
	for _, it := range offers {
		list = append(list, dialog.Command{Name: it.Name, Group: groupThis, Key: strings.TrimSpace(key + " " + it.Key), Off: it.Off, Do: it.Do})
	}
	return list
}

// pairs returns the commands for bindings that share a line of the help, or that have no key.
func pairs(keys []screen.Binding) []dialog.Command {
	var list []dialog.Command
	for _, b := range keys {
		if b.Command != "" && !b.Gone {
			list = append(list, dialog.Command{Name: b.Command, Group: b.Group, Key: strings.Join(b.Keys, " "), Do: screen.Do{Intent: b.Do}})
		}
	}
	return list
}

func sentenceCase(s string) string {
	return strings.ToUpper(s[:1]) + s[1:]
}
