package render

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	statusWidth = 11
	leastStatus = 56 // the width of a row below which status and branch leave
	leastOpen   = 40 // and the number of open todos
	badFront    = "front matter"
	tooLong     = "longer than" // how the reason of a document begins of which only a part was read
)

// Chained says how a document stands in its chain (spec 000: previous_session).
type Chained struct {
	Rail    Rail
	Problem string // what is wrong with its link, in a few words; "" nothing
	Within  bool   // the heading of its chain says the project already
}

// Rail is what stands below the glyph of a document: the line to the one before it in its chain.
type Rail uint8

// The rails.
const (
	NoRail     Rail = iota
	RailBeside      // it goes on
	RailHere        // it goes on, and leads to where one is
	RailBroken      // it should, and does not
	RailFork        // it goes on in another chain
)

func (r Rail) span() Span {
	switch r {
	case RailBeside:
		return Span{Rule, "│"}
	case RailHere:
		return Span{Accent, "┃"}
	case RailBroken:
		return Span{Bad, "✗"}
	case RailFork:
		return Span{Warn, "◇"}
	case NoRail:
	}
	return Span{}
}

// documentGrid has the columns of a document: where each starts, -1 when it has left. open is where it ends.
type documentGrid struct {
	glyph, title, end, status, open, age, right int
}

func (o *RowOptions) documentGrid() documentGrid {
	g := documentGrid{glyph: 2, title: 4, status: -1, open: -1, age: -1, right: o.Width - 1}
	g.end = g.right
	if o.Width < leastGlyph {
		g.glyph, g.title = -1, g.glyph
	}
	if o.Width >= leastAge {
		g.age = g.right - figureWidth
		g.end = g.age - 1
	}
	if o.Width >= leastOpen {
		g.open = g.age - 2
		g.end = g.open - figureWidth - 1
	}
	if o.Width >= leastStatus {
		g.status = g.open - figureWidth - 3 - statusWidth
		g.end = g.status - 1
	}
	return g
}

// DocumentRow draws a document as one or two lines: title, status, open todos and age, and below them the rail of its
// chain, the project when o asks for it, the tags and the branch. When something is wrong with it, that stands in
// their place; what is wrong with its link stands before them. Lit is as for Row.
func DocumentRow(r *sessions.Row, o RowOptions, c Chained) []string {
	first := documentTitle(r, o)
	d := newDocumentFacts(r, o, c)
	if d.empty() {
		return []string{first}
	}
	g := o.documentGrid()
	l := o.line()
	if d.rail.Text != "" {
		l.To(g.glyph).Put(d.rail.Ink, d.rail.Text)
	}
	l.To(g.title)
	end := g.right
	if d.branch != "" {
		end = g.end
	}
	for _, s := range d.left {
		o.putUntil(l, s, end)
	}
	if d.branch != "" {
		l.To(g.status).PutUntil(Faint, d.branch, g.right)
	}
	if o.Chosen {
		l.To(o.Width)
	}
	return []string{first, l.String()}
}

// DocumentWords returns the texts that DocumentRow shows besides the title, the project, the branch and figures. problem
// is that of its chain.
func DocumentWords(r *sessions.Row, problem string) string {
	return strings.Join([]string{statusSpan(documentFault(r), documentStatus(r)).Text, r.Reason, problem, tagList(r.Tags)}, " ")
}

// DocumentHeight is how many lines DocumentRow gives, without drawing them.
func DocumentHeight(r *sessions.Row, o RowOptions, c Chained) int {
	if d := newDocumentFacts(r, o, c); d.empty() {
		return 1
	}
	return 2
}

// DocumentHeader draws the line above the documents: what the list shows, and the names of the columns.
func DocumentHeader(left []Span, o RowOptions) string {
	g := o.documentGrid()
	l := NewLine(o.Styles, o.Width).To(g.title)
	for _, s := range left {
		l.PutUntil(s.Ink, s.Text, g.end)
	}
	if g.status >= 0 {
		l.To(g.status).Put(Faint, "status")
	}
	if g.open >= 0 {
		l.Right(g.open, Span{Faint, "open"})
	}
	if g.age >= 0 {
		l.Right(g.right, Span{Faint, "age"})
	}
	return l.String()
}

// fault returns where the title ends, and what is wrong with the document if that has no other place.
func (g *documentGrid) fault(r *sessions.Row) (titleEnd int, word Span) {
	word = Span{Bad, documentFault(r)}
	if w := ansi.StringWidth(word.Text); g.status < 0 && w > 0 && g.end-g.title-w-2 >= leastTitle {
		return g.end - w - 2, word
	}
	return g.end, Span{}
}

