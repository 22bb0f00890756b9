package reader

import (
	"cmp"

	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// toSection is the reply of the outline: go to the section that starts with a message.
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

// Subject implements screen.Screen.
func (p *Page) Subject() screen.Subject {
	row := &p.pane.row
	of := screen.Subject{Row: row, Dir: cmp.Or(row.Project, row.Workdir), Edit: p.edit()}
	if of.NoPart = "nothing is shown"; p.hasParts() {
		r := &p.pane
		of.NoPart = ""
		of.Part = &screen.Copy{
			Name: "the selection", Find: partText(r.doc, r.version, r.bar.message, r.part(r.bar).Block), None: "There is no text here to copy.",
		}
	}
	return of
}

// edit returns the file for the editor: a document at the selected section, or the file that the selected call names.
func (p *Page) edit() *screen.Edit {
	r := &p.pane
	switch {
	case p.isDocument() && p.hasParts():
		return &screen.Edit{Row: r.row, Find: sectionStart(r.row.Path, r.doc, r.version, r.bar.message)}
	case p.isDocument():
		return &screen.Edit{Row: r.row, File: r.row.Path}
	case p.hasParts():
		return &screen.Edit{
			Row: r.row, Find: partFile(r.doc, r.version, r.bar.message, r.part(r.bar).Block),
			None: "This part names no file. Select a call that reads or edits one.",
		}
	}
	return &screen.Edit{Row: r.row} // nothing to edit yet
}
