// Package reader shows one conversation, backup or document.
//
// The package never draws the whole file. The window of package blocks requests only the messages in the view and
// within one screen of it. Commands decode and draw these messages. The cache (cache.go) limits how many of them
// are kept.
package reader

import (
	"context"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Source opens rows.
type Source interface {
	Open(ctx context.Context, row sessions.Row) (opened.Doc, error)
}

// Opened is a Source that wants to know which rows the reader has opened.
type Opened interface {
	Opened(row sessions.Row)
}

// Markdown renders a text. Prose and code each have their own width. It returns no lines if the text should stay
// plain.
type Markdown = func(text string, prose, code int, s *render.Styles) []string

// Options has the row to read, and everything that the reader needs.
type Options struct {
	Context context.Context // context of the program
	Source  Source
	Row     sessions.Row
	At      *Spot         // last position; nil for the default: the end, or the start of a document
	Seeks   string        // todo or next step of a document to go to
	Match   *screen.Place // match to go to; nil for none
	Agent   *screen.Agent // facts about the sub-agent whose transcript the row is; nil for other rows, or if unknown
	Answers Markdown      // renders the text of an answer
	Prose   Markdown      // renders the text of a document
	// Held returns the current row of a file from the lists; nil if the lists don't have it.
	Held func(path string) *sessions.Row
	// Chain draws the chain of a document as one line with this width. It returns nil if the document has no chain.
	Chain func(path string, now time.Time, width int) []render.Span
}

// Page is the screen of the reader.
type Page struct {
	opts  Options
	pane  pane
	frame screen.Frame
	rows  int // rows of the text
	above int // number of rows above the text, such as the rule
}

// Left is returned when a row is closed. It has the position in the row.
type Left struct {
	Path string
	Spot *Spot // nil for the default position
}

// New returns a page that shows a row.
func New(opts Options) *Page {
	return &Page{opts: opts, pane: newPane(opts)}
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

// Close implements screen.Screen. It returns the effect Left with the position.
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

// spot returns the position at which the row should open the next time.
func (p *Page) spot() *Spot {
	if p.pane.lost { // the records of a rewritten file have other indexes
		return nil
	}
	return p.pane.spot()
}

// again returns a new page for the same row, at the same position.
func (p *Page) again() *Page {
	opts := p.opts
	opts.Row, opts.At, opts.Seeks, opts.Match = p.pane.row, p.spot(), "", nil
	return New(opts)
}

func (p *Page) isDocument() bool { return p.pane.row.Kind == sessions.KindDocument }

// hasParts reports whether there is a part that can be selected.
func (p *Page) hasParts() bool { return p.pane.doc != nil && len(p.pane.out.Refs) > 0 }

func (p *Page) hasSearch() bool { return p.pane.find.pattern != "" }

func (p *Page) hasBounds() bool { return len(p.pane.out.Bounds) > 0 && !p.isDocument() }

// chain draws the chain of the document in the given width.
func (p *Page) chain(width int) []render.Span {
	if !p.isDocument() || p.opts.Chain == nil {
		return nil
	}
	return p.opts.Chain(p.pane.row.Path, p.frame.Now, width)
}
