package ledgerlines

import (
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// Recovered is the layout of a recovery for one width. It lays out rows only when they are needed, because a long
// NOTES.md has thousands of lines.
type Recovered struct {
	result *recovery.Result
	o      RecoveredOptions
	rows   [][]render.Span
	part   int  // index of the next part; the list of left out entries is last
	line   int  // index of the part's next line; line 0 includes the heading
	dated  bool // the lines of the part have a column for the day
	marks  int  // width of the column of marks, or 0
	done   bool
}

// RecoveredOptions are the options for laying out a recovery.
type RecoveredOptions struct {
	Width  int // in cells
	Now    time.Time
	Blanks bool // put a blank line between parts
}

// recoveredText is the start column of the text after a day.
const recoveredText = 8

// NewRecovered returns the layout of a recovery, without any rows yet.
func NewRecovered(r *recovery.Result, o RecoveredOptions) *Recovered {
	l := &Recovered{result: r, o: o, part: -1}
	if o.Width >= 5*recoveredText {
		for _, p := range r.Parts {
			for i := range p.Lines {
				if n := len(p.Lines[i].Marks); n > 0 {
					l.marks = max(l.marks, n+2)
				}
			}
		}
	}
	return l
}

// Is reports whether r is the layout of this result with these options. The time of day isn't compared.
func (r *Recovered) Is(result *recovery.Result, o RecoveredOptions) bool {
	return r != nil && r.result == result && r.o.Width == o.Width && r.o.Blanks == o.Blanks && words.DaysBetween(r.o.Now, o.Now) == 0
}

// Upto lays out rows until there are n. all reports whether there are no more rows.
func (r *Recovered) Upto(n int) (rows int, all bool) {
	for len(r.rows) < n && !r.done {
		r.next()
	}
	return len(r.rows), r.done
}

// Row returns row i, which must be laid out already.
func (r *Recovered) Row(i int) []render.Span { return r.rows[i] }

// next lays out the next line of the recovery.
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
		r.dated = r.o.Width >= 5*recoveredText && slices.ContainsFunc(p.Lines, func(l recovery.Line) bool { return !l.When.IsZero() })
	}
	if r.line == 0 && len(p.Lines) > 0 && p.Lines[0].Text == "## "+p.Name { // the heading already has this line
		r.line++
	}
	switch {
	case r.line >= len(p.Lines):
		r.part, r.line = r.part+1, 0
	case isPlace(&p.Lines[r.line]):
		r.places(p)
	case r.table(p):
	default:
		r.text(&p.Lines[r.line])
		r.line++
	}
	if r.line > 0 && r.line >= len(p.Lines) {
		r.part, r.line = r.part+1, 0
	}
}

func (r *Recovered) add(spans ...render.Span) { r.rows = append(r.rows, spans) }

// apart adds a blank line, unless there are no rows yet.
func (r *Recovered) apart() {
	if len(r.rows) > 0 && r.o.Blanks {
		r.add()
	}
}

// notes lays out the notes about the result.
func (r *Recovered) notes() {
	for _, note := range r.result.Notes {
		for i, s := range render.Wrap(transcript.CleanLine(note), max(r.o.Width-2, 1)) {
			glyph := "  "
			if i == 0 {
				glyph = "△ "
			}
			r.add(render.Span{Ink: render.Warn, Text: glyph}, render.Span{Ink: render.Text, Text: s})
		}
	}
}

func (r *Recovered) heading(p *recovery.Part) {
	if p.Name == "" && p.Note == "" {
		return
	}
	r.apart()
	spans := []render.Span{{Ink: render.Strong, Text: transcript.CleanLine(p.Name)}}
	if p.Note != "" {
		spans = append(spans, render.Span{Ink: render.Faint, Text: "  " + transcript.CleanLine(p.Note)})
	}
	r.add(spans...)
}

