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

// workspace has the open screens: the screens of the tabs, and the stack in front of them. It knows which project and
// which rows they are about.
type workspace struct {
	screens
	tabRow
	lists   *list.Page
	ledger  *ledgerview.Page // the screen of the Ledger tab
	tasks   *taskview.Page   // the screen of the Tasks tab
	liveNow *live.Page       // the screen of the Live tab

	ledgers   knownLedgers
	ledgerFor string        // project for the next tab of the ledger or of tasks; "" for the listed project
	backTo    *project.Page // the project page to which esc returns from the list; nil if there is none
	rings     bool          // a session began to wait
}

// turnTo puts the screen of a tab at the bottom of the stack.
func (w *workspace) turnTo(tab int) (id int) {
	id = map[int]int{ledgerTab: ledgerScreen, tasksTab: tasksScreen, liveTab: liveScreen}[tab]
	w.tab, w.stack[0], w.ledgerFor = tab, w.bases[id], ""
	return id
}

// ledgerDir returns the project for the tabs of the ledger and of tasks. This is the project of the project page or, if there is none,
// the listed project or the project of the selected row. It returns "" if there is no project.
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

// pageDir returns the project whose page can be opened here, "" if there is none.
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
	w.rings = w.rings || had && w.waiting > waited // not for those that waited before the start
	w.liveNow.Update()
}

// checked stores which projects have a ledger. It reports whether another tab is shown now.
func (w *workspace) checked(msg ledgersMsg) bool {
	for _, dir := range msg.looked {
		w.ledgers.has[dir], w.ledgers.tasks[dir] = slices.Contains(msg.in, dir), msg.tasks[dir]
	}
	had := w.used
	w.updateTabs()
	return w.used != had
}

// unchecked returns those projects of the lists that weren't checked for a ledger.
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

// forget makes the program check projects without a ledger again, because they may have a ledger now. It does nothing
// if the terminal doesn't have the focus.
func (w *workspace) forget(focus bool) {
	if focus && w.tab < ledgerTab {
		w.ledgers.forget()
		w.ledger.Forgive()
	}
}
