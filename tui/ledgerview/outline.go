package ledgerview

import (
	"slices"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/render"
)

// ledgerKey identifies an entry or an outline item of a ledger.
type ledgerKey struct {
	kind ledgerKind
	name string // title or ID
	line int    // line number in NOTES.md, or 0
}

// ledgerKind is the kind of an entry or an outline item.
type ledgerKind uint8

const (
	isNothing ledgerKind = iota
	isContinuity
	isGoals
	isDecisions
	isQuestions
	isIdentifiers
	isDebt
	isBlockers
	isSection // a section of NOTES.md
	isReady
	isInProgress
	isBlocked
	isToday // today's records of the trajectory
	isEarlier
	isAttention
	isTrouble // an item that can't be shown, or the missing parts
	isTruth   // disagreements between sources
	isRemarks

	isDecision
	isQuestion
	isIdentifier
	isBead
	isRecord
)

// nearestKey returns the index of key, or of the nearest line with the same kind and name, or -1.
func nearestKey(key ledgerKey, n int, of func(i int) ledgerKey) int {
	best, far := -1, 0
	for i := range n {
		k := of(i)
		if k == key {
			return i
		}
		if k.kind != key.kind || k.name != key.name {
			continue
		}
		if d := abs(k.line - key.line); best < 0 || d < far {
			best, far = i, d
		}
	}
	return best
}

func abs(n int) int { return max(n, -n) }

// ledgerList is the filtered outline and its bar.
type ledgerList struct {
	blocks.List
	of      *ledgerFacts // the facts that the items were listed from
	look    listLook
	items   []outlineItem
	sel     ledgerKey   // key of the selected item
	touched bool        // the user has moved the bar
	field   field.Field // the filter
}

// Len implements blocks.Items.
func (l *ledgerList) Len() int { return len(l.items) }

// Height implements blocks.Items.
func (*ledgerList) Height(int) int { return 1 }

// Stops implements blocks.Items.
func (l *ledgerList) Stops(i int) bool { return l.items[i].isStop() }

// Chosen implements blocks.Items.
func (l *ledgerList) Chosen(i int) { l.sel, l.touched = l.items[i].key, true }

// listLook has what the outline depends on, besides the ledger.
type listLook struct {
	pattern   string
	blanks    bool
	attention sessions.Attention // attention of the live session, or zero
}

// outlineItem is a heading, an item, a gauge or, if zero, a blank line.
type outlineItem struct {
	key     ledgerKey
	name    string
	short   string // name if the full name doesn't fit, or ""
	head    bool
	depth   int
	count   string
	bad     string // mark after the count, such as "2✗"
	section int    // index of the section in NOTES.md, or -1
	used    int64  // value of a gauge
	all     int64  // limit of a gauge; 0 if this isn't a gauge
}

func (it *outlineItem) isStop() bool { return it.key.kind != isNothing }

// list lists the outline items that match the filter. look.blanks puts a blank line between headings.
func (l *ledgerList) list(f *ledgerFacts, rows int, look listLook) {
	look.pattern = l.field.Text()
	if l.Rows = rows; l.of == f && l.look == look {
		l.Fit()
		l.Reveal()
		return
	}
	l.of, l.look, l.items = f, look, l.items[:0:0]
	if l.field.Text() != "" {
		l.items = f.matching(l.field.Text())
	}
	lines := f.lines
	if look.attention.Level != "" {
		lines = append(slices.Clone(lines), attentionItems(&look.attention, &f.Project.Config.Attention)...)
	}
	for i := range lines {
		if l.field.Text() != "" {
			break
		}
		if lines[i].head && look.blanks && i > 0 {
			l.items = append(l.items, outlineItem{})
		}
		l.items = append(l.items, lines[i])
	}
	sel, was := l.sel, max(l.At, 0)
	if !l.touched {
		sel = ledgerKey{kind: isDecisions}
	}
	l.At, l.sel = nearestKey(sel, len(l.items), func(i int) ledgerKey { return l.items[i].key }), ledgerKey{}
	if l.At < 0 {
		l.At = l.Next(max(min(was, len(l.items)-1), 0), 1)
	}
	if l.At < 0 {
		l.At = l.End(1)
	}
	if l.At >= 0 {
		l.sel = l.items[l.At].key
	}
	l.Fit()
	l.Reveal()
}

// selected returns the selected outline item, or nil.
func (l *ledgerList) selected() *outlineItem {
	if l.At < 0 {
		return nil
	}
	return &l.items[l.At]
}

// row draws line i of the outline. inside means that the content pane has the focus.
func (l *ledgerList) row(i, width int, inside bool, st *render.Styles) string {
	it := &l.items[i]
	n := render.NewLine(st, width)
	if !it.isStop() && !it.head && it.all == 0 {
		return ""
	}
	left := min(4, width/8)
	if it.head {
		return n.To(left).PutUntil(render.Heading, it.name, width-1).String()
	}
	if it.all > 0 {
		return n.To(left).GaugeIn(attentionInk(it.name), int(min(it.used, it.all)), int(it.all), max(width-left-1, 1)).String()
	}
	ink, chosen := render.Text, i == l.At
	switch {
	case chosen && inside:
		n.Put(render.Muted, "│")
		ink = render.Strong
	case chosen:
		n.Select(true).Put(render.AccentBold, "▌")
		ink = render.Strong
	}
	var right []render.Span
	if it.count != "" {
		right = append(right, render.Span{Ink: render.Faint, Text: " " + it.count})
	}
	if it.bad != "" {
		right = append(right, render.Span{Ink: render.Bad, Text: " " + it.bad})
	}
	name, room := it.name, width-1-render.SpansWidth(right)
	if n.To(left + 2*it.depth); it.short != "" && ansi.StringWidth(name) > room-n.At() {
		name = it.short
	}
	n.PutUntil(ink, name, room)
	n.Right(width-1, right...)
	if chosen && !inside {
		n.To(width)
	}
	return n.String()
}
