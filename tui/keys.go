package tui

import "github.com/continuo-tui/continuo/tui/screen"

// Headings of help.
const (
	groupThis       = screen.GroupThis
	groupEverywhere = screen.GroupEverywhere
	groupMove       = screen.GroupMove
	groupTab        = screen.GroupTab
)

// has reports whether the program has what a key needs.
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

// keyOf is the key of an action that every screen may have and that can be taken now, "" when it can't.
func (m *model) keyOf(name string) string { return m.keymap().keyOf(screen.Common(name), name) }
