package opened

import (
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// plainly returns a note that a text of n bytes is too large for markdown and is shown as plain text.
func plainly(st *render.Styles, n, width int) string {
	return render.NewLine(st, max(width, 1)).Put(render.Faint, words.Size(int64(n))+": shown as plain text").String()
}

// WithTodos returns a renderer that draws todos with drawTodos, and other text with markdown.
func WithTodos(st *render.Styles, markdown func(text string, prose, code int) []string) func(text string, prose, code int) []string {
	return func(text string, prose, code int) []string {
		s := NewSection(text)
		if !s.is(remainingTodos) || len(todosIn(s.text)) == 0 {
			lines := markdown(text, prose, code)
			if len(lines) == 0 && s.Title != "" {
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

// drawTodos draws todos with render.TodoLines, and other text as markdown.
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
