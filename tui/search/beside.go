package search

import (
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/screen"
)

// whole returns the selected session if its title was found, or if the query is empty. Such a session has the preview
// of a list. Otherwise whole returns nil.
func (p *Page) whole() *sessions.Row {
	r := p.result()
	if r == nil || r.Row == nil || r.Row.Kind != sessions.KindSession {
		return nil
	}
	if it := &p.items[p.list.At]; it.hit >= 0 || it.kind != titleItem && len(r.Hits) > 0 {
		return nil
	}
	return r.Row
}

// wantBeside reads what is beside the list: the preview of a session, or the messages around a match.
func (p *Page) wantBeside() []screen.Effect {
	row := p.whole()
	p.beside.Find = ""
	if p.query != nil {
		p.beside.Find = strings.Join(p.query.Words(), "\n")
	}
	asked := p.beside.Show(row, p.frame, p.frame.Width-p.listWidth()-1)
	if row != nil {
		return asked
	}
	return p.wantAround()
}

// drawBeside returns the rows of the pane beside the list.
func (p *Page) drawBeside(width int) []string {
	if p.whole() == nil {
		return p.pane.draw(p, width)
	}
	return p.beside.Draw(p.frame.Layout.Body.H-1, !p.here)
}
