package tui

import (
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// hasHeading reports whether a section can be folded.
func (d *drawing) hasHeading() bool {
	s := newSection(textOf(d.msg))
	return s.title != ""
}

// isShut reports whether it is a section of which only the heading is shown.
func (d *drawing) isShut() bool { return d.section && d.foldOf(0) == talk.Shut }

// drawShut draws a section as the line of its heading.
func (d *drawing) drawShut(o talk.Options) {
	s := newSection(textOf(d.msg))
	d.lines, d.want = nil, nil
	if d.after == talk.Prose {
		d.lines = []string{""}
	}
	if s.title == "" {
		s.title, _, _ = strings.Cut(talk.FirstLine(d.msg, o.Width), "\n")
	}
	d.lines = append(d.lines, outlineLine(&s, false, o))
	d.parts = []talk.Part{{Block: 0, From: len(d.lines) - 1, To: len(d.lines), Fold: talk.Shut}}
	d.end = talk.Folded
}

// ending is how the message ends, without drawing it.
func (d *drawing) ending() talk.Ending {
	if d.isShut() {
		return talk.Folded
	}
	return talk.EndWith(d.msg, d.foldOf)
}

// plainly says of a text that is too much for markdown that it is shown as it is.
func plainly(st *render.Styles, n, width int) string {
	return render.NewLine(st, max(width, 1)).Put(render.Faint, words.Size(int64(n))+": shown as plain text").String()
}

// withTodos has the open todos of a document drawn as such; all else goes through markdown.
func withTodos(st *render.Styles, markdown func(text string, prose, code int) []string) func(text string, prose, code int) []string {
	return func(text string, prose, code int) []string {
		s := newSection(text)
		if !s.is(remainingTodos) || len(todosIn(s.text)) == 0 {
			lines := markdown(text, prose, code)
			if len(lines) == 0 && s.title != "" {
				lines = append([]string{plainly(st, len(text), prose), ""}, render.Wrap(text, prose)...)
			}
			return lines
		}
		lines := markdown(strings.TrimSuffix(text, s.text), prose, code)
		if len(lines) > 0 {
			lines = append(lines[:len(lines):len(lines)], "")
		}
		return append(lines, drawTodos(s.text, prose, code, st, markdown)...)
	}
}

// markdownOf renders the texts of a row.
func (m *model) markdownOf(row *sessions.Row) func(text string, prose, code int, s *render.Styles) []string {
	if row.Kind == sessions.KindDocument {
		return m.prose
	}
	return m.markdown
}
