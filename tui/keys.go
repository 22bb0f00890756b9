package tui

import "github.com/continuo-tui/continuo/tui/screen"

// Headings of the help.
const (
	groupThis       = screen.GroupThis
	groupEverywhere = screen.GroupEverywhere
	groupMove       = screen.GroupMove
	groupTab        = screen.GroupTab
)

// has reports whether the program has the interface that a key needs.
func (w World) has(n screen.Need) bool {
	switch n {
	case screen.NeedsActions:
		return w.Actions != nil
	case screen.NeedsChanges:
		return w.Changes != nil
	case screen.NeedsProjects:
		return w.Projects != nil
	case screen.NeedsLedgers:
		return w.Ledgers != nil
	case screen.NeedsNothing:
	}
	return true
}

// keyOf returns the key of an action of the program or the top screen, or "" if the action can't be used now.
func (m *model) keyOf(name string) string {
	return m.keymap().keyOf(append(screen.Common(name), m.top().screen.Keys()...), name)
}
