package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/tui/screen"
)

// place is where a key acts.
type place uint8

const (
	inList place = iota
	whileFiltering
	inScreen // what is in front has its own keys
	places
)

// binding is one key with all that is known of it: dispatch, footer, help and palette are drawn from this table.
type binding struct {
	common string   // the intent whose keys stand here, as the program knows them; "" the rest says all
	name   string   // of what it does, in the config; "" it cannot be changed
	pair   []string // names of those whose keys a line of help shows
	keys   []string // as Bubble Tea names them
	show   string   // as it is shown
	label  string   // verb in the footer, "" not there
	help   string   // words in help and palette, "" not there
	group  string   // heading in help
	do     intent
	when   func(*model) bool   // whether it is there at all; nil: always
	needed string              // what it is not there without, as it is said when the key is pressed; "" nothing is
	off    func(*model) string // why it does nothing for this row, "" when it does something
	isHelp bool
	needs  need                // it is not there without it
	extra  func(*model) string // behind the label, where there is room when the other keys have theirs
	as     func(*model) string // in the place of the label, "" that
}

// Headings of help.
const (
	groupThis       = screen.GroupThis
	groupRead       = screen.GroupRead
	groupFind       = screen.GroupFind
	groupMove       = screen.GroupMove
	groupEverywhere = screen.GroupEverywhere
	groupTab        = screen.GroupTab
)

// keyTable has the bindings of the places that are no screens of their own yet. A key means the same wherever it exists.
func keyTable() (t [places][]binding) {
	common := func(names ...string) []binding { return ofScreens(screen.Common(names...)) }
	t[inList] = slices.Concat([]binding{
		{keys: []string{"enter"}, show: "enter", label: "read", as: (*model).enterWord, help: "read", group: groupThis, do: (*model).enterList, when: (*model).canEnterList, off: (*model).whyNotEnter},
		{pair: []string{"previous-boundary", "next-boundary"}, show: "[ ]", label: "linked sessions", help: "linked sessions", group: groupMove, when: (*model).inChain},
		{name: "previous-boundary", keys: []string{"["}, do: along(1), when: (*model).onDocument, needed: "choose a document"},
		{name: "next-boundary", keys: []string{"]"}, do: along(-1), when: (*model).onDocument, needed: "choose a document"},
		{name: "mark", keys: []string{"space"}, show: "space", label: "mark", help: "mark", group: groupThis, do: (*model).mark, when: (*model).inBackups, needed: "choose a backup", off: (*model).whyNotMark, needs: needsChanges},
		{name: "mark-range", keys: []string{"v"}, show: "v", help: "mark a range", group: groupThis, do: (*model).markRange, when: (*model).inBackups, needed: "choose a backup", needs: needsChanges},
		{name: "mark-all", keys: []string{"ctrl+a"}, show: "ctrl+a", help: "mark all or none", group: groupThis, do: (*model).markAll, when: (*model).inBackups, needed: "choose a backup", needs: needsChanges},
	}, common(screen.Discard, screen.Undo, screen.StepBack, screen.Resume, screen.EditFile, screen.Restore, screen.Verify), []binding{
		{name: "filter", keys: []string{"/"}, show: "/", label: "filter", help: "filter by any text", group: groupFind, do: (*model).startFilter, when: (*model).hasRows, needed: "nothing is listed", extra: (*model).termNames},
	}, common(screen.Keep, screen.LeftToUndo, screen.Fork, screen.Checkpoint, screen.Recover), []binding{
		{name: "all", keys: []string{"a"}, show: "a", label: "all", help: "all projects or this", group: groupFind, do: (*model).toggleAll, when: (*model).hasProject, needed: "started in no project"},
	}, common(screen.CopyMenu, screen.NextTab, screen.LastTab), []binding{
		{name: "hidden", keys: []string{"."}, show: ".", label: "hidden", help: "stubs, headless runs", group: groupFind, do: (*model).toggleHidden, when: (*model).hasHidden, needed: "nothing is hidden"},
		{name: "preview", keys: []string{"p"}, show: "p", label: "preview", help: "preview on or off", group: groupFind, do: (*model).togglePreview, when: (*model).hasRows, needed: "nothing is listed"},
		{show: "← → h l", help: "list, preview", group: groupMove, when: (*model).isBeside},
		{keys: []string{"left", "h"}, do: (*model).toList, when: (*model).isBeside},
		{keys: []string{"right", "l"}, do: (*model).toPreview, when: (*model).isBeside},
	}, common(screen.Fresh), []binding{
		{keys: []string{"esc"}, show: "esc", help: "back, close, clear", group: groupEverywhere, do: (*model).clear},
		{name: "back", keys: []string{"q"}, show: "q", label: "quit", help: "back, then quit", group: groupEverywhere, do: (*model).back},
	}, common(
		screen.Project, screen.ResumeIn, screen.Backup, // last in the footer
		screen.UndoList, screen.Palette, screen.Help, screen.Suspend, screen.Quit,
	), ofScreens(screen.Movement("row")))
	typing(&t)
	return t
}

