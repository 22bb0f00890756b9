package render

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/match"
)

// RowOptions are the options for drawing a row of a list.
type RowOptions struct {
	Width   int // in cells
	Styles  *Styles
	Now     time.Time
	Command bool   // for a command: no selection bar, full width, with the ID
	Project bool   // for a command: the project in place of the branch
	Figure  string // for a list: text of the last column; "" for the age
	Wide    bool   // also show branch and model; a command always shows the branch
	// Width of the column of projects; 0 for no column. See ProjectColumn.
	Column  int
	Chosen  bool        // the row is selected
	Marked  bool        // the row is marked for an action
	Said    bool        // the heading already has the word of the badge
	Resting bool        // another pane has the focus, so the bar is thin
	Lit     []int       // byte offsets of the title's matched characters
	Words   match.Query // words of the filter, for texts other than the title
	ID      int         // width of the ID for a command, at least 8
}

// grid has the start column of each part of a row, or -1.
type grid struct {
	glyph, project, title, end, place, model, age, msgs, id int
	idWidth                                                 int
}

const (
	placeWidth  = 14
	modelWidth  = 6
	figureWidth = 4 // width of the age and of the number of messages
	shortID     = 8
	leastTitle  = 22 // minimum width of the title beside the word of the badge
	leastAge    = 30 // in narrower rows, the age is left out
	leastGlyph  = 12 // in narrower rows, the glyph is left out
	leastColumn = 54 // in narrower rows, the project is left out
)

// ProjectColumn returns the width of a column for the projects of rows, between 8 and 14 cells. It returns 0 if all
// rows have the same project. Only the names of the first rows count, so that a long name far below takes no room.
func ProjectColumn(rows []*sessions.Row, first int) int {
	width, several := 8, false
	for i, r := range rows {
		several = several || r.Project != rows[0].Project
		if i < first {
			width = max(width, ansi.StringWidth(Base(r.Project)))
		}
	}
	if !several {
		return 0
	}
	return min(width, 14)
}

// grid returns the columns that fit. A command drops the ID last, because users pass it to other commands.
func (o *RowOptions) grid() grid {
	g := grid{glyph: 2, project: -1, title: 4, place: -1, model: -1, age: -1, msgs: -1, id: -1}
	right, gapAge := o.Width-1, 1
	width := o.Width // width of the row if its ID had 8 characters
	if o.Command {
		g.glyph, g.title, right, gapAge = 0, 2, o.Width, 2
		if o.Width >= 40 {
			g.idWidth = min(max(o.ID, shortID), o.Width-40+shortID)
			g.id = right - g.idWidth
			right = g.id - 2
			width -= g.idWidth - shortID
		}
	}
	if o.Width < leastGlyph {
		g.glyph, g.title = -1, g.glyph
	}
	if o.Column > 0 && o.Width >= leastColumn {
		g.project = g.title
		g.title += o.Column + 2
	}
	if o.Command && width >= 62 {
		g.msgs = right - figureWidth
		right = g.msgs - 2
	}
	if width >= leastAge {
		g.age = right - figureWidth
		right = g.age - gapAge
	}
	wide := o.Wide && !o.Command && width >= 76
	if wide {
		g.model = right - 1 - modelWidth
		right = g.model - 3
	}
	if wide || o.Command && width >= 76 {
		g.place = right - placeWidth
		right = g.place - 2
	}
	if wide { // a wide gap, so that the badge doesn't seem to describe the branch
		right -= 2
	}
	g.end = max(right, g.title)
	return g
}

// putUntil draws a text other than the title up to a column, with the filter's matches.
func (o *RowOptions) putUntil(l *Line, s Span, end int) { putLit(l, s, end, o.Words.Parts(s.Text)) }

// badge returns the badge's word, or nil if it doesn't fit, and the end column of the title.
func (g *grid) badge(word Span) (badge []Span, titleEnd int) {
	w := ansi.StringWidth(word.Text)
	if w > 0 && g.end-g.title-w-2 >= leastTitle {
		return []Span{word}, g.end - w - 2
	}
	return nil, g.end
}

// RowAge returns the age of a row, formatted by Age. It returns "" if no message has a time.
func RowAge(r *sessions.Row, now time.Time) string {
	if !r.Dated() {
		return ""
	}
	return Age(now, r.When())
}

