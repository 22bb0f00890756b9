// Package list shows the sessions, backups and documents of a machine or of a project. Each kind has its own list.
package list

import (
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/filter"
)

// pane is the list of one kind of row. After each change, it builds its items again from the rows. The bar then
// stays on its row, and on the same line of the screen.
type pane struct {
	store
	field  field.Field // the filter
	typing bool        // the filter is being typed
	onHead bool        // the bar is on the line of the project, above the list
	tally  Tally

	scope *scope // shared by all panes
	items []item // the items that are listed, in order
	shown []*sessions.Row
	among []*filter.Candidate // what the filter searches; built from shown when needed

	bar     blocks.List // the selection bar over the items
	sel     string      // key of the selected item; for a row, this is its path
	touched bool        // the user has moved the bar; until then, the bar stays on the first row
	best    bool        // the bar is on the best match because of the filter, and not because of a key

	marks    marks
	hits     []filter.Hit
	answered string // the pattern for which hits were found
	docs     documents
	wide     bool // the terminal has room for branch and model
	column   int  // width of the column with the project in the list of sessions; 0 if all sessions are in one project
}

// newPane returns an empty list.
func newPane(kind sessions.Kind, of *scope) *pane {
	p := &pane{store: store{kind: kind, held: map[string]*held{}}, field: field.New(field.Words), scope: of}
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
	partial    bool     // only the newest rows have arrived, and no count is known yet
	found      int      // number of transcripts that were found, while partial is set; 0 if unknown
	foundBytes int64    // size of these transcripts
	missing    []string // errors while reading, as sentences
}

// wide reports whether rows of all projects are listed.
func (s *scope) wide() bool { return s.all || s.project == "" }

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
