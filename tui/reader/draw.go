package reader

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/reader/outline"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
	"github.com/continuo-tui/continuo/tui/screen"
)

// draw returns the visible lines, of at most width cells. The bar is at the left, the scrollbar at the right.
func (r *pane) draw(width, rows int, o talk.Options) []string {
	st := o.Styles
	lines, marked := make([]string, 0, rows), make([]bool, rows)
	for _, s := range r.view.visible(rows) {
		e := r.view.cache.messages[s.Item]
		for row := s.From; row < s.To; row++ {
			marked[len(lines)] = r.isMarked(s.Item)
			if e != nil && row < len(e.lines) {
				line := e.lines[row]
				if r.view.unknown(s.Item) {
					line = st.Paint(render.Faint, ansi.Strip(line))
				}
				lines = append(lines, line)
			} else {
				lines = append(lines, "")
			}
		}
	}
	for len(lines) < rows {
		lines = append(lines, "")
	}
	needle := r.find.needle
	if r.find.typing {
		needle = render.NewNeedle(r.find.field.Text())
	}
	from, to := r.cur.barRows()
	for i, mark := range r.view.scrollbar(rows) {
		line := needle.Light(lines[i], st)
		switch {
		case i >= from && i < to:
			line = ansi.TruncateLeft(line, 1, "")
			if to == from+1 {
				line = st.Select(render.Pad(line, talk.TextWidth(width)-1))
			}
			line = st.Paint(render.AccentBold, "▌") + line
		case marked[i]:
			line = st.Paint(render.Accent, "┃") + ansi.TruncateLeft(line, 1, "")
		}
		lines[i] = r.withMark(line, mark, width, st)
	}
	return lines
}

// mark is a row of the scrollbar: a piece of the line, and a sign left of it or a blank.
type mark struct{ sign, line render.Span }

// withMark appends a row of the scrollbar to a line. A narrow terminal has no signs.
func (r *pane) withMark(line string, m mark, width int, st *render.Styles) string {
	if width < 12 {
		return words.Cut(line, width)
	}
	end := talk.TextWidth(width)
	line = words.Cut(line, end) // the line may have been drawn for another width
	if m.sign.Text != "" && end < width-3 {
		line = render.Pad(line, width-3) + st.Paint(m.sign.Ink, m.sign.Text)
	}
	return render.Pad(line, width-2) + st.Paint(m.line.Ink, m.line.Text)
}

// scrollbar returns a mark for each row. The line is heavy where the view is. The scale counts messages, so that it
// needs no heights. If everything is visible, all marks are empty.
func (v *viewport) scrollbar(rows int) []mark {
	marks := make([]mark, rows)
	n := len(v.out.Refs)
	if rows == 0 || n == 0 {
		return marks
	}
	above, end := v.share(rows)
	if above == 0 && end == 1 {
		return marks
	}
	for i := range marks {
		marks[i].line = render.Span{Ink: render.Rule, Text: "│"}
	}
	at := func(i int) int { return min(i*rows/n, rows-1) }
	from := min(int(math.Ceil(above*float64(rows))), rows-1)
	for i := from; i < max(int(end*float64(rows)), from+1); i++ {
		marks[i].line = render.Span{Ink: render.Muted, Text: "┃"}
	}
	for i := range v.out.Headings {
		marks[at(i)].sign = render.Span{Ink: render.Warn, Text: "◇"}
	}
	return marks
}

// title draws the title and as many facts as fit. It omits facts from the left.
func (r *pane) title(width int, now time.Time, st *render.Styles) string {
	row := &r.row
	var facts [][]render.Span
	fact := func(text string) {
		facts = append(facts, []render.Span{{Ink: render.Text, Text: "   "}, {Ink: render.Muted, Text: text}})
	}
	where := render.Base(row.Project)
	if branch := transcript.CleanLine(row.Branch); branch != "" {
		where += " on " + words.Cut(branch, max(24, width/3))
	}
	if where = strings.TrimSpace(where); where != "" && r.agent == nil {
		fact(where)
	}
	if model := render.Model(r.models()); model != "" {
		fact(model)
	}
	switch {
	case row.Kind == sessions.KindDocument:
	case row.Counted():
		fact(words.Counted(row.Messages, "message", "messages"))
	// no list has counted the messages of a sub-agent
	case slices.Contains(row.Agents, row.Path) && len(r.out.Turns) > 0:
		fact(words.Counted(r.out.Total(), "message", "messages"))
	}
	if a := r.agent; a != nil {
		if a.Tokens > 0 {
			fact(render.Tokens(a.Tokens) + " tokens")
		}
		if took := words.Duration(a.Took); took != "" {
			fact(took)
		}
		if a.Done {
			facts = append(facts, []render.Span{{Ink: render.Text, Text: "   "}, {Ink: render.Good, Text: "✓"}, {Ink: render.Muted, Text: " done"}})
		}
	}
	if r.lost {
		facts = append(facts, []render.Span{{Ink: render.Text, Text: "   "}, {Ink: render.Bad, Text: "✗ rewritten since"}})
	}
	if glyph, word := render.BadgeSpans(row, now); word.Text != "" {
		facts = append(facts, []render.Span{{Ink: render.Text, Text: "   "}, glyph, {Ink: render.Text, Text: " "}, word})
	}
	title, kind := render.Title(row), ""
	if r.agent != nil && r.agent.Type != "" {
		kind = r.agent.Type + "  "
	}
	least := min(max(ansi.StringWidth(kind+title), 24), width*2/3) // width of the title in cells
	room := width - 2 - least
	var right []render.Span
	for i := len(facts) - 1; i >= 0; i-- {
		w := render.SpansWidth(facts[i])
		if w > room {
			break
		}
		room -= w
		right = append(facts[i], right...)
	}
	l, end := render.NewLine(st, width).To(1), width-1-render.SpansWidth(right)
	l.PutUntil(render.Muted, kind, end).PutUntil(render.Strong, title, end)
	return l.Right(width-1, right...).String()
}

