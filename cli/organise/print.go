package organise

import (
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/annotate"
	"github.com/continuo-tui/continuo/tui/render"
)

// printNote prints the annotations of a session.
func printNote(o *out.Output, row *sessions.Row, n annotate.Note) error {
	r := out.NewRecord().Set("id", out.Path(row.ID)).Set("path", out.Path(row.Path)).Set("title", row.Title()).
		Set("name", n.Name).Set("starred", n.Starred).Set("archived", n.Archived).Set("tags", out.OrEmpty(n.Tags)).Set("note", n.Text).
		Set("changed", out.Time(n.Changed))
	for _, key := range []string{"id", "title", "name", "starred", "archived", "tags", "note", "changed"} {
		r.Line(key, key)
	}
	return r.Print(o, func() string { return page(o.Out.Styles, row, n) })
}

// page formats the annotations of a session for a terminal.
func page(s *render.Styles, row *sessions.Row, n annotate.Note) string {
	title := s.Paint(render.Heading, render.Title(row))
	if n.Starred {
		title += s.Paint(render.Accent, " *")
	}
	lines := []string{title}
	fact := func(name, text string) {
		for line := range strings.SplitSeq(text, "\n") {
			if text != "" {
				lines = append(lines, "  "+s.Paint(render.Faint, render.Pad(name, 8))+"  "+line)
				name = ""
			}
		}
	}
	fact("archived", out.Word(n.Archived, "hidden in lists"))
	fact("tags", strings.Join(n.Tags, ", "))
	fact("note", n.Text)
	if n.Empty() {
		lines = append(lines, "  "+s.Paint(render.Faint, "No name, star, tags or note yet."))
	}
	return out.Page(lines)
}
