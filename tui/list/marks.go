package list

import (
	"maps"
	"slices"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
)

// marks has the paths of the marked rows. A hidden row stays marked.
type marks struct {
	paths map[string]bool
	last  string // path of the row that was marked last
	sums  *markSums
}

// has reports whether the row with a path is marked, and any reports whether a row is marked.
func (k *marks) has(path string) bool { return k.paths[path] }
func (k *marks) any() bool            { return len(k.paths) > 0 }

func (k *marks) set(path string) {
	if k.paths == nil {
		k.paths = map[string]bool{}
	}
	k.paths[path], k.last, k.sums = true, path, nil
}

func (k *marks) drop(path string) {
	delete(k.paths, path)
	k.sums = nil
}

// markSums has the sums over the marked rows. A change of marks or rows discards it.
type markSums struct {
	rows          []sessions.Row // in the order of the list
	unseen        int            // number of marked rows that aren't visible
	bytes         int64
	only, unknown int // marked rows that are the only copy, or may be the only copy
}

// markSums returns the sums over the marked rows.
func (l *pane) markSums() *markSums {
	if l.marks.sums != nil {
		return l.marks.sums
	}
	s := &markSums{}
	l.marks.sums = s
	listed := map[string]bool{}
	for i := range l.items {
		listed[l.items[i].key()] = true
	}
	var rows []*sessions.Row
	for path := range l.marks.paths {
		h := l.held[path]
		if h == nil {
			continue
		}
		rows = append(rows, &h.row)
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
	order := compareRows
	if l.kind == sessions.KindSession {
		order = l.scope.compare
	}
	slices.SortFunc(rows, order)
	for _, r := range rows {
		s.rows = append(s.rows, *l.actsOn(r))
	}
	return s
}

// marked returns the marked rows in the order of the list.
func (l *pane) marked() []sessions.Row {
	if len(l.marks.paths) == 0 {
		return nil
	}
	return l.markSums().rows
}

// prune removes the marks of rows that no longer exist.
func (l *pane) prune() {
	maps.DeleteFunc(l.marks.paths, func(path string, _ bool) bool {
		h := l.held[path]
		return h == nil || h.row.Deleted
	})
	l.marks.sums = nil
}

// mark marks or unmarks the selected row. Then it selects the next row.
func (l *pane) mark() {
	row := l.selectedRow()
	if row == nil {
		return
	}
	if l.marks.paths[row.Path] {
		l.marks.drop(row.Path)
	} else {
		l.marks.set(row.Path)
	}
	l.move(1)
}

// markRange marks all rows from the last marked row to the selected row.
func (l *pane) markRange() {
	from, to := max(l.bar.At, 0), max(l.bar.At, 0)
	if at := l.find(l.marks.last); at >= 0 && l.marks.paths[l.marks.last] {
		from = at
	}
	if from > to {
		from, to = to, from
	}
	for i := from; i <= to && i < len(l.items); i++ {
		if row := l.items[i].row; row != nil && !row.Deleted {
			l.marks.set(row.Path)
		}
	}
}

// markAll marks all listed rows, or unmarks all. In the list of backups, it first marks only the group of the selected
// row.
func (l *pane) markAll() {
	var all, group []string // the unmarked rows
	at := l.selectedRow()
	for i := range l.items {
		row := l.items[i].row
		if row == nil || row.Deleted || l.marks.has(row.Path) {
			continue
		}
		if all = append(all, row.Path); at != nil && rank(row) == rank(at) {
			group = append(group, row.Path)
		}
	}
	if l.kind == sessions.KindBackup && !l.isFiltered() && len(group) > 0 {
		all = group
	}
	for _, path := range all {
		l.marks.set(path)
	}
	for i := range l.items {
		if row := l.items[i].row; len(all) == 0 && row != nil {
			l.marks.drop(row.Path)
		}
	}
}

// markedWords returns the number of marked rows, and what deleting them would lose.
func (l *pane) markedWords() string {
	s := l.markSums()
	text := words.Count(len(s.rows)) + " marked"
	if s.unseen > 0 {
		text += ", " + words.Count(s.unseen) + " of them not visible"
	}
	text += " · " + words.Size(s.bytes)
	if l.kind != sessions.KindBackup && s.only == 0 {
		return text
	}
	return text + " · " + lossWords(len(s.rows), s.only, s.unknown)
}

// lossWords says how many of n backups are the only copy, or may be the only copy.
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
		return "nothing is lost: its live file contains everything"
	}
	return "nothing is lost: their live files contain everything"
}
