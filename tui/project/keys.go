package project

import (
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Intents of this screen.
const (
	openChosen = "go-in"
	column     = "column"
)

// Name implements screen.Screen.
func (p *Page) Name() string { return "Project" }

// Keys implements screen.Screen.
func (p *Page) Keys() []screen.Binding {
	as := ""
	if p.need() != nil { // a need has no text to copy
		as = "open"
	}
	columns := p.hasColumns()
	return slices.Concat([]screen.Binding{
		{Keys: []string{"enter"}, Show: "enter", Label: "read", As: as, Help: "read or open", Group: screen.GroupThis, Do: screen.Intent{Name: openChosen}, Gone: p.bar.Kind == survey.ItemNone, Off: p.noOpenReason()},
	}, screen.Common(screen.Resume, screen.Fork, screen.Family, screen.OpenHandover, screen.Recover), []screen.Binding{
		{Name: "next-tab", Keys: []string{"tab"}, Show: "tab", Label: "lists", Help: "to the lists", Group: screen.GroupMove, Do: screen.Intent{Name: screen.StepTab, N: 1}},
		{Name: "previous-tab", Keys: []string{"shift+tab"}, Show: "shift+tab", Help: "previous tab", Group: screen.GroupMove, Do: screen.Intent{Name: screen.StepTab, N: -1}},
		{Show: "← → h l", Help: "other column", Group: screen.GroupMove, Gone: !columns},
		{Keys: []string{"left", "h"}, Do: screen.Intent{Name: column, N: -1}, Gone: !columns},
		{Keys: []string{"right", "l"}, Do: screen.Intent{Name: column, N: 1}, Gone: !columns},
		{Keys: []string{"esc"}, Show: "esc", Label: "back", Help: "back, close, clear", Group: screen.GroupEverywhere, Do: screen.Intent{Name: screen.Clear}},
		{Name: "back", Keys: []string{"q"}, Show: "q", Help: "back", Group: screen.GroupEverywhere, Do: screen.Intent{Name: screen.Leave}},
	}, screen.Common(screen.CopyMenu, screen.Fresh, screen.ResumeIn, screen.EditFile, screen.Backup, screen.Undo, screen.UndoList,
		screen.Search, screen.Palette, screen.Help, screen.Suspend, screen.Quit), screen.Movement("item"))
}

// Do implements screen.Screen.
func (p *Page) Do(do screen.Intent) []screen.Effect {
	rows := p.frame.Layout.Body.H
	switch do.Name {
	case screen.Move:
		p.move(do.N)
	case screen.Page:
		p.scroll(do.N * max(rows-1, 1))
	case screen.Half:
		p.scroll(do.N * max(rows/2, 1))
	case screen.ToEnd:
		p.move(do.N * mostItems)
	case screen.Clear, screen.Leave:
		if back := p.opts.Behind; back != nil {
			return []screen.Effect{screen.Pop{}, screen.Read{Row: *back}}
		}
		return []screen.Effect{screen.Pop{}}
	case screen.Fresh:
		return append(p.ask(), screen.Reload{})
	case openChosen:
		return p.openChosen()
	case column:
		p.beside(do.N)
	}
	return nil
}

// openChosen opens the selected item: a session, a document, or the list of a need.
func (p *Page) openChosen() []screen.Effect {
	if !p.isSeen() {
		p.reveal()
		return nil
	}
	if row := p.chosen(); row != nil {
		return []screen.Effect{screen.Read{Row: *row}}
	}
	need := p.need()
	if need == nil {
		return nil
	}
	kind := sessions.KindSession
	row := p.opts.Row(need.Path)
	switch need.Kind {
	case survey.NeedQuestion:
		if row != nil {
			return []screen.Effect{screen.Read{Row: *row}}
		}
	case survey.NeedPending, survey.NeedUnseen:
		kind = sessions.KindBackup
	case survey.NeedHooks:
		return []screen.Effect{screen.Tell{Text: "Run `continuo doctor hooks` for details."}}
	case survey.NeedTask:
		return []screen.Effect{screen.ShowTask{Dir: p.opts.Dir, Slug: need.Task}}
	case survey.NeedPurge, survey.NeedUnsaved:
	}
	if row == nil {
		return []screen.Effect{screen.Tell{Text: "The list doesn't have this row yet."}}
	}
	return []screen.Effect{screen.Show{Kind: kind, Dir: p.opts.Dir, Path: need.Path}}
}

// noOpenReason returns the reason why enter can't be used, or "".
func (p *Page) noOpenReason() string { return screen.WhyNotRead(p.chosen()) }

// Click implements screen.Screen. A click selects an item, and a second click opens it.
func (p *Page) Click(x, y int) []screen.Effect {
	body := p.frame.Layout.Body
	if !body.Has(x, y) {
		return nil
	}
	item, ok := p.at(x, y-body.Y)
	switch {
	case !ok:
	case item == p.bar && p.noOpenReason() == "":
		return p.openChosen()
	default:
		p.choose(item)
	}
	return nil
}

// Wheel implements screen.Screen.
func (p *Page) Wheel(_, _, rows int) []screen.Effect {
	p.scroll(rows)
	return nil
}

// Subject implements screen.Screen.
func (p *Page) Subject() screen.Subject { return screen.Subject{Row: p.chosen(), Dir: p.opts.Dir} }

// Close implements screen.Screen.
func (p *Page) Close() []screen.Effect {
	p.cancel()
	return nil
}
