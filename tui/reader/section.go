package reader

import (
	"strings"

	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// hasHeading reports whether a section has a heading, so that it can be folded.
func (d *drawing) hasHeading() bool {
	s := opened.NewSection(opened.Text(d.msg))
	return s.Title != ""
}

// isShut reports whether only the heading of a section is shown.
func (d *drawing) isShut() bool { return d.section && d.foldOf(0) == talk.Shut }

// drawShut draws only the heading line of a section.
func (d *drawing) drawShut(o talk.Options) {
	s := opened.NewSection(opened.Text(d.msg))
	d.lines, d.want = nil, nil
	if d.after == talk.Prose {
		d.lines = []string{""}
	}
	if s.Title == "" {
		s.Title, _, _ = strings.Cut(talk.FirstLine(d.msg, o.Width), "\n")
	}
	d.lines = append(d.lines, opened.Line(&s, false, o))
	d.parts = []talk.Part{{Block: 0, From: len(d.lines) - 1, To: len(d.lines), Fold: talk.Shut}}
	d.end = talk.Folded
}

// ending returns how the message ends, without drawing it.
func (d *drawing) ending() talk.Ending {
	switch {
	case d.branches > 0:
		return talk.Prose
	case d.isShut(), len(d.runs) > 0 && d.runs[len(d.runs)-1].Ends && !d.runs[len(d.runs)-1].Open:
		return talk.Folded
	case d.lists:
		return talk.EndDropped(d.dropped, d.foldOf(talk.DroppedBlock))
	}
	return talk.EndWith(d.msg, talk.Options{Folds: d.foldOf, Work: d.inWork})
}
