package tui

import (
	"iter"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// opening is a section that the preview shows the text of, and how many lines of it.
type opening struct {
	name string
	most int
}

func openings() []opening {
	return []opening{{sessionSummary, 8}, {currentTask, 8}, {failedTries, 6}, {remainingTodos, 12}, {nextSteps, 8}}
}

// drawOutline draws the sections in their order: those that tell where one was with their text, the others as one
// line.
func drawOutline(list iter.Seq[section], row *sessions.Row, rows int, o talk.Options) []string {
	var lines []string
	after, hasTodos := talk.Start, false
	for found := range list {
		s := &found
		if s.name == frontMatter && !row.Malformed || s.title == "" && strings.TrimSpace(s.text) == "" {
			continue // the facts above say it
		}
		var text []string
		if s.title == "" { // nothing but this would say what it is
			text = sectionText(s, row, false, 8, o)
		} else if at := slices.IndexFunc(openings(), func(p opening) bool { return s.is(p.name) }); at >= 0 {
			isTodos := s.is(remainingTodos)
			text = sectionText(s, row, isTodos && !hasTodos, openings()[at].most, o)
			hasTodos = hasTodos || isTodos
		}
		open := len(text) > 0
		if after == talk.Prose || open && after == talk.Folded {
			lines = append(lines, "")
		}
		lines = append(lines, outlineLine(s, open, o))
		after = talk.Folded
		if open {
			lines, after = append(lines, text...), talk.Prose
		}
		if len(lines) >= rows {
			break
		}
	}
	return lines
}

// outlineLine is the line of a section: whether it is open, its heading, and how much is in it.
func outlineLine(s *section, open bool, o talk.Options) string {
	glyph := "▸"
	if open {
		glyph = "▾"
	}
	count := s.count()
	if n := len(s.text); n > render.MaxMarkdown {
		count = words.Size(int64(n)) + ", plain text"
	}
	l := render.NewLine(o.Styles, o.Width).To(o.Left).Put(render.Faint, glyph).To(o.Left + 2)
	l.PutUntil(render.Bold, s.label(), o.Width-ansi.StringWidth(count)-1)
	return l.Right(o.Width, render.Span{Ink: render.Faint, Text: count}).String()
}

// sectionText draws what stands in a section, at most so many lines. todos says that it may have those of the row.
func sectionText(s *section, row *sessions.Row, todos bool, most int, o talk.Options) []string {
	rail := min(o.Left+2, o.Width/4)
	width := o.Width - rail - 2
	var text []string
	switch body := strings.TrimSpace(s.text); {
	case todos && len(row.Todos) > 0:
		text = render.TodoLines(row.Todos, width, o.Styles)
	case body == "" || s.is(failedTries) && s.count() == "":
		return nil
	case s.is(remainingTodos):
		text = drawTodos(s.text, width, width, o.Styles, o.Markdown)
	default:
		text = markdownOr(body, width, o.Markdown)
	}
	if len(text) > most {
		left := len(text) - most + 1
		text = append(text[:most-1:most-1], render.NewLine(o.Styles, width).Put(render.Faint, "… "+words.Counted(left, "line", "lines")+" more").String())
	}
	for i := range text {
		text[i] = render.NewLine(o.Styles, o.Width).To(rail).Put(render.Rule, "│ ").String() + words.Cut(text[i], max(width, 0))
	}
	return text
}

// markdownOr renders a text, or shows it plain where markdown better does not.
func markdownOr(text string, width int, markdown func(text string, prose, code int) []string) []string {
	if markdown != nil {
		if lines := markdown(text, width, width); len(lines) > 0 {
			return lines
		}
	}
	return render.Wrap(text, width)
}

// drawTodos draws a text with its todos as such; the rest of it goes through markdown. Nothing of it is left out.
func drawTodos(text string, prose, code int, st *render.Styles, markdown func(text string, prose, code int) []string) []string {
	var lines []string
	var rest strings.Builder
	flush := func() {
		if body := strings.Trim(rest.String(), "\n"); strings.TrimSpace(body) != "" {
			var more []string
			if markdown != nil {
				more = markdown(body, prose, code)
			}
			if len(more) == 0 {
				more = render.Wrap(body, prose)
			}
			if len(lines) > 0 {
				lines = append(lines, "")
			}
			lines = append(append(lines, more...), "")
		}
		rest.Reset()
	}
	var reader sessions.ListReader
	var todos []sessions.ListEntry
	put := func() {
		lines = append(lines, render.TodoLines(todosOf(todos), prose, st)...)
		todos = nil
	}
	for line := range strings.Lines(text) {
		e, is := reader.Next(line)
		_, ok := e.Todo()
		switch {
		case is == sessions.LineBegins && ok:
			flush()
			todos = append(todos, e)
		case is == sessions.LineGoesOn && len(todos) > 0:
			todos[len(todos)-1].GoOn(line)
		default:
			put()
			rest.WriteString(line)
		}
	}
	put()
	flush()
	if n := len(lines); n > 0 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	return lines
}
