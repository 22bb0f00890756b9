package reader

import (
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// toSection is the reply of the outline dialog: the first message of the section to go to.
type toSection struct{ message int }

// askOutline reads the sections of the document.
func (p *Page) askOutline() []screen.Effect {
	r := &p.pane
	if !p.hasParts() {
		return nil
	}
	return commands(outlineDoc(r.ctx, r.doc, r.version, len(r.refs)))
}

// outlined shows the outline, with the bar on the current section.
func (p *Page) outlined(msg outlinedMsg) []screen.Effect {
	if msg.version != p.pane.version {
		return nil
	}
	if msg.err != nil {
		return []screen.Effect{screen.Fail{What: "The outline could not be read.", Err: msg.err}}
	}
	o := dialog.MenuOptions{Title: "Outline", About: render.Title(&p.pane.row), Verb: "go to it"}
	for i := range msg.sections {
		s := &msg.sections[i]
		if s.At <= p.pane.bar.message {
			o.At = i
		}
		it := dialog.Offer{Name: s.Label(), Note: s.Count(), Do: screen.Reply{Msg: toSection{s.At}}}
		if p.frame.Width < dialog.From && it.Note != "" { // too narrow for a second column
			it.Name, it.Note = it.Name+"  "+it.Note, ""
		}
		o.Items = append(o.Items, it)
	}
	return []screen.Effect{screen.Open{Dialog: dialog.NewMenu(o)}}
}
