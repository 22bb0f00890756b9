package search

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/sessions/search"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// headRows is the number of rows above the list: the rule, the counts and, if there is room, a blank row.
func (p *Page) headRows() int {
	if p.airy() {
		return 3
	}
	return 2
}

// airy reports whether there is enough room for blank lines.
func (p *Page) airy() bool { return p.frame.Layout.Body.H >= screen.BlankFrom }

// Shape implements screen.Screen.
func (p *Page) Shape(int, int) screen.Shape { return screen.Shape{Typing: true} }

// Fit implements screen.Screen.
func (p *Page) Fit(f screen.Frame) []screen.Effect {
	resized := p.frame.Layout.Body != f.Layout.Body
	p.frame = f
	p.rows = max(f.Layout.Body.H-p.headRows(), 1)
	p.list.Rows = p.rows
	if resized && p.query != nil {
		p.build()
	}
	p.list.Fit()
	if !f.Front {
		return nil
	}
	return p.wantBeside()
}

// listWidth returns the width of the list. The pane is right of the list.
func (p *Page) listWidth() int {
	if p.frame.Width < screen.PreviewFrom {
		return p.frame.Width
	}
	return screen.ListWidth(p.frame.Width)
}

// Cursor implements screen.Cursored.
func (p *Page) Cursor() (x, y int, ok bool) {
	c := p.frame.Layout.Context
	if c.H == 0 || !p.frame.Front {
		return 0, 0, false
	}
	_, before := p.field.Seen(p.fieldWidth())
	return fieldAt + before, c.Y, true
}

const fieldAt = 4 // column of the typed text

// mostName is the maximum width of the name of a project beside the field, in cells.
const mostName = 20

// tabs returns the scopes and projects that can be searched. The chosen ones are underlined.
func (p *Page) tabs() []tab {
	list := []tab{{"conversation", p.scope == search.Conversation, 0}, {"everything", p.scope == search.All, 3}}
	if p.canWiden() {
		list = append(list, tab{"all projects", !p.here, 5}, tab{p.projectName(), p.here, 3})
	}
	if p.frame.Width < screen.PreviewFrom { // only the chosen words fit
		list = slices.DeleteFunc(list, func(t tab) bool { return !t.on })
	}
	return list
}

type tab struct {
	text string
	on   bool
	gap  int // cells left of it, except for the first tab
}

// tabsAt returns the column of the first tab. It has room for the longest project name, so that the tabs stay in place.
func (p *Page) tabsAt() int {
	w, list := 0, p.tabs()
	for i, t := range list {
		if w += ansi.StringWidth(t.text); i > 0 {
			w += t.gap
		}
	}
	if p.project == "" && p.frame.Width >= screen.PreviewFrom {
		longest := 0
		for i := range p.answer.Results {
			longest = max(longest, min(ansi.StringWidth(render.Base(p.answer.Results[i].Project)), mostName))
		}
		w += max(longest-ansi.StringWidth(p.projectName()), 0)
	}
	return max(min(p.frame.Width-1-w, p.listWidth()+2), fieldAt+10)
}

func (p *Page) fieldWidth() int { return max(p.tabsAt()-fieldAt-3, 8) }

// View implements screen.Screen.
func (p *Page) View() screen.View {
	s, width := p.frame.Styles, p.frame.Width
	text, _ := p.field.Seen(p.fieldWidth())
	rule := render.NewLine(s, width)
	at, divider := p.tabsAt(), p.listWidth()
	l := render.NewLine(s, width).To(2).Select(true).Put(render.AccentBold, "/ ").Spans(inked(text)...)
	l.To(min(at-3, divider-1)).Select(false)
	hairline := func(to int) {
		for rule.At() < min(to, width) {
			if rule.At() == divider && divider < width {
				rule.Put(render.Rule, "┬")
			} else {
				rule.Put(render.Rule, "─")
			}
		}
	}
	for i, t := range p.tabs() {
		if i > 0 {
			at += t.gap
		}
		ink := render.Muted
		if t.on {
			ink = render.Strong
		}
		l.To(at).Put(ink, t.text)
		if hairline(at); t.on {
			rule.Put(render.AccentBold, strings.Repeat("━", ansi.StringWidth(t.text)))
		}
		at += ansi.StringWidth(t.text)
	}
	hairline(width)
	return screen.View{Context: l.String(), Body: append([]string{rule.String()}, p.body()...), Status: p.status(), Says: p.wrong != nil}
}

