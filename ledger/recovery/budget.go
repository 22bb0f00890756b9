package recovery

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/ledger/handover"
)

// piece is a unit of output: a line, or a paragraph that can be split into sentences.
type piece struct {
	Line
	part  int    // index of its part
	kind  string // the kind under which an omitted piece is counted; if "", its lines are counted
	lines []Line // the output; nil for an omitted piece
	over  int    // number of omitted lines
	from  []string
}

// size returns the size of a line in runes, including the newline.
func (l *Line) size() int { return utf8.RuneCountInString(l.String()) + 1 }

// headSize returns the size of the heading of a part in runes.
func (p *Part) headSize() int {
	if !p.Head {
		return 0
	}
	return utf8.RuneCountInString(p.heading()) + 1
}

// budget is the number of runes that may still be output.
type budget struct {
	left  int
	whole bool // there is no limit
}

func newBudget(tokens int) *budget {
	return &budget{left: min(tokens, math.MaxInt/RunesPerToken) * RunesPerToken, whole: tokens == 0}
}

// budget returns the budget for level 1 or 2. It sets Legend if there is room.
func (r *Result) budget(m *material) *budget {
	const share = 6 // the legend may take 1/6 of the budget
	marks := []handover.Mark{handover.MarkNotes, handover.MarkBead}
	for i := range m.entries {
		marks = append(marks, m.entries[i].marks...)
	}
	if len(m.texts) > 0 {
		marks = append(marks, handover.MarkDocument)
	}
	b := newBudget(r.Budget)
	legend := legendOf(marks)
	if n := utf8.RuneCountInString(legend) + 3; b.whole || n*share <= b.left { // 3: two brackets and a newline
		b.left, r.Legend = b.left-n, legend
	}
	return b
}

// legendOf returns the explanation of the marks of stores, such as "N NOTES.md, B bead".
func legendOf(marks []handover.Mark) string {
	var names []string
	for _, mark := range marks {
		if name := string(mark) + " " + mark.Name(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// fits reports whether a piece fits as one line.
func (b *budget) fits(p *piece) bool { return b.whole || p.size() <= b.left }

// take subtracts a number of runes from the budget. It returns false if the budget is too small.
func (b *budget) take(n int) bool {
	if b.whole {
		return true
	}
	if n > b.left {
		return false
	}
	b.left -= n
	return true
}

// line outputs a piece as one line. It outputs nothing if the piece doesn't fit.
func (b *budget) line(p *piece) bool {
	if p.lines != nil || !b.take(p.size()) {
		return false
	}
	p.lines, p.over = []Line{p.Line}, 0
	return true
}

// paragraph outputs a piece as one line, or the first sentences that fit. A long first sentence is cut.
func (b *budget) paragraph(p *piece) {
	if p.lines != nil || b.line(p) {
		return
	}
	rest := sentences(p.Text)
	for i, text := range rest {
		line := p.Line
		if line.Text = text; i > 0 {
			line.Lead = ""
		}
		p.over = len(rest) - i
		if b.take(line.size()) {
			p.lines, p.over = append(p.lines, line), p.over-1
			continue
		}
		short, ok := cutTo(text, b.left-1-utf8.RuneCountInString(line.Lead))
		if line.Text = short; i == 0 && ok && b.take(line.size()) {
			p.lines = append(p.lines, line)
		}
		return
	}
}

// fact outputs a piece as one line, or counts it as left out.
func (b *budget) fact(p *piece) {
	if p.lines == nil && !b.line(p) {
		p.over = 1
	}
}

// output sets the text, the parts, the legend and the sources of a result.
func (r *Result) output(parts []Part, pieces []piece) {
	var marks []handover.Mark
	for i := range pieces {
		p := &parts[pieces[i].part]
		p.Lines = append(p.Lines, pieces[i].lines...)
		if pieces[i].lines != nil {
			marks = append(marks, pieces[i].Marks...)
			r.addSources(pieces[i].from)
		}
	}
	var b strings.Builder
	for _, p := range parts {
		if len(p.Lines) == 0 {
			continue
		}
		if p.Head {
			b.WriteString(p.heading() + "\n")
		}
		for i := range p.Lines {
			b.WriteString(p.Lines[i].String() + "\n")
		}
		r.Parts = append(r.Parts, p)
	}
	if r.Legend != "" {
		r.Legend = legendOf(marks)
	}
	if r.Legend != "" {
		b.WriteString("[" + r.Legend + "]\n")
	}
	r.Text = b.String()
}

// addSources adds the names of stores to the sources.
func (r *Result) addSources(names []string) {
	for _, name := range names {
		if name != "" && !slices.Contains(r.From, name) {
			r.From = append(r.From, name)
		}
	}
}

// heading returns the heading of a part, as it is in the text.
func (p *Part) heading() string {
	if p.Note == "" {
		return "## " + p.Name
	}
	return "## " + p.Name + ", " + p.Note
}

// countLeft counts the omitted entries and lines. broken has the broken identifiers.
func (r *Result) countLeft(m *material, pieces []piece, broken Left) {
	given, lines := map[string]Left{}, Left{What: leftLines}
	for i := range pieces {
		p := &pieces[i]
		inNotes := 0
		if slices.Contains(p.Marks, handover.MarkNotes) {
			inNotes = 1
		}
		if p.kind == "" || p.lines != nil { // other pieces are counted by kind
			lines.N, lines.InNotes = lines.N+p.over, lines.InNotes+inNotes*p.over
		}
		if p.kind != "" && p.lines != nil {
			is := given[p.kind]
			given[p.kind] = Left{N: is.N + 1, InNotes: is.InNotes + inNotes}
		}
	}
	is := given[leftIdentifiers]
	given[leftIdentifiers] = Left{N: is.N + broken.N, InNotes: is.InNotes + broken.InNotes}
	for _, all := range m.totals {
		if n := all.N - given[all.What].N; n > 0 {
			r.LeftOut = append(r.LeftOut, Left{all.What, n, all.InNotes - given[all.What].InNotes})
		}
	}
	for _, more := range []Left{broken, lines} {
		if more.N > 0 {
			r.LeftOut = append(r.LeftOut, more)
		}
	}
}
