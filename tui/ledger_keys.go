package tui

import (
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/field"
)

// ledgerKeys has the bindings of the Ledger tab; ends are those that are everywhere.
func ledgerKeys(checkpoint, project binding, ends []binding) []binding {
	checkpoint.needed = "no session of this project is listed"
	keys := []binding{
		{keys: []string{"enter"}, show: "enter", label: "open", as: (*model).enterLedgerWord, help: "go in, open the code", group: groupThis, do: (*model).enterLedger, when: (*model).canEnterLedger, needed: "it is all shown", off: (*model).whyNotEnterLedger},
		{name: "edit", keys: []string{"e"}, show: "e", label: "edit", help: "edit NOTES.md there", group: groupThis, do: (*model).editNotes, when: (*model).hasNotes, needed: "there is no NOTES.md", off: (*model).whyNotEditRecord, needs: needsActions},
		{show: "esc", label: "outline", when: (*model).isOverOutline},
		recoverFooter(),
		checkpoint,
		{name: "copy", keys: []string{"y"}, show: "y", label: "copy", help: "copy as text", group: groupThis, do: (*model).copyLedger, when: (*model).hasEntry, needed: "nothing is chosen", needs: needsActions},
		{name: "note", keys: []string{"N"}, show: "N", label: "note", help: "add to the ledger", group: groupThis, do: (*model).addNote, needs: needsChanges},
		{name: "filter", keys: []string{"/"}, show: "/", label: "filter", help: "filter this list", group: groupFind, do: (*model).filterLedger, when: (*model).hasEntry, needed: "nothing is listed"},
		{keys: []string{"z"}, show: "z", help: "open or fold", group: groupThis, do: (*model).foldEntry, when: (*model).onEntry},
		{name: "next-tab", keys: []string{"tab"}, show: "tab", label: "next tab", help: "next tab", group: groupMove, do: (*model).nextTab, when: (*model).hasTabs, needed: "there is no other"},
		{name: "previous-tab", keys: []string{"shift+tab"}, show: "shift+tab", help: "previous tab", group: groupMove, do: (*model).previousTab, when: (*model).hasTabs, needed: "there is no other"},
		{name: "preview", keys: []string{"p"}, show: "p", help: "preview on or off", group: groupFind, do: (*model).toggleContent, when: (*model).hasEntry, needed: "nothing is listed"},
		{show: "← → h l", help: "outline, entries", group: groupMove, when: (*model).hasEntry},
		{keys: []string{"left", "h"}, do: (*model).goOutside},
		{keys: []string{"right", "l"}, do: (*model).goInside},
		{keys: []string{"esc"}, show: "esc", help: "back, close, clear", group: groupEverywhere, do: (*model).clear},
		{name: "back", keys: []string{"q"}, show: "q", help: "back, then quit", group: groupEverywhere, do: (*model).back},
		project,
		{pair: []string{"undo", "undo-list"}, show: "u U", label: "undo, its list", when: (*model).leftToUndo, needs: needsChanges},
		stepBack((*model).stepBackElsewhere),
	}
	return append(append(keys, ends...), movement("entry")...)
}

// narrowing has the keys while one types what the ledger is filtered by.
func narrowing() []binding {
	return []binding{
		{keys: []string{"enter"}, show: "enter", label: "keep the filter", help: "keep the filter", group: groupFind, do: (*model).keepLedgerFilter},
		{show: "↑ ↓", label: "entry", help: "entry", group: groupMove},
		{show: "pgup pgdn", help: "page", group: groupMove},
		{keys: []string{"up"}, do: by(-1)},
		{keys: []string{"down"}, do: by(1)},
		{keys: []string{"pgup"}, do: (*model).pageUp},
		{keys: []string{"pgdown"}, do: (*model).pageDown},
		{keys: []string{"esc"}, show: "esc", label: "clear", help: "clear the filter", group: groupFind, do: (*model).clear},
	}
}

func (m *model) addNote() tea.Cmd { return m.noteDialog(m.ledger.dir) }

// hasEntry reports whether something of the ledger is on the screen.
func (m *model) hasEntry() bool {
	return m.onLedger() && m.ledger.facts != nil && !m.ledger.facts.None && m.ledger.outline.selected() != nil
}

// canEnterLedger reports whether enter leads somewhere.
func (m *model) canEnterLedger() bool {
	return m.hasEntry() && (!m.ledger.inside || m.ledger.content.at >= 0)
}

// isOverOutline reports whether the outline is out of sight, because the screen is narrow.
func (m *model) isOverOutline() bool { return m.hasEntry() && m.layout.Flipped }

// onEntry reports whether the bar is on an entry beside the outline.
func (m *model) onEntry() bool {
	return m.hasEntry() && m.ledger.inside && m.ledger.content.at >= 0
}

