package render

import (
	"cmp"
	"iter"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	statusWidth = 11
	leastStatus = 56 // in narrower rows, status and branch are left out
	leastOpen   = 40 // narrower rows have no number of open todos
	badFront    = "front matter"
	tooLong     = "longer than" // start of Row.Reason for a partly read document
)

// Chained describes the position of a document in its chain (spec 000: previous_session).
type Chained struct {
	Rail    Rail
	Problem string // problem with the link to the previous document, or ""
	Within  bool   // the heading of the chain already has the project
}

// Rail is the line that leads down from a document's glyph to the previous document of its chain.
type Rail uint8

// The rails.
const (
	NoRail     Rail = iota
	RailBeside      // the chain continues
	RailHere        // the chain continues, at or below the chosen document
	RailBroken      // the previous document is missing
	RailFork        // the previous document belongs to another chain
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

// documentGrid has the start of each column of a document, or -1, and the end of the column open.
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
		g.status = g.open - figureWidth - 2 - statusWidth
		g.end = g.status - 2
	}
	return g
}

// DocumentRow returns a document as one or two lines. The second line has the rail, the project if o.Project is set,
// the tags, and the branch. A problem replaces all of these except the rail.
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

// DocumentWords returns the texts of DocumentRow that the filter searches. problem is Chained.Problem.
func DocumentWords(r *sessions.Row, problem string) string {
	return strings.Join([]string{statusSpan(documentFault(r), documentStatus(r)).Text, r.Reason, problem, strings.Join(cleanTags(r.Tags), ", ")}, " ")
}

// DocumentLacks returns the names and values of the DocumentWords that the first line of DocumentRow doesn't show.
func DocumentLacks(r *sessions.Row, o RowOptions, problem string) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		tags := cleanTags(r.Tags)
		more := len(tags) == 0 || yield("tags", "#"+strings.Join(tags, " #"))
		if more && o.Width < leastStatus {
			more = yield("status", statusSpan(documentFault(r), documentStatus(r)).Text)
		}
		if more {
			yield("problem", cmp.Or(transcript.CleanLine(r.Reason), transcript.CleanLine(problem)))
		}
	}
}

// DocumentHeight returns the number of lines of DocumentRow, without drawing them.
func DocumentHeight(r *sessions.Row, o RowOptions, c Chained) int {
	if d := newDocumentFacts(r, o, c); d.empty() {
		return 1
	}
	return 2
}

// DocumentHeader returns the line above the documents: the names of the columns, and left, the scope of the list.
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

// fault returns the end column of the title, and the document's fault if it fits at the right.
func (g *documentGrid) fault(r *sessions.Row) (titleEnd int, word Span) {
	word = Span{Bad, documentFault(r)}
	if w := ansi.StringWidth(word.Text); g.status < 0 && w > 0 && g.end-g.title-w-2 >= leastTitle {
		return g.end - w - 2, word
	}
	return g.end, Span{}
}

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
		ink = Muted // for the status "completed"
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

// documentFacts is the content of a document's second line.
type documentFacts struct {
	rail   Span
	left   []Span
	branch string // the branch is drawn below the status
}

func (d *documentFacts) empty() bool { return d.rail.Text == "" && len(d.left) == 0 && d.branch == "" }

// newDocumentFacts returns the content of the second line. The project is first, because many tags could fill the line.
func newDocumentFacts(r *sessions.Row, o RowOptions, c Chained) documentFacts {
	var d documentFacts
	if o.Width < leastGlyph {
		return d
	}
	d.rail = c.Rail.span()
	hasStatus := o.Width >= leastStatus
	if reason := transcript.CleanLine(r.Reason); reason != "" {
		const well = ". The text is readable."
		ink := Muted
		if hasStatus && documentFault(r) == badFront { // the status shows this fault
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
	if tags := strings.Join(cleanTags(r.Tags), " #"); tags != "" {
		tags = "#" + tags // in the notation of the filter
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

// cleanTags returns the tags without control characters.
func cleanTags(tags []string) []string {
	var list []string
	for _, t := range tags {
		if t = transcript.CleanLine(t); t != "" {
			list = append(list, t)
		}
	}
	return list
}

// openSpan returns the number of open todos, or an empty span.
func openSpan(r *sessions.Row) Span {
	switch n := sessions.OpenTodos(r.Todos); {
	case n > 0:
		return Span{Muted, short(int64(n))}
	case len(r.Todos) > 0 || r.Status != "":
		return Span{Faint, "0"}
	}
	return Span{}
}

// Unplaced reports whether the fault of a document may hide its link to the previous session.
func Unplaced(r *sessions.Row) bool {
	return !r.Deleted && (r.Malformed || documentFault(r) == string(sessions.StateUnreadable))
}

// documentFault returns a fault in one or two words, for the column of the status, or "".
func documentFault(r *sessions.Row) string {
	switch {
	case r.Deleted:
		return deleted
	case r.State != sessions.StateUnreadable && strings.Contains(r.Reason, badFront):
		return badFront
	case r.State == sessions.StateUnreadable || r.Reason != "" && !strings.HasPrefix(r.Reason, tooLong):
		return string(sessions.StateUnreadable)
	}
	return ""
}

// documentStatus returns the status in words, such as "in progress" for in-progress (spec 000).
func documentStatus(r *sessions.Row) string {
	return transcript.CleanLine(strings.NewReplacer("-", " ", "_", " ").Replace(r.Status))
}

func isCompleted(status string) bool { return strings.EqualFold(status, "completed") }

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
