package tui

import (
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// pathField is a folder that is being named.
type pathField struct {
	row   sessions.Row
	ask   resume.Ask
	gen   int      // of the question that known answers, 0 none was answered yet
	known []string // folders that fit what is typed
}

const (
	folderRows   = 8
	folderColumn = 4
	mostProjects = 24 // folders of sessions that are looked for on the disk
)

// nameFolder asks for a folder, and then goes on with it. One that was named before is there to be corrected.
func (m *model) nameFolder(row sessions.Row, ask resume.Ask) tea.Cmd {
	m.panel = panel{kind: folderPanel, at: -1, field: &pathField{row: row, ask: ask}}
	m.status = status{}
	if ask.Folder == "" {
		return m.typeFolder("")
	}
	return m.typeFolder(transcript.CleanLine(render.Folder(ask.Folder, m.opts.Home)))
}

// typeFolder changes what is typed.
func (m *model) typeFolder(input string) tea.Cmd {
	m.panel.input, m.panel.at = input, -1
	m.folderGen++
	if m.finding { // on a slow disk; its answer asks again
		return nil
	}
	return m.findFolders()
}

// findFolders asks for folders that fit what is typed.
func (m *model) findFolders() tea.Cmd {
	m.finding = true
	return askFolders(m.ctx, m.Actions, m.panel.input, m.projectFolders(m.panel.field.row.Workdir), m.folderGen)
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

// foldersFound takes the answer in; where more was typed meanwhile, that is asked next.
func (m *model) foldersFound(msg foldersMsg) tea.Cmd {
	m.finding = false
	p := &m.panel
	if p.kind != folderPanel {
		return nil
	}
	if msg.gen != m.folderGen {
		return m.findFolders()
	}
	p.field.known, p.field.gen = msg.folders, msg.gen
	p.at, p.top = -1, 0
	return nil
}

// inFolderBy moves the bar among the folders; above the first it is in the field.
func inFolderBy(delta int) intent {
	return func(m *model) tea.Cmd {
		p, g := &m.panel, m.folderShape()
		if g.rows == 0 {
			return nil
		}
		p.at = min(max(p.at+delta, -1), len(p.field.known)-1)
		p.top = min(max(p.top, p.at-g.rows+1), max(p.at, 0))
		return nil
	}
}

// completeFolder takes the folder under the bar, or what all have in common, into the field.
func (m *model) completeFolder() tea.Cmd {
	p := &m.panel
	switch known := p.field.known; {
	case p.field.gen != m.folderGen || len(known) == 0: // they are of what was typed before
	case p.at >= 0:
		return m.typeFolder(known[p.at] + "/")
	case len(known) == 1:
		return m.typeFolder(known[0] + "/")
	default:
		common := known[0]
		for _, k := range known {
			for !strings.HasPrefix(k, common) {
				common = withoutRune(common)
			}
		}
		if n := len(p.input); len(common) > n && strings.EqualFold(common[:n], p.input) {
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
	if strings.TrimSpace(folder) == "" {
		m.status.say("Name a folder first.")
		return nil
	}
	m.panel = panel{}
	ask := p.field.ask
	ask.Folder = folder
	return m.goOn(p.field.row, ask)
}

// folderShape is how the panel is laid out.
type folderShape struct {
	inner int  // cells between the borders
	small bool // it takes the whole screen
	head  int  // lines above the field
	gap   int  // blank lines below it
	rows  int  // folders that are seen at once
}

func (m *model) folderShape() folderShape {
	if m.width >= panelFrom && m.height >= 8 {
		return folderShape{inner: min(menuWidth, m.width-2) - 2, gap: 1, rows: min(folderRows, m.height-6)}
	}
	g := folderShape{inner: m.width, small: true}
	if m.height >= 7 {
		g.head = 2
	}
	if m.height >= 5 {
		g.gap = 1
	}
	g.rows = max(m.height-g.head-g.gap-2, 0) // the field, the keys
	return g
}

// typedPath is what is seen of the field: its end.
func (m *model) typedPath(g *folderShape) string {
	return cutStart(m.panel.input, max(g.inner-folderColumn-2, 1))
}

// cutStart shortens a text at its start.
func cutStart(text string, width int) string {
	if w := ansi.StringWidth(text); w > width {
		return ansi.TruncateLeft(text, w-width+1, "…")
	}
	return text
}

func (m *model) folderCursor() (x, y int, ok bool) {
	g := m.folderShape()
	x = render.NewLine(m.styles, g.inner-1).To(folderColumn).Put(render.Text, m.typedPath(&g)).At()
	if g.small {
		return x, g.head, m.height > g.head
	}
	return x + (m.width-g.inner)/2, max((m.height-g.rows-6)/2, 0) + 1, true
}

// drawFolder puts the field over the screen.
func (m *model) drawFolder(screen []string) {
	p, g := &m.panel, m.folderShape()
	line := func() *render.Line { return render.NewLine(m.styles, g.inner) }
	title, about := "Another folder", shortID(p.field.row.ID)
	var drawn []*render.Line
	if g.head > 0 {
		drawn = append(drawn, m.headLine(title, about), line())
	}
	drawn = append(drawn, line().To(folderColumn-2).Put(render.AccentBold, "❯ ").Put(render.Accent, m.typedPath(&g)))
	if g.gap > 0 {
		drawn = append(drawn, line())
	}
	full := len(drawn) + g.rows
	known := p.field.known
	top := min(p.top, max(len(known)-g.rows, 0))
	for i := top; i < min(top+g.rows, len(known)); i++ {
		l := line().Select(i == p.at)
		if i == p.at {
			l.Put(render.AccentBold, "▌")
		}
		l.To(folderColumn).Put(render.Text, words.CutMiddle(transcript.CleanLine(known[i]), max(g.inner-folderColumn-2, 1)))
		if i == p.at {
			l.To(g.inner)
		}
		drawn = append(drawn, l)
	}
	if nothing := p.field.gen == m.folderGen && len(known) == 0; nothing && g.rows > 0 && p.input != "" && !strings.HasSuffix(p.input, "/") {
		drawn = append(drawn, line().To(folderColumn).Put(render.Faint, "No folder begins like this."))
	}
	last := m.orSaid(m.folderKeys(g.inner), g.inner)
	if g.small {
		m.cover(screen, drawn, last)
		return
	}
	for len(drawn) < full {
		drawn = append(drawn, line())
	}
	m.float(screen, m.box(append(drawn, line(), last), g.inner, title, about), g.inner+2)
}

// folderKeys is the last line of the panel.
func (m *model) folderKeys(width int) *render.Line {
	l := render.NewLine(m.styles, width).To(min(2, width/8)).Put(render.Strong, "enter").Put(render.Muted, " start here")
	tab := []render.Span{{Ink: render.Strong, Text: "   tab"}, {Ink: render.Muted, Text: " complete"}}
	esc := []render.Span{{Ink: render.Strong, Text: "esc"}, {Ink: render.Muted, Text: " cancel"}}
	if l.At()+render.SpansWidth(tab)+2+render.SpansWidth(esc) < width {
		l.Spans(tab...)
	}
	return l.Right(width-1, esc...)
}
