// Package tui is the browser of continuo: lists of sessions, backups and documents, the ledger of a project, and a
// reader.
//
// The browser is one Bubble Tea program. Its model (model.go) has a stack of screens (screens.go, stack.go). Each
// screen is a package. Update and View do no I/O, and don't read the clock or the environment. Only commands do I/O,
// through interfaces that the caller implements, such as Source and Changes. The answer to an outdated request is
// dropped. The selection belongs to a row, not to a line of the screen.
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
	"github.com/continuo-tui/continuo/tui/live"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/reader"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/search"
)

// Source delivers the rows and their contents.
type Source interface {
	// Rows streams the rows: first all rows with quick figures, then the same rows with exact figures. At the end, the
	// channel is closed.
	Rows(ctx context.Context) <-chan sessions.Batch
	// Watch streams changes until ctx ends. awake reports whether the terminal has the focus. Without the focus, Watch
	// polls less often.
	Watch(ctx context.Context, awake func() bool) <-chan sessions.Batch
	// Open opens a row for reading.
	Open(ctx context.Context, row sessions.Row) (Doc, error)
}

// Opened is a Source that learns which rows the reader has opened. Its Open is also called for the preview.
type Opened = reader.Opened

// Searcher searches the conversations.
type Searcher = search.Source

// Live finds the terminals of running clients.
type Live = live.Source

// LiveDriver is the subset of Live that drives sessions.
type LiveDriver = live.Driver

// LivePane is the terminal of a running client.
type LivePane = live.Pane

// Gauge has the progress of building the index of a Searcher.
type Gauge = search.Gauge

// Doc is an open transcript or document.
type Doc = opened.Doc

// Choice is an action that the list offers if there are no sessions.
type Choice = list.Choice

// Place is a directory or variable where the program looked for sessions.
type Place = list.Place

// Options configure the browser. The caller finds out these facts, because the browser does no I/O.
type Options struct {
	Home    string   // the home directory, shown as ~
	Project string   // root of the project that the list shows first, or ""
	Folder  string   // root of the project or the current directory, or ""
	Header  string   // shown beside the tabs in place of Folder, or ""
	Dirs    []string // Claude config directories
	Looked  []Place  // shown if no sessions were found
	Choices []Choice // actions that the list offers without sessions
	Saved   []string // saved searches, newest first
	// SaveSearch saves a search, or removes a saved search. It returns all saved searches. If it is nil, searches can't
	// be saved.
	SaveSearch func(ctx context.Context, text string) (list []string, saved bool, err error)

	// Branch returns the checked out branch of Folder, or "". Branch may be nil.
	Branch func() string

	Now     func() time.Time    // the clock; times are displayed in its location
	NoColor bool                // use bold, underline and faint (SGR 2) only
	ASCII   bool                // use ASCII glyphs
	Popup   bool                // in a tmux popup, the browser can't open another popup
	Keeper  bool                // a keeper drives the sessions, so they outlive the browser
	Bell    bool                // ring the bell when a session starts to wait for the user
	Tmux    bool                // the browser runs inside tmux
	Theme   string              // "dark" or "light"; other values follow the terminal
	Keys    map[string][]string // the user's key bindings by action; see CheckKeys
	Prices  resume.Prices       // prices from the config
	// Highlight highlights code; nil for no highlighting.
	Highlight render.Highlighter
	// Ended, if set, receives the result of a confirmed change that finished after the screens were closed. Its error
	// is from Changes.Do, ErrNotBegun or ErrUnfinished.
	Ended  func(done Done, err error)
	Input  io.Reader // nil means the terminal
	Output io.Writer // nil means the terminal
}

// Run shows the browser until the user quits. Its error is from the terminal, ctx.Err(), or a *PanicError.
func Run(ctx context.Context, world World, opts Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(ctx, world, opts)
	// The caller handles signals. A signal ends ctx.
	with := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler()}
	if opts.Input != nil {
		with = append(with, tea.WithInput(opts.Input))
	}
	if opts.Output != nil {
		with = append(with, tea.WithOutput(opts.Output))
	}
	g := &guard{model: m}
	p := tea.NewProgram(g, with...)
	g.program = p
	_, err := p.Run()
	if g.caught != nil {
		return g.caught // the exit of the process closes the open files
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
