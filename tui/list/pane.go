// Package list shows the sessions, backups and documents of a machine or of a project, each kind in a list of its own.
package list

import (
	"iter"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/filter"
)

// pane is the list of one kind of rows. Its items are built again from the rows after each change; the bar stays on its
// row and on the same line of the screen.
type pane struct {
	kind   sessions.Kind
	field  field.Field // the filter
	typing bool        // the filter is being typed
	onHead bool        // the bar is on the line of the project, above the list
	tally  Tally

	scope *scope // shared by all panes
	held  map[string]*held
	items []item // the listed items, in order
	shown []*sessions.Row
	among []*filter.Candidate // candidates of the filter, built from shown when needed

	bar     blocks.List // selection bar over the items
	sel     string      // key of the selected item: the path of a row
	touched bool        // the user moved the bar; until then it stays on the first row
	best    bool        // the bar is on the best match and hasn't moved since

	marks    marks
	hits     []filter.Hit
	answered string // pattern of hits
	docs     documents
	width    int  // as of the last build
	wide     bool // the terminal has room for branch and model
	column   int  // width of the project column in the list of sessions, 0 if all are in one project
}

// newPane returns an empty list.
func newPane(kind sessions.Kind, of *scope) *pane {
	p := &pane{kind: kind, field: field.New(field.Words), scope: of, held: map[string]*held{}}
	p.bar = blocks.List{Items: entries{p}, At: -1}
	return p
}

// scope defines which rows are listed. All lists share it.
type scope struct {
	project    string // "" if the program wasn't started in a project
	home       string
	all        bool     // all projects, not only project
	showHidden bool     // stubs and headless runs too
	order      order    // order of the sessions
	grouped    bool     // sessions are grouped by project, not by day
	partial    bool     // only the newest rows have arrived, so no count is known
	missing    []string // errors of reading, as sentences
}

// wide reports whether rows of all projects are listed.
func (s *scope) wide() bool { return s.all || s.project == "" }

// held is a row and the number of the load that it comes from.
type held struct {
	row       sessions.Row // never changed: a new row gets a new held
	gen       int
	candidate *filter.Candidate // for the filter; nil until needed
	// backup is set if it is all that is left of the session in row. Then row has the path of the backup, and the keys
	// act on the backup.
	backup *sessions.Row
}

// add adds a batch of a load.
func (l *pane) add(b sessions.Batch, gen int) {
	l.put(b.Rows, gen)
	for _, path := range b.Gone {
		l.drop(path)
	}
	if b.Done { // drop rows that the reload didn't find
		for path, h := range l.held {
			if h.gen != gen {
				l.drop(path)
			}
		}
	}
}

// drop removes a row of the kind. listLost removes lost sessions.
func (l *pane) drop(path string) {
	if h := l.held[path]; h != nil && h.backup == nil {
		delete(l.held, path)
	}
}

func (l *pane) put(rows []sessions.Row, gen int) {
	for i := range rows {
		if rows[i].Kind == l.kind {
			l.held[rows[i].Path] = &held{row: rows[i], gen: gen}
		}
	}
}

// change adds a batch of the watch. The row of a deleted file stays in the list, marked as deleted.
func (l *pane) change(b sessions.Batch, gen int) {
	l.put(b.Rows, gen)
	for _, path := range b.Gone {
		if h := l.held[path]; h != nil && h.backup == nil {
			row := h.row
			row.Deleted, row.Live = true, nil
			row.Pending, row.Unseen = false, false
			row.Flags = slices.DeleteFunc(slices.Clone(row.Flags), func(f sessions.Flag) bool {
				return f == sessions.FlagLive || f == sessions.FlagPurgeSoon
			})
			l.held[path] = &held{row: row, gen: h.gen}
		}
	}
}

// heldRow returns the row of the kind with a path, listed or not; nil if there is none.
func (l *pane) heldRow(path string) *sessions.Row {
	if h := l.held[path]; h != nil && h.backup == nil {
		return &h.row
	}
	return nil
}

// actsOn returns the row that keys act on when a row of the list is selected: the same row or, for a lost session, its
// backup.
func (l *pane) actsOn(row *sessions.Row) *sessions.Row {
	if row != nil {
		if h := l.held[row.Path]; h != nil && h.backup != nil {
			return h.backup
		}
	}
	return row
}

// rows returns all rows of the kind in no particular order, listed or not.
func (l *pane) rows() iter.Seq[*sessions.Row] {
	return func(yield func(*sessions.Row) bool) {
		for _, h := range l.held {
			if h.backup == nil && !yield(&h.row) {
				return
			}
		}
	}
}

// isFiltered reports whether there is a filter.
func (l *pane) isFiltered() bool { return strings.TrimSpace(l.field.Text()) != "" }

// unfilter drops the result of the filter.
func (l *pane) unfilter() { l.hits, l.answered = nil, l.field.Text() }

// total returns the number of listed rows.
func (l *pane) total() int {
	if l.isFiltered() && l.answered != "" {
		return len(l.hits)
	}
	return l.tally.InScope
}
