package facts

import (
	"slices"

	"github.com/continuo-tui/continuo/tui/screen"
)

// Intents of this screen.
const (
	openIt = "go-in"
	widen  = "scope"
	copyIt = "copy-facts"
)

// Name implements screen.Screen.
func (p *Page) Name() string { return "Facts" }

// Keys implements screen.Screen.
func (p *Page) Keys() []screen.Binding {
	as := ""
	switch {
	case p.bar.more && p.opened[p.bar.group]:
		as = "first rows"
	case p.bar.more:
		as = "all rows"
	}
	narrow := p.opts.Source != nil && !p.has(ofAll)
	return slices.Concat([]screen.Binding{
		{Name: "next-tab", Keys: []string{"tab"}, Show: "tab", Label: "wider scope", Help: "session, project, all projects", Group: screen.GroupThis, Do: screen.Intent{Name: widen, N: 1}, Gone: narrow},
		{Keys: []string{"enter"}, Show: "enter", Label: "open", As: as, Help: "open the call in its conversation", Group: screen.GroupThis, Do: screen.Intent{Name: openIt}, Gone: p.bar == spot{}, Needed: "no file and no failed call"},
		{Name: "copy", Keys: []string{"y"}, Show: "y", Label: "copy as markdown", Help: "copy as markdown", Group: screen.GroupThis, Do: screen.Intent{Name: copyIt}, Needs: screen.NeedsActions, Gone: p.opts.Source != nil && p.figures() == nil, Needed: "still counting"},
	}, screen.Common(screen.Facts, screen.Resume, screen.Export, screen.Fresh), []screen.Binding{
		{Keys: []string{"esc"}, Show: "esc", Label: "back", Help: "back, close, clear", Group: screen.GroupEverywhere, Do: screen.Intent{Name: screen.Clear}},
		{Name: "back", Keys: []string{"q"}, Show: "q", Help: "back", Group: screen.GroupEverywhere, Do: screen.Intent{Name: screen.Leave}},
		{Name: "previous-tab", Keys: []string{"shift+tab"}, Show: "shift+tab", Help: "narrower scope", Group: screen.GroupMove, Do: screen.Intent{Name: widen, N: -1}, Gone: narrow},
	}, screen.Common(screen.Project, screen.Search, screen.Palette, screen.Help, screen.Suspend, screen.Quit), screen.Movement("file or failed call"))
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
		p.scroll(do.N * len(p.lines))
	case screen.Fresh:
		return p.count()
	case screen.Clear, screen.Leave:
		return []screen.Effect{screen.Pop{}}
	case widen:
		return p.widen(do.N)
	case openIt:
		return p.open()
	case copyIt:
		if f := p.figures(); f != nil {
			return []screen.Effect{screen.Copy{Name: "the facts", Text: p.markdown(f)}}
		}
	}
	return nil
}

// open opens the conversation at the selected call, or shows all rows of a list.
func (p *Page) open() []screen.Effect {
	if !p.isSeen(p.bar) {
		p.scroll(p.bar.y - p.top - p.frame.Layout.Body.H/2)
		return nil
	}
	if p.bar.more {
		p.opened[p.bar.group] = !p.opened[p.bar.group]
		return nil
	}
	at := p.bar.at
	row, ok := p.rowOf(at.Transcript)
	if !ok {
		return []screen.Effect{screen.Tell{Text: "The conversation of this call is not in the list."}}
	}
	return []screen.Effect{screen.Read{Row: row, At: &screen.Place{Offset: screen.FromStart, Call: at.Call}}}
}

// Click implements screen.Screen. A click selects a row, and a second click opens it.
func (p *Page) Click(x, y int) []screen.Effect {
	y += p.top - p.frame.Layout.Body.Y
	for _, s := range p.spots {
		if s.y != y || x < s.x {
			continue
		}
		if s == p.bar {
			return p.open()
		}
		p.bar = s
	}
	return nil
}

// Wheel implements screen.Screen.
func (p *Page) Wheel(_, _, rows int) []screen.Effect {
	p.scroll(rows)
	return nil
}
