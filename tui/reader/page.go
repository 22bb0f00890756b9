// Package reader shows one conversation, backup or document.
//
// The package never draws the whole file. Commands decode and draw only the messages in the view and within one screen
// of it. The cache (cache.go) limits how many messages are kept.
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

// Markdown renders a text. Prose and code have their own widths. It returns no lines to keep the text plain.
type Markdown = func(text string, prose, code int, s *render.Styles) []string

// Options has the row to read, and everything that the reader needs.
type Options struct {
	Context context.Context // context of the program
	Source  Source
	Row     sessions.Row
	At      *Spot         // last position; nil for the default, the end or a document's start
	Seeks   string        // todo or next step of a document to go to
	Match   *screen.Place // match to go to, or nil
	Agent   *screen.Agent // facts about the sub-agent of the row, or nil
	Answers Markdown      // renders the text of an answer
	Prose   Markdown      // renders the text of a document
	// Held returns the current row of a file from the lists, or nil.
	Held func(path string) *sessions.Row
	// Chain draws the chain of a document as one line with this width, or returns nil.
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

// Left is the effect of closing a row, with the position in the row.
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
	if p.pane.lost { // a rewritten file has other indexes
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

func (p *Page) chain(width int) []render.Span {
	if !p.isDocument() || p.opts.Chain == nil {
		return nil
	}
	return p.opts.Chain(p.pane.row.Path, p.frame.Now, width)
}
