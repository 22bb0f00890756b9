package talk

import (
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript/dropped"
	"github.com/continuo-tui/continuo/tui/render"
)

// DroppedBlock is the block of the part that lists the items that the summary of a compaction leaves out.
const DroppedBlock = -5

// droppedRows is how many lines an Open list has for each kind, at most.
const droppedRows = 20

// DrawDropped draws the items that a summary leaves out. The first line has the counts. If the list is open, each
// item has a line. Each line is a separate part. list is nil until the items are known. If fold is Fixed, the list
// has only the first line.
func DrawDropped(list *dropped.List, fold Fold, after Ending, o Options) Drawing {
	if o.Styles == nil {
		o.Styles = render.NewStyles(render.None)
	}
	p := page{o: o, last: after}
	const title = "Not in the summary"
	switch {
	case list == nil && fold < Open:
		p.before(Folded)
		p.titled(fold, title, "")
	case list == nil:
		p.before(Prose)
		p.titled(fold, title, "…")
	case len(*list) == 0:
		p.plain(DroppedBlock, title+": nothing")
	case fold == Fixed:
		p.plain(DroppedBlock, title+": "+droppedSum(*list))
	default:
		p.before(ending(fold))
		p.titled(fold, title, droppedSum(*list))
	}
	if len(p.parts) > 0 {
		return Drawing{Lines: p.lines, Parts: p.parts, End: p.last}
	}
	p.add(DroppedBlock, len(p.lines)-1, fold, false)
	if list != nil && fold >= Open {
		p.dropped(*list, fold)
	}
	return Drawing{Lines: p.lines, Parts: p.parts, End: p.last}
}

// EndDropped returns the ending that DrawDropped would return.
func EndDropped(list *dropped.List, fold Fold) Ending {
	if list != nil && len(*list) == 0 {
		return Folded
	}
	return ending(fold)
}

// droppedSum returns the numbers of items, such as "3 files, 2 commands, 1 decision".
func droppedSum(list dropped.List) string {
	var parts []string
	for _, k := range []dropped.Kind{dropped.File, dropped.Command, dropped.Decision} {
		if n := list.Count(k); n > 0 {
			parts = append(parts, words.Counted(n, string(k), string(k)+"s"))
		}
	}
	return strings.Join(parts, ", ")
}

// dropped draws the items of a list.
func (p *page) dropped(list dropped.List, fold Fold) {
	head := len(p.parts) - 1
	last, n := dropped.Kind(""), 0
	for i := range list {
		it := &list[i]
		label := ""
		if it.Kind != last {
			last, n, label = it.Kind, 0, string(it.Kind)+"s"
		}
		n++
		switch left := list.Count(it.Kind) - droppedRows; {
		case fold == Whole || n <= droppedRows:
			p.lines = append(p.lines, p.droppedLine(label, it))
			p.parts = append(p.parts, Part{Block: DroppedBlock, From: len(p.lines) - 1, To: len(p.lines), Item: i + 1})
		case n == droppedRows+1:
			p.parts[head].More = true
			p.lines = append(p.lines, p.line().To(p.text()+droppedLabel).Put(render.Faint, "… "+words.Count(left)+" more").String())
		}
	}
}

// droppedLabel is the number of cells from the column of the text to the items.
const droppedLabel = 14

// droppedLine draws an item: its kind, its text, facts about it, and its time.
func (p *page) droppedLine(label string, it *dropped.Item) string {
	l := p.line().To(p.text()+2).Put(render.Muted, label).To(p.text() + droppedLabel)
	end := p.o.Width
	if p.o.hasTimes() && !it.Time.IsZero() {
		end -= timeWidth
	}
	facts, ink := droppedFacts(it), render.Muted
	if it.Kind == dropped.Decision {
		ink = render.Text // the answer is the decision
	}
	column := l.At() + (end-l.At())*3/5
	if it.Kind == dropped.Command && it.Failed {
		ink = render.Bad
	}
	text := it.Text
	if it.Kind == dropped.File {
		text = words.CutMiddle(p.relative(text), max(column-2-l.At(), 1))
	}
	if facts == "" {
		column = end
	}
	l.PutUntil(render.Text, text, column-2)
	if facts != "" {
		l.To(column).PutUntil(ink, facts, end)
	}
	if end < p.o.Width {
		l.Right(p.o.Width, render.Span{Ink: render.Faint, Text: it.Time.In(p.zone()).Format("15:04")})
	}
	return l.String()
}

// droppedFacts returns the answer to a question, or how often a file or a command was used.
func droppedFacts(it *dropped.Item) string {
	var parts []string
	times := func(verb string, n int) {
		switch {
		case n == 1:
			parts = append(parts, verb+" once")
		case n > 1:
			parts = append(parts, verb+" "+words.Count(n)+" times")
		}
	}
	switch it.Kind {
	case dropped.Decision:
		return it.Said
	case dropped.File:
		times("edited", it.Edits)
		times("read", it.Reads)
	case dropped.Command:
		if it.Runs > 1 {
			times("run", it.Runs)
		}
		switch {
		case it.Failed && it.Runs > 1:
			parts = append(parts, "last failed")
		case it.Failed:
			parts = append(parts, "failed")
		}
	}
	return strings.Join(parts, ", ")
}
