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

// opening is the name of a section whose text the preview shows, and how many lines of the text it shows at most.
type opening struct {
	name string
	most int
}

// mostLines is how many lines of any other text the preview shows, at most.
const mostLines = 8

func openings() []opening {
	return []opening{{sessionSummary, 8}, {currentTask, 8}, {failedTries, 6}, {remainingTodos, 12}, {nextSteps, 8}}
}

// Draw draws sections in order until there are at least rows lines. For an important section, and for a section with a
// match of find, it draws the text. For any other section, it draws one line.
func Draw(list iter.Seq[Section], row *sessions.Row, rows int, find render.Needle, o talk.Options) []string {
	var lines []string
	after, hasTodos := talk.Start, false
	for found := range list {
		s := &found
		if s.name == frontMatter && !row.Malformed || s.Title == "" && strings.TrimSpace(s.text) == "" {
			continue // the facts above show this section
		}
		var text []string
		at := slices.IndexFunc(openings(), func(p opening) bool { return s.is(p.name) })
		if s.Title == "" { // without a title, only the text describes the section
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

// Line draws the heading of a section. It has a glyph for open or folded, the title and the count.
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

// sectionText draws a section in at most limit lines. If todos is set, it draws the todos of the row in place of
// the text.
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

// markdownOr renders a text as markdown. If markdown is nil or returns no lines, markdownOr wraps the plain text.
func markdownOr(text string, width int, markdown func(text string, prose, code int) []string) []string {
	if markdown != nil {
		if lines := markdown(text, width, width); len(lines) > 0 {
			return lines
		}
	}
	return render.Wrap(text, width)
}
