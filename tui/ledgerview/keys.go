package ledgerview

import (
	"slices"

	tea "charm.land/bubbletea/v2"

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
	beside    = "beside" // moves to the outline (-1) or the content pane (1)
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

// narrowing returns the keys that work while the user types a filter.
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
		return append(p.ask(&p.opts), screen.Reload{})
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

// show carries out the intents that only change the view.
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
		p.content.fold()
	case beside:
		if do.N > 0 {
			p.goInside()
		} else {
			p.inside = false
		}
	case preview: // on a narrow screen, the content pane replaces the outline
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

func (p *Page) hasNotes() bool {
	f := p.facts
	return p.record() != nil || f != nil && f.Project.Notes != "" && (f.Notes != nil || f.Trouble != "")
}

// goInside moves the focus to the content pane.
func (p *Page) goInside() {
	if p.hasEntry() {
		p.inside, p.alone = true, false
	}
}

// field returns the filter of the focused pane.
func (p *Page) field() *field.Field {
	if p.inside {
		return &p.content.field
	}
	return &p.outline.field
}

// narrow applies a changed filter.
func (p *Page) narrow() {
	if p.inside {
		p.content.look = contentLook{} // builds the blocks again
	} else {
		p.outline.touched = true
	}
	p.fit()
}

// move moves the bar of the focused pane.
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

// page scrolls the content pane, or moves the bar of the outline, by delta rows.
func (p *Page) page(delta int) {
	if p.inside {
		p.scroll(delta, true)
	} else {
		p.move(delta)
	}
}

func (p *Page) listAll() {
	c := &p.content
	c.all, c.look, c.touched = true, contentLook{}, true
	p.fit()
}

// scroll scrolls the content pane if inside is true, or else the outline.
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

// toEnd goes to the start or the end of the focused pane.
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

// clear clears the filter or moves the focus to the outline. Otherwise it returns false.
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
