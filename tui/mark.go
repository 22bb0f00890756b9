package tui

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
)

// marks are the rows that an action is about, by path: they stay marked whatever the list shows of them, and leave
// with their rows.
type marks struct {
	paths map[string]bool
	last  string // that was marked last
	sums  *markSums
}

// markSums is what the marked rows come to; nil until it is asked for after a change of the marks or the rows.
type markSums struct {
	rows, unseen  int // unseen: that the list does not show
	bytes         int64
	only, unknown int // that are the only copy, or may be
}

// markSums counts the marked rows.
func (l *list) markSums() *markSums {
	if l.marks.sums != nil {
		return l.marks.sums
	}
	s := &markSums{}
	l.marks.sums = s
	listed := map[string]bool{}
	for i := range l.items {
		listed[l.items[i].key()] = true
	}
	for path := range l.marks.paths {
		h := l.held[path]
		if h == nil {
			continue
		}
		s.rows++
		s.bytes += h.row.Bytes
		switch rel := h.row.Relation; {
		case rel.Held():
		case rel == "" && !h.row.Has(sessions.FlagBackupOnly):
			s.unknown++
		default:
			s.only++
		}
		if !listed[path] {
			s.unseen++
		}
	}
	return s
}

// prune forgets what is not there any more.
func (l *list) prune() {
	maps.DeleteFunc(l.marks.paths, func(path string, _ bool) bool {
		h := l.held[path]
		return h == nil || h.row.Deleted
	})
	l.marks.sums = nil
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
func (m *model) backups() *list { return &m.lists[backupsTab] }

// hasMarks reports whether the marks are seen, and meant.
func (m *model) hasMarks() bool {
	return !m.isCovered() && m.list.kind == sessions.KindBackup && len(m.list.marks.paths) > 0
}

// inBackups reports whether the list is that of the backups, with something in it.
func (m *model) inBackups() bool {
	return !m.isCovered() && m.list.kind == sessions.KindBackup && m.subject() != nil
}

// mark marks the row under the bar, or takes its mark away, and goes to the next.
func (m *model) mark() tea.Cmd {
	row, k := m.list.selected(), &m.list.marks
	if row == nil {
		return nil
	}
	if k.paths[row.Path] {
		m.list.dropMark(row.Path)
	} else {
		m.list.setMark(row.Path)
	}
	m.list.move(1, m.layout.Body.H)
	return nil
}

func (l *list) setMark(path string) {
	if l.marks.paths == nil {
		l.marks.paths = map[string]bool{}
	}
	l.marks.paths[path], l.marks.last, l.marks.sums = true, path, nil
}

func (l *list) dropMark(path string) {
	delete(l.marks.paths, path)
	l.marks.sums = nil
}

// markRange marks all rows from the one that was marked last to the bar: where none is, the range begins at the bar.
func (m *model) markRange() tea.Cmd {
	l := m.list
	from, to := l.index(), l.index()
	if at := l.find(l.marks.last); at >= 0 && l.marks.paths[l.marks.last] {
		from = at
	}
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

// markAll marks all rows that are listed, as the filter leaves them; when they are marked it takes the marks away.
func (m *model) markAll() tea.Cmd {
	l := m.list
	var rows []string
	all := true
	for i := range l.items {
		if row := l.items[i].row; row != nil && !row.Deleted {
			rows = append(rows, row.Path)
			all = all && l.marks.paths[row.Path]
		}
	}
	for _, path := range rows {
		if all {
			l.dropMark(path)
		} else {
			l.setMark(path)
		}
	}
	return nil
}

// unmark takes the marks of rows away.
func (m *model) unmark(rows []sessions.Row) {
	for i := range rows {
		m.backups().dropMark(rows[i].Path)
	}
}

// unmarkAll takes all marks away.
func (m *model) unmarkAll() { m.list.marks = marks{} }

// markedWords says how many rows are marked, where they are not seen, and what would be lost with them.
func (m *model) markedWords() string {
	s := m.list.markSums()
	text := words.Count(s.rows) + " marked"
	if s.unseen > 0 {
		text += ", " + words.Count(s.unseen) + " of them not in sight"
	}
	return text + " · " + words.Size(s.bytes) + " · " + lossWords(s.rows, s.only, s.unknown)
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
		return words.Count(k) + " of them " + many
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
