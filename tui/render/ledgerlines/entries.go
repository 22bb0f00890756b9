package ledgerlines

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/mark"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// EntryOptions are the options for drawing an entry of a ledger.
type EntryOptions struct {
	Width   int // in cells
	Styles  *render.Styles
	Now     time.Time
	Chosen  bool // the entry is selected
	Resting bool // another pane has the focus
	Most    int  // maximum number of lines of text; 0 for no limit
	Column  int  // start column of the titles of beads; 0: directly after the ID
	Sole    bool // all records have the same agent, so no column shows it
	Undated bool // no entry has a time, so no column shows it
}

// Columns of an entry. Below entryWide cells, the time precedes the title.
const (
	entryTime  = 2
	entryText  = 10
	entryWide  = 44
	entryProse = 96 // maximum width of a line of text
	entryWords = 28 // width of the result of a check, at the right
)

// ledgerEntry is an entry while it is drawn.
type ledgerEntry struct {
	o     *EntryOptions
	text  int // the column of the text
	end   int // column at which text ends
	lines []string
}

func newEntry(o *EntryOptions) *ledgerEntry {
	e := &ledgerEntry{o: o, text: entryText, end: max(o.Width-1, 1)}
	if o.Width < entryWide || o.Undated {
		e.text = min(4, o.Width/8)
	}
	e.end = min(e.end, e.text+entryProse)
	return e
}

func (e *ledgerEntry) line() *render.Line {
	l := render.NewLine(e.o.Styles, e.o.Width)
	switch {
	case e.o.Chosen && e.o.Resting:
		l.Put(render.Muted, "│")
	case e.o.Chosen:
		l.Select(true).Put(render.AccentBold, "▌")
	}
	return l
}

func (e *ledgerEntry) add(l *render.Line) {
	if e.o.Chosen && !e.o.Resting {
		l.To(e.o.Width)
	}
	e.lines = append(e.lines, l.String())
}

// title draws the title of an entry, in at most three lines.
func (e *ledgerEntry) title(when, text string) {
	const most = 3
	ink := render.Bold
	if e.o.Chosen {
		ink = render.Strong
	}
	if when != "" && e.text < entryText {
		text, when = when+"  "+text, ""
	}
	rows := render.Wrap(text, e.end-e.text)
	if len(rows) > most {
		rows = append(rows[:most-1], strings.Join(rows[most-1:], " "))
	}
	for i, s := range rows {
		l := e.line()
		if i == 0 && when != "" {
			l.To(entryTime).Put(render.Faint, when)
		}
		e.add(l.To(e.text).PutUntil(ink, s, e.end))
	}
}

// prose draws texts below each other. A limited number of lines has no blank lines.
func (e *ledgerEntry) prose(texts ...render.Span) {
	var rows []render.Span
	for _, t := range texts {
		if strings.TrimSpace(t.Text) == "" {
			continue
		}
		if e.o.Most > 0 && len(t.Text) > maxFolded {
			t.Text = strings.ToValidUTF8(t.Text[:maxFolded], "") + "\n…"
		}
		for _, s := range render.Wrap(reflowed(t.Text), e.end-e.text) {
			if s != "" || e.o.Most == 0 {
				rows = append(rows, render.Span{Ink: t.Ink, Text: s})
			}
		}
	}
	left := 0
	// The line with the number of hidden lines would need the same room as one hidden line.
	if e.o.Most > 0 && len(rows) > e.o.Most+1 {
		left = len(rows) - e.o.Most
		rows = rows[:e.o.Most]
	}
	for _, s := range rows {
		e.add(e.line().To(e.text).PutUntil(s.Ink, s.Text, e.end))
	}
	if left > 0 {
		e.add(e.line().To(e.text).PutUntil(render.Faint, "… "+words.Counted(left, "line", "lines")+" more", e.end))
	}
}

// maxFolded is the maximum number of bytes that are laid out for a limited number of lines.
const maxFolded = 8 << 10

// reflowed joins the lines of each paragraph and applies render.ProseLines. Lists, tables, quotations and fenced code
// keep their lines.
func reflowed(text string) string {
	var b strings.Builder
	open := false // the next line may be joined to the current one
	var r mark.Reader
	for line := range strings.Lines(strings.TrimSpace(text)) {
		l := r.Next(line)
		line = strings.TrimRight(line, " \t\r\n")
		rest := strings.TrimLeft(line, " \t")
		if open && l.Kind == mark.Text && rest != "" && !beginsLine(rest) {
			b.WriteString(" " + rest)
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line)
		open = l.Kind == mark.Text && rest != "" && !strings.ContainsAny(rest[:1], "|>#")
	}
	return render.ProseLines(b.String())
}