// Row returns a row of the list. Unknown numbers are shown as "…".
func Row(r *sessions.Row, o RowOptions) string {
	g := o.grid()
	glyph, word := BadgeSpans(r, o.Now)
	if o.Said {
		word = Span{}
	}
	if o.Marked {
		glyph = Span{AccentBold, "✓"}
	}
	l := o.line()
	if g.glyph >= 0 {
		l.To(g.glyph).Put(glyph.Ink, glyph.Text)
	}
	if g.project >= 0 {
		l.To(g.project).PutUntil(Muted, Base(r.Project), g.project+o.Column)
	}
	l.To(g.title)
	badge, titleEnd := g.badge(word)
	if n := len(badge); n > 0 {
		badge = append(badge[:n-1], LitSpans(word.Text, o.Words.Parts(word.Text), word.Ink)...)
	}
	star := starOf(r, titleEnd-g.title)
	putLit(l, Span{o.titleInk(r), Title(r)}, titleEnd-len(star), o.Lit)
	l.PutUntil(Accent, star, titleEnd)
	l.Right(g.end, badge...)
	if g.place >= 0 {
		l.To(g.place).PutUntil(Muted, place(r, o.Project && g.project < 0), g.place+placeWidth)
	}
	if g.model >= 0 {
		l.To(g.model).PutUntil(Muted, Model(r.Models), g.model+modelWidth)
	}
	if g.age >= 0 {
		l.Right(g.age+figureWidth, Span{Muted, cmp.Or(o.Figure, RowAge(r, o.Now))})
	}
	if g.msgs >= 0 {
		l.Right(g.msgs+figureWidth, Span{Faint, Messages(r)})
	}
	if g.id >= 0 {
		// No "…" after a cut ID, because commands accept the start of an ID.
		l.To(g.id).Put(Faint, ansi.Truncate(transcript.CleanLine(r.ID), g.idWidth, ""))
	}
	if o.Chosen {
		l.To(o.Width)
	}
	return l.String()
}

// starOf returns the mark after the title of a starred session. It returns "" if there is no room.
func starOf(r *sessions.Row, room int) string {
	if r.Starred && room >= 4 {
		return " *"
	}
	return ""
}

// Header returns the line above the rows: the names of the columns, and left, the scope of the list.
func Header(left []Span, o RowOptions) string {
	g := o.grid()
	l := NewLine(o.Styles, o.Width)
	if !o.Command {
		l.To(2).Put(Faint, "/").To(4)
	}
	for _, s := range left {
		l.PutUntil(s.Ink, s.Text, g.end)
	}
	if g.model >= 0 {
		l.Right(g.end, Span{Faint, "  state"})
	}
	if g.place >= 0 {
		name := "branch"
		if o.Project && g.project < 0 {
			name = "project"
		}
		l.To(g.place).Put(Faint, name)
	}
	if g.model >= 0 {
		l.To(g.model).Put(Faint, "model")
	}
	if g.age >= 0 {
		l.Right(g.age+figureWidth, Span{Faint, cmp.Or(o.Figure, "age")})
	}
	if g.msgs >= 0 {
		l.Right(g.msgs+figureWidth, Span{Faint, "msgs"})
	}
	if g.id >= 0 {
		l.To(g.id).Put(Faint, "id")
	}
	return l.String()
}

// TitleCutAt reports whether the title of a row is cut at or before a cell, or isn't drawn.
func TitleCutAt(r *sessions.Row, o RowOptions, cell int) bool {
	var room int
	switch r.Kind {
	case sessions.KindDocument:
		g := o.documentGrid()
		end, _ := g.fault(r)
		room = end - g.title
	case sessions.KindBackup:
		g := o.backupGrid()
		if room = g.titleEnd - g.title; g.title < 0 {
			return true
		}
	case sessions.KindSession:
		g := o.grid()
		_, word := BadgeSpans(r, o.Now)
		_, end := g.badge(word)
		room = end - g.title
		room -= len(starOf(r, room))
	}
	return cell >= room-1 && ansi.StringWidth(Title(r)) > room
}

func (o *RowOptions) line() *Line {
	l := NewLine(o.Styles, o.Width)
	l.selected = o.Chosen
	if o.Chosen && !o.Command {
		if o.Resting {
			l.Put(Accent, "│")
		} else {
			l.Put(AccentBold, "▌")
		}
	}
	return l
}

// Folder returns a path without control characters, with ~ for the home directory.
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

func place(r *sessions.Row, project bool) string {
	if !project {
		return transcript.CleanLine(r.Branch)
	}
	return Base(r.Project)
}

