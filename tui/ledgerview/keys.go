package ledgerview

import (
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Intents of this screen.
const (
	enter     = "enter"
	editNotes = "edit-notes"
	copyText  = "copy-text"
	filter    = "filter"
	keep      = "keep-filter"
	fold      = "fold"
	beside    = "beside" // moves to the outline (-1) or to the pane beside it (1)
	preview   = "preview"
	heal      = "heal"
)

// Name implements screen.Screen.
func (p *Page) Name() string {
	if p.typing {
		return "While you type"
	}
	return "Ledger"
}

// Keys implements screen.Screen.
func (p *Page) Keys() []screen.Binding {
	if p.typing {
		return narrowing()
	}
	has := p.hasEntry()
	none := func(b screen.Binding, needed string) screen.Binding {
		b.Gone, b.Needed = !has, needed
		return b
	}
	do := func(name string) screen.Intent { return screen.Intent{Name: name} }
	handover := screen.Common(screen.OpenHandover)
	handover[0].Needed = "no session of this project is listed"
	return slices.Concat([]screen.Binding{
		{Keys: []string{"enter"}, Show: "enter", Label: "open", As: p.enterWord(), Help: "go in, open the code", Group: screen.GroupThis, Do: do(enter), Gone: !has || p.inside && p.content.list.At < 0, Needed: "everything is shown", Off: p.noEnterReason()},
		{Name: "edit", Keys: []string{"e"}, Show: "e", Label: "edit", Help: "edit NOTES.md here", Group: screen.GroupThis, Do: do(editNotes), Gone: !p.hasNotes(), Needed: "there is no NOTES.md", Off: p.noEditReason(), Needs: screen.NeedsActions},
		{Show: "esc", Label: "outline", Gone: !has || !p.f.Layout.Flipped},
	}, screen.Common(screen.Recover), handover, []screen.Binding{
		none(screen.Binding{Name: "copy", Keys: []string{"y"}, Show: "y", Label: "copy", Help: "copy as text", Group: screen.GroupThis, Do: do(copyText), Needs: screen.NeedsActions}, "nothing is chosen"),
		{Name: "note", Keys: []string{"N"}, Show: "N", Label: "note", Help: "add to the ledger", Group: screen.GroupThis, Do: do(screen.Note), Needs: screen.NeedsChanges},
		{Name: heal, Keys: []string{"H"}, Show: "H", Label: "heal", Help: "restore missing parts", Group: screen.GroupThis, Do: do(heal), Gone: !p.isMissing(), Needed: "nothing is missing", Needs: screen.NeedsChanges},
		none(screen.Binding{Name: "filter", Keys: []string{"/"}, Show: "/", Label: "filter", Help: "filter this list", Group: screen.GroupFind, Do: do(filter)}, "nothing is listed"),
		{Keys: []string{"z"}, Show: "z", Help: "open or fold", Group: screen.GroupThis, Do: do(fold), Gone: !has || !p.inside || p.content.list.At < 0},
	}, screen.Common(screen.NextTab, screen.LastTab), []screen.Binding{
		none(screen.Binding{Name: "preview", Keys: []string{"p"}, Show: "p", Help: "preview on or off", Group: screen.GroupFind, Do: do(preview)}, "nothing is listed"),
		none(screen.Binding{Show: "← → h l", Help: "outline, entries", Group: screen.GroupMove}, ""),
		{Keys: []string{"left", "h"}, Do: screen.Intent{Name: beside, N: -1}},
		{Keys: []string{"right", "l"}, Do: screen.Intent{Name: beside, N: 1}},
		{Keys: []string{"esc"}, Show: "esc", Help: "back, close, clear", Group: screen.GroupEverywhere, Do: do(screen.Clear)},
		{Name: "back", Keys: []string{"q"}, Show: "q", Help: "back, then quit", Group: screen.GroupEverywhere, Do: do(screen.Leave)},
	}, screen.Common(screen.Project, screen.LeftToUndo, screen.Fresh, screen.Undo, screen.UndoList, screen.Search, screen.Palette, screen.Help,
		screen.Suspend, screen.Quit), screen.Movement("entry"))
}

// narrowing returns the keys that work while the filter is being typed.
func narrowing() []screen.Binding {
	return append([]screen.Binding{
		{Keys: []string{"enter"}, Show: "enter", Label: "keep the filter", Help: "keep the filter", Group: screen.GroupFind, Do: screen.Intent{Name: keep}},
		{Show: "↑ ↓", Label: "entry", Help: "entry", Group: screen.GroupMove},
		{Show: "pgup pgdn", Help: "page", Group: screen.GroupMove},
		{Keys: []string{"up"}, Do: screen.Intent{Name: screen.Move, N: -1}},
		{Keys: []string{"down"}, Do: screen.Intent{Name: screen.Move, N: 1}},
		{Keys: []string{"pgup"}, Do: screen.Intent{Name: screen.Page, N: -1}},
		{Keys: []string{"pgdown"}, Do: screen.Intent{Name: screen.Page, N: 1}},
		{Keys: []string{"esc"}, Show: "esc", Label: "clear", Help: "clear the filter", Group: screen.GroupFind, Do: screen.Intent{Name: screen.Clear}},
	}, screen.Typing()...)
}

// Do implements screen.Screen.
func (p *Page) Do(do screen.Intent) []screen.Effect {
	rows := p.f.Layout.Body.H
	switch do.Name {
	case screen.Move:
		p.move(do.N)
	case screen.Page:
		p.page(do.N * max(rows-1, 1))
	case screen.Half:
		p.page(do.N * max(rows/2, 1))
	case screen.ToEnd:
		p.toEnd(do.N)
	case screen.Clear:
		p.clear()
	case screen.Leave:
		if !p.clear() {
			return []screen.Effect{screen.Do{Intent: screen.Intent{Name: screen.Quit}}}
		}
	case screen.Fresh:
		return append(p.ask(), screen.Reload{})
	case screen.EraseWord, screen.EraseAll:
		return p.Typed(screen.EraseKey(do))
	case enter:
		if p.inside {
			return p.enterEntry()
		}
		p.goInside()
	case editNotes:
		return p.edit()
	case copyText:
		return p.copyIt()
	case heal:
		return []screen.Effect{screen.Ask{Change: screen.Change{Kind: screen.ChangeHeal, Dir: p.dir}}}
	default:
		p.show(do)
	}
	return nil
}

// show carries out those intents that only change the view.
func (p *Page) show(do screen.Intent) {
	switch do.Name {
	case filter:
		if p.inside && !p.content.canFilter() {
			p.inside = false
		}
		p.typing = true
	case keep:
		p.typing = false
	case fold:
		p.foldEntry()
	case beside:
		if do.N > 0 {
			p.goInside()
		} else {
			p.inside = false
		}
	case preview: // on a narrow screen, the preview replaces the outline
		if p.f.Width < screen.PreviewFrom {
			p.inside = !p.inside
		} else {
			p.alone, p.inside = !p.alone, false
		}
	}
}

// Typed implements screen.Typed.
func (p *Page) Typed(msg tea.Msg) []screen.Effect {
	if p.typing && p.field().Type(msg) {
		p.narrow()
	}
	return nil
}

// Wheel implements screen.Screen.
func (p *Page) Wheel(x, y, rows int) []screen.Effect {
	beside := p.f.Layout.Preview
	p.scroll(rows, beside.H > 0 && beside.Has(x, y))
	return nil
}

// hasEntry reports whether an item of the outline is selected.
func (p *Page) hasEntry() bool {
	return p.facts != nil && !p.facts.None && p.outline.selected() != nil
}

// isMissing reports whether a part of the ledger is missing.
func (p *Page) isMissing() bool { return p.facts != nil && len(p.facts.Missing) > 0 }

func (p *Page) hasNotes() bool {
	f := p.facts
	return p.record() != nil || f != nil && f.Project.Notes != "" && (f.Notes != nil || f.Trouble != "")
}

func (p *Page) enterWord() string {
	switch {
	case !p.inside:
		return "go in"
	case !p.namesCode():
		return "whole text"
	}
	return "open the code"
}

// noEnterReason returns why enter does nothing; "" if it does something.
func (p *Page) noEnterReason() string {
	if !p.inside {
		return ""
	}
	if p.namesCode() && !p.opts.CanOpen {
		return "nothing can be opened here"
	}
	return ""
}

// enterEntry opens the code to which the selected entry refers. If the entry refers to no code, enterEntry shows
// or hides the full text of the entry.
func (p *Page) enterEntry() []screen.Effect {
	if !p.content.list.IsSeen() {
		p.content.list.Reveal()
		return nil
	}
	if why := p.noEnterReason(); why != "" {
		return []screen.Effect{screen.Tell{Text: "enter: " + why}}
	}
	if !p.namesCode() {
		p.foldEntry()
		return nil
	}
	file, line, _ := p.code()
	if rest, ok := strings.CutPrefix(file, "~"+string(filepath.Separator)); ok && p.f.Home != "" {
		file = filepath.Join(p.f.Home, rest)
	}
	return []screen.Effect{screen.Edit{Row: rowOf(p), File: file, Line: line}}
}

// namesCode reports whether the selected entry refers to code.
func (p *Page) namesCode() bool {
	_, _, ok := p.code()
	return ok
}

// rowOf returns a row for the project. With this row, paths are relative to the root of the project.
func rowOf(p *Page) sessions.Row {
	var row sessions.Row
	row.Project, row.Workdir = p.dir, p.root()
	return row
}

// code returns the place in the code to which the selected entry refers. If there are several places, it prefers
// one that exists.
func (p *Page) code() (file string, line int, ok bool) {
	c := &p.content
	if c.list.At < 0 {
		return "", 0, false
	}
	switch b := &c.blocks[c.list.At]; b.key.kind {
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

// placeOf returns where the place of an identifier is now.
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

// edit opens NOTES.md in the editor. The editor starts at the selected item or entry.
func (p *Page) edit() []screen.Effect {
	if r := p.record(); r != nil {
		return []screen.Effect{screen.Edit{Row: rowOf(p), File: r.File, Line: max(r.Line, 1)}}
	}
	line := 1
	if it := p.outline.selected(); it != nil && it.section >= 0 {
		line = p.facts.Notes.Sections[it.section].Line
	}
	if c := &p.content; p.inside && c.list.At >= 0 && c.blocks[c.list.At].line > 0 {
		line = c.blocks[c.list.At].line
	} else if i := c.list.Win.Top; p.inside && i < len(c.blocks) && c.blocks[i].line > 0 {
		line = c.blocks[i].line
	}
	return []screen.Effect{screen.Edit{Row: rowOf(p), File: p.facts.Project.Notes, Line: line}}
}

// copyIt copies the selected item or entry.
func (p *Page) copyIt() []screen.Effect {
	name, text := p.text()
	if text == "" {
		return []screen.Effect{screen.Tell{Text: "There is no text here to copy."}}
	}
	return []screen.Effect{screen.Copy{Name: name, Text: text}}
}

// foldEntry shows the full text of the selected entry, or hides it.
func (p *Page) foldEntry() {
	c := &p.content
	if c.list.At < 0 {
		return
	}
	if c.open == nil {
		c.open = map[ledgerKey]bool{}
	}
	c.open[c.sel] = !c.open[c.sel]
	c.lines[c.list.At] = nil
	c.list.Reveal()
}

// goInside makes the keys act on the pane beside the outline.
func (p *Page) goInside() {
	if p.hasEntry() {
		p.inside, p.alone = true, false
	}
}

// field returns the filter of the pane on which the keys act.
func (p *Page) field() *field.Field {
	if p.inside {
		return &p.content.field
	}
	return &p.outline.field
}

// narrow applies a filter that has changed.
func (p *Page) narrow() {
	if p.inside {
		p.content.look = contentLook{} // this lists the blocks again
	} else {
		p.outline.touched = true
	}
	p.fit()
}

// move moves the bar of the pane on which the keys act.
func (p *Page) move(delta int) {
	switch {
	case p.facts == nil || p.facts.None:
	case !p.inside:
		p.outline.Move(delta)
		p.fit()
	case delta > 0 && p.content.isCompact() && p.content.list.At >= p.content.lastDecision():
		p.listAll()
		p.content.list.Move(delta)
	default:
		p.content.list.Move(delta)
	}
}

// page scrolls the pane beside the outline by delta rows. If the keys act on the outline, page moves the bar of
// the outline instead.
func (p *Page) page(delta int) {
	if p.inside {
		p.scroll(delta, true)
	} else {
		p.move(delta)
	}
}

// listAll lists all decisions.
func (p *Page) listAll() {
	c := &p.content
	c.all, c.look, c.touched = true, contentLook{}, true
	p.fit()
}

// scroll scrolls the pane beside the outline if inside is set, and otherwise the outline.
func (p *Page) scroll(delta int, inside bool) {
	switch {
	case p.facts == nil || p.facts.None:
	case inside:
		if delta > 0 && p.content.isCompact() {
			p.listAll()
		}
		p.content.list.Scroll(delta)
	default:
		p.outline.Scroll(delta)
		p.fit()
	}
}

// toEnd goes to the start or the end of the pane on which the keys act.
func (p *Page) toEnd(step int) {
	switch {
	case p.facts == nil || p.facts.None:
	case !p.inside:
		if i := p.outline.End(step); i >= 0 {
			p.outline.Choose(i)
			p.outline.Reveal()
		}
		p.fit()
	default:
		if step > 0 && p.content.isCompact() {
			p.listAll()
		}
		p.content.list.ToEnd(step)
	}
}

// clear clears the filter, or makes the keys act on the outline again. It returns false if there was nothing to
// do.
func (p *Page) clear() bool {
	switch {
	case p.typing || p.field().Text() != "":
		p.typing = false
		if f := p.field(); f.Text() != "" {
			f.Set("")
			p.narrow()
		}
	case p.inside:
		p.inside = false
	default:
		return false
	}
	return true
}

// trouble adds why a part can't be shown.
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
	case "missing":
		c.missing("Missing")
	default:
		if len(f.Missing) > 0 {
			c.missing("NOTES.md")
			return
		}
		say("NOTES.md", "There is no NOTES.md yet. The first entry creates it.", false)
	}
}

// missing adds the parts that heal restores.
func (c *ledgerContent) missing(title string) {
	c.title[0].Text = title
	for _, part := range c.facts.Missing {
		c.blocks = append(c.blocks, ledgerBlock{note: part, wrong: true})
	}
	c.blocks = append(c.blocks, ledgerBlock{note: c.look.heal, gap: true})
}
