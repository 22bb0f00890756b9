package tui

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// marks are the rows that an action is about, by path: they stay marked whatever the list shows of them, and leave
// with their rows.
type marks struct {
	paths map[string]bool
	last  string // that was marked last
}

// prune forgets what is not there any more.
func (l *list) prune() {
	maps.DeleteFunc(l.marks.paths, func(path string, _ bool) bool {
		h := l.held[path]
		return h == nil || h.row.Deleted
	})
}

// marked are the marked backups, in the order of the list.
func (m *model) marked() []sessions.Row {
	l := m.backups()
	if len(l.marks.paths) == 0 {
		return nil
	}
	rows := make([]*sessions.Row, 0, len(l.marks.paths))
	for path := range l.marks.paths {
		if h := l.held[path]; h != nil {
			rows = append(rows, &h.row)
		}
	}
	slices.SortFunc(rows, compareRows)
	list := make([]sessions.Row, len(rows))
	for i, r := range rows {
		list[i] = *r
	}
	return list
}

// backups is the list of them.
func (m *model) backups() *list {
	for i := range m.lists {
		if m.lists[i].kind == sessions.KindBackup {
			return &m.lists[i]
		}
	}
	return m.list
}

// hasMarks reports whether the marks are seen, and meant.
func (m *model) hasMarks() bool {
	return !m.isCovered() && m.list.kind == sessions.KindBackup && len(m.list.marks.paths) > 0
}

// inBackups reports whether the list is that of the backups, with something in it.
func (m *model) inBackups() bool {
	return !m.isCovered() && m.list.kind == sessions.KindBackup && m.subject() != nil
}

// isBackup reports whether the subject is one.
func (m *model) isBackup() bool {
	row := m.subject()
	return m.hasMarks() || row != nil && row.Kind == sessions.KindBackup
}

// isNoBackup is everywhere else.
func (m *model) isNoBackup() bool { return !m.isBackup() }

// mark marks the row under the bar, or takes its mark away, and goes to the next.
func (m *model) mark() tea.Cmd {
	row, k := m.list.selected(), &m.list.marks
	if row == nil {
		return nil
	}
	if k.paths[row.Path] {
		delete(k.paths, row.Path)
	} else {
		m.list.setMark(row.Path)
	}
	m.list.move(1, m.layout.body.h)
	return nil
}

func (l *list) setMark(path string) {
	if l.marks.paths == nil {
		l.marks.paths = map[string]bool{}
	}
	l.marks.paths[path], l.marks.last = true, path
}

// markRange marks all rows from the one that was marked last to the bar.
func (m *model) markRange() tea.Cmd {
	l := m.list
	from, to := l.find(l.marks.last), l.index()
	if from > to {
		from, to = to, from
	}
	for i := max(from, 0); i <= to && i < len(l.items); i++ {
		if row := l.items[i].row; row != nil && !row.Deleted {
			l.setMark(row.Path)
		}
	}
	return nil
}

// whyNotMark is the reason why the row cannot be marked.
func (m *model) whyNotMark() string {
	if row := m.list.selected(); row != nil && row.Deleted {
		return "deleted"
	}
	return ""
}

// whyNotMarkRange is the reason why there is nothing to mark from.
func (m *model) whyNotMarkRange() string {
	if l := m.list; !l.marks.paths[l.marks.last] || l.find(l.marks.last) < 0 {
		return "no mark"
	}
	return ""
}

// unmark takes the marks of rows away.
func (m *model) unmark(rows []sessions.Row) {
	for i := range rows {
		delete(m.backups().marks.paths, rows[i].Path)
	}
}

// unmarkAll takes all marks away.
func (m *model) unmarkAll() { m.list.marks = marks{} }

// chosen are the rows that an action on backups is about: those that are marked, else the one under the bar.
func (m *model) chosen() []sessions.Row {
	if m.hasMarks() {
		return m.marked()
	}
	if row := m.subject(); row != nil {
		return []sessions.Row{*row}
	}
	return nil
}

func (m *model) discard() tea.Cmd { return m.change(Change{Kind: ChangeDiscard, Rows: m.chosen()}) }
func (m *model) restore() tea.Cmd { return m.change(Change{Kind: ChangeRestore, Rows: m.chosen()}) }
func (m *model) verify() tea.Cmd  { return m.change(Change{Kind: ChangeVerify, Rows: m.chosen()}) }

// whyNotBackup is the reason why nothing can be done with the backup.
func (m *model) whyNotBackup() string {
	if why := m.whyNotChange(); why != "" {
		return why
	}
	if row := m.subject(); !m.hasMarks() && row != nil && row.Deleted {
		return "deleted"
	}
	return ""
}

// howMany is how many rows are marked, for the keys; "" when none is.
func (m *model) howMany() string {
	if !m.hasMarks() {
		return ""
	}
	return " " + render.Count(len(m.list.marks.paths))
}

// markedWords says how many rows are marked, where they are not seen, and what would be lost with them.
func (m *model) markedWords() string {
	rows := m.marked()
	var bytes int64
	var only, unknown, unseen int
	for i := range rows {
		bytes += rows[i].Bytes
		switch rel := rows[i].Relation; {
		case rel.Held():
		case rel == "" && !rows[i].Has(sessions.FlagBackupOnly):
			unknown++
		default:
			only++
		}
		if m.list.find(rows[i].Path) < 0 {
			unseen++
		}
	}
	text := render.Count(len(rows)) + " marked"
	if unseen > 0 {
		text += ", " + render.Count(unseen) + " of them not in sight"
	}
	return text + " · " + render.Size(bytes) + " · " + lossWords(len(rows), only, unknown)
}

// lossWords says how many of some backups are the only copy of what they have, or may be.
func lossWords(n, only, unknown int) string {
	is := func(k int, one, many string) string {
		switch {
		case n == 1:
			return "it " + one
		case k == n:
			return "all of them " + many
		case k == 1:
			return "1 of them " + one
		}
		return render.Count(k) + " of them " + many
	}
	switch {
	case only > 0:
		return is(only, "is the only copy", "are the only copies")
	case unknown > 0:
		return is(unknown, "may be the only copy", "may be the only copies")
	case n == 1:
		return "nothing is lost: its live file holds all of it"
	}
	return "nothing is lost: their live files hold all of it"
}

// pendingWords adds to what the backups are of that none of them is pending, where there is room to say so.
func (l *list) pendingWords(left []render.Span, o render.RowOptions) []render.Span {
	t := &l.tally
	var ways []string
	switch {
	case l.scope.partial || t.pendingHere > 0 || t.inScope == 0:
	case t.pending > 0:
		ways = []string{"nothing pending here, " + render.Count(t.pending) + " elsewhere", render.Count(t.pending) + " pending elsewhere"}
	default:
		ways = []string{"nothing is pending", "nothing pending"}
	}
	for _, text := range ways {
		more := append(left[:len(left):len(left)], render.Span{Ink: render.Faint, Text: " · " + text})
		if render.SpansWidth(more) <= render.BackupRoom(o) {
			return more
		}
	}
	return left
}
