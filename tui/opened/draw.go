package opened

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

// opening is a section with text in the preview: its name and its maximum number of lines.
type opening struct {
	name string
	most int
}

// mostLines is the maximum number of lines that the preview shows of the text of any other section.
const mostLines = 8

func openings() []opening {
	return []opening{{sessionSummary, 8}, {currentTask, 8}, {failedTries, 6}, {remainingTodos, 12}, {nextSteps, 8}}
}

// Draw draws sections until there are at least rows lines. It draws the text of important sections and of sections with
// find. Other sections have only a heading.
func Draw(list iter.Seq[Section], row *sessions.Row, rows int, find render.Needle, o talk.Options) []string {
	var lines []string
	after, hasTodos := talk.Start, false
	for found := range list {
		s := &found
		if s.name == frontMatter && !row.Malformed || s.Title == "" && strings.TrimSpace(s.text) == "" {
			continue // the facts above already show this section
		}
		var text []string
		at := slices.IndexFunc(openings(), func(p opening) bool { return s.is(p.name) })
		if s.Title == "" { // only the text describes a section without a title
			text = sectionText(s, row, false, mostLines, o)
		} else if at >= 0 {
			isTodos := s.is(remainingTodos)
			text = sectionText(s, row, isTodos && !hasTodos, openings()[at].most, o)
			hasTodos = hasTodos || isTodos
		} else if find.In(s.text) {
			text = sectionText(s, row, false, mostLines, o)
		}
		open := len(text) > 0
		if after == talk.Prose || open && after == talk.Folded {
			lines = append(lines, "")
		}
		lines = append(lines, Line(s, open, o))
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

// Line draws the heading of a section: a glyph for its fold, the title and the count.
func Line(s *Section, open bool, o talk.Options) string {
	glyph := "▸"
	if open {
		glyph = "▾"
	}
	count := s.Count()
	if n := len(s.text); n > render.MaxMarkdown {
		count = words.Size(int64(n)) + ", plain text"
	}
	l := render.NewLine(o.Styles, o.Width).To(o.Left).Put(render.Faint, glyph).To(o.Left + 2)
	l.PutUntil(render.Bold, s.Label(), o.Width-ansi.StringWidth(count)-1)
	return l.Right(o.Width, render.Span{Ink: render.Faint, Text: count}).String()
}

// sectionText draws at most limit lines of a section. todos means the todos of the row in place of the text.
func sectionText(s *Section, row *sessions.Row, todos bool, limit int, o talk.Options) []string {
	rail := min(o.Left+2, o.Width/4)
	width := o.Width - rail - 2
	var text []string
	switch body := strings.TrimSpace(s.text); {
	case todos && len(row.Todos) > 0:
		text = render.TodoLines(row.Todos, width, o.Styles)
	case body == "" || s.is(failedTries) && s.Count() == "":
		return nil
	case s.is(remainingTodos):
		text = drawTodos(s.text, width, width, o.Styles, o.Markdown)
	default:
		text = markdownOr(body, width, o.Markdown)
	}
	if len(text) > limit {
		left := len(text) - limit + 1
		text = append(text[:limit-1:limit-1], render.NewLine(o.Styles, width).Put(render.Faint, "… "+words.Counted(left, "line", "lines")+" more").String())
	}
	for i := range text {
		text[i] = render.NewLine(o.Styles, o.Width).To(rail).Put(render.Rule, "│ ").String() + words.Cut(text[i], max(width, 0))
	}
	return text
}

// markdownOr renders a text with markdown. If markdown is nil or returns no lines, the text is plain.
func markdownOr(text string, width int, markdown func(text string, prose, code int) []string) []string {
	if markdown != nil {
		if lines := markdown(text, width, width); len(lines) > 0 {
			return lines
		}
	}
	return render.Wrap(text, width)
}