// text lays out a line: its lead, its text, and the marks at the right edge.
func (r *Recovered) text(line *recovery.Line) {
	text, asIs := shownText(line.Text)
	lead, at := r.lead(line)
	ink := render.Text
	switch {
	case line.Old:
		ink = render.Faint
	case lead.Text == "" && strings.HasPrefix(text, "#"):
		ink = render.Strong
	}
	first := len(r.rows)
	defer func() { r.mark(first, line) }()
	if text == "" && lead.Text == "" {
		r.add()
		return
	}
	hang := 0 // width of the lead if the text directly follows
	if at == 0 || line.When.IsZero() && !line.Open {
		hang = ansi.StringWidth(lead.Text)
	}
	// Wrap the lead together with the text, but keep the lead's own ink.
	var found [][2]int
	if asIs {
		found = line.Match
	}
	whole := text
	if hang > 0 {
		whole = lead.Text + text
		hang = len(lead.Text)
	}
	from := 0
	for i, s := range render.Wrap(whole, max(r.o.Width-r.marks-at, 1)) {
		var spans []render.Span
		switch {
		case at > 0 && i == 0 && hang == 0:
			spans = append(spans, render.Span{Ink: lead.Ink, Text: render.Pad(lead.Text, at)})
		case at > 0:
			spans = append(spans, render.Span{Ink: render.Text, Text: strings.Repeat(" ", at)})
		}
		where := strings.Index(whole[from:], s)
		if where < 0 { // Wrap has cut a wide character
			r.add(append(spans, render.Span{Ink: ink, Text: s})...)
			continue
		}
		from += where
		if n := min(hang-from, len(s)); n > 0 {
			spans = append(spans, render.Span{Ink: lead.Ink, Text: s[:n]})
			from, s = from+n, s[n:]
		}
		r.add(append(spans, lit(s, from-hang, found, ink)...)...)
		from += len(s)
	}
}

// mark adds the marks of a line at the right edge of a row.
func (r *Recovered) mark(row int, line *recovery.Line) {
	if r.marks == 0 || len(line.Marks) == 0 || row == len(r.rows) {
		return
	}
	marks := line.Mark()
	pad := max(r.o.Width-render.SpansWidth(r.rows[row])-len(line.Marks), 0)
	r.rows[row] = append(r.rows[row], render.Span{Ink: render.Text, Text: strings.Repeat(" ", pad)}, render.Span{Ink: render.Faint, Text: marks})
}

// lead returns the lead of a line, and the start column of the text. Column 0 means directly after the lead.
func (r *Recovered) lead(line *recovery.Line) (lead render.Span, at int) {
	switch {
	case line.Open:
		return render.Span{Ink: render.Faint, Text: "?"}, 2
	case r.dated && !line.When.IsZero():
		return render.Span{Ink: render.Faint, Text: entryDay(line.When, r.o.Now)}, recoveredText
	case r.dated:
		at = recoveredText
	}
	if strings.TrimRight(line.Lead, ": ") == r.result.Parts[r.part].Name { // the heading already has the label
		return render.Span{}, at
	}
	return render.Span{Ink: render.Muted, Text: cleanLead(line.Lead)}, at
}

// cleanLead returns a lead without control characters. It keeps blanks at the end.
func cleanLead(lead string) string {
	text := transcript.CleanLine(lead)
	if text != "" && strings.HasSuffix(lead, " ") {
		text += " "
	}
	return text
}

// shownText returns a text as one line without control characters. It keeps the indentation. asIs reports whether the
// text is unchanged.
func shownText(raw string) (text string, asIs bool) {
	text = render.Untab(raw[:len(raw)-len(strings.TrimLeft(raw, " \t"))]) + render.Untab(transcript.CleanLine(raw))
	return text, text == raw
}

// lit returns a piece of a text as spans with matches. from is the offset of the piece.
func lit(piece string, from int, found [][2]int, ink render.Ink) []render.Span {
	var spans []render.Span
	at := 0
	for _, f := range found {
		a, b := min(max(f[0]-from, at), len(piece)), min(max(f[1]-from, at), len(piece))
		if a >= b {
			continue
		}
		if a > at {
			spans = append(spans, render.Span{Ink: ink, Text: piece[at:a]})
		}
		spans = append(spans, render.Span{Ink: render.Match, Text: piece[a:b]})
		at = b
	}
	if at < len(piece) {
		spans = append(spans, render.Span{Ink: ink, Text: piece[at:]})
	}
	return spans
}

// isPlace reports whether a line is a code reference.
func isPlace(l *recovery.Line) bool { return l.Ref != nil }

// isBadPlace reports whether a line is a code reference to moved or missing code.
func isBadPlace(l *recovery.Line) bool { return l.Check != nil && l.Check.Bad() }