func (m *model) hasNotes() bool {
	if m.onLedger() && m.ledger.record() != nil {
		return true
	}
	return m.onLedger() && m.ledger.facts != nil && m.ledger.facts.Project.Notes != "" && (m.ledger.facts.Notes != nil || m.ledger.facts.Trouble != "")
}

// enterLedger goes into what the outline is on, or opens the code that the entry names.
func (m *model) enterLedger() tea.Cmd {
	if !m.ledger.inside {
		return m.goInside()
	}
	return m.enterEntry()
}

func (m *model) enterLedgerWord() string {
	p := m.ledger
	switch {
	case !p.inside:
		return "go in"
	case !p.namesCode():
		return "whole text"
	}
	return "open the code"
}

// whyNotEnterLedger is the reason why enter does nothing.
func (m *model) whyNotEnterLedger() string {
	p := m.ledger
	if !p.inside {
		return ""
	}
	if p.namesCode() && m.Actions == nil {
		return "nothing can be opened here"
	}
	return ""
}

// enterEntry opens the code that the entry under the bar names, or the whole of its text.
func (m *model) enterEntry() tea.Cmd {
	p := m.ledger
	if !p.content.isSeen() {
		p.content.reveal()
		return nil
	}
	if why := m.whyNotEnterLedger(); why != "" {
		m.status.say("enter: " + why)
		return nil
	}
	if !p.namesCode() {
		return m.foldEntry()
	}
	file, line, _ := p.code()
	if rest, ok := strings.CutPrefix(file, "~"+string(filepath.Separator)); ok && m.opts.Home != "" {
		file = filepath.Join(m.opts.Home, rest)
	}
	return editFile(m.begin(), m.Actions, p.row(), file, line, m.resumeGen)
}

// row stands for the project: paths are below its root.
func (p *ledgerPane) row() sessions.Row {
	var row sessions.Row
	row.Project, row.Workdir = p.dir, p.root()
	return row
}

// namesCode reports whether the entry under the bar names a place in the code.
func (p *ledgerPane) namesCode() bool {
	_, _, ok := p.code()
	return ok
}

// code is the place in the code that the entry under the bar names: the first that is there.
func (p *ledgerPane) code() (file string, line int, ok bool) {
	c := &p.content
	if c.at < 0 {
		return "", 0, false
	}
	switch b := &c.blocks[c.at]; b.key.kind {
	case isDecision:
		list := p.facts.decisions[b.source].Evidence
		for _, good := range []bool{true, false} {
			for i := range list {
				check, looked := p.facts.Evidence[survey.BackingOf(&list[i])]
				if good && looked && check.Bad() && check.Status != ledger.Moved {
					continue
				}
				file, line = placeOf(&list[i].Ref, check)
				return file, line, file != ""
			}
		}
	case isIdentifier:
		id := &p.facts.checked[b.source]
		file, line = placeOf(&id.Ref, id.Check)
		return file, line, file != ""
	default:
	}
	return "", 0, false
}

// placeOf is where an identifier leads by now.
func placeOf(r *ledger.Ref, c ledger.Check) (file string, line int) {
	switch {
	case c.Status == ledger.Moved && c.At > 0:
		return filepath.FromSlash(r.Path), c.At
	case c.Status == ledger.NoFile && c.To != "":
		return filepath.FromSlash(c.To), c.At
	case c.Status == ledger.NoLine:
		return filepath.FromSlash(r.Path), min(r.From, c.Lines)
	}
	return filepath.FromSlash(r.Path), r.From
}

// editNotes opens NOTES.md in the editor, at the line of what is under the bar.
func (m *model) editNotes() tea.Cmd {
	p := m.ledger
	if r := p.record(); r != nil {
		return editFile(m.begin(), m.Actions, p.row(), r.File, max(r.Line, 1), m.resumeGen)
	}
	line := 1
	if it := p.outline.selected(); it != nil && it.section >= 0 {
		line = p.facts.Notes.Sections[it.section].Line
	}
	if c := &p.content; p.inside && c.at >= 0 && c.blocks[c.at].line > 0 {
		line = c.blocks[c.at].line
	} else if i := c.win.Top; p.inside && i < len(c.blocks) && c.blocks[i].line > 0 {
		line = c.blocks[i].line
	}
	return editFile(m.begin(), m.Actions, p.row(), p.facts.Project.Notes, line, m.resumeGen)
}

// copyLedger puts what is under the bar on the clipboard.
func (m *model) copyLedger() tea.Cmd {
	name, text := m.ledgerText()
	if text == "" {
		m.status.say("There is no text here to copy.")
		return nil
	}
	return m.copyText(name, text)
}

