package list

import (
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/filter"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Intents of the lists.
const (
	enter      = "enter"
	along      = "along" // to the linked document before (1) or after (-1)
	mark       = "mark"
	markRange  = "mark-range"
	markAll    = "mark-all"
	startField = "filter"
	keepField  = "keep-filter"
	toggleAll  = "all"
	hidden     = "hidden"
	besideOff  = "preview"
	beside     = "beside" // moves to the list (-1) or to the preview (1)
	sortBy     = "sort"   // N is a value of order
	groupBy    = "group"  // N is 1 to group by project, 0 to group by day
)

const backups = sessions.KindBackup

// Name implements screen.Screen.
func (p *Page) Name() string {
	if p.pane.typing {
		return "While you type"
	}
	return "Sessions, backups, documents"
}

// Keys implements screen.Screen.
func (p *Page) Keys() []screen.Binding {
	if p.pane.typing {
		return p.typingKeys()
	}
	rows, divided := p.pane.tally.Total > 0, p.frame.Layout.Divider > 0
	acts, find := screen.Common(screen.Discard, screen.Undo, screen.StepBack, screen.Resume, screen.EditFile, screen.Restore, screen.Verify), []screen.Binding{p.pane.findKey()}
	onSessions, besideAt, elsewhere := p.pane.kind == sessions.KindSession, screen.RankThird, screen.RankThird
	family, undoList := screen.Common(screen.Family), screen.Common(screen.UndoList)
	undoList[0].Quiet = p.offers()
	if family[0].Quiet = !onSessions; onSessions {
		elsewhere = screen.RankSecond
	}
	if onSessions && !divided {
		besideAt = screen.RankFirst // this key is the only way to the preview
	}
	if row := p.Subject().Row; onSessions && !p.pane.marks.any() && (row == nil || row.Kind == sessions.KindSession) {
		acts, find = append(find, acts...), nil
	}
	return slices.Concat(
		p.rowKeys(), acts, find, p.pane.searchKey(),
		screen.Common(screen.Keep, screen.LeftToUndo, screen.Fork, screen.OpenHandover),
		[]screen.Binding{
			{Name: "preview", Keys: []string{"p"}, Show: "p", Label: "preview", Help: "preview on or off", Group: screen.GroupFind, Do: do(besideOff), Rank: besideAt, Gone: !rows, Needed: "nothing is listed"},
		},
		screen.Common(screen.Organise, screen.Rename, screen.Star, screen.Tag, screen.SessionNote, screen.Archive),
		[]screen.Binding{
			{Name: "all", Keys: []string{"a"}, Show: "a", Label: "all projects", As: p.scopeWord(), Help: "this project or all", Group: screen.GroupFind, Do: do(toggleAll), Gone: !p.hasProject(), Needed: "the row has no project"},
		},
		screen.RankThird.At(screen.Common(screen.Recover)...),
		screen.Common(screen.Facts), family, screen.Common(screen.CopyMenu, screen.Export),
		screen.RankThird.At(screen.Common(screen.NextTab, screen.LastTab)...),
		[]screen.Binding{
			{Pair: []string{"palette"}, Show: ":", Label: "palette", Rank: screen.RankThird, Gone: !p.offers()},
			{Name: "hidden", Keys: []string{"."}, Show: ".", Label: "hidden", Help: "stubs, headless runs", Group: screen.GroupFind, Do: do(hidden), Rank: screen.RankThird, Gone: !p.pane.hasHidden(), Needed: "nothing is hidden"},
			{Show: "← → h l", Help: "list, preview", Group: screen.GroupMove, Gone: !divided},
			{Keys: []string{"left", "h"}, Do: screen.Intent{Name: beside, N: -1}, Gone: !divided},
			{Keys: []string{"right", "l"}, Do: screen.Intent{Name: beside, N: 1}, Gone: !divided},
		},
		screen.Common(screen.Fresh),
		[]screen.Binding{
			{Keys: []string{"esc"}, Show: "esc", Help: "back, close, clear", Group: screen.GroupEverywhere, Do: do(screen.Clear)},
			{Name: "back", Keys: []string{"q"}, Show: "q", Label: "quit", Help: "back, then quit", Group: screen.GroupEverywhere, Do: do(screen.Leave), Rank: screen.RankThird},
		},
		screen.RankThird.At(screen.Common(screen.Project)...),
		elsewhere.At(screen.Common(screen.ResumeIn)...),
		screen.RankThird.At(screen.Common(screen.Backup)...),
		undoList, screen.Common(screen.Palette, screen.Help, screen.Suspend, screen.Quit),
		screen.Movement("row"),
		terms(p.pane.kind),
		p.pane.orderKeys(),
	)
}

func do(name string) screen.Intent { return screen.Intent{Name: name} }

// rowKeys returns the keys that act on the selected row.
func (p *Page) rowKeys() []screen.Binding {
	row := p.Subject().Row
	document := row != nil && row.Kind == sessions.KindDocument
	markable := row != nil && p.pane.kind != sessions.KindDocument
	keys := []screen.Binding{
		{Keys: []string{"enter"}, Show: "enter", Label: "read", As: p.enterWord(), Help: "read", Group: screen.GroupThis, Do: do(enter), Gone: !p.canEnter(), Off: p.whyNotEnter()},
		{Show: "↑ ↓", Label: "choose", Gone: !p.offers()},
		{Pair: []string{"previous-boundary", "next-boundary"}, Show: "[ ]", Label: "linked sessions", Help: "linked sessions", Group: screen.GroupMove, Gone: !document || !p.pane.docs.isLinked(row.Path)},
		{Name: "previous-boundary", Keys: []string{"["}, Do: screen.Intent{Name: along, N: 1}, Gone: !document, Needed: "choose a document"},
		{Name: "next-boundary", Keys: []string{"]"}, Do: screen.Intent{Name: along, N: -1}, Gone: !document, Needed: "choose a document"},
		{Name: "mark", Keys: []string{"space"}, Show: "space", Label: "mark", Help: "mark", Group: screen.GroupThis, Do: do(mark), Gone: !markable, Needed: "choose a session or backup", Off: whyNotMark(p.pane.selectedRow())},
		{Name: "mark-range", Keys: []string{"v"}, Show: "v", Help: "mark a range", Group: screen.GroupThis, Do: do(markRange), Gone: !markable, Needed: "choose a session or backup"},
		{Name: "mark-all", Keys: []string{"ctrl+a"}, Show: "ctrl+a", Help: p.pane.markAllWord(), Group: screen.GroupThis, Do: do(markAll), Gone: !markable, Needed: "choose a session or backup"},
	}
	for i := range keys[5:] {
		if keys[5+i].Needs = screen.NeedsChanges; p.pane.kind == sessions.KindSession && !p.pane.marks.any() {
			keys[5+i].Rank = screen.RankSecond
		}
	}
	return keys
}

// typingKeys returns the keys while a filter is typed.
func (p *Page) typingKeys() []screen.Binding {
	return append([]screen.Binding{
		{Keys: []string{"enter"}, Show: "enter", Label: "keep the filter", Help: "keep the filter", Group: screen.GroupFind, Do: do(keepField)},
		{Show: "↑ ↓", Label: "row", Help: "row", Group: screen.GroupMove},
		{Show: "pgup pgdn", Help: "page", Group: screen.GroupMove},
		{Keys: []string{"up"}, Do: screen.Intent{Name: screen.Move, N: -1}},
		{Keys: []string{"down"}, Do: screen.Intent{Name: screen.Move, N: 1}},
		{Keys: []string{"pgup"}, Do: screen.Intent{Name: screen.Page, N: -1}},
		{Keys: []string{"pgdown"}, Do: screen.Intent{Name: screen.Page, N: 1}},
		{Keys: []string{"tab"}, Show: "tab", Label: "search what was said", Help: "search what was said", Group: screen.GroupFind, Do: do(screen.Search)},
		{Keys: []string{"ctrl+t"}, Show: "ctrl+t", Label: "all projects", As: p.scopeWord(), Help: "this project or all", Group: screen.GroupFind, Do: do(toggleAll), Gone: !p.hasProject()},
		{Keys: []string{"esc"}, Show: "esc", Label: "clear", Help: "clear the filter", Group: screen.GroupFind, Do: do(screen.Clear)},
	}, append(screen.Typing(), terms(p.pane.kind)...)...)
}

// terms returns the terms of a filter for the help, in the form of bindings without keys.
func terms(kind sessions.Kind) []screen.Binding {
	if kind != sessions.KindDocument {
		return nil
	}
	return []screen.Binding{
		{Show: "status:done", Help: "of a status", Group: screen.GroupFind},
		{Show: "tag:x #x", Help: "with a tag", Group: screen.GroupFind},
		{Show: "branch:x", Help: "of a branch", Group: screen.GroupFind},
		{Show: "project:x", Help: "of a project", Group: screen.GroupFind},
	}
}

// termNames returns the terms that the footer shows behind the filter key.
func termNames(kind sessions.Kind) string {
	if kind != sessions.KindDocument {
		return ""
	}
	return " " + filter.ByStatus + ", " + filter.ByTag
}

// hasHidden reports whether the key that shows or hides rows would change the list.
func (l *pane) hasHidden() bool {
	return l.hidden() != "" || l.scope.showHidden && l.kind == sessions.KindSession
}

func (p *Page) canEnter() bool {
	return p.onHead() || p.offers() || p.pane.selectedRow() != nil || p.pane.isOnMore()
}

// whyNotEnter returns the reason why enter does nothing, or "".
func (p *Page) whyNotEnter() string {
	if p.onHead() || p.offers() {
		return ""
	}
	return screen.WhyNotRead(p.pane.selectedRow())
}

// enterWord returns the word for the key enter, or "" if enter reads a row.
func (p *Page) enterWord() string {
	switch {
	case p.onHead():
		return "project page"
	case p.offers():
		return "do it"
	}
	return ""
}

// whyNotMark returns the reason why a row can't be marked, or "".
func whyNotMark(row *sessions.Row) string {
	if row != nil && row.Deleted {
		return "deleted"
	}
	return ""
}

// orderKeys returns the commands that sort or group the sessions.
func (l *pane) orderKeys() []screen.Binding {
	if l.kind != sessions.KindSession || l.tally.Total == 0 {
		return nil
	}
	return orders()
}

// findKey returns the binding of the key /. For sessions, / searches the conversations. For other rows, / filters.
func (l *pane) findKey() screen.Binding {
	b := screen.Binding{Name: "filter", Keys: []string{"/"}, Show: "/", Group: screen.GroupFind, Gone: l.tally.Total == 0, Needed: "nothing is listed"}
	if l.kind == sessions.KindSession {
		b.Label, b.Help, b.Do = "search", "search what was said", do(screen.Search)
		return b
	}
	b.Label, b.Help, b.Do, b.Extra = "filter", "filter by any text", do(startField), termNames(l.kind)
	return b
}

// searchKey returns the key s, which opens the search. In the list of sessions, / does the same, so the footer shows
// only /.
func (l *pane) searchKey() []screen.Binding {
	keys := screen.Common(screen.Search)
	keys[0].Quiet = l.kind == sessions.KindSession
	return keys
}

// markAllWord returns the text of the help for the key that marks all rows.
func (l *pane) markAllWord() string {
	if l.kind == sessions.KindBackup {
		return "mark group, all, none"
	}
	return "mark all or none"
}
