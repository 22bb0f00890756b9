package tui

import (
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
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

// drawDocument draws a document: title and facts, what is wrong with it, its sections, and at the foot what r does.
func (p *preview) drawDocument(row *sessions.Row, f previewFacts, width, rows int) []string {
	line := func() *render.Line { return render.NewLine(f.styles, width-1).To(2) }
	lines := []string{line().Put(render.Strong, render.Title(row)).String()}
	for _, s := range documentFacts(row, f, width-4) {
		lines = append(lines, line().Put(render.Muted, s).String())
	}
	say := func(glyph render.Span, text string) {
		if text == "" {
			return
		}
		for i, s := range render.Wrap(text, width-6) {
			l := line()
			if i == 0 {
				l.Spans(glyph)
			}
			lines = append(lines, l.To(4).Put(render.Muted, s).String())
		}
	}
	wrong := transcript.CleanLine(row.Reason)
	if row.Deleted {
		wrong = string(sessions.BadgeDeleted) + because(row, f.zone)
	}
	say(render.Span{Ink: render.BadBold, Text: "✗"}, wrong)
	say(f.linked, f.link)
	if p.err != nil {
		return p.failed(lines, width, line)
	}
	return p.withSections(lines, f, width, rows)
}

// documentFacts are its file, then what it says of itself.
func documentFacts(row *sessions.Row, f previewFacts, width int) []string {
	file := []string{transcript.CleanLine(filepath.Base(row.Path))}
	if row.Bytes > 0 {
		file = append(file, words.Size(row.Bytes))
	}
	var said []string
	for _, fact := range []string{
		f.folder, strings.NewReplacer("-", " ", "_", " ").Replace(transcript.CleanLine(row.Status)), onBranch(row), f.chained,
	} {
		if fact != "" {
			said = append(said, fact)
		}
	}
	return append(wrapFacts(file, width), wrapFacts(said, width)...)
}

func onBranch(row *sessions.Row) string {
	if branch := transcript.CleanLine(row.Branch); branch != "" {
		return "on " + words.Cut(branch, 40)
	}
	return ""
}

// withSections appends as much of the sections as there is room for, and at the foot what r does.
func (p *preview) withSections(lines []string, f previewFacts, width, rows int) []string {
	lines = append(lines, "")
	foot := f.foot
	if rows-len(lines) < 12 { // the sections are what one looks for
		foot = nil
	}
	for i := range foot {
		foot[i] = render.Pad(foot[i], width-1)
	}
	room := max(rows-len(lines), 0)
	if len(foot) > 0 {
		room = max(room-len(foot)-1, 0)
	}
	text := p.lines[min(p.up, len(p.lines)):]
	text = text[:min(len(text), room)]
	lines = append(lines, text...)
	if len(foot) == 0 {
		return lines
	}
	for len(lines) < rows-len(foot) {
		lines = append(lines, "")
	}
	return append(lines, foot...)
}

// ofDocument completes the facts about a document: where in its chain it stands, and what r does with it.
func (m *model) ofDocument(f *previewFacts, row *sessions.Row) {
	if k, ok := m.list.docs.links[row.Path]; ok && k.Linked() {
		switch n := len(k.Rows); {
		case n == 1: // the note says what it branches off
		case k.at == 0:
			f.chained = "newest of " + words.Count(n)
		case k.isLast() && k.Fork == nil:
			f.chained = "first of " + words.Count(n)
		default:
			f.chained = words.Count(n-k.at) + " of " + words.Count(n)
		}
	}
	if k := m.list.docs.links[row.Path]; k.Chain != nil && k.isLast() {
		switch k.End {
		case sessions.ChainFork:
			f.linked, f.link = render.Span{Ink: render.Warn, Text: "◇"}, k.Note
		case sessions.ChainMissing, sessions.ChainCycle:
			f.linked, f.link = render.Span{Ink: render.BadBold, Text: "✗"}, k.Note
		case sessions.ChainFirst, sessions.ChainMalformed:
		}
	}
	f.foot = m.resumesFrom(row)
}

// resumesFrom says what r does with a document.
func (m *model) resumesFrom(row *sessions.Row) []string {
	if m.Actions == nil || !row.Archived() || row.Deleted || row.State == sessions.StateUnreadable {
		return nil
	}
	file := []rune(transcript.CleanLine(filepath.Base(row.Path)))
	if len(file) > 14 {
		file = append([]rune("…"), file[len(file)-13:]...)
	}
	text := "runs `claude \"/resume-from " + string(file) + "\"`."
	switch pending := m.lists[backupsTab].tally.pendingIn[row.Project]; {
	case pending == 1:
		text += " It asks first: a backup here is still pending."
	case pending > 1:
		text += " It asks first: " + words.Count(pending) + " backups here are still pending."
	}
	var lines []string
	code := false
	for i, s := range render.Wrap(text, m.layout.Preview.W-1-4) {
		l := render.NewLine(m.styles, m.layout.Preview.W-1).To(2)
		if i == 0 {
			l.Put(render.Strong, "r")
		}
		l.To(4)
		for k, part := range strings.Split(s, "`") {
			if k > 0 {
				l.Put(render.Faint, "`")
				code = !code
			}
			ink := render.Muted
			if code {
				ink = render.Code
			}
			l.Put(ink, part)
		}
		lines = append(lines, l.String())
	}
	return lines
}
