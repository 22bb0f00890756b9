package familyview

import (
	"cmp"
	"slices"

	"github.com/continuo-tui/continuo/sessions/family"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Intents of this screen.
const (
	read = "go-in"
	fold = "fold-agents"
)

// Name implements screen.Screen.
func (p *Page) Name() string { return "Family" }

// Keys implements screen.Screen.
func (p *Page) Keys() []screen.Binding {
	folds := ""
	if p.folded {
		folds = "show agents"
	}
	others := screen.Common(screen.Project, screen.ResumeIn, screen.EditFile, screen.Backup, screen.Undo, screen.UndoList, screen.Search)
	for i := range others { // these actions don't concern the family
		others[i].Quiet = true
	}
	return slices.Concat([]screen.Binding{
		{Keys: []string{"enter"}, Show: "enter", Label: "read", Help: "read", Group: screen.GroupThis, Do: screen.Intent{Name: read}, Off: p.whyNotRead()},
	}, screen.Common(screen.Resume, screen.Fork), []screen.Binding{
		{Keys: []string{"z"}, Show: "z", Label: "fold agents", As: folds, Help: "show or hide the sub-agents", Group: screen.GroupThis, Do: screen.Intent{Name: fold}, Gone: !p.hasAgents(), Needed: "no sub-agents", Quiet: !p.hasAgents()},
	}, screen.Common(screen.CopyMenu, screen.Facts), []screen.Binding{
		{Keys: []string{"esc"}, Show: "esc", Label: "back", Help: "back, close, clear", Group: screen.GroupEverywhere, Do: screen.Intent{Name: screen.Clear}},
		{Name: "back", Keys: []string{"q"}, Show: "q", Help: "back", Group: screen.GroupEverywhere, Do: screen.Intent{Name: screen.Leave}},
	}, others, screen.Common(screen.Palette, screen.Help, screen.Suspend, screen.Quit), screen.Movement("session"))
}

func (p *Page) whyNotRead() string {
	row := p.chosen()
	if row == nil && p.list.At >= 0 {
		return "the session is not here: deleted or in another folder"
	}
	return screen.WhyNotRead(row)
}

// Do implements screen.Screen.
func (p *Page) Do(do screen.Intent) []screen.Effect {
	rows := p.list.Rows
	switch do.Name {
	case screen.Move:
		p.list.Move(do.N)
	case screen.Page:
		p.list.Move(do.N * max(rows-1, 1))
	case screen.Half:
		p.list.Move(do.N * max(rows/2, 1))
	case screen.ToEnd:
		p.list.ToEnd(do.N)
	case screen.Clear, screen.Leave:
		return []screen.Effect{screen.Pop{}}
	case read:
		return p.read()
	case fold:
		p.folded = !p.folded
		if s := p.step(); s != nil && s.Kind == family.StepAgent { // the bar goes to the session
			p.sel = p.members[p.list.At].Row.Path
		}
		p.build()
	}
	return nil
}

// read opens the selected session, the session at the selected step, or the sub-agent's transcript.
func (p *Page) read() []screen.Effect {
	row := p.chosen()
	if row == nil {
		return nil
	}
	e := screen.Read{Row: *row}
	switch s := p.step(); {
	case s == nil:
	case s.Path != "":
		e.Row = screen.AgentRow(row, s.Path, s.Title)
		e.Row.Name = cmp.Or(s.Title, e.Row.Name) // the heading of the screen says that it is a sub-agent
		e.Agent = &screen.Agent{Type: s.Type, Of: render.Title(row)}
	case s.ID != "":
		e.At = &screen.Place{Message: s.ID}
	}
	return []screen.Effect{e}
}

// Click implements screen.Screen. A click selects a session, and a second click opens it.
func (p *Page) Click(_, y int) []screen.Effect {
	i := p.list.Item(y - p.frame.Layout.Body.Y)
	switch {
	case i < 0:
	case i == p.list.At && p.whyNotRead() == "":
		return p.read()
	default:
		p.list.Choose(i)
	}
	return nil
}

// Wheel implements screen.Screen.
func (p *Page) Wheel(_, _, rows int) []screen.Effect {
	p.list.Scroll(rows)
	return nil
}
