package list

import (
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Choice is something to do while there are no sessions.
type Choice struct {
	Name, Why string
	Run       screen.Takeover
	// Folder, if set, is called in place of Run, with a Claude config directory that the user names.
	Folder func(dir string) screen.Takeover
}

// offers reports whether the choices are shown, because there are no sessions.
func (p *Page) offers() bool {
	l := p.pane
	return len(p.opts.Choices) > 0 && !p.loading && l.kind == sessions.KindSession && l.tally.Total == 0 && len(p.scope.missing) == 0
}

// choose moves the bar of the choices.
func (p *Page) choose(delta int) {
	p.choice = min(max(p.choice+delta, 0), len(p.opts.Choices)-1)
}

// takeChoice carries out the selected choice.
func (p *Page) takeChoice() []screen.Effect {
	p.dragging = false
	c := p.opts.Choices[p.choice]
	if c.Folder != nil {
		return []screen.Effect{screen.AskFolder{About: "with projects/ in it", Take: func(dir string) screen.Effect { return screen.Run{Program: c.Folder(dir)} }}}
	}
	return []screen.Effect{screen.Run{Program: c.Run}}
}

// choices draws the choices with the bar.
func (n noRows) choices() {
	for i, c := range n.p.opts.Choices {
		glyph, ink := render.Span{}, render.Text
		if i == n.p.choice {
			glyph, ink = render.Span{Ink: render.AccentBold, Text: "▌"}, render.Strong
		}
		n.Pair(glyph, ink, c.Name, c.Why)
	}
}
