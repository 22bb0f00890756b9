package tui

import (
	"context"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// dialog is what is in front of the screens, if anything is.
func (m *model) dialog() (d screen.Dialog, ok bool) {
	d, ok = m.front().screen.(screen.Dialog)
	return d, ok
}

func (m *model) hasDialog() bool {
	_, ok := m.dialog()
	return ok
}

// note is the form of a note that is open, nil none.
func (m *model) note() *dialog.Note {
	for _, s := range m.stack {
		if d, ok := s.screen.(*dialog.Note); ok {
			return d
		}
	}
	return nil
}

// dropDialogs closes all dialogs.
func (m *model) dropDialogs() tea.Cmd {
	return m.dropDialogsBut(func(screen.Screen) bool { return false })
}

func (m *model) dropDialogsBut(stays func(screen.Screen) bool) tea.Cmd {
	var cmds []tea.Cmd
	for i := len(m.stack) - 1; i >= m.dialogsFrom(); i-- {
		if !stays(m.stack[i].screen) {
			cmds = append(cmds, m.remove(m.stack[i].id))
		}
	}
	return tea.Batch(cmds...)
}

// openDialog shows a dialog in the place of those that are there. What was said was about something before.
func (m *model) openDialog(d screen.Dialog) tea.Cmd {
	closed := m.dropDialogs()
	m.status = status{}
	return tea.Batch(closed, m.push(d))
}

func (m *model) openMenu(mn *dialog.MenuOptions) tea.Cmd { return m.openDialog(dialog.NewMenu(*mn)) }

// openHelp lists the keys of what is behind it.
func (m *model) openHelp() tea.Cmd {
	var keys []screen.Binding
	for _, b := range m.keysBehind() {
		keys = append(keys, b.Binding)
	}
	for _, b := range m.terms() {
		keys = append(keys, b.now(m))
	}
	return m.push(dialog.NewHelp(m.top().screen.Name(), keys))
}

// openPlan shows a plan. The dialog that it was asked in comes back with esc, when that has something typed or chosen.
func (m *model) openPlan(plan Plan) tea.Cmd {
	closed := m.dropDialogsBut(func(s screen.Screen) bool {
		switch s.(type) {
		case *dialog.Recover, *dialog.Note:
			return true
		}
		return false
	})
	return tea.Batch(closed, m.push(dialog.NewPlan(plan, m.planLines, m.Actions != nil)))
}

// openPast lists what was done. What is known stands there at once.
func (m *model) openPast() tea.Cmd {
	return tea.Batch(m.openDialog(dialog.NewPast(m.past(), m.planLines, m.Actions != nil)), m.askPast())
}

func (m *model) past() screen.Past {
	c := &m.changes
	return screen.Past{Actions: c.past, Known: c.known, Err: c.pastErr}
}

// recoverDialog opens the recovery of a project at a level.
func (m *model) recoverDialog(dir string, level recovery.Level) tea.Cmd {
	if m.Ledgers == nil || level < recovery.Where || level > recovery.All {
		return nil
	}
	return m.openDialog(dialog.NewRecover(dialog.RecoverOptions{
		Context: m.ctx, Recalls: m.Ledgers, Dir: dir, Level: level, CanStage: m.Changes != nil,
	}))
}

// recoverAt opens the recovery of the project that is here.
func recoverAt(l recovery.Level) intent {
	return func(m *model) tea.Cmd { return m.recoverDialog(m.recoverDir(), l) }
}

// noteDialog lets one add something to the ledger of a project.
func (m *model) noteDialog(dir string) tea.Cmd {
	if m.Changes == nil {
		return nil
	}
	mn := &dialog.MenuOptions{Title: "Note", About: render.Base(dir), Verb: "write", Note: "Nothing is written before you have seen the plan."}
	for _, k := range dialog.NoteKinds() {
		key, name, what := dialog.NoteWords(k)
		mn.Items = append(mn.Items, dialog.Offer{Key: key, Name: name, Note: what, Do: func(m *model) tea.Cmd { return m.openNote(dir, k) }})
	}
	return m.openMenu(mn)
}

// openNote shows the form of a kind.
func (m *model) openNote(dir string, kind notes.EntryKind) tea.Cmd {
	var bead func(context.Context, string) *beads.Bead
	if m.Ledgers != nil {
		bead = askBead(m.Ledgers)
	}
	return m.openDialog(dialog.NewNote(dialog.NoteOptions{Context: m.ctx, Bead: bead, Dir: dir, Kind: kind}))
}

// mostProjects is how many folders of sessions are looked for on the disk.
const mostProjects = 24

// nameFolder asks for a folder, and then goes on with it. One that was named before is there to be corrected.
func (m *model) nameFolder(row sessions.Row, ask resume.Ask) tea.Cmd {
	named := ""
	if ask.Folder != "" {
		named = transcript.CleanLine(render.Folder(ask.Folder, m.opts.Home))
	}
	return m.openDialog(dialog.NewFolder(dialog.FolderOptions{
		Context: m.ctx, Folders: m.Actions, About: shortID(row.ID), Known: m.projectFolders(row.Workdir), Text: named,
		Take: func(folder string) screen.Effect {
			ask.Folder = folder
			return func(m *model) tea.Cmd { return m.goOn(row, ask) }
		},
	}))
}

// projectFolders are those of the newest sessions, each once, without the one that it would start in anyway.
func (m *model) projectFolders(own string) []string {
	newest := map[string]*sessions.Row{}
	for _, h := range m.lists[sessionsTab].held {
		if p := h.row.Project; p != "" && p != own && (newest[p] == nil || h.row.Compare(newest[p]) < 0) {
			newest[p] = &h.row
		}
	}
	list := slices.SortedFunc(maps.Keys(newest), func(a, b string) int { return newest[a].Compare(newest[b]) })
	list = list[:min(len(list), mostProjects)]
	for i := range list {
		list[i] = render.Folder(list[i], m.opts.Home)
	}
	return list
}