// Base returns the last element of a path of any operating system, without control characters.
func Base(p string) string {
	if p == "" {
		return ""
	}
	return transcript.CleanLine(path.Base(strings.ReplaceAll(p, `\`, "/")))
}

// Model returns the short name of the last model of a session, such as "opus"; "" if it is unknown.
func Model(models []string) string {
	for _, name := range slices.Backward(models) {
		if strings.HasPrefix(name, "<") { // the client writes such a name for its own messages
			continue
		}
		name = strings.TrimPrefix(transcript.CleanLine(name), "claude-")
		for part := range strings.SplitSeq(name, "-") {
			if strings.Trim(part, "0123456789.") != "" {
				return part
			}
		}
		return name
	}
	return ""
}

// Messages returns the number of messages in four cells; "…" if the file wasn't read completely.
func Messages(r *sessions.Row) string {
	switch {
	case !r.Counted():
		return "…"
	case r.Messages < 10_000:
		return short(int64(r.Messages))
	}
	return short(int64(r.Messages) / 1_000 * 1_000) // no decimal, to fit into four cells
}

func (o *RowOptions) titleInk(r *sessions.Row) Ink {
	badge := r.Badge()
	switch {
	case o.Chosen:
		return Strong
	case badge == sessions.BadgeStub:
		return Faint
	}
	return Text
}

// putLit draws a text up to a column, with the characters at offsets highlighted.
func putLit(l *Line, text Span, end int, offsets []int) {
	if len(offsets) == 0 {
		l.PutUntil(text.Ink, text.Text, end)
		return
	}
	for _, s := range LitSpans(words.Cut(text.Text, end-l.at), offsets, text.Ink) {
		l.PutUntil(s.Ink, s.Text, end)
	}
}

// HitLine returns the line below a row that shows a match outside of the title: the field's name and its text. offsets
// are sorted byte offsets into text. They are ignored if the text isn't clean.
func HitLine(field, text string, offsets []int, o RowOptions) string {
	const fieldAt, textAt, leastText = 6, 15, 12
	l := o.line()
	end := o.Width - 1
	if end-textAt >= leastText {
		l.To(fieldAt).PutUntil(Faint, field, textAt-1).To(textAt)
	} else {
		l.To(max(min(fieldAt, end-leastText), 2))
	}
	if clean := transcript.CleanLine(text); clean != text {
		text, offsets = clean, nil
	}
	text, offsets = around(text, offsets, end-l.at)
	for _, s := range LitSpans(text, offsets, Muted) {
		l.PutUntil(s.Ink, s.Text, end)
	}
	if o.Chosen {
		l.To(o.Width)
	}
	return l.String()
}

// around cuts a text to width cells, with the first match in the middle. It also returns the offsets of the matches in
// the cut text.
func around(text string, offsets []int, width int) (string, []int) {
	const word = 12 // maximum bytes to cut for a start at a whole word
	begin, end := firstRun(text, offsets)
	before, run := ansi.StringWidth(text[:begin]), ansi.StringWidth(text[begin:end])
	if before == 0 || before+run < width || ansi.StringWidth(text) <= width {
		return words.Cut(text, width), offsets
	}
	room := max((width-2-run)/2, width-1-ansi.StringWidth(text[begin:]), 0)
	start := 0
	for before > room {
		cluster, w := ansi.FirstGraphemeCluster(text[start:], ansi.GraphemeWidth)
		start += len(cluster)
		before -= w
	}
	if i := strings.IndexByte(text[start:begin], ' '); i >= 0 && i < word && text[start-1] != ' ' {
		start += i
	}
	start = begin - len(strings.TrimLeft(text[start:begin], " …"))
	shifted := make([]int, 0, len(offsets))
	for _, o := range offsets {
		if o >= begin {
			shifted = append(shifted, o-start+len("…"))
		}
	}
	return words.Cut("…"+text[start:], width), shifted
}

// firstRun returns the start and the end of the first run of matched characters, or 0 and 0.
func firstRun(text string, offsets []int) (begin, end int) {
	begin = -1
	for at := 0; at < len(text); {
		cluster, _ := ansi.FirstGraphemeCluster(text[at:], ansi.GraphemeWidth)
		next := at + len(cluster)
		switch hit := slices.ContainsFunc(offsets, func(o int) bool { return at <= o && o < next }); {
		case hit && begin < 0:
			begin = at
		case !hit && begin >= 0:
			return begin, at
		}
		at = next
	}
	if begin < 0 {
		return 0, 0
	}
	return begin, len(text)
}

// LitSpans splits a text into matched and other spans. offsets are sorted byte offsets. Offsets beyond the end are
// ignored.
func LitSpans(text string, offsets []int, ink Ink) []Span {
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
		// Split by grapheme cluster, because a style can't be between a letter and its accent.
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

// Title returns Row.Title without markdown.
func Title(r *sessions.Row) string { return Prose(r.Title()) }

// Plain returns the result of sessions.Plain.
func Plain(s string) string { return sessions.Plain(s) }