// need is what of the World a key cannot do without.
type need = screen.Need

const (
	needsActions  = screen.NeedsActions
	needsChanges  = screen.NeedsChanges
	needsProjects = screen.NeedsProjects
	needsLedgers  = screen.NeedsLedgers
)

func (w World) has(n need) bool {
	switch n {
	case needsActions:
		return w.Actions != nil
	case needsChanges:
		return w.Changes != nil
	case needsProjects:
		return w.Projects != nil
	case needsLedgers:
		return w.Ledgers != nil
	case screen.NeedsNothing:
	}
	return true
}

// typing adds the bindings of fields.
func typing(t *[places][]binding) {
	t[whileFiltering] = []binding{
		{keys: []string{"enter"}, show: "enter", label: "keep the filter", help: "keep the filter", group: groupFind, do: (*model).keepFilter},
		{show: "↑ ↓", label: "row", help: "row", group: groupMove},
		{show: "pgup pgdn", help: "page", group: groupMove},
		{keys: []string{"up"}, do: by(-1)},
		{keys: []string{"down"}, do: by(1)},
		{keys: []string{"pgup"}, do: pages(-1)},
		{keys: []string{"pgdown"}, do: pages(1)},
		{keys: []string{"ctrl+t"}, show: "ctrl+t", label: "wider scope", help: "wider scope", group: groupFind, do: (*model).toggleAll, when: (*model).hasProject},
		{keys: []string{"esc"}, show: "esc", label: "clear", help: "clear the filter", group: groupFind, do: (*model).clear},
	}
	t[whileFiltering] = append(t[whileFiltering], ofScreens(screen.Typing())...)
}

// ofScreens are keys as all screens have them, for the places that are none yet.
func ofScreens(keys []screen.Binding) []binding {
	var list []binding
	for _, k := range keys {
		b := binding{name: k.Name, keys: k.Keys, show: k.Show, label: k.Label, help: k.Help, group: k.Group, isHelp: k.IsHelp}
		if n := k.Do.N; k.Common {
			b = binding{common: k.Do.Name}
		} else {
			b.do = map[string]intent{
				screen.Move: by(n), screen.Page: pages(n), screen.Half: halves(n), screen.ToEnd: toEnd(n), screen.Help: (*model).openHelp,
				screen.EraseWord: inField(k.Do), screen.EraseAll: inField(k.Do),
			}[k.Do.Name]
		}
		list = append(list, b)
	}
	return list
}

// inField has a key for what is typed into.
func inField(do screen.Intent) intent {
	return func(m *model) tea.Cmd { return m.typedRest(screen.EraseKey(do)) }
}

// place is where the keys of what no dialog covers act.
func (m *model) place() place {
	switch {
	case !m.isRest():
		return inScreen
	case m.list.typing:
		return whileFiltering
	}
	return inList
}

// now is what is known of a binding, for what is here.
func (b *binding) now(m *model) screen.Binding {
	n := b.fixed()
	if n.Gone = b.when != nil && !b.when(m); n.Gone || b.common != "" {
		return n
	}
	say := func(f func(*model) string) string {
		if f == nil {
			return ""
		}
		return f(m)
	}
	n.Off, n.Extra, n.As = say(b.off), say(b.extra), say(b.as)
	return n
}

// fixed is what of a binding is the same everywhere.
func (b *binding) fixed() screen.Binding {
	if b.common != "" {
		return screen.Common(b.common)[0]
	}
	return screen.Binding{
		Name: b.name, Pair: b.pair, Keys: b.keys, Show: b.show, Label: b.label, Help: b.help, Group: b.group, Needs: b.needs,
		IsHelp: b.isHelp, Needed: b.needed,
	}
}