// models returns the models of the session. For a sub-agent, it returns the model of the last answer.
func (r *pane) models() []string {
	if e := r.view.cache.messages[r.out.Last]; e != nil && len(r.row.Models) == 0 && r.out.IsAgent() && e.msg.Model != "" {
		return []string{e.msg.Model}
	}
	return r.row.Models
}

// context draws the line below the title: the time of the conversation, or the prompt of the visible messages.
func (r *pane) context(width int, now time.Time, st *render.Styles) string {
	p, end := r.view.sticky(), talk.TextWidth(width)
	if p < 0 {
		if r.out.Document || !r.row.Dated() {
			return ""
		}
		count := ""
		if n := len(r.out.Prompts); n > 0 { // a sub-agent has no prompts
			count = words.Counted(n, "prompt", "prompts")
		}
		if a := r.agent; a != nil {
			return r.startedBy(a, end, render.NewLine(st, width).To(4), now)
		}
		l := render.NewLine(st, width).To(4).PutUntil(render.Muted, render.When(&r.row, now, now.Location()), end-len(count)-2)
		return l.Right(end, render.Span{Ink: render.Faint, Text: count}).String()
	}
	number, of := 0, strconv.Itoa(len(r.out.Prompts))
	for i, q := range r.out.Prompts {
		if q == p {
			number = i + 1
		}
	}
	right := "prompt " + strconv.Itoa(number) + " of " + of
	if width < 64 {
		right = strconv.Itoa(number) + " of " + of
	}
	l := render.NewLine(st, width).To(2).Put(render.Muted, "❯ ")
	if e := r.view.cache.messages[p]; e != nil {
		l.PutUntil(render.Muted, talk.FirstLine(e.msg, width), end-len(right)-2)
	}
	return l.Right(end, render.Span{Ink: render.Faint, Text: right}).String()
}

// startedBy draws the session and the prompt that started the sub-agent, and when.
func (r *pane) startedBy(a *screen.Agent, end int, l *render.Line, now time.Time) string {
	when, prompt := render.When(&r.row, now, now.Location()), ""
	if a.Prompt > 0 {
		prompt = ", called at prompt " + words.Count(a.Prompt)
	}
	of := "Sub-agent of "
	if n := len(r.row.Agents); n > 1 {
		of = "One of " + words.Count(n) + " sub-agents of "
	}
	room := end - l.At() - len(of) - len(prompt) - ansi.StringWidth(when) - 2
	if room < 12 {
		when, room = "", room+ansi.StringWidth(when)
	}
	l.Put(render.Muted, of).Put(render.Text, words.Cut(a.Of, max(room, 1))).Put(render.Muted, prompt)
	return l.Right(end, render.Span{Ink: render.Faint, Text: when}).String()
}

// rule draws the hairline below the context.
func (r *pane) rule(width int, st *render.Styles) string {
	if r.view.sticky() < 0 && !r.row.Dated() {
		return ""
	}
	const from = 4
	return render.NewLine(st, width).To(from).Put(render.Rule, strings.Repeat("─", max(talk.TextWidth(width)-from, 0))).String()
}

// follows reports whether the view follows the end of a growing conversation.
func (r *pane) follows() bool { return r.view.win.Pin > 0 && (r.follow || r.row.Live != nil) }

// position returns the texts of the status line about the position in the conversation.
func (r *pane) position(width, rows int) (left, right string) {
	if r.doc == nil || len(r.out.Refs) == 0 {
		return "", ""
	}
	at := r.cur.bar.message + 1
	of := r.out.Total()
	switch { // the numbers count prompts and answers, as elsewhere
	case r.out.Document:
		left = "section " + words.Count(max(int(r.out.Turns[at-1]), 1)) + " of " + words.Count(max(of, 1))
	case of > 0:
		left = "message " + words.Count(max(int(r.out.Turns[at-1]), 1)) + " of " + words.Count(of)
		if n := outline.Before(r.out.Prompts, at); n >= 0 && width >= 64 {
			left += " · prompt " + words.Count(n+1) + " of " + words.Count(len(r.out.Prompts))
		}
	}
	if r.view.known {
		left += " · " + r.knownWords()
	}
	if r.follows() {
		left += "   following"
	}
	if a := r.row.Attention; a != nil && a.Due {
		left += "   a delta is due: run continuo delta"
	}
	if r.marking.on {
		left = words.Count(len(r.marked())) + " marked   " + left
	}
	if r.find.pattern != "" {
		left = r.find.status() + "   " + left
	}
	_, end := r.view.share(rows)
	right = strconv.Itoa(int(end*100)) + " %"
	return left, right
}

// noun returns the word for a file of this kind.
func (r *pane) noun() string {
	switch r.row.Kind {
	case sessions.KindBackup:
		return "backup"
	case sessions.KindDocument:
		return "document"
	case sessions.KindSession:
	}
	return "transcript"
}
