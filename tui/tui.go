// Package tui is the browser of continuo: lists of sessions, backups and documents, the ledger of a project, and a
// reader.
//
// It is one Bubble Tea program. The model (model.go) keeps a stack of screens (screens.go, stack.go); each screen is a
// package. Only commands (commands.go, and those of the screens) do I/O, through the interfaces of the caller: Source,
// Doc, Actions, Changes, Projects and Ledgers. Update and View use no I/O, no clock and no environment. An answer to an
// outdated question is dropped. The selection belongs to a row, not to a line.
package tui

import (
	"context"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/tui/list"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/reader"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/search"
)

// Source provides the rows and their contents.
type Source interface {
	// Rows streams the catalogue: quick figures first, then exact ones. The channel closes at the end.
	Rows(ctx context.Context) <-chan sessions.Batch
	// Watch streams changes until ctx ends. awake reports whether the terminal has the focus, for the polling interval.
	Watch(ctx context.Context, awake func() bool) <-chan sessions.Batch
	// Open opens a row for reading.
	Open(ctx context.Context, row sessions.Row) (Doc, error)
}

// Opened is a Source that is notified of the rows opened in the reader. Open is called for the preview too.
type Opened = reader.Opened

// Searcher searches what was said.
type Searcher = search.Source

// Gauge is the progress of the index of a Searcher.
type Gauge = search.Gauge

// Doc is an open transcript or document.
type Doc = opened.Doc

// Choice is something to do while there are no sessions.
type Choice = list.Choice

// Place is a directory or variable where sessions were looked for.
type Place = list.Place

// Options configure the browser, which doesn't look these facts up itself.
type Options struct {
	Home    string   // the home directory, shown as ~
	Project string   // root of the project in which it was started, "" for none; the list opens on it
	Dirs    []string // Claude config directories
	Looked  []Place  // where sessions were looked for, shown if none were found
	Choices []Choice // offered if there are no sessions
	Saved   []string // saved searches, newest first
	// SaveSearch saves a search, or forgets it if it is saved, and returns all that are saved; nil if none can be.
	SaveSearch func(ctx context.Context, text string) (list []string, saved bool, err error)

	Now     func() time.Time    // the clock; its location is the zone of the displayed times
	NoColor bool                // bold, underline and SGR 2 only
	ASCII   bool                // ASCII glyphs, for terminals and fonts without the others
	Popup   bool                // it runs in a tmux popup, which can't open another
	Tmux    bool                // it runs inside tmux
	Theme   string              // dark or light; else the terminal decides
	Keys    map[string][]string // the user's key bindings by action, valid according to CheckKeys
	Prices  resume.Prices       // prices from the user's config
	// Highlight finds the syntax of code; nil for none.
	Highlight render.Highlighter
	// Ended, if set, receives the result of a confirmed change that finished after the screen was closed. The error is
	// that of Changes.Do, ErrNotBegun or ErrUnfinished.
	Ended  func(done Done, err error)
	Input  io.Reader // nil for the terminal
	Output io.Writer // nil for the terminal
}

// Run shows the browser until the user quits. The error is that of the terminal, ctx.Err() if ctx ended first, or a
// *PanicError.
func Run(ctx context.Context, world World, opts Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(ctx, world, opts)
	// The caller handles signals: they end ctx.
	with := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler()}
	if opts.Input != nil {
		with = append(with, tea.WithInput(opts.Input))
	}
	if opts.Output != nil {
		with = append(with, tea.WithOutput(opts.Output))
	}
	g := &guard{model: m}
	p := tea.NewProgram(g, with...)
	g.quit = p.Quit
	_, err := p.Run()
	if g.caught != nil {
		return g.caught // open files are in an unknown state; the process closes them on exit
	}
	closing := m.close()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("browser: %w", err)
	}
	return closing
}
