package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/list"
	"github.com/continuo-tui/continuo/tui/render"
)

// tabBar draws the first line: the tabs with their counts, and the folder.
type tabBar struct {
	tabRow
	under  int // the tab that is shown as the current one
	lists  *list.Page
	tasks  int    // number of tasks of the project
	folder string // text at the right: Options.Header or Options.Folder
	branch string // branch of that folder
	width  int
	styles *render.Styles
}

func (m *model) tabBar() *tabBar {
	b := &tabBar{tabRow: m.tabRow, under: m.tab, lists: m.lists, branch: m.branch, width: m.width, styles: m.styles}
	if m.hasTab(tasksTab) {
		b.tasks = m.ledgers.tasks[m.ledgerDir()]
	}
	if m.onGate() && m.hasTab(ledgerTab) { // the gate is shown as part of the Ledger tab
		b.under = ledgerTab
	}
	if b.folder = m.opts.Header; b.folder == "" && m.opts.Folder != "" {
		b.folder = render.Folder(m.opts.Folder, m.opts.Home)
	}
	return b
}

// at returns the tab at column x, or -1.
func (b *tabBar) at(x int) int {
	for _, s := range b.strip() {
		if x >= s.x && x < s.x+s.w {
			return s.tab
		}
	}
	return -1
}

// tabSpan is the position and the text of a tab in the first line.
type tabSpan struct {
	tab, x, w int
	count     string
	pending   string
	asks      string
}

// strip returns the tabs and their positions. In a narrow line, only the current tab has a count. The number of pending
// backups is always shown.
func (b *tabBar) strip() []tabSpan {
	strip := b.spans(true)
	last := &strip[len(strip)-1]
	if b.width < previewFrom && last.x+last.w+1 > b.width {
		strip = b.spans(false)
	}
	if last = &strip[len(strip)-1]; b.tab >= ledgerTab && last.x+last.w >= b.width {
		return fromRight(strip, b.width)
	}
	return strip
}

// fromRight returns the last tabs that fit. The current tab is among them.
func fromRight(strip []tabSpan, width int) []tabSpan {
	x, n := strip[0].x, len(strip)
	gap := strip[len(strip)-1].x - strip[len(strip)-2].x - strip[len(strip)-2].w
	at := x
	for n > 0 && (n == len(strip) || at+strip[n-1].w < width) {
		n--
		at += strip[n].w + gap
	}
	strip = strip[n:]
	for i := range strip {
		strip[i].x = x
		x += strip[i].w + gap
	}
	return strip
}

// leastFolder is the minimum width of the folder beside the tabs, in cells.
const leastFolder = 16

func (b *tabBar) folderWidth() int {
	return min(ansi.StringWidth(b.folder), 48)
}

// spans lays out the tabs. all means that all tabs have counts, not only the current tab.
func (b *tabBar) spans(all bool) []tabSpan {
	x, gap := 13, 4
	if b.width < previewFrom {
		x, gap = 11, 2
	}
	var strip []tabSpan
	for tab := range tabs {
		if !b.hasTab(tab) {
			continue
		}
		s, t := tabSpan{tab: tab, x: x}, &list.Tally{}
		if tab < lists {
			t = b.lists.Tally(kinds()[tab])
		}
		switch {
		case tab == ledgerTab, tab == tasksTab && b.tasks == 0:
		case tab == tasksTab:
			s.count = " " + words.Count(b.tasks)
		case tab == liveTab:
			switch {
			case b.lists.IsLoading() && b.live == 0:
				s.count = " …"
			case all || tab == b.tab:
				s.count = " " + words.Count(b.live)
			}
			if b.waiting > 0 {
				s.asks = " " + words.Count(b.waiting) + "?"
			}
		case b.lists.IsLoading() && t.Total == 0, b.lists.IsPartial():
			s.count = " …"
		case all || tab == b.tab:
			s.count = " " + words.Count(t.InScope-t.GoneHere)
		}
		if t.PendingHere > 0 {
			s.pending = " " + words.Count(t.PendingHere) + "!"
		}
		s.w = len(tabName(tab)) + len([]rune(s.count)) + len(s.pending) + len(s.asks)
		x += s.w + gap
		strip = append(strip, s)
	}
	return strip
}

// draw draws the program name and the tabs. If there is room, the folder and its branch are at the right.
func (b *tabBar) draw() string {
	l := render.NewLine(b.styles, b.width).To(1).Put(render.AccentBold, "continuo")
	for _, s := range b.strip() {
		ink := render.Muted
		if s.tab == b.under {
			ink = render.Strong
		}
		l.To(s.x).Put(ink, tabName(s.tab)).Put(render.Faint, s.count).Put(render.Urgent, s.pending).Put(render.AccentBold, s.asks)
	}
	if b.folder != "" {
		room, left := b.folderWidth(), b.width-4-l.At()
		if left >= leastFolder {
			room = min(room, left)
		}
		folder := []render.Span{{Ink: render.Muted, Text: "   " + words.CutMiddle(b.folder, room)}}
		if on := []render.Span{{Ink: render.Faint, Text: " on "}, {Ink: render.Muted, Text: transcript.CleanLine(b.branch)}}; b.branch != "" && room+render.SpansWidth(on) <= left {
			folder = append(folder, on...)
		}
		l.Right(b.width-1, folder...)
	}
	return l.String()
}

// rule draws the line below the tabs. tabs means that the line is heavy under the current tab.
func (b *tabBar) rule(divider int, tabs bool) string {
	l := render.NewLine(b.styles, b.width)
	if tabs {
		for _, s := range b.strip() {
			if s.tab == b.under {
				l.Put(render.Rule, strings.Repeat("─", s.x)).Put(render.AccentBold, strings.Repeat("━", s.w))
			}
		}
	}
	if d := divider; d > l.At() {
		l.Put(render.Rule, strings.Repeat("─", d-l.At())+"┬")
	}
	if n := b.width - l.At(); n > 0 {
		l.Put(render.Rule, strings.Repeat("─", n))
	}
	return l.String()
}
