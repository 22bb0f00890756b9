package render

import (
	"path"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// RowOptions say how a row is drawn.
type RowOptions struct {
	Width   int // cells
	Styles  *Styles
	Now     time.Time
	Command bool  // printed by a command: no bar, no free cell at the right, the id last
	Project bool  // the project stands in the place of the branch
	Chosen  bool  // the selected row: the bar, and the ground under all of it
	Lit     []int // byte offsets in Title that a filter matched
}

// grid has the columns of a row: where each starts, -1 when it has left.
type grid struct {
	glyph, title, end, place, age, msgs, id int
}

const (
	placeWidth  = 14
	figureWidth = 4 // age and messages
	idWidth     = 8
	leastTitle  = 24 // the badge's word leaves before the title gets shorter than this
)

// grid decides which columns there are. In the list they leave in this order: branch below 76 cells, messages
// below 62, age below 30, the glyph below 12. A command keeps the id, because the next one is called with it.
func (o *RowOptions) grid() grid {
	g := grid{glyph: 2, title: 4, place: -1, age: -1, msgs: -1, id: -1}
	right, gapPlace, gapAge := o.Width-1, 3, 1
	if o.Command {
		g.glyph, g.title, right, gapPlace, gapAge = 0, 2, o.Width, 2, 2
		if o.Width >= 40 {
			g.id = right - idWidth
			right = g.id - 2
		}
	}
	if o.Width < 12 {
		g.glyph, g.title = -1, g.glyph
	}
	if o.Width >= 62 {
		g.msgs = right - figureWidth
		right = g.msgs - 2
	}
	if o.Width >= 30 {
		g.age = right - figureWidth
		right = g.age - gapAge
	}
	if o.Width >= 76 {
		g.place = right - placeWidth
		right = g.place - gapPlace
	}
	g.end = max(right, g.title)
	return g
}

// Row draws one line of the list. A figure that is not known yet is "…".
func Row(r *sessions.Row, o RowOptions) string {
	g := o.grid()
	badge := r.Badge()
	l := NewLine(o.Styles, o.Width)
	l.selected = o.Chosen
	if o.Chosen && !o.Command {
		l.Put(AccentBold, "▌")
	}
	if g.glyph >= 0 {
		s := Glyph(badge)
		l.To(g.glyph).Put(s.Ink, s.Text)
	}
	l.To(g.title)
	titleEnd, word := g.end, Word(badge)
	if w := ansi.StringWidth(word.Text); w > 0 && g.end-g.title-w-2 >= leastTitle {
		titleEnd = g.end - w - 2
	} else {
		word = Span{}
	}
	putTitle(l, r, badge, titleEnd, o)
	if word.Text != "" {
		l.Right(g.end, word)
	}
	if g.place >= 0 {
		l.To(g.place).PutUntil(Muted, place(r, o.Project), g.place+placeWidth)
	}
	if g.age >= 0 {
		l.Right(g.age+figureWidth, Span{Muted, Age(o.Now, r.When())})
	}
	if g.msgs >= 0 {
		l.Right(g.msgs+figureWidth, Span{Faint, messages(r)})
	}
	if g.id >= 0 {
		// Without "…": what stands there is a prefix that other commands take.
		l.To(g.id).Put(Faint, ansi.Truncate(transcript.CleanLine(r.ID), idWidth, ""))
	}
	if o.Chosen {
		l.To(o.Width)
	}
	return l.String()
}

// Header draws the line above the rows: what the list shows, and the names of the columns.
func Header(left []Span, o RowOptions) string {
	g := o.grid()
	l := NewLine(o.Styles, o.Width)
	if !o.Command {
		l.To(g.title)
	}
	for _, s := range left {
		l.PutUntil(s.Ink, s.Text, g.end)
	}
	if g.place >= 0 {
		name := "branch"
		if o.Project {
			name = "project"
		}
		l.To(g.place).Put(Faint, name)
	}
	if g.age >= 0 {
		l.Right(g.age+figureWidth, Span{Faint, "age"})
	}
	if g.msgs >= 0 {
		l.Right(g.msgs+figureWidth, Span{Faint, "msgs"})
	}
	if g.id >= 0 {
		l.To(g.id).Put(Faint, "id")
	}
	return l.String()
}

// TitleRoom is how many cells the title of a row has, without a badge.
func TitleRoom(o RowOptions) int {
	g := o.grid()
	return g.end - g.title
}

// Title is what a row is called: its name, else what can be said instead. It is clean.
func Title(r *sessions.Row) string {
	if name := transcript.CleanLine(r.Name); name != "" {
		return name
	}
	switch r.State {
	case sessions.StateEmpty, sessions.StateStub:
		return "No messages"
	case sessions.StateOK, sessions.StateDamaged, sessions.StateUnreadable:
	}
	if id := transcript.CleanLine(r.ID); id != "" {
		return id
	}
	if r.Path == "" {
		return "No name"
	}
	return transcript.CleanLine(path.Base(r.Path))
}

// Folder writes a path for reading: the home directory is "~". It is clean.
func Folder(p, home string) string {
	p = transcript.CleanLine(p)
	if home != "" && home != "/" {
		if p == home {
			return "~"
		}
		if rest, ok := strings.CutPrefix(p, strings.TrimSuffix(home, "/")+"/"); ok {
			return "~/" + rest
		}
	}
	return p
}

// place is the text of the branch column.
func place(r *sessions.Row, project bool) string {
	if !project {
		return transcript.CleanLine(r.Branch)
	}
	if r.Project == "" {
		return ""
	}
	return transcript.CleanLine(path.Base(strings.ReplaceAll(r.Project, `\`, "/")))
}

// messages is the figure of the last column. Only a whole scan knows it.
func messages(r *sessions.Row) string {
	switch {
	case !r.Exact:
		return "…"
	case r.Messages < 10_000:
		return Short(int64(r.Messages))
	}
	return Short(int64(r.Messages) / 1_000 * 1_000) // 48k: four cells have no room for a decimal
}

// putTitle writes the title up to a column, the matched characters lit.
func putTitle(l *Line, r *sessions.Row, badge sessions.Badge, end int, o RowOptions) {
	ink := Text
	switch {
	case o.Chosen:
		ink = Strong
	case badge == sessions.BadgeStub || badge == sessions.BadgeEmpty:
		ink = Faint
	}
	title := Title(r)
	if len(o.Lit) == 0 {
		l.PutUntil(ink, title, end)
		return
	}
	for _, s := range lit(Cut(title, end-l.at), o.Lit, ink) {
		l.PutUntil(s.Ink, s.Text, end)
	}
}

// lit splits text into spans of matched and other characters. offsets are sorted and may reach beyond the end.
func lit(text string, offsets []int, ink Ink) []Span {
	var spans []Span
	at, start := 0, 0
	isLit := false
	cut := func(end int) {
		if end > start {
			kind := ink
			if isLit {
				kind = Match
			}
			spans = append(spans, Span{kind, text[start:end]})
		}
		start = end
	}
	for at < len(text) {
		// By character, not by rune: a style between a letter and its accent would tear them apart.
		cluster, _ := ansi.FirstGraphemeCluster(text[at:], ansi.GraphemeWidth)
		hit := false
		for len(offsets) > 0 && offsets[0] < at+len(cluster) {
			hit = hit || offsets[0] >= at
			offsets = offsets[1:]
		}
		if cluster == "…" && at+len(cluster) == len(text) {
			hit = false
		}
		if hit != isLit {
			cut(at)
			isLit = hit
		}
		at += len(cluster)
	}
	cut(at)
	return spans
}
