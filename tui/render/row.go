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

// RowOptions describe how to draw a row of a list.
type RowOptions struct {
	Width   int // in cells
	Styles  *Styles
	Now     time.Time
	Command bool   // a command prints the row: no selection bar, no free cell at the right, the ID at the end
	Project bool   // for a command: show the project in place of the branch
	Figure  string // for a list: text of the last column, which otherwise shows the age
	Wide    bool   // show branch and model too; a command always shows the branch
	// Width of the column with the project before the title; 0 for no such column; see ProjectColumn.
	Column  int
	Chosen  bool        // the row is selected, so it has the bar and the background of the selection
	Marked  bool        // the row is marked for an action
	Said    bool        // the heading of the group shows the word of the badge
	Resting bool        // the keys act on another pane, so the bar is a hairline
	Lit     []int       // byte offsets of the characters of the title that match the filter
	Words   match.Query // the words of the filter, which are highlighted outside of the title
	ID      int         // width of the ID that a command prints, at least 8; in most cases, 8 characters are unique
}

// grid has the columns at which the parts of a row start; -1 for a part that isn't drawn.
type grid struct {
	glyph, project, title, end, place, model, age, msgs, id int
	idWidth                                                 int
}

const (
	placeWidth  = 14
	modelWidth  = 6
	figureWidth = 4 // width of the age and of the messages
	shortID     = 8
	leastTitle  = 22 // if the title would be shorter than this, the word of the badge is left out
	leastAge    = 30 // in rows narrower than this, the age is left out
	leastGlyph  = 12 // in rows narrower than this, the glyph is left out
	leastColumn = 54 // in rows narrower than this, the project is left out
)

// ProjectColumn returns the width, in cells, of a column for the projects of some rows. It is the width of the
// longest name, but at least 8 and at most 14. Only the names of the first rows count, so that a long name further down
// doesn't cost room for titles. It returns 0 if all rows belong to one project.
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

// grid returns the columns that fit. A list drops the project below 54 cells, the age below 30, and the glyph
// below 12. It shows branch and model only if it is wide, from 76 cells on. A command drops the branch below 76
// cells and the messages below 62. It drops the ID only below 40 cells, because users pass the ID to the next
// command.
func (o *RowOptions) grid() grid {
	g := grid{glyph: 2, project: -1, title: 4, place: -1, model: -1, age: -1, msgs: -1, id: -1}
	right, gapAge := o.Width-1, 1
	width := o.Width // width of a row whose ID is short
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
	if wide { // more than between title and badge, so that the badge doesn't seem to be about the branch
		right -= 2
	}
	g.end = max(right, g.title)
	return g
}

// putUntil writes a text that isn't the title, up to a column. It highlights the matches of the filter.
func (o *RowOptions) putUntil(l *Line, s Span, end int) { putLit(l, s, end, o.Words.Parts(s.Text)) }

// badge returns the word of the badge, or nil if the word doesn't fit. It also returns the column at which the
// title ends.
func (g *grid) badge(word Span) (badge []Span, titleEnd int) {
	w := ansi.StringWidth(word.Text)
	if w > 0 && g.end-g.title-w-2 >= leastTitle {
		return []Span{word}, g.end - w - 2
	}
	return nil, g.end
}

// RowAge returns the age of a row in the format of Age. It returns "" if no message has a time. The time of the
// file doesn't count.
func RowAge(r *sessions.Row, now time.Time) string {
	if !r.Dated() {
		return ""
	}
	return Age(now, r.When())
}

// Row returns one line of the list. It shows "…" for an unknown number.
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
		// The ID is cut without "…", because other commands accept the beginning of an ID.
		l.To(g.id).Put(Faint, ansi.Truncate(transcript.CleanLine(r.ID), g.idWidth, ""))
	}
	if o.Chosen {
		l.To(o.Width)
	}
	return l.String()
}

// starOf returns the mark that follows the title of a starred session. It returns "" if there is room for less
// than 4 cells of the title.
func starOf(r *sessions.Row, room int) string {
	if r.Starred && room >= 4 {
		return " *"
	}
	return ""
}

// Header returns the line above the rows. It starts with left, which names the scope of the list, and has the
// names of the columns.
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

// TitleCutAt reports whether the title of a row is cut off at or before the given cell of the title, or isn't drawn.
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

// line starts a row. If the row is chosen, it gets the bar and the background of the selection.
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

// Folder returns a path without control characters, with "~" in place of the home directory.
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

// place returns the text for the column of the branch. This is the project if project is set, and otherwise the
// branch.
func place(r *sessions.Row, project bool) string {
	if !project {
		return transcript.CleanLine(r.Branch)
	}
	return Base(r.Project)
}

// Base returns the last element of a path of any operating system, without control characters. It returns "" for
// "".
func Base(p string) string {
	if p == "" {
		return ""
	}
	return transcript.CleanLine(path.Base(strings.ReplaceAll(p, `\`, "/")))
}

// Model returns the short name of the model that a session used last, such as "opus", "sonnet" or "haiku". It
// returns "" if no model is known.
func Model(models []string) string {
	for _, name := range slices.Backward(models) {
		if strings.HasPrefix(name, "<") { // the client made up this answer, for example for an API error
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

// Messages returns the number of messages in four cells. It returns "…" if the file wasn't read completely.
func Messages(r *sessions.Row) string {
	switch {
	case !r.Counted():
		return "…"
	case r.Messages < 10_000:
		return short(int64(r.Messages))
	}
	return short(int64(r.Messages) / 1_000 * 1_000) // such as 48k, because a decimal doesn't fit into four cells
}

// titleInk returns the ink of the title of a session.
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

// putLit writes a text up to a column. It highlights the characters that match.
func putLit(l *Line, text Span, end int, offsets []int) {
	if len(offsets) == 0 {
		l.PutUntil(text.Ink, text.Text, end)
		return
	}
	for _, s := range LitSpans(words.Cut(text.Text, end-l.at), offsets, text.Ink) {
		l.PutUntil(s.Ink, s.Text, end)
	}
}

// HitLine returns the line below a row that shows a match of the filter outside of the title. The line has the
// name of the field and its text, cut around the first match. offsets are sorted byte offsets into text. If the
// text isn't clean, HitLine ignores them.
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

// around cuts a text to at most width cells. The first run of matched characters stays in the middle. It returns
// the cut text and the offsets into the cut text.
func around(text string, offsets []int, width int) (string, []int) {
	const word = 12 // how many bytes may be cut so that the text starts with a whole word
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

// firstRun returns the start and the end of the first run of matched characters. It returns 0 and 0 if there is
// none.
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

// LitSpans splits a text into spans of matched characters and spans of other characters. offsets are sorted byte
// offsets. LitSpans ignores offsets beyond the end.
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
		// Split by grapheme cluster and not by rune. Otherwise a style could separate a letter from its accent.
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

// Title returns Row.Title without its markdown.
func Title(r *sessions.Row) string { return Prose(r.Title()) }

// Plain returns the result of sessions.Plain.
func Plain(s string) string { return sessions.Plain(s) }
