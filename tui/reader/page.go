// Package reader shows one conversation, backup or document.
//
// It is never drawn as a whole: the window of package blocks asks for the messages that are visible and one screen around
// them, commands decode and draw them, and the cache (cache.go) keeps a bounded part.
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

// Source opens what is read.
type Source interface {
	Open(ctx context.Context, row sessions.Row) (opened.Doc, error)
}

// Opened is a Source that wants to know what was opened in the reader.
type Opened interface {
	Opened(row sessions.Row)
}

// Markdown renders a text in so many cells, its code in others; no lines when it is better left plain.
type Markdown = func(text string, prose, code int, s *render.Styles) []string

// Options say what is read, and what there is to read it with.
type Options struct {
	Context context.Context // of the program
	Source  Source
	Row     sessions.Row
	At      *Spot    // where it was left; nil: it opens at its end, a document at its start
	Seeks   string   // of a document: it goes to this todo or next step
	Answers Markdown // renders the text of an answer
	Prose   Markdown // renders that of a document
	// Held is what the lists know of a file, nil nothing.
	Held func(path string) *sessions.Row
	// Chain draws the chain of a document flat, in so many cells; nil when it is in none.
	Chain func(path string, now time.Time, width int) []render.Span
}

// Page is what is read, on the screen.
type Page struct {
	opts  Options
	pane  pane
	frame screen.Frame
	rows  int // of the text
	above int // rows of the body above the text: the rule under the prompt
}

// Left says where one was when a row was left. It is an effect.
type Left struct {
	Path string
	Spot *Spot // nil: it opens anew
}

// New is the page of a row.
func New(opts Options) *Page {
	p := &Page{opts: opts, pane: pane{row: opts.Row, at: opts.At, seeks: opts.Seeks}}
	p.pane.find.field = field.New(field.Words)
	return p
}

// Open implements screen.Screen: the row is opened.
func (p *Page) Open() []screen.Effect {
	r := &p.pane
	r.ctx, r.cancel = context.WithCancel(p.opts.Context)
	return []screen.Effect{
		screen.Cmd(openRow(r.ctx, p.opts.Source, r.row)),
		screen.Cmd(after(r.ctx, screen.Quiet, waitedMsg{})),
	}
}

// Close implements screen.Screen. It tells where one was.
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

// spot is where it opens again.
func (p *Page) spot() *Spot {
	if p.pane.lost { // records of a file that was rewritten are others
		return nil
	}
	return p.pane.spot()
}

// again is the same row, opened anew where one is.
func (p *Page) again() *Page {
	opts := p.opts
	opts.Row, opts.At, opts.Seeks = p.pane.row, p.spot(), ""
	return New(opts)
}

func (p *Page) isDocument() bool { return p.pane.row.Kind == sessions.KindDocument }

// hasParts reports whether something is shown that the bar stands on.
func (p *Page) hasParts() bool { return p.pane.doc != nil && len(p.pane.refs) > 0 }

func (p *Page) hasSearch() bool { return p.pane.find.pattern != "" }

func (p *Page) hasBounds() bool { return len(p.pane.bounds) > 0 && !p.isDocument() }

// chain is that of the document in so many cells.
func (p *Page) chain(width int) []render.Span {
	if !p.isDocument() || p.opts.Chain == nil {
		return nil
	}
	return p.opts.Chain(p.pane.row.Path, p.frame.Now, width)
}
