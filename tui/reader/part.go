package reader

import (
	"cmp"

	"github.com/continuo-tui/continuo/tui/screen"
)

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
