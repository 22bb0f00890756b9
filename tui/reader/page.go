// Package reader shows one conversation, backup or document.
//
// It never draws the whole file: the window of package blocks requests the messages within one screen of the view,
// commands decode and draw them, and the cache (cache.go) keeps a bounded number.
package reader

import (
	"context"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/field"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Source opens rows.
type Source interface {
	Open(ctx context.Context, row sessions.Row) (opened.Doc, error)
}

// Opened is a Source that is notified of the rows opened in the reader.
type Opened interface {
	Opened(row sessions.Row)
}

// Markdown renders a text in a width for prose and one for code. It returns no lines for a text that should stay plain.
type Markdown = func(text string, prose, code int, s *render.Styles) []string

// Options has the row to read and the dependencies of the reader.
type Options struct {
	Context context.Context // context of the program
	Source  Source
	Row     sessions.Row
	At      *Spot         // last position; nil for the default: the end, or the start of a document
	Seeks   string        // todo or next step of a document to go to
	Match   *screen.Place // match to go to; nil for none
	Agent   *screen.Agent // facts about the sub-agent whose transcript is read; nil for another row, or if unknown
	Answers Markdown      // renders the text of an answer
	Prose   Markdown      // renders the text of a document
	// Held returns the current row of a file from the lists, nil if there is none.
	Held func(path string) *sessions.Row
	// Chain draws the chain of a document in one line of that width. It returns nil if the document has none.
	Chain func(path string, now time.Time, width int) []render.Span
}

// Page is the screen of the reader.
type Page struct {
	opts  Options
	pane  pane
	frame screen.Frame
	rows  int // rows of the text
	above int // rows of the body above the text, for the rule below the prompt
}

// Left is an effect with the position at which a row was closed.
type Left struct {
	Path string
	Spot *Spot // nil for the default position
}

// New returns the page for a row.
func New(opts Options) *Page {
	p := &Page{opts: opts, pane: pane{row: opts.Row, agent: opts.Agent, at: opts.At, seeks: opts.Seeks}}
	p.pane.find.field = field.New(field.Words)
	return p
}

// Open implements screen.Screen. It opens the row.
func (p *Page) Open() []screen.Effect {
	r := &p.pane
	r.ctx, r.cancel = context.WithCancel(p.opts.Context)
	return []screen.Effect{
		screen.Cmd(openRow(r.ctx, p.opts.Source, r.row, p.opts.Match)),
		screen.Cmd(after(r.ctx, screen.Quiet, waitedMsg{})),
	}
}

// Close implements screen.Screen. It returns the position as Left.
func (p *Page) Close() []screen.Effect {
	r := &p.pane
	r.cancel()
	r.find.stop()
	effects := []screen.Effect{Left{Path: r.row.Path, Spot: p.spot()}}
	if r.doc != nil {
		effects = append(effects, screen.Cmd(closeDoc(r.doc)))
	}
	return effects
}

// spot returns the position at which the row opens again.
func (p *Page) spot() *Spot {
	if p.pane.lost { // a rewritten file has other records
		return nil
	}
	return p.pane.spot()
}

// again returns a new page for the same row and position.
func (p *Page) again() *Page {
	opts := p.opts
	opts.Row, opts.At, opts.Seeks, opts.Match = p.pane.row, p.spot(), "", nil
	return New(opts)
}

func (p *Page) isDocument() bool { return p.pane.row.Kind == sessions.KindDocument }

// hasParts reports whether a part can be selected.
func (p *Page) hasParts() bool { return p.pane.doc != nil && len(p.pane.refs) > 0 }

func (p *Page) hasSearch() bool { return p.pane.find.pattern != "" }

func (p *Page) hasBounds() bool { return len(p.pane.bounds) > 0 && !p.isDocument() }

// chain draws the chain of the document in a width.
func (p *Page) chain(width int) []render.Span {
	if !p.isDocument() || p.opts.Chain == nil {
		return nil
	}
	return p.opts.Chain(p.pane.row.Path, p.frame.Now, width)
}
