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
	inReader
	whileFiltering
	whileSearching
	inScreen // what is in front has its own keys
	places
)

// binding is one key with all that is known of it: dispatch, footer, help and palette are drawn from this table.
type binding struct {
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
	more   func(*model) string // behind the label
	extra  func(*model) string // behind the label, where there is room when the other keys have theirs
	as     func(*model) string // in the place of the label, "" that
	quiet  func(*model) bool   // whether the footer leaves it out; nil: never
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

// keyTable has the bindings of the places that are no screens of their own yet, and the common ones by their intents. A key
// means the same wherever it exists.
func keyTable() (t [places][]binding, common map[string][]binding) {
	resume := binding{name: "resume", keys: []string{"r"}, show: "r", label: "resume", help: "resume", group: groupThis, do: (*model).resume, when: (*model).hasSubject, needed: "nothing is chosen", off: (*model).whyNotResume, needs: needsActions}
	fork := binding{name: "fork", keys: []string{"f"}, show: "f", label: "fork", help: "fork", group: groupThis, do: (*model).fork, when: (*model).isSession, needed: "choose a session", off: (*model).whyNotFork, needs: needsActions}
	resumeIn := binding{name: "resume-in", keys: []string{"w"}, show: "w", label: "resume in", help: "resume in…", group: groupThis, do: (*model).resumeIn, when: (*model).hasSubject, needed: "nothing is chosen", off: (*model).whyNotResume, needs: needsActions}
	copying := binding{name: "copy", keys: []string{"y"}, show: "y", label: "copy", help: "copy…", group: groupThis, do: (*model).openCopy, when: (*model).hasSubject, needed: "nothing is chosen", needs: needsActions}
	edit := binding{name: "edit", keys: []string{"e"}, show: "e", label: "edit", help: "edit its file", group: groupThis, do: (*model).edit, when: (*model).canEdit, needed: "choose a document", needs: needsActions}
	backup := binding{name: "backup", keys: []string{"B"}, show: "B", label: "back up", help: "back up", group: groupThis, do: (*model).backUp, when: (*model).canBackUp, needed: "choose a session", off: (*model).whyNotBackUp, needs: needsActions}
	checkpoint := binding{name: "checkpoint", keys: []string{"c"}, show: "c", label: "checkpoint", help: "checkpoint…", group: groupThis, do: (*model).openCheckpoint, when: (*model).hasCheckpoint, needed: "choose a session", needs: needsChanges}
	discard := backupKey("d", ChangeDiscard)
	restore := backupKey("R", ChangeRestore)
	verify := backupKey("V", ChangeVerify)
	keep := backupKey("K", "keep")
	keep.off = (*model).whyNotKeep
	undo := binding{name: "undo", keys: []string{"u"}, show: "u", label: "undo", help: "undo", group: groupEverywhere, do: (*model).undo, off: (*model).whyNotUndo, quiet: (*model).isUndoQuiet, needs: needsChanges}
	past := binding{name: "undo-list", keys: []string{"U"}, show: "U", label: "undo list", help: "what can be undone", group: groupEverywhere, do: (*model).openPast, quiet: (*model).isPastQuiet, needs: needsChanges}
	palette := binding{name: "palette", keys: []string{":"}, show: ":", help: "command palette", group: groupEverywhere, do: (*model).openPalette}
	help := binding{name: "help", keys: []string{"?", "f1"}, show: "?", label: "help", help: "these keys", group: groupEverywhere, do: (*model).openHelp, isHelp: true}
	refresh := binding{name: "refresh", keys: []string{"ctrl+r"}, show: "ctrl+r", help: "refresh", group: groupEverywhere, do: (*model).refresh}
	quit := quitKey()
	suspend := binding{name: "suspend", keys: []string{"ctrl+z"}, show: "ctrl+z", help: "to the shell, fg back", group: groupEverywhere, do: (*model).suspend}
	project := binding{name: "project", keys: []string{"P"}, show: "P", label: "project", help: "project page", group: groupMove, do: (*model).openPage, when: (*model).hasPage, needed: "choose a row of a project", needs: needsProjects}

	nextTab := binding{name: "next-tab", keys: []string{"tab"}, show: "tab", label: "next tab", help: "next tab", group: groupMove, do: (*model).nextTab, when: (*model).hasTabs, needed: "there is no other"}
	lastTab := binding{name: "previous-tab", keys: []string{"shift+tab"}, show: "shift+tab", help: "previous tab", group: groupMove, do: (*model).previousTab, when: (*model).hasTabs, needed: "there is no other"}
	left := binding{pair: []string{"undo", "undo-list"}, show: "u U", label: "undo, its list", when: (*model).leftToUndo, needs: needsChanges}

	t[inList] = append([]binding{
		{keys: []string{"enter"}, show: "enter", label: "read", as: (*model).enterWord, help: "read", group: groupThis, do: (*model).enterList, when: (*model).canEnterList, off: (*model).whyNotEnter},
		{pair: []string{"previous-boundary", "next-boundary"}, show: "[ ]", label: "linked sessions", help: "linked sessions", group: groupMove, when: (*model).inChain},
		{name: "previous-boundary", keys: []string{"["}, do: along(1), when: (*model).onDocument, needed: "choose a document"},
		{name: "next-boundary", keys: []string{"]"}, do: along(-1), when: (*model).onDocument, needed: "choose a document"},
		{name: "mark", keys: []string{"space"}, show: "space", label: "mark", help: "mark", group: groupThis, do: (*model).mark, when: (*model).inBackups, needed: "choose a backup", off: (*model).whyNotMark, needs: needsChanges},
		{name: "mark-range", keys: []string{"v"}, show: "v", help: "mark a range", group: groupThis, do: (*model).markRange, when: (*model).inBackups, needed: "choose a backup", needs: needsChanges},
		{name: "mark-all", keys: []string{"ctrl+a"}, show: "ctrl+a", help: "mark all or none", group: groupThis, do: (*model).markAll, when: (*model).inBackups, needed: "choose a backup", needs: needsChanges},
		discard, undo, stepBack((*model).stepBackHere),
		resume, edit,
		restore, verify,
		{name: "filter", keys: []string{"/"}, show: "/", label: "filter", help: "filter by any text", group: groupFind, do: (*model).startFilter, when: (*model).hasRows, needed: "nothing is listed", extra: (*model).termNames},
		keep,
		left,
		stepBack((*model).stepBackElsewhere),
		fork, checkpoint, recoverFooter(),
		{name: "all", keys: []string{"a"}, show: "a", label: "all", help: "all projects or this", group: groupFind, do: (*model).toggleAll, when: (*model).hasProject, needed: "started in no project"},
		copying,
		nextTab, lastTab,
		{name: "hidden", keys: []string{"."}, show: ".", label: "hidden", help: "stubs, headless runs", group: groupFind, do: (*model).toggleHidden, when: (*model).hasHidden, needed: "nothing is hidden"},
		{name: "preview", keys: []string{"p"}, show: "p", label: "preview", help: "preview on or off", group: groupFind, do: (*model).togglePreview, when: (*model).hasRows, needed: "nothing is listed"},
		{show: "← → h l", help: "list, preview", group: groupMove, when: (*model).isBeside},
		{keys: []string{"left", "h"}, do: (*model).toList, when: (*model).isBeside},
		{keys: []string{"right", "l"}, do: (*model).toPreview, when: (*model).isBeside},
		refresh,
		{keys: []string{"esc"}, show: "esc", help: "back, close, clear", group: groupEverywhere, do: (*model).clear},
		{name: "back", keys: []string{"q"}, show: "q", label: "quit", help: "back, then quit", group: groupEverywhere, do: (*model).back},
		project, resumeIn, backup, // last in the footer
		past, palette, help, suspend, quit,
	}, ofScreens(screen.Movement("row"))...)
	t[inReader] = slices.Concat(readerKeys(), []binding{
		resume, fork, checkpoint, recoverFooter(), restore, discard, verify, keep, copying,
		refresh,
		{keys: []string{"esc"}, show: "esc", label: "back", help: "clear, then back", group: groupEverywhere, do: (*model).clear},
		{name: "back", keys: []string{"q"}, show: "q", help: "back to the list", group: groupEverywhere, do: (*model).back},
		project, resumeIn, edit, backup, undo,
		past, palette, help, suspend, quit,
	}, ofScreens(screen.Movement("part")))
	addRecovers(&t)
	typing(&t)
	refresh.do = nil // each screen has its own
	return t, map[string][]binding{
		screen.Resume: {resume}, screen.Fork: {fork}, screen.ResumeIn: {resumeIn}, screen.CopyMenu: {copying}, screen.EditFile: {edit},
		screen.Backup: {backup}, screen.Checkpoint: {checkpoint}, screen.Discard: {discard}, screen.Restore: {restore}, screen.Verify: {verify},
		screen.Keep: {keep}, screen.Undo: {undo}, screen.UndoList: {past}, screen.Palette: {palette}, screen.Help: {help}, screen.Fresh: {refresh},
		screen.NextTab: {nextTab}, screen.LastTab: {lastTab}, screen.LeftToUndo: {left, stepBack((*model).stepBackElsewhere)},
		screen.Quit: {quit}, screen.Suspend: {suspend}, screen.Project: {project}, screen.Recover: append([]binding{recoverFooter()}, recoverBindings()...),
	}
}

// whyNotKeep is the reason why none of the chosen backups can be kept: each is already.
func (m *model) whyNotKeep() string {
	if why := m.whyNotBackup(); why != "" {
		return why
	}
	row := m.subject()
	pending := row != nil && row.Pending
	if m.hasMarks() {
		pending = false
		for path := range m.list.marks.paths {
			h := m.list.held[path]
			pending = pending || h != nil && h.row.Pending
		}
	}
	if pending {
		return ""
	}
	return "not pending"
}

// stepBack names the list of undo in the footer while only that can take something back.
func stepBack(when func(*model) bool) binding {
	return binding{pair: []string{"undo-list"}, show: "U", label: "undo list", when: when, needs: needsChanges}
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
	t[whileSearching] = []binding{
		{keys: []string{"enter"}, show: "enter", label: "find", help: "find", group: groupFind, do: (*model).search},
		{keys: []string{"esc"}, show: "esc", label: "back", help: "back to reading", group: groupFind, do: (*model).clear},
	}
	for _, p := range []place{whileFiltering, whileSearching} {
		t[p] = append(t[p], ofScreens(screen.Typing())...)
	}
}

// ofScreens are keys as all screens have them, for the places that are none yet.
func ofScreens(keys []screen.Binding) []binding {
	var list []binding
	for _, k := range keys {
		b := binding{name: k.Name, keys: k.Keys, show: k.Show, label: k.Label, help: k.Help, group: k.Group, isHelp: k.IsHelp}
		if n := k.Do.N; k.Common { // to quit
			b = quitKey()
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

func quitKey() binding {
	return binding{keys: []string{"ctrl+c"}, show: "ctrl+c", help: "quit now", group: groupEverywhere, do: (*model).quit}
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
	case m.isReading() && m.reader.find.typing:
		return whileSearching
	case m.isReading():
		return inReader
	case m.list.typing:
		return whileFiltering
	}
	return inList
}
