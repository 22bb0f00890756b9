// Package list shows the sessions, backups and documents of a machine or of a project. Each kind has its own list.
package list

import (
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/filter"
)

// pane is the list of one kind of row. After each change, it builds its items again. The bar stays on its row and its
// line.
type pane struct {
	store
	field  field.Field // the filter
	typing bool        // the filter is being typed
	onHead bool        // the bar is on the line of the project
	tally  Tally

	scope *scope // shared by all panes
	items []item // the items that are listed, in order
	shown []*sessions.Row
	among []*filter.Candidate // built from shown when the filter needs it

	bar     blocks.List // the selection bar over the items
	sel     string      // key of the selected item, such as the path of a row
	touched bool        // until the user moves the bar, it stays on the first row
	best    bool        // the filter put the bar on the best match

	marks    marks
	hits     []filter.Hit
	answered string // the pattern of hits
	docs     documents
	wide     bool // the terminal has room for branch and model
	column   int  // width of the column with the project, or 0
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
	partial    bool     // only the newest rows have arrived
	found      int      // while partial: number of found transcripts, or 0
	foundBytes int64    // size of the transcripts in found
	missing    []string // errors while reading, as sentences
}

// wide reports whether rows of all projects are listed.
func (s *scope) wide() bool { return s.all || s.project == "" }

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
