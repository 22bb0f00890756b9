package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// keymap adds the common keys to the keys of a screen, and applies the user's key bindings.
type keymap struct {
	has  func(screen.Need) bool
	keys map[string][]string // the user's keys, by the name of the action
	// common returns the bindings that the program and the actions have for an intent.
	common func(intent string) []screen.Binding
}

// of returns the bindings of a screen. A common binding gets its keys and texts from the program or an action. Bindings
// that need a missing interface of World are left out.
func (k keymap) of(list []screen.Binding) []screen.Binding {
	var all []screen.Binding
	for _, b := range list {
		if !b.Common {
			all = append(all, b)
			continue
		}
		for _, c := range k.common(b.Do.Name) {
			c.Needed, c.Quiet, c.Rank = cmp.Or(b.Needed, c.Needed), c.Quiet || b.Quiet, max(c.Rank, b.Rank)
			all = append(all, c)
		}
	}
	all = slices.DeleteFunc(all, func(b screen.Binding) bool { return !k.has(b.Needs) })
	rebind(all, func(b *screen.Binding) *screen.Binding { return b }, k.keys)
	return all
}

// keyOf returns the key of an action, or "" if the action can't be used now.
func (k keymap) keyOf(list []screen.Binding, name string) string {
	for _, b := range k.of(list) {
		if b.Name == name && !b.Gone && (name == "undo" || b.Off == "") {
			return b.Show
		}
	}
	return ""
}

// intentOf returns the intent of a key. If the key does nothing now, why is the reason.
func intentOf(list []screen.Binding, key string) (do screen.Intent, why string) {
	for i := range list {
		b := &list[i]
		if b.Do.Name == "" || !slices.Contains(b.Keys, key) {
			continue
		}
		if b.Gone { // another binding may use the same key
			if why == "" && b.Needed != "" {
				why = whyOff(b, b.Needed)
			}
			continue
		}
		if b.Off != "" {
			return screen.Intent{}, whyOff(b, b.Off)
		}
		return b.Do, ""
	}
	return screen.Intent{}, why
}

// whyOff returns the message for a key that does nothing now, such as "u undo: nothing to undo".
func whyOff(b *screen.Binding, why string) string {
	return strings.TrimSpace(cmp.Or(b.Show, b.Keys[0])+" "+cmp.Or(b.Label, b.Help)) + ": " + why
}

// keysBehind returns the bindings of the top screen, even behind a dialog. The footer, the help and the palette list
// them.
func (m *model) keysBehind() []screen.Binding { return m.keymap().of(m.top().screen.Keys()) }

// keymap returns the current keymap.
func (m *model) keymap() keymap {
	acts, own := m.currentActions(), programKeys{tabs: m.next(m.tab, 1) != m.tab, page: m.Projects != nil && m.pageDir() != "", kin: isSession(m.subject())}
	return keymap{has: m.has, keys: m.opts.Keys, common: func(intent string) []screen.Binding {
		if keys := own.of(intent); keys != nil {
			return keys
		}
		return acts.keys(intent)
	}}
}

// performOn carries out an intent. An intent that the program and the actions don't know goes to the screen.
func (m *model) performOn(s shown, do screen.Intent) tea.Cmd {
	switch do.Name {
	case screen.StepTab:
		return m.leaveByStep(do.N)
	case screen.ToTab:
		return m.leaveForTab(do.N)
	case screen.NextTab:
		return m.stepTab(1)
	case screen.LastTab:
		return m.stepTab(-1)
	case screen.Project:
		return m.openPage()
	case screen.Family:
		if row := m.subject(); isSession(row) {
			m.status = status{}
			return m.push(m.makeFamily(*row))
		}
		return nil
	case screen.Search:
		text := ""
		if m.top().screen == m.lists { // the search starts with the text of the filter
			text = m.lists.Filtered()
		}
		return m.openSearch(text)
	case screen.Palette:
		return m.openPalette()
	case screen.Help:
		return m.push(dialog.NewHelp(m.top().screen.Name(), m.aboutRow(m.now), m.keysBehind()))
	case screen.Quit:
		return m.quit()
	case quitNow:
		return tea.Quit
	case screen.Suspend: // the shell command fg resumes the program
		return tea.Suspend
	case screen.Clear:
		if m.status.bad {
			m.status = status{}
			return nil
		}
	case screen.Leave:
		m.status = status{}
	}
	if id, effects, ok := m.currentActions().do(do); ok {
		return m.carry(id, effects)
	}
	return m.carry(s.id, s.screen.Do(do))
}

// programKeys has the keys of the program. Its fields say which keys work.
type programKeys struct {
	tabs bool // there is another tab
	page bool // the project page can be opened
	kin  bool // the row is a session, or a backup of a session
}

// of returns the bindings for an intent, or nil for an unknown intent.
func (p programKeys) of(intent string) []screen.Binding {
	b := screen.Binding{Name: intent, Group: groupEverywhere, Do: screen.Intent{Name: intent}}
	switch intent {
	case screen.Search:
		b.Keys, b.Show, b.Label, b.Help, b.Group = []string{"s"}, "s", "search", "search, on every screen", screen.GroupFind
	case screen.Palette:
		b.Keys, b.Show, b.Help = []string{":"}, ":", "command palette"
	case screen.Help:
		b.Keys, b.Show, b.Label, b.Help, b.IsHelp = []string{"?", "f1"}, "?", "help", "these keys", true
	case screen.Fresh:
		b.Name, b.Keys, b.Show, b.Help = "refresh", []string{"ctrl+r"}, "ctrl+r", "refresh"
	case screen.Quit: // no name, because the user can't change this key
		b.Name, b.Keys, b.Show, b.Help = "", []string{"ctrl+c"}, "ctrl+c", "quit now"
	case screen.Suspend:
		b.Keys, b.Show, b.Help = []string{"ctrl+z"}, "ctrl+z", "suspend; fg returns"
	case screen.Project:
		b.Keys, b.Show, b.Label, b.Help, b.Group = []string{"P"}, "P", "project", "project page", groupMove
		b.Gone, b.Needed, b.Needs = !p.page, "this row has no project", screen.NeedsProjects
	case screen.Family:
		b.Keys, b.Show, b.Label, b.Help, b.Group, b.Rank = []string{"T"}, "T", "family", "family of sessions", groupThis, screen.RankSecond
		b.Gone, b.Needed = !p.kin, "choose a session"
	case screen.NextTab:
		b.Keys, b.Show, b.Label, b.Help, b.Group = []string{"tab"}, "tab", "next tab", "next tab", groupMove
		b.Gone, b.Needed = !p.tabs, "there is no other tab"
	case screen.LastTab:
		b.Keys, b.Show, b.Help, b.Group = []string{"shift+tab"}, "shift+tab", "previous tab", groupMove
		b.Gone, b.Needed = !p.tabs, "there is no other tab"
	default:
		return nil
	}
	return []screen.Binding{b}
}
