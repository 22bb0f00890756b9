package recovery

import (
	"math"
	"strings"
	"unicode/utf8"
)

// piece is a unit of output. It is a line, or a paragraph that is split into sentences if it doesn't fit.
type piece struct {
	Line
	part  int    // index of the part to which the piece belongs
	kind  string // the name under which the piece is counted if it is left out; if "", its lines are counted
	lines []Line // the output; nil if the piece is left out
	over  int    // how many lines are left out
}

// size returns the size of a line in runes. The newline is included.
func (l *Line) size() int {
	return utf8.RuneCountInString(l.Lead) + utf8.RuneCountInString(l.Text) + 1
}

// budget is how many runes may still be output.
type budget struct {
	left  int
	whole bool // there is no limit
}

func newBudget(tokens int) *budget {
	return &budget{left: min(tokens, math.MaxInt/RunesPerToken) * RunesPerToken, whole: tokens == 0}
}

// fits reports whether a piece fits in the form of one line.
func (b *budget) fits(p *piece) bool { return b.whole || p.size() <= b.left }

// take subtracts a number of runes from the budget. If the budget has fewer runes, take returns false.
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

// line outputs a piece as one line. If the piece doesn't fit, line outputs nothing.
func (b *budget) line(p *piece) bool {
	if p.lines != nil || !b.take(p.size()) {
		return false
	}
	p.lines, p.over = []Line{p.Line}, 0
	return true
}

// paragraph outputs a piece as one line. If the piece doesn't fit, it outputs as many of the first sentences as
// fit, each on a separate line. If even the first sentence doesn't fit, it outputs the start of this sentence with
// cutMark.
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

// fact outputs a piece as one line. If the piece doesn't fit, fact counts it as left out.
func (b *budget) fact(p *piece) {
	if p.lines == nil && !b.line(p) {
		p.over = 1
	}
}

// lay writes the output into a result, one part after the other.
func (r *Result) lay(parts []Part, pieces []piece) {
	for i := range pieces {
		p := &parts[pieces[i].part]
		p.Lines = append(p.Lines, pieces[i].lines...)
	}
	var b strings.Builder
	for _, p := range parts {
		if len(p.Lines) == 0 {
			continue
		}
		if p.Head {
			b.WriteString(p.heading() + "\n")
		}
		for _, l := range p.Lines {
			b.WriteString(l.Lead + l.Text + "\n")
		}
		r.Parts = append(r.Parts, p)
	}
	r.Text = b.String()
}

// heading returns the heading that a part has in the text.
func (p *Part) heading() string {
	if p.Note == "" {
		return "## " + p.Name
	}
	return "## " + p.Name + ", " + p.Note
}

// leave counts the entries and lines of the ledger that the output leaves out.
func (r *Result) leave(m *material, pieces []piece) {
	given, lines := map[string]int{}, 0
	for i := range pieces {
		p := &pieces[i]
		if p.kind == "" || p.lines != nil { // otherwise, the piece is counted under its kind
			lines += p.over
		}
		if p.kind != "" && p.lines != nil {
			given[p.kind]++
		}
	}
	for _, all := range m.totals {
		if n := all.N - given[all.What]; n > 0 {
			r.LeftOut = append(r.LeftOut, Left{all.What, n})
		}
	}
	if lines > 0 {
		r.LeftOut = append(r.LeftOut, Left{leftLines, lines})
	}
}
