package live

import (
	"slices"

	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// choice is an action that the page offers if it has no sessions.
type choice struct {
	name, why string
	do        screen.Intent
}

// choices returns the actions that the page offers if it has no sessions.
func choices() []choice {
	return []choice{
		{"Start a session here", "in continuo, without a terminal", screen.Intent{Name: screen.StartNew}},
		{"Choose a session to resume", "on the Sessions tab", screen.Intent{Name: screen.NextTab}},
	}
}

// choose carries out the selected choice.
func (p *Page) choose() []screen.Effect {
	return []screen.Effect{screen.Do{Intent: choices()[p.choice].do}}
}

// empty draws the page without sessions. rows has the line of each choice.
func (p *Page) empty() (lines []string, rows []int) {
	n := screen.NewNotice(p.frame.Styles, p.frame.Width)
	n.Heading("No session is live")
	n.Detail("Sessions that run in a terminal or in continuo appear here.")
	n.Lines = append(n.Lines, "")
	for i, c := range choices() {
		glyph, ink := render.Span{}, render.Text
		if i == p.choice {
			glyph, ink = render.Span{Ink: render.AccentBold, Text: "▌"}, render.Strong
		}
		rows = append(rows, len(n.Lines))
		n.Pair(glyph, ink, c.name, c.why)
	}
	return n.Lines, rows
}

// doEmpty carries out an intent on the page without sessions.
func (p *Page) doEmpty(do screen.Intent) []screen.Effect {
	switch do.Name {
	case screen.Move, screen.Page, screen.Half, screen.ToEnd:
		p.choice = min(max(p.choice+do.N, 0), len(choices())-1)
	case screen.Fresh:
		return []screen.Effect{screen.Reload{}}
	case read:
		return p.choose()
	}
	return nil
}

// clickEmpty handles a click on the page without sessions. A click on the selected choice carries it out.
func (p *Page) clickEmpty(line int) []screen.Effect {
	_, rows := p.empty()
	switch i := slices.Index(rows, line); {
	case i < 0:
	case i == p.choice:
		return p.choose()
	default:
		p.choice = i
	}
	return nil
}
