package reader

import (
	"cmp"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Subject implements screen.Screen.
func (p *Page) Subject() screen.Subject {
	row := &p.pane.row
	of := screen.Subject{Row: row, Dir: cmp.Or(row.Project, row.Workdir), Edit: p.edit()}
	if of.NoPart = "nothing is shown"; p.hasParts() {
		r := &p.pane
		of.NoPart, of.At = "", r.forkAt()
		of.Part = &screen.Copy{
			Name: "the selection", Find: partText(r.doc, r.version, r.bar.message, r.part(r.bar).Block), None: "There is no text here to copy.",
		}
	}
	return of
}

// forkAt returns the selected message if it can be the last message of a fork. It must be a prompt or an answer,
// and not the last message.
func (r *pane) forkAt() *screen.At {
	i, e := r.bar.message, r.cache.messages[r.bar.message]
	if e == nil || !r.refs[i].Turn || r.row.Kind != sessions.KindSession || r.turns[i] == r.turns[r.last] && i <= r.last {
		return nil
	}
	return &screen.At{ID: e.msg.ID, Name: "message " + words.Count(int(r.turns[i])) + " of " + words.Count(int(r.turns[len(r.turns)-1]))}
}

// edit returns what to open in the editor. This is a document at the selected section, or the file that the
// selected call names.
func (p *Page) edit() *screen.Edit {
	r := &p.pane
	switch {
	case p.isDocument() && p.hasParts():
		return &screen.Edit{Row: r.row, Find: sectionStart(r.row.Path, r.doc, r.version, r.bar.message)}
	case p.isDocument():
		return &screen.Edit{Row: r.row, File: r.row.Path}
	}
	e := &screen.Edit{Row: r.row, None: "select a call that reads or edits a file"}
	if m, block := r.selectedCall(); m != nil {
		e.File, e.Line = m.Target(block)
	}
	return e
}
