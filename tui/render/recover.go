package render

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/transcript"
)

// Recovered is what was recovered, laid out for a width as far as it was looked at: level 3 of a long NOTES.md has
// thousands of lines, of which a dialog shows thirty.
type Recovered struct {
	result *recovery.Result
	o      RecoveredOptions
	rows   [][]Span
	part   int // that is laid out next: behind the last one what was left out
	line   int // of it; its heading is laid out with the first
	done   bool
}

// RecoveredOptions say how it is laid out.
type RecoveredOptions struct {
	Width  int // cells
	Now    time.Time
	Blanks bool // a blank line between the parts
}

// recoveredText is the column of a text behind a day.
const recoveredText = 8

// NewRecovered lays out nothing yet.
func NewRecovered(r *recovery.Result, o RecoveredOptions) *Recovered {
	return &Recovered{result: r, o: o, part: -1}
}

// Is reports whether it is the layout of a result for these options. The time of day does not count.
func (r *Recovered) Is(result *recovery.Result, o RecoveredOptions) bool {
	return r != nil && r.result == result && r.o.Width == o.Width && r.o.Blanks == o.Blanks && daysBetween(r.o.Now, o.Now) == 0
}

// Upto lays out at least n rows, where there are that many, and says how many there are by now, and whether these are all.
func (r *Recovered) Upto(n int) (rows int, all bool) {
	for len(r.rows) < n && !r.done {
		r.next()
	}
	return len(r.rows), r.done
}

// Row is one of the rows that were laid out.
func (r *Recovered) Row(i int) []Span { return r.rows[i] }

// next lays out one more line of it.
func (r *Recovered) next() {
	switch {
	case r.part < 0:
		r.notes()
		r.part = 0
		return
	case r.part >= len(r.result.Parts):
		r.left()
		r.done = true
		return
	}
	p := &r.result.Parts[r.part]
	if r.line == 0 {
		r.heading(p)
	}
	switch {
	case r.line >= len(p.Lines):
		r.part, r.line = r.part+1, 0
	case isPlace(&p.Lines[r.line]):
		r.places(p)
	default:
		r.text(&p.Lines[r.line])
		r.line++
	}
	if r.line > 0 && r.line >= len(p.Lines) {
		r.part, r.line = r.part+1, 0
	}
}

func (r *Recovered) add(spans ...Span) { r.rows = append(r.rows, spans) }

// apart puts a blank line before what is not the first.
func (r *Recovered) apart() {
	if len(r.rows) > 0 && r.o.Blanks {
		r.add()
	}
}

// notes puts what is to be known besides.
func (r *Recovered) notes() {
	for _, note := range r.result.Notes {
		for i, s := range Wrap(transcript.CleanLine(note), max(r.o.Width-2, 1)) {
			glyph := "  "
			if i == 0 {
				glyph = "△ "
			}
			r.add(Span{Warn, glyph}, Span{Text, s})
		}
	}
}

func (r *Recovered) heading(p *recovery.Part) {
	if p.Name == "" && p.Note == "" {
		return
	}
	r.apart()
	spans := []Span{{Strong, transcript.CleanLine(p.Name)}}
	if p.Note != "" {
		spans = append(spans, Span{Faint, "  " + transcript.CleanLine(p.Note)})
	}
	r.add(spans...)
}

// text puts a line: behind its day, or behind ? where it is a question.
func (r *Recovered) text(line *recovery.Line) {
	text, cut := bare(line)
	lead, at := Span{}, 0
	switch {
	case line.Open:
		lead, at = Span{Faint, "?"}, 2
	case !line.When.IsZero() && r.o.Width >= 5*recoveredText:
		lead, at = Span{Faint, EntryDay(line.When, r.o.Now)}, recoveredText
	}
	ink := Text
	if at == 0 && strings.HasPrefix(text, "#") {
		ink = Strong
	}
	if text == "" {
		r.add()
		return
	}
	from := 0
	for i, s := range Wrap(text, max(r.o.Width-at, 1)) {
		var spans []Span
		if at > 0 {
			if i > 0 {
				lead.Text = ""
			}
			spans = append(spans, Span{lead.Ink, Pad(lead.Text, at)})
		}
		found := strings.Index(text[from:], s)
		if found < 0 { // it is not as it was written: a character of two cells was cut
			r.add(append(spans, Span{ink, s})...)
			continue
		}
		from += found
		r.add(append(spans, lit(s, from, cut, line.Match, ink)...)...)
		from += len(s)
	}
}

