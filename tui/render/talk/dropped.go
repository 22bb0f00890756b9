package talk

import (
	"strings"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript/dropped"
	"github.com/continuo-tui/continuo/tui/render"
)

// DroppedBlock is the block of the list of items that a summary leaves out.
const DroppedBlock = -5

// The maximum number of items: in total in a Shut list, of each kind in an Open list.
const (
	droppedShut = 6
	droppedRows = 20
)

// DrawDropped draws the items that a summary leaves out. The first line has the counts, and each item is a part. A Shut
// list has only the first items of each kind. A Fixed list has only the first line. list is nil until the items are
// known. of is the number of all items before the summary; 0 if unknown.
func DrawDropped(list *dropped.List, of int, fold Fold, after Ending, o Options) Drawing {
	if o.Styles == nil {
		o.Styles = render.NewStyles(render.None)
	}
	p := page{o: o, last: after}
	const title = "Not in the summary"
	switch {
	case list == nil && fold < Open:
		p.before(Folded)
		p.titled(fold, false, title, "")
	case list == nil:
		p.before(Prose)
		p.titled(fold, false, title, "…")
	case len(*list) == 0:
		p.plain(DroppedBlock, title+": nothing")
	case fold == Fixed:
		p.plain(DroppedBlock, title+": "+droppedSum(*list))
	default:
		p.before(Prose)
		sum := droppedSum(*list)
		if of > 0 {
			sum = words.Count(len(*list)) + " of " + words.Count(of) + ": " + sum
		}
		p.dropped(title, sum, *list, fold)
	}
	if len(p.parts) == 0 {
		p.add(DroppedBlock, len(p.lines)-1, fold, false)
	}
	return Drawing{Lines: p.lines, Parts: p.parts, End: p.last}
}

// EndDropped returns the Ending of DrawDropped without drawing the list.
func EndDropped(list *dropped.List, fold Fold) Ending {
	switch {
	case list == nil:
		return ending(fold)
	case len(*list) == 0, fold == Fixed:
		return Folded
	}
	return Prose
}

// droppedSum returns the numbers of items, such as "1 decision, 3 files, 2 commands".
func droppedSum(list dropped.List) string {
	var parts []string
	for _, k := range []dropped.Kind{dropped.Decision, dropped.File, dropped.Command} {
		if n := list.Count(k); n > 0 {
			parts = append(parts, words.Counted(n, string(k), string(k)+"s"))
		}
	}
	return strings.Join(parts, ", ")
}

// dropped draws the title and the items of a list. A complete Shut list can't be opened.
func (p *page) dropped(title, sum string, list dropped.List, fold Fold) {
	limit := map[Fold]int{Open: droppedRows, Whole: len(list)}[fold]
	if fold == Shut {
		for limit = 1; limit < len(list) && shownOf(list, limit+1) <= droppedShut; {
			limit++
		}
		if shownOf(list, limit) == len(list) {
			fold = Fixed
		}
	}
	p.titled(fold, true, title, sum)
	p.add(DroppedBlock, len(p.lines)-1, fold, false)
	head, hidden := len(p.parts)-1, 0
	n := map[dropped.Kind]int{} // items of a kind up to here
	for i := range list {
		it, label := &list[i], ""
		if n[it.Kind]++; n[it.Kind] == 1 {
			label = string(it.Kind) + "s"
		}
		if n[it.Kind] <= limit {
			p.lines = append(p.lines, p.droppedLine(label, it))
			p.parts = append(p.parts, Part{Block: DroppedBlock, From: len(p.lines) - 1, To: len(p.lines), Item: i + 1})
		} else {
			hidden++
		}
		if last := i+1 == len(list); hidden > 0 && (last || fold == Open && list[i+1].Kind != it.Kind) {
			p.parts[head].More = fold == Open
			p.lines = append(p.lines, p.line().To(p.text()+droppedLabel).Put(render.Faint, "… "+words.Count(hidden)+" more").String())
			hidden = 0
		}
	}
}

// shownOf returns how many items a list shows if it has at most limit items of each kind.
func shownOf(list dropped.List, limit int) int {
	return min(list.Count(dropped.Decision), limit) + min(list.Count(dropped.File), limit) + min(list.Count(dropped.Command), limit)
}

// Widths of columns in cells.
const (
	droppedLabel = 14 // from the column of the text to the items
	droppedWho   = 8
	// A list of at least this width, in cells, has a column that says who decided or used an item.
	droppedWhoFrom = 60
)

// droppedLine draws an item: its kind, its text, and its origin.
func (p *page) droppedLine(label string, it *dropped.Item) string {
	l := p.line().To(p.text()+2).Put(render.Muted, label).To(p.text() + droppedLabel)
	end := p.o.Width
	if p.o.hasTimes() && !it.Time.IsZero() {
		end -= timeWidth
	}
	text, facts, who, ink := it.Text, droppedFacts(it), "Claude", render.Muted
	switch {
	case it.Kind == dropped.Decision:
		who = "you"
		if it.Said != "" { // the answer is the decision
			text, facts = it.Said, it.Text
		}
	case it.Failed:
		ink = render.Bad
	}
	column, hasWho := l.At()+(end-l.At())/2, end-l.At() >= droppedWhoFrom
	if it.Kind == dropped.File {
		text = words.CutMiddle(p.relative(text), max(column-2-l.At(), 1))
	}
	l.PutUntil(render.Text, text, column-2)
	if hasWho {
		l.To(column).Put(render.Faint, who)
		column += droppedWho
	}
	l.To(column).PutUntil(ink, facts, end)
	if end < p.o.Width {
		l.Right(p.o.Width, render.Span{Ink: render.Faint, Text: it.Time.In(p.zone()).Format("15:04")})
	}
	return l.String()
}

// droppedFacts returns how often a file or a command was used.
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
	case dropped.File:
		times("edited", it.Edits)
		times("read", it.Reads)
	case dropped.Command:
		times("run", it.Runs)
		switch {
		case it.Failed && it.Runs > 1:
			parts = append(parts, "last failed")
		case it.Failed:
			parts = append(parts, "failed")
		}
	}
	return strings.Join(parts, ", ")
}
