package list

import (
	"iter"
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/filter"
)

// store has all rows of one kind by path, listed or not.
type store struct {
	kind sessions.Kind
	held map[string]*held
}

// held is a row, and the number of the load that delivered it.
type held struct {
	row       sessions.Row // not changed in place: a new row gets a new held
	gen       int
	candidate *filter.Candidate // used by the filter; nil until the filter needs it
	// backup is the newest backup of a lost session, or nil. The keys act on this backup, and row has its path.
	backup *sessions.Row
}

// add adds the rows of a batch that a load delivered.
func (s *store) add(b sessions.Batch, gen int) {
	s.put(b.Rows, gen)
	for _, path := range b.Gone {
		s.drop(path)
	}
	if b.Done { // drop the rows that this load hasn't found
		for path, h := range s.held {
			if h.gen != gen {
				s.drop(path)
			}
		}
	}
}

// drop removes a row. It keeps a lost session, which listLost removes.
func (s *store) drop(path string) {
	if h := s.held[path]; h != nil && h.backup == nil {
		delete(s.held, path)
	}
}

func (s *store) put(rows []sessions.Row, gen int) {
	for i := range rows {
		if rows[i].Kind == s.kind {
			s.held[rows[i].Path] = &held{row: rows[i], gen: gen}
		}
	}
}

// change adds a batch of the watch. The row of a deleted file stays and is marked as deleted.
func (s *store) change(b sessions.Batch, gen int) {
	s.put(b.Rows, gen)
	for _, path := range b.Gone {
		if h := s.held[path]; h != nil && h.backup == nil {
			row := h.row
			row.Deleted, row.Live = true, nil
			row.Pending, row.Unseen = false, false
			row.Flags = slices.DeleteFunc(slices.Clone(row.Flags), func(f sessions.Flag) bool {
				return f == sessions.FlagLive || f == sessions.FlagPurgeSoon
			})
			s.held[path] = &held{row: row, gen: h.gen}
		}
	}
}

// heldRow returns the row with a path, listed or not, or nil.
func (s *store) heldRow(path string) *sessions.Row {
	if h := s.held[path]; h != nil && h.backup == nil {
		return &h.row
	}
	return nil
}

// actsOn returns the row that the keys act on: the selected row or, for a lost session, its newest backup.
func (s *store) actsOn(row *sessions.Row) *sessions.Row {
	if row != nil {
		if h := s.held[row.Path]; h != nil && h.backup != nil {
			return h.backup
		}
	}
	return row
}

// rows returns all rows of this kind, listed or not. The order is undefined.
func (s *store) rows() iter.Seq[*sessions.Row] {
	return func(yield func(*sessions.Row) bool) {
		for _, h := range s.held {
			if h.backup == nil && !yield(&h.row) {
				return
			}
		}
	}
}