// beginsLine reports whether a text must start a new line.
func beginsLine(rest string) bool {
	n := mark.Bullet(rest)
	return n > 0 && n < len(rest) && rest[n] == ' ' || strings.ContainsAny(rest[:1], "|>#") || strings.HasPrefix(rest, "**") || strings.HasPrefix(rest, "<!--")
}

// place draws a code reference and the result of its check.
func (e *ledgerEntry) place(at int, ref string, c ledger.Check) {
	glyph, result := CheckSpans(c)
	l := e.line().To(at).Spans(glyph).To(at + 2)
	w := ansi.StringWidth(result.Text)
	column := max(e.end-entryWords, at+2)
	switch room := e.end - at - 2 - w - 2; {
	case ansi.StringWidth(ref) <= column-at-4 && w <= e.end-column:
		e.add(l.Put(render.Text, ref).To(column).PutUntil(result.Ink, result.Text, e.end))
	case room >= 12:
		e.add(l.Put(render.Text, words.CutMiddle(ref, room)).Right(e.end, render.Span{Ink: result.Ink, Text: "  " + result.Text}))
	default:
		e.add(l.PutUntil(render.Text, words.CutMiddle(ref, max(e.end-at-2, 1)), e.end))
		e.add(e.line().To(at+2).PutUntil(result.Ink, result.Text, e.end))
	}
	if c.To != "" {
		to := RefText(ledger.Ref{Path: c.To, From: c.At, To: c.At})
		e.add(e.line().To(at+2).PutUntil(render.Faint, words.CutMiddle("maybe moved to "+to, max(e.end-at-2, 1)), e.end))
	}
}

// DecisionLines returns the lines of a decision: the day, the title, the rationale and the evidence. checks has the
// check of each piece of evidence.
func DecisionLines(d *notes.Decision, checks map[survey.Backing]ledger.Check, o EntryOptions) []string {
	e := newEntry(&o)
	e.title(entryDay(d.When, o.Now), PlainLine(d.Title))
	decision := d.Decision
	if PlainLine(decision) == PlainLine(d.Title) {
		decision = "" // the title already has the whole decision
	}
	e.prose(render.Span{Ink: render.Text, Text: decision}, render.Span{Ink: render.Muted, Text: d.Rationale})
	for i := range d.Evidence {
		e.place(e.text, RefText(d.Evidence[i].Ref), checks[survey.BackingOf(&d.Evidence[i])])
	}
	return e.lines
}

// QuestionLines returns the lines of an open question.
func QuestionLines(q *notes.Question, o EntryOptions) []string {
	e := newEntry(&o)
	since := ""
	if !q.Since.IsZero() {
		since = "since " + entryDay(q.Since, o.Now)
	}
	room := o.Width - 1 - entryText/2 - ansi.StringWidth(since) - 2
	beside := room >= 24
	if !beside {
		room = o.Width - 5
	}
	text := PlainLine(q.Text)
	if !q.Since.IsZero() { // the day is at the right edge
		text = strings.TrimSpace(strings.TrimSuffix(text, "("+q.Since.Format(time.DateOnly)+")"))
	}
	for i, s := range render.Wrap(text, min(room, entryProse)) {
		l := e.line().To(2)
		if i == 0 {
			l.Put(render.Faint, "?")
		}
		l.To(4).Put(render.Text, s)
		if i == 0 && beside {
			l.Right(o.Width-1, render.Span{Ink: render.Faint, Text: since})
		}
		e.add(l)
	}
	if !beside && since != "" {
		e.add(e.line().To(4).Put(render.Faint, since))
	}
	return e.lines
}

// IdentifierLines returns the lines of a lightweight identifier: the code reference, its check, and its purpose.
func IdentifierLines(c *recovery.Checked, o EntryOptions) []string {
	e := newEntry(&o)
	e.text = 4
	e.place(2, RefText(c.Ref), c.Check)
	if purpose := PlainLine(c.Purpose); purpose != "" {
		e.prose(render.Span{Ink: render.Muted, Text: purpose})
	}
	return e.lines
}