// places lays out consecutive code references. Each broken reference has its own line.
func (r *Recovered) places(p *recovery.Part) {
	const gap = 5
	if line := &p.Lines[r.line]; isBadPlace(line) {
		r.line++
		r.badPlace(line)
		return
	}
	var cells [][]render.Span
	widest := 0
	for ; r.line < len(p.Lines) && isPlace(&p.Lines[r.line]) && !isBadPlace(&p.Lines[r.line]); r.line++ {
		cell := r.place(&p.Lines[r.line])
		cells = append(cells, cell)
		widest = max(widest, render.SpansWidth(cell))
	}
	columns := max((r.o.Width+gap)/(widest+gap), 1)
	for len(cells) > 0 {
		var row []render.Span
		for i := range min(columns, len(cells)) {
			if i > 0 {
				row = append(row, render.Span{Ink: render.Text, Text: strings.Repeat(" ", i*(widest+gap)-render.SpansWidth(row))})
			}
			row = append(row, cells[i]...)
		}
		r.add(row...)
		cells = cells[min(columns, len(cells)):]
	}
}

// place returns a code reference with the glyph for the result of its check.
func (r *Recovered) place(line *recovery.Line) []render.Span {
	var check ledger.Check
	if line.Check != nil {
		check = *line.Check
	}
	glyph, _ := CheckSpans(check)
	place := []render.Span{glyph, {Ink: render.Text, Text: " " + words.CutMiddle(RefText(*line.Ref), max(r.o.Width-2-r.marks, 1))}}
	if marks := line.Mark(); r.marks > 0 && marks != "" {
		place = append(place, render.Span{Ink: render.Faint, Text: "  " + marks})
	}
	return place
}

// badPlace lays out a broken code reference, with its problem on the same line if there is room.
func (r *Recovered) badPlace(line *recovery.Line) {
	_, words := CheckSpans(*line.Check)
	place := r.place(line)
	if render.SpansWidth(place)+2+ansi.StringWidth(words.Text) <= r.o.Width {
		r.add(append(place, render.Span{Ink: words.Ink, Text: "  " + words.Text})...)
		return
	}
	r.add(place...)
	for _, s := range render.Wrap(words.Text, max(r.o.Width-2, 1)) {
		r.add(render.Span{Ink: words.Ink, Text: "  " + s})
	}
}

// left lays out the list of left out entries.
func (r *Recovered) left() {
	text := LeftOut(r.result)
	if text == "" {
		return
	}
	if len(r.rows) > 0 { // a blank line is needed here even without blank lines between parts
		r.add()
	}
	for _, s := range render.Wrap(text, r.o.Width) {
		r.add(render.Span{Ink: render.Faint, Text: s})
	}
}

// LeftOut returns a sentence about the entries that a recovery leaves out, such as "Left out: 11 decisions, 2
// questions. Level 3 has them.", or "".
func LeftOut(r *recovery.Result) string {
	var list []string
	n, inNotes := 0, 0
	for _, l := range r.LeftOut {
		if l.N <= 0 {
			continue
		}
		n, inNotes = n+l.N, inNotes+l.InNotes
		what := transcript.CleanLine(l.What)
		if l.N == 1 {
			what = singular(what)
		}
		list = append(list, words.Count(l.N)+" "+what)
	}
	if n == 0 {
		return ""
	}
	text := "Left out: " + strings.Join(list, ", ") + "."
	switch {
	case r.Level == recovery.All || inNotes <= 0:
	case inNotes < n:
		text += " Level 3 has the entries from NOTES.md."
	case n == 1:
		text += " Level 3 has it."
	default:
		text += " Level 3 has them."
	}
	return text
}

// singular returns the singular of words such as "decisions" or "bead entries".
func singular(what string) string {
	if stem, ok := strings.CutSuffix(what, "ies"); ok {
		return stem + "y"
	}
	return strings.TrimSuffix(what, "s")
}

// RecoveredSize returns the size and the budget of a recovery, such as "92 of 100 tokens". Without a budget, it returns
// "7.8k tokens".
func RecoveredSize(r *recovery.Result) string {
	if r.Budget <= 0 {
		return render.Tokens(int64(r.Tokens)) + " " + tokenWord(r.Tokens)
	}
	return render.Tokens(int64(r.Tokens)) + " of " + render.Tokens(int64(r.Budget)) + " tokens"
}

func tokenWord(n int) string {
	if n == 1 {
		return "token"
	}
	return "tokens"
}
