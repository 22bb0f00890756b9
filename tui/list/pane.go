// Package list shows the sessions, backups and documents of a machine or of a project. Each kind has its own list.
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

// pane is the list of one kind of row. After each change, it builds its items again from the rows. The bar then
// stays on its row, and on the same line of the screen.
type pane struct {
	kind   sessions.Kind
	field  field.Field // the filter
	typing bool        // the filter is being typed
	onHead bool        // the bar is on the line of the project, above the list
	tally  Tally

	scope *scope // shared by all panes
	held  map[string]*held
	items []item // the items that are listed, in order
	shown []*sessions.Row
	among []*filter.Candidate // what the filter searches; built from shown when needed

	bar     blocks.List // the selection bar over the items
	sel     string      // key of the selected item; for a row, this is its path
	touched bool        // the user has moved the bar; until then, the bar stays on the first row
	best    bool        // the bar is on the best match and hasn't moved since

	marks    marks
	hits     []filter.Hit
	answered string // the pattern for which hits were found
	docs     documents
	width    int  // width of the last build
	wide     bool // the terminal has room for branch and model
	column   int  // width of the column with the project in the list of sessions; 0 if all sessions are in one project
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
	all        bool     // all projects are listed, not only project
	showHidden bool     // stubs and headless runs are listed too
	order      order    // order of the sessions
	grouped    bool     // sessions are grouped by project, not by day
	partial    bool     // only the newest rows have arrived, so that no count is known
	found      int      // number of transcripts that were found, while partial is set; 0 if unknown
	foundBytes int64    // size of these transcripts
	missing    []string // errors while reading, as sentences
}

// wide reports whether rows of all projects are listed.
func (s *scope) wide() bool { return s.all || s.project == "" }

// held is a row, and the number of the load that delivered it.
type held struct {
	row       sessions.Row // never changed: a new row gets a new held
	gen       int
	candidate *filter.Candidate // used by the filter; nil until the filter needs it
	// backup is the newest backup of a session whose transcript is gone; nil for other sessions. If it is set, row has
	// its path, and the keys act on it.
	backup *sessions.Row
}

// add adds the rows of a batch that a load delivered.
func (l *pane) add(b sessions.Batch, gen int) {
	l.put(b.Rows, gen)
	for _, path := range b.Gone {
		l.drop(path)
	}
	if b.Done { // drop the rows that this load hasn't found
		for path, h := range l.held {
			if h.gen != gen {
				l.drop(path)
			}
		}
	}
}

// drop removes a row of this kind. It leaves lost sessions to listLost.
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

// change adds the rows of a batch that the watch delivered. If a file was deleted, its row stays in the list and
// is marked as deleted.
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

// heldRow returns the row of this kind with a path, even if it isn't listed; nil if there is no such row.
func (l *pane) heldRow(path string) *sessions.Row {
	if h := l.held[path]; h != nil && h.backup == nil {
		return &h.row
	}
	return nil
}

// actsOn returns the row that the keys act on if the given row is selected. This is the same row or, for a lost
// session, its newest backup.
func (l *pane) actsOn(row *sessions.Row) *sessions.Row {
	if row != nil {
		if h := l.held[row.Path]; h != nil && h.backup != nil {
			return h.backup
		}
	}
	return row
}

// rows returns all rows of this kind, including those that aren't listed. The order is undefined.
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
