// Package tui is the browser of continuo: lists of sessions, backups and documents, the ledger of a project, and a reader.
//
// It is one Bubble Tea program. The model (model.go) keeps a stack of screens (screens.go, stack.go), which are packages of
// their own. Only commands (commands.go, and those of the screens) reach the world: through Source, Doc, Actions, Changes,
// Projects and Ledgers, which the caller brings. So there is no I/O, no clock and no environment in Update and View. An answer
// is dropped when it is not of the last question. The selection belongs to a row, never to a line.
package tui

import (
	"context"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/list"
	"github.com/continuo-tui/continuo/tui/opened"
	"github.com/continuo-tui/continuo/tui/reader"
)

// Source is what there is to look at.
type Source interface {
	// Rows streams the catalogue: quick figures first, exact ones replace them. The channel closes at the end.
	Rows(ctx context.Context) <-chan sessions.Batch
	// Watch streams what changes afterwards, until ctx ends. awake says whether the person is looking: it is
	// asked how often to look again.
	Watch(ctx context.Context, awake func() bool) <-chan sessions.Batch
	// Open opens one row for reading.
	Open(ctx context.Context, row sessions.Row) (Doc, error)
}

// Opened is a Source that wants to know what was opened in the reader. The preview opens rows too.
type Opened = reader.Opened

// Doc is one opened transcript or document.
type Doc = opened.Doc

// Place is where sessions were looked for.
type Place = list.Place

// Options are the facts about the world that the program may not look up itself.
type Options struct {
	Home    string              // the home directory: shown as ~
	Project string              // root of the project it was started in, "" none: the list opens on it
	Dirs    []string            // Claude config dirs that are searched
	Looked  []Place             // where sessions were looked for: named when nothing was found
	Demo    Takeover            // shows made-up sessions, offered where there are none; nil: it isn't
	Now     func() time.Time    // the clock; its location is the zone of the times shown
	NoColor bool                // bold, underline and SGR 2 only, whatever the terminal can do
	ASCII   bool                // glyphs of ASCII, for a terminal or a font that lacks the others
	Popup   bool                // of tmux: it cannot open another
	Tmux    bool                // it runs inside tmux
	Theme   string              // dark or light; else as the terminal says
	Keys    map[string][]string // other keys for actions, by name; CheckKeys has found nothing wrong with them
	// Ended is told, after the end, what became of a change that was agreed to and that no screen has told of. The error
	// is that of Changes.Do, ErrNotBegun or ErrUnfinished. Nil: nobody asks.
	Ended  func(done Done, err error)
	Input  io.Reader // nil: the terminal
	Output io.Writer // nil: the terminal
}

// Run shows the browser until it is quit. It is the only door of the package. The error is that of the
// terminal, of ctx when that ended first, or a *PanicError.
func Run(ctx context.Context, world World, opts Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(ctx, world, opts)
	// Signals are the caller's: they end ctx.
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
		return g.caught // what is open is in an unknown state, and goes with the process
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