// bare is the text of a line without what its column says already, and how many bytes were taken from its start. What
// could not be shown as it stands loses its matches: cut is less than 0.
func bare(line *recovery.Line) (text string, cut int) {
	text = untab(transcript.CleanLine(line.Text))
	if strings.HasPrefix(line.Text, " ") || strings.HasPrefix(line.Text, "\t") { // CleanLine takes them
		indent := len(line.Text) - len(strings.TrimLeft(line.Text, " \t"))
		text = untab(line.Text[:indent]) + text
	}
	if text != line.Text {
		cut = -1
	}
	if !line.Open && line.When.IsZero() {
		return text, cut
	}
	short := strings.TrimLeft(text, " ")
	for _, mark := range []string{"- ", "* ", "+ ", "[ ] ", "? "} {
		short = strings.TrimPrefix(short, mark)
	}
	if !line.When.IsZero() {
		for _, day := range []string{line.When.UTC().Format(time.RFC3339), line.When.Format("2006-01-02 15:04"), line.When.Format(time.DateOnly), "[" + line.When.Format(time.DateOnly) + "]"} {
			if after, ok := strings.CutPrefix(short, day); ok {
				short = strings.TrimLeft(after, " :–-")
				break
			}
		}
	}
	if cut >= 0 {
		cut = len(text) - len(short)
	}
	return short, cut
}

// lit are the spans of a piece of a text that begins at from, with what the query found.
func lit(piece string, from, cut int, found [][2]int, ink Ink) []Span {
	if cut < 0 {
		return []Span{{ink, piece}}
	}
	var spans []Span
	at := 0
	for _, f := range found {
		a, b := min(max(f[0]-cut-from, at), len(piece)), min(max(f[1]-cut-from, at), len(piece))
		if a >= b {
			continue
		}
		if a > at {
			spans = append(spans, Span{ink, piece[at:a]})
		}
		spans = append(spans, Span{Match, piece[a:b]})
		at = b
	}
	if at < len(piece) {
		spans = append(spans, Span{ink, piece[at:]})
	}
	return spans
}

// isPlace reports whether a line is an identifier that was looked at.
func isPlace(l *recovery.Line) bool { return l.Check != nil && l.Ref != nil }

// places puts the identifiers that follow each other: those that hold beside each other, as many as have room.
func (r *Recovered) places(p *recovery.Part) {
	const gap = 5
	if p.Lines[r.line].Check.Bad() {
		r.add(placeSpans(&p.Lines[r.line], r.o.Width)...)
		r.line++
		return
	}
	var cells [][]Span
	widest := 0
	for ; r.line < len(p.Lines) && isPlace(&p.Lines[r.line]) && !p.Lines[r.line].Check.Bad(); r.line++ {
		cell := placeSpans(&p.Lines[r.line], r.o.Width)
		cells = append(cells, cell)
		widest = max(widest, SpansWidth(cell))
	}
	columns := max((r.o.Width+gap)/(widest+gap), 1)
	for len(cells) > 0 {
		var row []Span
		for i := range min(columns, len(cells)) {
			if i > 0 {
				row = append(row, Span{Text, strings.Repeat(" ", i*(widest+gap)-SpansWidth(row))})
			}
			row = append(row, cells[i]...)
		}
		r.add(row...)
		cells = cells[min(columns, len(cells)):]
	}
}

// placeSpans are an identifier and what was found at it, where that is not what it says.
func placeSpans(line *recovery.Line, width int) []Span {
	glyph, words := CheckSpans(*line.Check)
	ref := RefText(*line.Ref)
	if !line.Check.Bad() || words.Text == "" {
		return []Span{glyph, {Text, " " + CutMiddle(ref, max(width-2, 1))}}
	}
	room := max(width-2-ansi.StringWidth(words.Text)-2, 8)
	return []Span{glyph, {Text, " " + CutMiddle(ref, room)}, {words.Ink, "  " + words.Text}}
}

// left puts what was left out.
func (r *Recovered) left() {
	text := LeftOut(r.result)
	if text == "" {
		return
	}
	if len(r.rows) > 0 { // it is no part: where there is little room as well
		r.add()
	}
	for _, s := range Wrap(text, r.o.Width) {
		r.add(Span{Faint, s})
	}
}

// LeftOut says what a recovery leaves out: "Left out: 11 decisions, 2 questions. Level 3 has them."; "" nothing.
func LeftOut(r *recovery.Result) string {
	var list []string
	n := 0
	for _, l := range r.LeftOut {
		if l.N <= 0 {
			continue
		}
		n += l.N
		what := transcript.CleanLine(l.What)
		if l.N == 1 {
			what = strings.TrimSuffix(what, "s")
		}
		list = append(list, Count(l.N)+" "+what)
	}
	if n == 0 {
		return ""
	}
	text := "Left out: " + strings.Join(list, ", ") + "."
	switch {
	case r.Level == recovery.All:
	case n == 1:
		text += " Level 3 has it."
	default:
		text += " Level 3 has them."
	}
	return text
}

// RecoveredSize says how much of its budget a recovery takes: "92 of 100 tokens", "7.8k tokens".
func RecoveredSize(r *recovery.Result) string {
	if r.Budget <= 0 {
		return Tokens(int64(r.Tokens)) + " " + tokenWord(r.Tokens)
	}
	return Tokens(int64(r.Tokens)) + " of " + Tokens(int64(r.Budget)) + " tokens"
}

func tokenWord(n int) string {
	if n == 1 {
		return "token"
	}
	return "tokens"
}
