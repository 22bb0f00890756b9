package tui

import (
	"slices"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/ledgerview"
	"github.com/continuo-tui/continuo/tui/list"
	"github.com/continuo-tui/continuo/tui/live"
	"github.com/continuo-tui/continuo/tui/project"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/taskview"
)

// workspace has the open screens. Its methods return the project and the row that keys act on.
type workspace struct {
	screens
	tabRow
	lists   *list.Page
	ledger  *ledgerview.Page // the screen of the Ledger tab
	tasks   *taskview.Page   // the screen of the Tasks tab
	liveNow *live.Page       // the screen of the Live tab

	ledgers   knownLedgers
	ledgerFor string        // project of the Ledger or Tasks tab; "" for the listed one
	backTo    *project.Page // the project page to which esc returns, or nil
	rings     bool          // the bell must ring for a waiting session
}

// turnTo makes the screen of a tab the first one of the stack, and returns its ID.
func (w *workspace) turnTo(tab int) (id int) {
	id = map[int]int{ledgerTab: ledgerScreen, tasksTab: tasksScreen, liveTab: liveScreen}[tab]
	w.tab, w.stack[0], w.ledgerFor = tab, w.bases[id], ""
	return id
}

// ledgerDir returns the project for the Ledger and Tasks tabs, or "". The order is: the open page, the listed project,
// the selected row.
func (w *workspace) ledgerDir() string {
	row := w.lists.Subject().Row
	switch {
	case w.ledgerFor != "":
		return w.ledgerFor
	case w.tab == ledgerTab:
		return w.ledger.Subject().Dir
	case w.tab == tasksTab:
		return w.tasks.Subject().Dir
	case w.pageOf() != "":
		return w.pageOf()
	case w.lists.Listed() != "":
		return w.lists.Listed()
	case row != nil && row.Project != "":
		return row.Project
	}
	return w.lists.Project()
}

// pageDir returns the project for the key P, or "".
func (w *workspace) pageDir() string {
	switch row := w.subject(); {
	case w.onLedger():
		return w.ledger.Subject().Dir
	case w.tab == tasksTab && w.onBase():
		return w.tasks.Subject().Dir
	case row != nil:
		return row.Project
	case w.top().screen == w.lists:
		return w.lists.Listed()
	}
	return ""
}

// aboutRow returns the explanation of the badge of the selected row.
func (w *workspace) aboutRow(now time.Time) dialog.About {
	row := w.top().screen.Subject().Row
	if row == nil || row.Kind == sessions.KindDocument {
		return dialog.About{}
	}
	if w.tab == sessionsTab && w.onBase() {
		row = row.Described()
	}
	glyph, word := render.BadgeSpans(row, now)
	return dialog.About{Glyph: glyph, Word: word, Text: render.BadgeHelp(row.Badge())}
}

// updateTabs finds out which tabs have content. A tab that was shown stays.
func (w *workspace) updateTabs() {
	w.used[documentsTab] = w.used[documentsTab] || w.lists.Tally(sessions.KindDocument).Total > 0
	for _, has := range w.ledgers.has {
		w.used[ledgerTab] = w.used[ledgerTab] || has
	}
	for _, n := range w.ledgers.tasks {
		w.used[tasksTab] = w.used[tasksTab] || n > 0
	}
	if !w.used[liveTab] {
		return
	}
	had, waited := w.live > 0, w.waiting
	w.live, w.waiting = live.Count(w.lists.Rows(sessions.KindSession))
	w.rings = w.rings || had && w.waiting > waited // sessions that waited at the start don't count
	w.liveNow.Update()
}

// checked stores which projects have a ledger. It reports whether the visible tabs have changed.
func (w *workspace) checked(msg ledgersMsg) bool {
	for _, dir := range msg.looked {
		w.ledgers.has[dir], w.ledgers.tasks[dir] = slices.Contains(msg.in, dir), msg.tasks[dir]
	}
	had := w.used
	w.updateTabs()
	return w.used != had
}

// unchecked returns the projects of the lists that weren't checked for a ledger yet.
func (w *workspace) unchecked() []string {
	var dirs []string
	unknown := func(dir string) {
		if _, known := w.ledgers.of(dir); dir != "" && !known && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	unknown(w.lists.Project())
	for _, kind := range kinds() {
		for r := range w.lists.Rows(kind) {
			unknown(r.Project)
		}
	}
	return dirs
}

// recheckLedgers forgets the projects without a ledger, so that they are checked again. It needs the focus and a list
// tab.
func (w *workspace) recheckLedgers(focus bool) {
	if focus && w.tab < ledgerTab {
		w.ledgers.forget()
		w.ledger.Forgive()
	}
}
