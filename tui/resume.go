package tui

import (
	"cmp"
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// resume goes on with the session. When something stands in the way, a plan says what and what can be done.
func (m *model) resume() tea.Cmd { return m.ask(sessions.ResumeAsk{}) }

// fork starts a new session with all of this one.
func (m *model) fork() tea.Cmd { return m.ask(sessions.ResumeAsk{Fork: true}) }

func (m *model) ask(ask sessions.ResumeAsk) tea.Cmd {
	row := m.subject()
	if row == nil || m.resuming {
		return nil
	}
	return m.goOn(*row, ask)
}

// goOn asks the guard with one more answer.
func (m *model) goOn(row sessions.Row, ask sessions.ResumeAsk) tea.Cmd {
	m.resuming, m.asking = true, true
	return tea.Batch(askResume(m.ctx, m.actions, row, ask, m.resumeGen), waitResume(m.ctx, m.resumeGen))
}

// stillLooking says so when a folder or a client takes its time to answer.
func (m *model) stillLooking(msg resumeSlowMsg) {
	if m.asking && msg.gen == m.resumeGen {
		m.status.say("Looking at what it needs…")
	}
}

// resumeIn lets one choose where the client starts.
func (m *model) resumeIn() tea.Cmd {
	row := m.subject()
	if row == nil || m.resuming {
		return nil
	}
	subject := *row
	mn := &menu{title: "Resume in", about: shortID(row.ID), id: row.ID, verb: "resume"}
	add := func(key, name, note, off string, in sessions.Where) {
		mn.items = append(mn.items, offer{key: key, name: name, note: note, off: off, do: func(m *model) tea.Cmd {
			return m.goOn(subject, sessions.ResumeAsk{In: in})
		}})
	}
	tmux := ""
	if !m.opts.Tmux {
		tmux = "not inside tmux"
	}
	add("w", "Window", "a new window of tmux", tmux, sessions.WhereWindow)
	add("s", "Split", "beside this, in the same window", tmux, sessions.WhereSplit)
	add("p", "Popup", "over this, until it ends", tmux, sessions.WherePopup)
	add("h", "Here", "in this terminal, until it ends", "", sessions.WhereHere)
	mn.items = append(mn.items, offer{key: "o", name: "Other folder", note: "claude starts in a folder that you name", do: func(m *model) tea.Cmd {
		return m.nameFolder(subject, sessions.ResumeAsk{})
	}})
	return m.openMenu(mn)
}

// whyNotResume is the reason, in a few words, why the client could not resume the row.
func (m *model) whyNotResume() string {
	row := m.subject()
	switch {
	case row == nil:
		return ""
	case row.Deleted:
		return "deleted"
	case row.Has(sessions.FlagBackupOnly):
		return "only a copy is left"
	case row.Has(sessions.FlagNotResumable):
		return "its file name is no session id"
	case row.State == sessions.StateUnreadable:
		return "unreadable"
	}
	return ""
}

// whyNotFork is the same for a fork: what has no message has nothing to start from.
func (m *model) whyNotFork() string {
	if why := m.whyNotResume(); why != "" {
		return why
	}
	if row := m.subject(); row != nil && (row.State == sessions.StateEmpty || row.State == sessions.StateStub) {
		return "nothing in it"
	}
	return ""
}

// resumeAnswered takes the answer of the guard in: a plan to choose from, a program for this terminal, or word of
// what was started elsewhere.
func (m *model) resumeAnswered(msg preparedMsg) tea.Cmd {
	if msg.gen == m.resumeGen && m.asking {
		m.asking = false
		m.status = m.status.unlessSaid()
	}
	if msg.gen != m.resumeGen { // the person has gone on to something else
		if msg.outcome.Said != "" { // but it has started
			m.status.say(msg.outcome.Said)
			return tea.Batch(m.load(), m.followNow())
		}
		return nil
	}
	m.resuming = false
	switch o := msg.outcome; {
	case msg.err != nil:
		m.fail("", msg.err)
	case o.Plan != nil:
		return m.openMenu(m.planMenu(msg.row, o.Plan))
	case o.Run != nil:
		m.resuming = true
		return takeOver(o.Run)
	case o.Leave:
		return tea.Quit
	case o.Note != "":
		m.status.say(o.Note)
	default:
		m.status.say(o.Said)
		return tea.Batch(m.load(), m.followNow())
	}
	return nil
}

// resumed comes back to the same place; the list is read again, for the session has changed.
func (m *model) resumed(msg resumedMsg) tea.Cmd {
	m.resuming = false
	if msg.err != nil {
		m.fail("", msg.err)
	}
	return tea.Batch(m.load(), m.followNow())
}

// pathField is a folder that is being named.
type pathField struct {
	row   sessions.Row
	ask   sessions.ResumeAsk
	gen   int
	known []string // folders that begin with what is typed
}

const folderRows = 8

// nameFolder asks for a folder, and then goes on with it.
func (m *model) nameFolder(row sessions.Row, ask sessions.ResumeAsk) tea.Cmd {
	m.panel = panel{kind: folderPanel, at: -1, field: &pathField{row: row, ask: ask}}
	return m.findFolders("")
}

// typeFolder changes what is typed.
func (m *model) typeFolder(input string) tea.Cmd {
	m.panel.input = input
	return m.findFolders(input)
}

// findFolders asks for folders that begin with what is typed; with nothing typed, those of the sessions are known.
func (m *model) findFolders(input string) tea.Cmd {
	f := m.panel.field
	m.panel.at = -1
	m.folderGen++
	f.gen = m.folderGen
	if input == "" {
		f.known = m.projectFolders()
		return nil
	}
	return askFolders(m.ctx, m.actions, input, f.gen)
}

// projectFolders are those of the newest sessions, each once.
func (m *model) projectFolders() []string {
	newest := map[string]time.Time{}
	for _, h := range m.lists[0].held {
		if p := h.row.Project; p != "" && (newest[p].IsZero() || h.row.When().After(newest[p])) {
			newest[p] = h.row.When()
		}
	}
	list := slices.SortedFunc(maps.Keys(newest), func(a, b string) int {
		return cmp.Or(newest[b].Compare(newest[a]), cmp.Compare(a, b))
	})
	list = list[:min(len(list), folderRows)]
	for i := range list {
		list[i] = render.Folder(list[i], m.opts.Home)
	}
	return list
}

func (m *model) foldersFound(msg foldersMsg) {
	if m.panel.kind == folderPanel && msg.gen == m.panel.field.gen {
		m.panel.field.known = msg.folders
		m.panel.at = -1
	}
}

// inFolderBy moves the bar among the folders; above the first it is in the field.
func inFolderBy(delta int) intent {
	return func(m *model) tea.Cmd {
		p := &m.panel
		p.at = min(max(p.at+delta, -1), min(len(p.field.known), folderRows)-1)
		return nil
	}
}

// completeFolder takes the folder under the bar, or what all have in common, into the field.
func (m *model) completeFolder() tea.Cmd {
	p := &m.panel
	switch known := p.field.known; {
	case len(known) == 0:
	case p.at >= 0:
		return m.typeFolder(known[p.at] + "/")
	case len(known) == 1:
		return m.typeFolder(known[0] + "/")
	default:
		common := known[0]
		for _, k := range known {
			for len(common) > 0 && (len(k) < len(common) || k[:len(common)] != common) {
				common = withoutRune(common)
			}
		}
		if len(common) > len(p.input) {
			return m.typeFolder(common)
		}
	}
	return nil
}

// takeFolder goes on in the folder that is named.
func (m *model) takeFolder() tea.Cmd {
	p := m.panel
	folder := p.input
	if p.at >= 0 && p.at < len(p.field.known) {
		folder = p.field.known[p.at]
	}
	if folder == "" {
		return nil
	}
	m.panel = panel{}
	ask := p.field.ask
	ask.Folder = folder
	return m.goOn(p.field.row, ask)
}

// folderShape is how wide the panel is, and whether it takes the whole screen.
func (m *model) folderShape() (inner int, small bool) {
	if m.width < panelFrom || m.height < 8 {
		return m.width, true
	}
	return min(menuWidth, m.width-2) - 2, false
}

func (m *model) folderCursor() (x, y int, ok bool) {
	inner, small := m.folderShape()
	x = render.NewLine(m.styles, inner-1).To(4).Put(render.Text, m.panel.input).At()
	if small {
		return x, 0, m.height > 0
	}
	return x + (m.width-inner)/2, max((m.height-m.folderHeight())/2, 0) + 1, true
}

// folderHeight is that of the panel with its borders.
func (m *model) folderHeight() int { return m.folderRows() + 6 }

func (m *model) folderRows() int { return max(min(folderRows, m.height-6), 1) }

// drawFolder puts the field over the screen.
func (m *model) drawFolder(screen []string) {
	p := &m.panel
	inner, small := m.folderShape()
	line := func() *render.Line { return render.NewLine(m.styles, inner) }
	drawn := []*render.Line{line().To(2).Put(render.AccentBold, "❯ ").Put(render.Accent, p.input), line()}
	for i, k := range p.field.known[:min(len(p.field.known), m.folderRows())] {
		l := line().Select(i == p.at)
		if i == p.at {
			l.Put(render.AccentBold, "▌")
		}
		l.To(4).Put(render.Text, render.CutMiddle(k, max(inner-6, 1)))
		if i == p.at {
			l.To(inner)
		}
		drawn = append(drawn, l)
	}
	if len(p.field.known) == 0 {
		drawn = append(drawn, line().To(4).Put(render.Faint, "No folder begins like this."))
	}
	put := func(l *render.Line) *render.Line {
		l.To(2).Put(render.Strong, "enter").Put(render.Muted, " start here   ")
		l.Put(render.Strong, "tab").Put(render.Muted, " complete")
		return l.Right(inner-1, render.Span{Ink: render.Strong, Text: "esc"}, render.Span{Ink: render.Muted, Text: " cancel"})
	}
	if small {
		m.cover(screen, drawn, put(line()))
		return
	}
	for len(drawn) < m.folderRows()+2 {
		drawn = append(drawn, line())
	}
	m.float(screen, m.box(append(drawn, line(), put(line())), inner, "Another folder", shortID(p.field.row.ID)), inner+2)
}
