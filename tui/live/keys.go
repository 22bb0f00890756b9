package live

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/keeper"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Intents of this screen.
const (
	read = "go-in"    // opens the selected session for reading
	goTo = "go-to-it" // selects the tmux window of the selected session
)

// Name implements screen.Screen.
func (p *Page) Name() string { return "Live" }

// Keys implements screen.Screen.
func (p *Page) Keys() []screen.Binding {
	none, off, open := p.chosen() == nil, "", "read"
	if len(p.items) == 0 {
		open = "choose"
	}
	if _, ok := p.pane(); !ok {
		off = "its terminal isn't a tmux window"
	}
	row := p.chosen()
	asks := row != nil && row.Live != nil && row.Live.Status == sessions.StatusWaiting && row.Live.Entrypoint == keeper.Entrypoint
	return slices.Concat([]screen.Binding{
		{Name: "answer", Keys: []string{"A"}, Show: "A", Label: "answer", Help: "answer the question", Group: screen.GroupThis, Do: screen.Intent{Name: answer}, Gone: !asks, Needed: "no open question can be answered here"},
		{Keys: []string{"enter"}, Show: "enter", Label: open, Help: open, Group: screen.GroupThis, Do: screen.Intent{Name: read}, Off: screen.WhyNotRead(p.chosen())},
		{Name: "go-to-terminal", Keys: []string{"a"}, Show: "a", Label: "go to it", Help: "go to its tmux window", Group: screen.GroupThis, Do: screen.Intent{Name: goTo}, Gone: none, Needed: "no session is live", Off: off, Needs: screen.NeedsActions},
	}, screen.Common(screen.Resume, screen.StartNew, screen.Fork, screen.NextTab, screen.LastTab, screen.OpenHandover, screen.CopyMenu, screen.Facts,
		screen.Family, screen.Project, screen.ResumeIn, screen.EditFile, screen.Backup, screen.Undo, screen.UndoList, screen.Search,
		screen.Palette, screen.Help, screen.Fresh, screen.Suspend, screen.Quit), screen.Movement("session"))
}

// Do implements screen.Screen.
func (p *Page) Do(do screen.Intent) []screen.Effect {
	rows := p.list.Rows
	if len(p.items) == 0 {
		return p.doEmpty(do)
	}
	switch do.Name {
	case screen.Move:
		p.list.Move(do.N)
	case screen.Page:
		p.list.Move(do.N * max(rows/2-1, 1)) // a session has two rows
	case screen.Half:
		p.list.Move(do.N * max(rows/4, 1))
	case screen.ToEnd:
		p.list.ToEnd(do.N)
	case screen.Fresh:
		return []screen.Effect{screen.Reload{}}
	case read:
		return p.read(false)
	case answer:
		return p.read(true)
	case goTo:
		if pane, ok := p.pane(); ok {
			return []screen.Effect{screen.GoTo{Row: *p.chosen(), Pane: pane.ID}}
		}
	}
	return nil
}

// read opens the selected session on the Talk screen or in the reader. answers also opens its oldest question.
func (p *Page) read(answers bool) []screen.Effect {
	row := p.chosen()
	if row == nil {
		return nil
	}
	source, of := p.opts.Source, *row
	return []screen.Effect{screen.Cmd(func() tea.Msg {
		if s, ok := source.Session(of.ID); ok && s.Status != keeper.StatusEnded {
			return screen.Drive{ID: of.ID, Answer: answers}
		}
		return screen.Read{Row: of}
	})}
}

// Click implements screen.Screen. A click selects a session, and a second click opens it.
func (p *Page) Click(_, y int) []screen.Effect {
	if len(p.items) == 0 {
		return p.clickEmpty(y - p.frame.Layout.Body.Y)
	}
	switch i := p.list.Item(y - p.frame.Layout.Body.Y); {
	case i < 0 || p.items[i].row == nil:
	case i == p.list.At && screen.WhyNotRead(p.chosen()) == "":
		return p.read(false)
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