// documentTitle draws the first line of a document.
func documentTitle(r *sessions.Row, o RowOptions) string {
	g := o.documentGrid()
	l := o.line()
	fault, status := documentFault(r), documentStatus(r)
	if g.glyph >= 0 {
		glyph := Span{Faint, "§"}
		if fault != "" {
			glyph = Span{BadBold, "✗"}
		}
		l.To(g.glyph).Put(glyph.Ink, glyph.Text)
	}
	ink := Text
	switch {
	case o.Chosen:
		ink = Strong
	case fault == "" && isCompleted(status):
		ink = Muted // what is done steps back
	}
	end, word := g.fault(r)
	putLit(l.To(g.title), Span{ink, Title(r)}, end, o.Lit)
	if word.Text != "" {
		l.Right(g.end, word)
	}
	if g.status >= 0 {
		o.putUntil(l.To(g.status), statusSpan(fault, status), g.open-figureWidth)
	}
	if g.open >= 0 && fault == "" {
		l.Right(g.open, openSpan(r))
	}
	if g.age >= 0 {
		l.Right(g.right, Span{Muted, RowAge(r, o.Now)})
	}
	if o.Chosen {
		l.To(o.Width)
	}
	return l.String()
}

// documentFacts is what the second line says.
type documentFacts struct {
	rail   Span
	left   []Span
	branch string // below the status
}

func (d *documentFacts) empty() bool { return d.rail.Text == "" && len(d.left) == 0 && d.branch == "" }

// newDocumentFacts picks what the second line says at the width of o. The project goes first, because of tags there
// may be many.
func newDocumentFacts(r *sessions.Row, o RowOptions, c Chained) documentFacts {
	var d documentFacts
	if o.Width < leastGlyph {
		return d
	}
	d.rail = c.Rail.span()
	hasStatus := o.Width >= leastStatus
	if reason := transcript.CleanLine(r.Reason); reason != "" {
		const well = ". The text below it is readable."
		ink := Muted
		if hasStatus && documentFault(r) == badFront { // the status says that it is the front matter
			reason, ink = strings.TrimPrefix(reason, badFront+": "), Faint
			if g := o.documentGrid(); ansi.StringWidth(reason)+len(well) <= g.right-g.title {
				reason += well
			}
		}
		d.left = []Span{{ink, reason}}
		return d
	}
	if problem := transcript.CleanLine(c.Problem); problem != "" {
		d.left = []Span{{Muted, problem}}
		return d
	}
	var parts []string
	if project := place(r, true); o.Project && !c.Within && project != "" {
		parts = append(parts, project)
	}
	if tags := tagList(r.Tags); tags != "" {
		parts = append(parts, tags)
	}
	if len(parts) > 0 {
		d.left = []Span{{Faint, strings.Join(parts, " · ")}}
	}
	if hasStatus {
		d.branch = transcript.CleanLine(r.Branch)
	}
	return d
}

// tagList is the tags as one clean text.
func tagList(tags []string) string {
	var list []string
	for _, t := range tags {
		if t = transcript.CleanLine(t); t != "" {
			list = append(list, t)
		}
	}
	return strings.Join(list, ", ")
}

// openSpan is the number of open todos. Only an archived session has some (spec 000), and what has none of its own
// says nothing.
func openSpan(r *sessions.Row) Span {
	switch n := sessions.OpenTodos(r.Todos); {
	case n > 0:
		return Span{Muted, Short(int64(n))}
	case len(r.Todos) > 0 || r.Status != "":
		return Span{Faint, "0"}
	}
	return Span{}
}

// Unplaced reports whether what is wrong with a document may hide what it continues.
func Unplaced(r *sessions.Row) bool {
	return !r.Deleted && (r.Malformed || documentFault(r) == string(sessions.BadgeUnreadable))
}

// documentFault is what is wrong with a document, in a word for its status; "" nothing. What can be read of it is
// shown all the same.
func documentFault(r *sessions.Row) string {
	switch {
	case r.Deleted:
		return string(sessions.BadgeDeleted)
	case r.State != sessions.StateUnreadable && strings.Contains(r.Reason, badFront):
		return badFront
	case r.State == sessions.StateUnreadable || r.Reason != "" && !strings.HasPrefix(r.Reason, tooLong):
		return string(sessions.BadgeUnreadable)
	}
	return ""
}

// documentStatus is the status in words: a front matter says in-progress (spec 000).
func documentStatus(r *sessions.Row) string {
	return transcript.CleanLine(strings.NewReplacer("-", " ", "_", " ").Replace(r.Status))
}

func isCompleted(status string) bool { return strings.EqualFold(status, "completed") }

// statusSpan is the text of the status column. The statuses are an open set; two of them are known.
func statusSpan(fault, status string) Span {
	switch {
	case fault != "":
		return Span{Bad, fault}
	case isCompleted(status):
		return Span{Faint, status}
	case strings.EqualFold(status, "blocked"):
		return Span{Warn, status}
	}
	return Span{Muted, status}
}