// body returns the rows below the rule.
func (p *Page) body() []string {
	w := p.listWidth()
	lines := []string{p.sum(w)}
	if p.airy() {
		lines = append(lines, "")
	}
	project := p.projectWidth()
	for _, s := range p.list.Drawn(p.isHeading) {
		lines = append(lines, p.line(s.Item, w, project))
	}
	if w == p.frame.Width {
		return lines
	}
	beside := p.drawBeside(p.frame.Width - w - 1)
	for len(lines) < p.frame.Layout.Body.H-1 {
		lines = append(lines, "")
	}
	return preview.Join(lines, beside, w, p.frame)
}

// sum returns the line with the counts, which is above the list.
func (p *Page) sum(w int) string {
	l := render.NewLine(p.frame.Styles, w).To(4)
	switch {
	case p.query == nil:
	case p.query.Empty():
		l.Put(render.Muted, "Recent sessions")
	case len(p.answer.Results) == 0 && p.answer.Done:
		l.Put(render.Muted, "No match. ").Put(render.Faint, p.advice())
	default:
		n := counts(&p.answer)
		var parts []string
		if n.titles > 0 {
			parts = append(parts, words.Counted(n.titles, "title", "titles"))
		}
		if n.hits > 0 || n.titles == 0 {
			parts = append(parts, words.Counted(n.hits, "match", "matches")+" in "+n.places())
		}
		l.PutUntil(render.Muted, strings.Join(parts, " · "), w-5)
	}
	return l.Right(w-1, render.Span{Ink: render.Faint, Text: "age"}).String()
}

// advice returns a hint for a search without matches.
func (p *Page) advice() string {
	switch {
	case p.here && p.elsewhere != nil && p.elsewhere.projects > 0:
		return "Press ctrl+t to search all projects: " + words.Counted(p.elsewhere.projects, "match", "matches") + "."
	case p.scope == search.Conversation && (p.elsewhere == nil || p.elsewhere.scope > 0):
		return "Press tab to search tools and their output, too."
	}
	return "Use fewer words, or check the spelling."
}

// projectWidth returns the width of the column of projects.
func (p *Page) projectWidth() int {
	w, first := 0, ""
	for _, s := range p.list.Visible() {
		r := &p.answer.Results[p.items[s.Item].result]
		name := render.Base(r.Project)
		if first == "" {
			first = name
		}
		w = max(w, ansi.StringWidth(name))
	}
	if p.here {
		return 0
	}
	return min(w, 14)
}

// line draws an item of the list.
func (p *Page) line(i, w, project int) string {
	it := &p.items[i]
	r := &p.answer.Results[it.result]
	on := i == p.list.At
	l := render.NewLine(p.frame.Styles, w).Select(on)
	if on {
		l.Put(render.AccentBold, "▌")
	}
	switch it.kind {
	case blankItem:
		return ""
	case titlesItem, textItem:
		n := counts(&p.answer)
		if it.kind == titlesItem {
			return l.To(4).Put(render.Heading, "In titles ").Put(render.Faint, words.Count(n.titles)).String()
		}
		return l.To(4).Put(render.Heading, "In the text ").Put(render.Faint, words.Count(n.hits)).String()
	case moreItem:
		return l.To(snippetAt).Put(render.Faint, "… "+words.Count(it.more)+" more").String()
	case hitItem:
		return p.hitLine(l, &r.Hits[it.hit], cmp.Or(r.Hits[it.hit].Time, r.Time), w)
	case resultItem, titleItem:
	}
	return p.resultLine(l, r, w, project)
}

// resultLine draws a result, which is a session, a backup, a document or a ledger.
func (p *Page) resultLine(l *render.Line, r *search.Result, w, project int) string {
	row, glyph := &sessions.Row{Kind: sessions.KindSession, Session: sessions.Session{Last: r.Time}}, render.Span{Ink: render.Muted, Text: "§"}
	if r.Row != nil {
		row = r.Row.Described()
	}
	if r.Row != nil && (r.Kind == index.Session || r.Kind == index.Backup) {
		glyph, _ = render.BadgeSpans(row, p.frame.Now)
	}
	l.To(2).Spans(glyph).To(4)
	if project > 0 {
		l.PutUntil(render.Muted, render.Base(r.Project), 4+project).To(4 + project + 2)
	}
	right := render.PadLeft(render.RowAge(row, p.frame.Now), 6)
	if r.Count > 0 {
		right = words.Count(r.Count) + right
	}
	for _, s := range spans(r.Title, r.InTitle, render.Bold) {
		l.PutUntil(s.Ink, s.Text, w-3-len(right))
	}
	return l.Right(w-1, render.Span{Ink: render.Muted, Text: right}).To(w).String()
}

