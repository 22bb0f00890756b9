package ledgerview

import (
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/render"
)

// ledgerKey is by what something of a ledger is known.
type ledgerKey struct {
	kind ledgerKind
	name string // title, or id
	line int    // in NOTES.md; 0 it has none
}

// ledgerKind is what something in the ledger is.
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
	isSection // of NOTES.md
	isReady
	isInProgress
	isBlocked
	isToday // of what agents logged
	isEarlier
	isAttention
	isTrouble // why something cannot be shown
	isTruth   // where its sources disagree
	isRemarks

	isDecision
	isQuestion
	isIdentifier
	isBead
	isRecord
)

// nearestKey finds what is known by a key among n: exactly, else the nearest of its kind and name; -1 none.
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

// ledgerList is the outline as it is narrowed, with its bar.
type ledgerList struct {
	of      *ledgerFacts // that it was listed of, as look says
	look    listLook
	items   []outlineItem
	sel     ledgerKey
	at      int // its item
	touched bool
	field   field.Field // what it is narrowed by
	win     blocks.Window
}

// listLook is what the lines of an outline depend on besides the ledger.
type listLook struct {
	pattern   string
	blanks    bool
	attention sessions.Attention // of the session that is shown; the zero one: none is
}

// outlineItem is a line of the outline: a heading, something to be shown, or a blank line (neither).
type outlineItem struct {
	key     ledgerKey
	name    string
	short   string // in the place of the name, where there is no room for it; "" none
	head    bool
	depth   int
	count   string
	bad     string // behind the count
	section int    // of NOTES.md, -1 none
	used    int64  // of a gauge, with what is all of it; all 0: there is none
	all     int64
}

func (it *outlineItem) isStop() bool { return it.key.kind != isNothing }

// list takes the lines of the outline over, or those that have what is typed. look.blanks puts a blank line before each
// heading but the first.
func (l *ledgerList) list(f *ledgerFacts, rows int, look listLook) {
	look.pattern = l.field.Text()
	if l.of == f && l.look == look {
		l.reveal(rows)
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
	was := l.at
	l.at = nearestKey(l.sel, len(l.items), func(i int) ledgerKey { return l.items[i].key })
	if !l.touched {
		l.at = nearestKey(ledgerKey{kind: isDecisions}, len(l.items), func(i int) ledgerKey { return l.items[i].key })
	}
	if l.at < 0 {
		l.at = l.stopFrom(min(was, len(l.items)-1), 1)
	}
	if l.at < 0 {
		l.at = l.stopFrom(len(l.items)-1, -1)
	}
	l.at = max(l.at, 0)
	l.take()
	l.reveal(rows)
}

// take makes the bar stand on its item.
func (l *ledgerList) take() {
	if l.sel = (ledgerKey{}); l.at < len(l.items) {
		l.sel = l.items[l.at].key
	}
}

// selected is what the bar stands on, nil nothing.
func (l *ledgerList) selected() *outlineItem {
	if l.at < len(l.items) && l.items[l.at].isStop() {
		return &l.items[l.at]
	}
	return nil
}

// stopFrom is the first item from i on that the bar can stand on, -1 none.
func (l *ledgerList) stopFrom(i, step int) int {
	for i = max(i, 0); i < len(l.items); i += step {
		if i < 0 {
			break
		}
		if l.items[i].isStop() {
			return i
		}
	}
	return -1
}

// move moves the bar by so many items.
func (l *ledgerList) move(delta, rows int) {
	step := 1
	if delta < 0 {
		step = -1
	}
	for ; delta != 0; delta -= step {
		next := -1
		if i := l.at + step; i >= 0 {
			next = l.stopFrom(i, step)
		}
		if next < 0 {
			break
		}
		l.at = next
	}
	l.touched = true
	l.take()
	l.reveal(rows)
}

// reveal scrolls as little as possible to show the bar, with the heading over the first of a group.
func (l *ledgerList) reveal(rows int) {
	from := l.at
	for from > 0 && l.at-from < 2 && l.at-from+1 < rows && !l.items[from-1].isStop() {
		from--
	}
	switch {
	case from < l.win.Top:
		l.win.Show(from, 0, len(l.items), rows, blocks.OneRow)
	case l.at >= l.win.Top+rows:
		l.win.Show(l.at-rows+1, 0, len(l.items), rows, blocks.OneRow)
	default:
		l.win.Fit(len(l.items), rows, blocks.OneRow)
	}
}

// scroll moves the view, and the bar with it as far as it has to.
func (l *ledgerList) scroll(delta, rows int) {
	l.win.Scroll(delta, len(l.items), rows, blocks.OneRow)
	if l.at >= l.win.Top && l.at < l.win.Top+rows {
		return
	}
	from, step := l.win.Top, 1
	if l.at >= l.win.Top+rows {
		from, step = l.win.Top+rows-1, -1
	}
	if i := l.stopFrom(from, step); i >= 0 {
		l.choose(i)
	}
}

// choose puts the bar on an item; it reports whether it can stand there.
func (l *ledgerList) choose(i int) bool {
	if i < 0 || i >= len(l.items) || !l.items[i].isStop() {
		return false
	}
	l.at, l.touched = i, true
	l.take()
	return true
}

// root is the folder that paths of the ledger are below of.
func (p *Page) root() string {
	if p.facts != nil && p.facts.Project.Root != "" {
		return p.facts.Project.Root
	}
	return p.dir
}

// where is what the pane says of the project above its outline: its name, and the directory of its NOTES.md.
func (p *Page) where() (name, dir string) {
	name = render.Base(p.dir)
	if p.facts == nil || p.facts.None {
		return name, ""
	}
	return render.Base(p.root()), relativeTo(p.root(), filepath.Dir(p.facts.Project.Notes))
}
