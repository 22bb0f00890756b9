package recovery

import (
	"math"
	"strings"
	"unicode/utf8"
)

// piece is something to be given: one line, or a paragraph that is given by its sentences when it does not fit as one.
type piece struct {
	Line
	part  int    // index of the part that it belongs to
	kind  string // that it is counted as when it is left out: decisions; "" its lines are
	lines []Line // given; nil: left out
	over  int    // lines of it that are left out
}

// size is what a line takes, in runes with its newline.
func (l *Line) size() int {
	return utf8.RuneCountInString(l.Lead) + utf8.RuneCountInString(l.Text) + 1
}

// budget is what is left to be given, in runes.
type budget struct {
	left  int
	whole bool // there is no limit
}

func newBudget(tokens int) *budget {
	return &budget{left: min(tokens, math.MaxInt/RunesPerToken) * RunesPerToken, whole: tokens == 0}
}

// fits reports whether a piece can be given as one line.
func (b *budget) fits(p *piece) bool { return b.whole || p.size() <= b.left }

// take takes so many runes if they are there.
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

// line gives a piece as one line, or not at all.
func (b *budget) line(p *piece) bool {
	if p.lines != nil || !b.take(p.size()) {
		return false
	}
	p.lines, p.over = []Line{p.Line}, 0
	return true
}

// paragraph gives a piece as one line where it fits, else the sentences from its beginning that do, each a line of its
// own. Of the first one its beginning is given rather than nothing: then a mark says that it goes on.
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

// fact gives a piece as one line or counts it.
func (b *budget) fact(p *piece) {
	if p.lines == nil && !b.line(p) {
		p.over = 1
	}
}

// lay writes what was given into a result, by its parts.
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

// heading is that of a part in the text.
func (p *Part) heading() string {
	if p.Note == "" {
		return "## " + p.Name
	}
	return "## " + p.Name + ", " + p.Note
}

// leave counts what was left out of pieces, and of what there is besides.
func (r *Result) leave(m *material, pieces []piece) {
	given, lines := map[string]int{}, 0
	for i := range pieces {
		p := &pieces[i]
		if p.kind == "" || p.lines != nil { // else it is counted as what it is
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
