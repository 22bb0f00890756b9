// Package search implements the search screen. It shows the matches while the search is running.
package search

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/sessions/search"
	"github.com/continuo-tui/continuo/tui/blocks"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/preview"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Source searches transcripts and documents, and reads the messages around a match.
type Source interface {
	// Search calls on several times with a growing answer. In the last call, Done is set. The calls don't overlap.
	// Search returns when it is complete or ctx ends.
	Search(ctx context.Context, q *query.Query, o search.Options, on func(search.Batch))
	// Around returns a match's message, and up to n messages before and after it. In a document, it returns the section
	// of the match, and the sections after it.
	Around(ctx context.Context, h search.Hit, n int) (search.Nearby, error)
	// Index returns the progress of the index. A search finds no text in missing files.
	Index() Gauge
}

// Gauge has the number of indexed files and of all files. It has the same numbers in bytes.
type Gauge struct {
	Bytes, AllBytes int64
	Files, AllFiles int
	Whole           bool // all files are known
}

// full reports whether the index covers all files.
func (g Gauge) full() bool { return g.Whole && g.Files >= g.AllFiles }

// Options has what the screen needs.
type Options struct {
	Context  context.Context // context of the program
	Source   Source
	Sessions preview.Source // opens the session of a preview
	Window   preview.WindowOf
	Text     string // the query at the start
	Project  string // project in which the program was started, or ""
	Here     bool   // search only this project at the start
	Home     string
	Now      func() time.Time
	Answers  func(text string, prose, code int, s *render.Styles) []string // renders the text of an answer
}

// Page is the screen.
type Page struct {
	opts  Options
	field field.Field
	scope search.Scope
	here  bool // search only project
	// Options.Project or, if that is "", the project of the result that was selected when here was set.
	project string

	ask       asking
	query     *query.Query // the query of the shown answer
	wrong     *query.SyntaxError
	answer    search.Batch
	elsewhere *elsewhere // nil until the numbers are known
	items     []item
	sel       key // key of the selected item
	chosen    bool
	list      blocks.List

	pane   pane
	beside preview.Beside
	gauge  Gauge
	began  time.Time // when the index was first incomplete, or zero
	from   int64     // bytes in the index at that time
	frame  screen.Frame
	rows   int
}

// New returns the screen.
func New(opts Options) *Page {
	p := &Page{opts: opts, field: field.New(field.Words), here: opts.Here, project: opts.Project}
	p.beside = preview.Beside{Context: opts.Context, Source: opts.Sessions, Window: opts.Window, Answers: opts.Answers}
	p.field.Set(opts.Text)
	p.list = blocks.List{Items: items{p}, At: -1, Rows: 1}
	return p
}

// Open implements screen.Screen. It starts the search. Without a query, it shows all sessions, newest first.
func (p *Page) Open() []screen.Effect { return append(p.start(), screen.Cmd(p.readGauge())) }

// Close implements screen.Screen.
func (p *Page) Close() []screen.Effect {
	p.ask.stop()
	p.pane.stop()
	p.beside.Close()
	return nil
}

// Name implements screen.Screen.
func (p *Page) Name() string { return "Search" }

// Took implements screen.Screen.
func (p *Page) Took(msg tea.Msg) []screen.Effect {
	switch msg := msg.(type) {
	case batchMsg:
		return p.arrived(msg)
	case aroundMsg:
		p.pane.arrived(msg)
	default:
		return p.beside.Took(msg)
	case gaugeMsg:
		return p.measured(msg)
	}
	return nil
}

// arrived stores a part of the answer. The bar stays on its item.
func (p *Page) arrived(msg batchMsg) []screen.Effect {
	if msg.gen != p.ask.gen {
		return nil
	}
	if msg.elsewhere != nil {
		p.elsewhere = msg.elsewhere
		return nil
	}
	if msg.batch.Done || !p.ask.again {
		p.answer, p.query, p.elsewhere = msg.batch, msg.query, nil
		p.build()
	}
	effects := []screen.Effect{screen.Cmd(next(msg.gen, msg.query, msg.from))}
	if msg.batch.Done {
		p.ask.busy = false
		if msg.batch.Err != nil {
			effects = append(effects, screen.Fail{What: "The search stopped.", Err: msg.batch.Err})
		}
	}
	return effects
}

// Subject implements screen.Screen. The subject is the row of the selected result.
func (p *Page) Subject() screen.Subject {
	s := screen.Subject{Dir: p.opts.Project}
	if r := p.result(); r != nil {
		s.Dir = r.Project
		if r.Row != nil {
			row := *r.Row
			s.Row = &row
		}
	}
	return s
}

// result returns the selected result, or nil.
func (p *Page) result() *search.Result {
	if p.list.At < 0 || p.list.At >= len(p.items) {
		return nil
	}
	return &p.answer.Results[p.items[p.list.At].result]
}

// hit returns the selected match, or the first match of the selected result. A result found by its title has none, so
// hit returns nil.
func (p *Page) hit() *search.Hit {
	r := p.result()
	if r == nil || len(r.Hits) == 0 || p.whole() != nil {
		return nil
	}
	return &r.Hits[max(p.items[p.list.At].hit, 0)]
}

// read opens the selected result at the selected match. A session found by its title opens at the first match in its
// text.
func (p *Page) read() []screen.Effect {
	r, h := p.result(), p.hit()
	switch {
	case r == nil:
		return nil
	case h == nil && r.Row != nil && r.Count > 0: // found by its title
		return []screen.Effect{screen.Read{Row: *r.Row, At: &screen.Place{Offset: screen.FromStart, Words: p.query.Words()}}}
	case h == nil && r.Row != nil:
		return []screen.Effect{screen.Read{Row: *r.Row}}
	case h == nil:
		return nil
	}
	var row sessions.Row
	if r.Row != nil {
		row = *r.Row
	}
	if h.Path != row.Path {
		row = otherRow(r, h)
	}
	return []screen.Effect{screen.Read{Row: row, At: &screen.Place{Offset: h.Offset, Words: p.query.Words()}}}
}

// otherRow returns a row for a file without a row in the lists: a sub-agent's transcript, or a ledger.
func otherRow(r *search.Result, h *search.Hit) sessions.Row {
	row := sessions.Row{Kind: sessions.KindSession}
	row.Path, row.Project, row.State = h.Path, r.Project, sessions.StateOK
	row.Name = h.Role + " of " + r.Title
	row.Flags = []sessions.Flag{sessions.FlagNotResumable}
	if r.Row != nil {
		row.Agents = r.Row.Agents
	} else {
		row.Kind, row.Name = sessions.KindDocument, r.Title
	}
	return row
}