// foldEntry shows the whole text of an entry, or its first lines.
func (m *model) foldEntry() tea.Cmd {
	c := &m.ledger.content
	if c.at < 0 {
		return nil
	}
	if c.open == nil {
		c.open = map[ledgerKey]bool{}
	}
	c.open[c.sel] = !c.open[c.sel]
	c.lines[c.at] = nil
	c.reveal()
	return nil
}

// goInside takes the keys to what stands beside the outline.
func (m *model) goInside() tea.Cmd {
	p := m.ledger
	if p.facts == nil || p.facts.None || p.outline.selected() == nil {
		return nil
	}
	p.inside, p.alone = true, false
	m.arrange()
	return nil
}

// goOutside takes them back to the outline.
func (m *model) goOutside() tea.Cmd {
	m.ledger.inside = false
	m.arrange()
	return nil
}

// toggleContent shows or hides what stands beside the outline; where there is no room beside it, it takes its place.
func (m *model) toggleContent() tea.Cmd {
	p := m.ledger
	switch {
	case m.width < previewFrom:
		p.inside = !p.inside
	default:
		p.alone, p.inside = !p.alone, false
	}
	m.arrange()
	return nil
}

// filterLedger narrows the pane where the keys act: the entries, or without some the outline.
func (m *model) filterLedger() tea.Cmd {
	p := m.ledger
	if p.inside && !p.content.hasEntries() {
		p.inside = false
	}
	p.typing = true
	m.arrange()
	return nil
}

func (m *model) keepLedgerFilter() tea.Cmd {
	m.ledger.typing = false
	m.arrange()
	return nil
}

// field is what the pane where the keys act is narrowed by.
func (p *ledgerPane) field() *field.Field {
	if p.inside {
		return &p.content.field
	}
	return &p.outline.field
}

// narrowLedger lists what has what is typed now.
func (m *model) narrowLedger() tea.Cmd {
	p := m.ledger
	if p.inside {
		p.content.look = contentLook{} // list it again
	} else {
		p.outline.touched = true
	}
	m.drawLedger()
	return nil
}

// moveInLedger moves the bar of the pane where the keys act.
func (m *model) moveInLedger(delta int) tea.Cmd {
	p := m.ledger
	switch {
	case p.facts == nil || p.facts.None:
	case !p.inside:
		p.outline.move(delta, m.layout.Body.H)
		m.drawLedger()
	case delta > 0 && p.content.isCompact() && p.content.at >= p.content.lastDecision():
		m.listAll()
		p.content.move(delta)
	default:
		p.content.move(delta)
	}
	return nil
}

// listAll lists all decisions.
func (m *model) listAll() {
	c := &m.ledger.content
	c.all, c.look, c.touched = true, contentLook{}, true
	m.drawLedger()
}

// scrollLedger moves the view of the pane where the keys act, or of the one under the pointer.
func (m *model) scrollLedger(delta int, inside bool) tea.Cmd {
	p := m.ledger
	switch {
	case p.facts == nil || p.facts.None:
	case inside:
		if delta > 0 && p.content.isCompact() {
			m.listAll()
		}
		p.content.scroll(delta)
	default:
		p.outline.scroll(delta, m.layout.Body.H)
		m.drawLedger()
	}
	return nil
}

// toLedgerEnd goes to the first or the last of the pane where the keys act.
func (m *model) toLedgerEnd(step int) tea.Cmd {
	p := m.ledger
	switch {
	case p.facts == nil || p.facts.None:
	case !p.inside:
		p.outline.move(step*len(p.outline.items), m.layout.Body.H)
		m.drawLedger()
	default:
		if step > 0 && p.content.isCompact() {
			m.listAll()
		}
		p.content.toEnd(step)
	}
	return nil
}

// clearLedger takes back one thing; it reports whether there was one.
func (m *model) clearLedger() bool {
	p := m.ledger
	switch {
	case p.typing || p.field().Text() != "":
		p.typing = false
		if f := p.field(); f.Text() != "" {
			f.Set("")
			m.narrowLedger()
		}
		m.arrange()
	case p.inside:
		m.goOutside()
	default:
		return false
	}
	return true
}

// trouble says why something cannot be shown.
func (c *ledgerContent) trouble(it *outlineItem) {
	f := c.facts
	say := func(title, text string, wrong bool) {
		c.title[0].Text = title
		c.blocks = append(c.blocks, ledgerBlock{note: text, wrong: wrong})
	}
	switch it.key.name {
	case "notes":
		say("NOTES.md", f.Trouble, true)
	case "beads":
		say("Beads", f.BeadsBad, true)
	default:
		say("NOTES.md", "There is no NOTES.md yet. What is added to the ledger makes one.", false)
	}
}