// snippetAt is the start column of all snippets.
const snippetAt = 22

// hitLine draws a match: its role, its time, and its snippet.
func (p *Page) hitLine(l *render.Line, h *search.Hit, at time.Time, w int) string {
	ink := render.Muted
	if h.Role == "you" {
		ink = render.AccentBold
	}
	role := h.Role
	if kind, _, ok := strings.Cut(role, "-"); ok && ansi.StringWidth(role) > 9 { // a role such as general-purpose
		role = kind
	}
	l.To(4).PutUntil(ink, role, 13).To(14).Put(render.Faint, when(at, p.frame.Now))
	l.To(snippetAt)
	text, marks := around(h.Snippet, h.Marks, w-snippetAt-2)
	for _, s := range spans(text, marks, render.Text) {
		l.PutUntil(s.Ink, s.Text, w-1)
	}
	return l.To(w).String()
}

// when returns the time of day of a match from today, and the day of any other match.
func when(at, now time.Time) string {
	at = at.In(now.Location())
	switch {
	case at.IsZero() || at.Year() <= 1:
		return ""
	case at.Year() == now.Year() && at.YearDay() == now.YearDay():
		return at.Format("15:04")
	case at.Year() == now.Year():
		return at.Format("Jan 2")
	}
	return at.Format("2006-01")
}

// around cuts a snippet to a width around the first match. If possible, it includes the next match of another word.
func around(text string, marks []query.Span, width int) (string, []query.Span) {
	if len(marks) == 0 {
		return text, marks
	}
	one, two := marks[0], marks[0]
	for _, m := range marks {
		if two == one && !strings.EqualFold(text[m.Start:m.End], text[one.Start:one.End]) {
			two = m
		}
	}
	room := width - ansi.StringWidth(text[one.Start:two.End]) - 2 // minus an ellipsis at each end
	switch {
	case ansi.StringWidth(text[:two.End]) < width:
		return text, marks
	case room >= 0 || one == two:
		before := max(width/3, width-1-ansi.StringWidth(text[one.Start:])) // little text after the match leaves more room before it
		return pieces(text, marks, query.Span{Start: wordBefore(text, one.Start, max(min(room, before), 0)), End: len(text)})
	}
	return pieces(text, marks, query.Span{Start: wordBefore(text, one.Start, width/6), End: one.End},
		query.Span{Start: wordBefore(text, two.Start, width/6), End: len(text)})
}

// wordBefore returns the start of a word that is at most n characters before an offset.
func wordBefore(text string, at, n int) int {
	start := at
	for ; start > 0 && n > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:start])
		start -= size
	}
	if i := strings.IndexByte(text[start:at], ' '); i >= 0 {
		start += i + 1
	}
	return start
}

// pieces joins parts of a text, with an ellipsis before each part. moved has the matches in the result.
func pieces(text string, marks []query.Span, parts ...query.Span) (line string, moved []query.Span) {
	for _, part := range parts {
		line += "…"
		for _, m := range marks {
			if m.Start >= part.Start && m.End <= part.End {
				shift := len(line) - part.Start
				moved = append(moved, query.Span{Start: m.Start + shift, End: m.End + shift})
			}
		}
		line += text[part.Start:part.End]
	}
	return line, moved
}

// spans returns a text as spans. Matches have the ink Match, other text has ink.
func spans(text string, marks []query.Span, ink render.Ink) []render.Span {
	var list []render.Span
	at := 0
	for _, m := range marks {
		if m.Start < at || m.End > len(text) {
			break
		}
		list = append(list, render.Span{Ink: ink, Text: text[at:m.Start]}, render.Span{Ink: render.Match, Text: text[m.Start:m.End]})
		at = m.End
	}
	return append(list, render.Span{Ink: ink, Text: text[at:]})
}