// BeadLines returns the lines of a bead. waits names the beads that it waits for.
func BeadLines(b *beads.Bead, waits []string, o EntryOptions) []string {
	e := newEntry(&o)
	e.text = 4
	ink := render.Bold
	if o.Chosen {
		ink = render.Strong
	}
	right := "P" + strconv.Itoa(b.Priority)
	if b.Type != "" {
		right += " " + transcript.CleanLine(b.Type)
	}
	l := e.line().To(2).PutUntil(render.Faint, transcript.CleanLine(b.ID), max(o.Width/3, 8))
	l.Put(render.Text, "  ").To(min(o.Column, o.Width/3)).PutUntil(ink, PlainLine(b.Title), o.Width-1-ansi.StringWidth(right)-2)
	e.add(l.Right(o.Width-1, render.Span{Ink: render.Faint, Text: " " + right}))
	if len(waits) > 0 {
		e.prose(render.Span{Ink: render.Warn, Text: "waits for " + transcript.CleanLine(strings.Join(waits, ", "))})
	}
	if b.Assignee != "" {
		e.prose(render.Span{Ink: render.Faint, Text: "assigned to " + transcript.CleanLine(b.Assignee)})
	}
	e.prose(render.Span{Ink: render.Muted, Text: BeadText(b)})
	return e.lines
}

// BeadText returns the text of a bead, from its description to its comments.
func BeadText(b *beads.Bead) string {
	parts := []string{strings.TrimSpace(b.Description)}
	add := func(name string, list []string) {
		for _, s := range list {
			parts = append(parts, name+": "+strings.TrimSpace(s))
		}
	}
	for i := range b.Decisions {
		add("Decision", []string{joinTexts(b.Decisions[i].Text, b.Decisions[i].Rationale)})
	}
	for i := range b.Handoffs {
		add("Handoff", []string{joinTexts(b.Handoffs[i].Session, b.Handoffs[i].Notes, b.Handoffs[i].Trajectory)})
	}
	for _, s := range b.Scenarios {
		add("Test scenario", []string{joinTexts(s.Name, s.Type, s.Expected)})
	}
	add("Next", b.Next)
	add("Blocker", b.Blockers)
	add("Question", b.Questions)
	for i := range b.Comments {
		if c := &b.Comments[i]; !c.Entry() { // another list has this entry
			add(c.Author, []string{c.Text})
		}
	}
	return strings.TrimSpace(strings.Join(parts, "\n\n"))
}

// joinTexts joins the texts that aren't empty, with " · " between them.
func joinTexts(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), " · ")
}

// CheckSpans returns the glyph and the text of a check. An unchecked reference has "·" and "".
func CheckSpans(c ledger.Check) (glyph, result render.Span) {
	good, warn, bad := render.Span{Ink: render.Good, Text: "✓"}, render.Span{Ink: render.Warn, Text: "△"}, render.Span{Ink: render.Bad, Text: "✗"}
	switch c.Status {
	case ledger.Holds:
		if c.Quoted {
			return good, render.Span{Ink: render.Muted, Text: "quote found"}
		}
		return good, render.Span{Ink: render.Muted, Text: "found"}
	case ledger.Moved:
		return warn, render.Span{Ink: render.Warn, Text: "moved to :" + strconv.Itoa(c.At)}
	case ledger.NoQuote:
		return bad, render.Span{Ink: render.Bad, Text: "quote not found"}
	case ledger.NoLine:
		return bad, render.Span{Ink: render.Bad, Text: "has only " + words.Counted(c.Lines, "line", "lines")}
	case ledger.NoFile:
		return bad, render.Span{Ink: render.Bad, Text: "file is gone"}
	case ledger.Outside:
		return warn, render.Span{Ink: render.Warn, Text: "outside the project"}
	case ledger.Unreadable:
		text := transcript.CleanLine(c.Problem)
		if text == "" {
			text = "cannot be read"
		}
		return bad, render.Span{Ink: render.Bad, Text: text}
	}
	return render.Span{Ink: render.Faint, Text: "·"}, render.Span{}
}

// RefText formats a code reference, such as "main.go:3–7". The path is relative to the root.
func RefText(r ledger.Ref) string {
	text := transcript.CleanLine(r.Path)
	if text == "" {
		return transcript.CleanLine(r.Raw)
	}
	if r.From > 0 {
		text += ":" + strconv.Itoa(r.From)
	}
	if r.From > 0 && r.To > r.From {
		text += "–" + strconv.Itoa(r.To)
	}
	return text
}

// entryDay returns a day in at most seven cells, such as "Nov 21", or "2025-11" in another year.
func entryDay(t, now time.Time) string {
	switch t = t.In(now.Location()); {
	case t.IsZero():
		return ""
	case t.Year() != now.Year():
		return t.Format("2006-01")
	}
	return t.Format("Jan 2")
}

// PlainLine returns a markdown text as one line without control characters. It applies render.Prose.
func PlainLine(s string) string { return strings.TrimSpace(render.Prose(transcript.CleanLine(s))) }
