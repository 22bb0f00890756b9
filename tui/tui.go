// Package tui is the browser of continuo: lists of sessions, backups and documents, the ledger of a project, and a reader.
//
// It is one Bubble Tea program. The model (model.go) keeps a stack of screens (stack.go), of which most are packages of their
// own; the lists and the reader are still its own (rest.go). Only commands (commands*.go, and those of the screens) reach the
// world: through Source, Doc, Actions, Changes, Projects and Ledgers, which the caller brings. So there is no I/O, no clock and
// no environment in Update and View. An answer is dropped when it is not of the last question. The selection belongs to a row,
// never to a line.
//
// A conversation is never drawn as a whole: the window of package blocks asks for the messages that are visible and one screen
// around them, commands decode and draw them, and the cache (cache.go) keeps a bounded part.
package tui

import (
	"context"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/screen"
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
type Opened interface {
	Opened(row sessions.Row)
}

// Doc is one opened transcript or document. Its methods are called one at a time.
type Doc interface {
	// Outline lists the messages of every thread, main thread first, in reading order; the sections of a document.
	Outline() []transcript.MessageRef
	// Threads lists the threads; MessageRef.Thread points into it.
	Threads() []transcript.Thread
	// Messages decodes the messages [from, to) of the outline.
	Messages(ctx context.Context, from, to int) ([]transcript.Message, error)
	// Follow takes in what was appended and reports whether the outline is another one now. The error is
	// transcript.ErrRewritten when the file is no longer the one that was opened; what was read stays readable.
	Follow(ctx context.Context) (bool, error)
	Close() error
}

// Actions is what can be done with a row. Without it nothing can, and the keys are not there. An error says in one or
// two sentences why it could not be done.
type Actions interface {
	// Resume goes on with a session, or says what a person has to know and choose first. What stands in the way is
	// looked at anew on every call, right before anything runs. ctx ends when the person goes on to something else, of
	// this and of Edit; else not before a Takeover has.
	Resume(ctx context.Context, row sessions.Row, ask resume.Ask) (Outcome, error)
	// Folders are the directories that fit what is typed, as it is typed: with ~ or from the current one. Those of
	// known that are there come first where they have it in them; with nothing typed they are all.
	Folders(ctx context.Context, typed string, known []string) []string
	// Copy puts something of a row on the clipboard.
	Copy(ctx context.Context, row sessions.Row, what Quote) (Copied, error)
	// Backup copies the transcripts of sessions into the memories of their projects, or says where each would go: nothing
	// is written without do. ctx ends when the person goes on to something else; with do, when the program ends.
	Backup(ctx context.Context, rows []sessions.Row, do bool) (Outcome, error)
	// Edit prepares the editor on a file that the row names; its path may be relative to the folder of the row.
	Edit(ctx context.Context, row sessions.Row, file string, line int) (Takeover, error)
}

// Outcome is what has become of an action: one of its fields is set, or none, when it is done and there is nothing to
// say. Beside Run Said is what that does before anything runs: it is said when the terminal is back.
type Outcome struct {
	Plan  *resume.Plan // nothing has run: this is to be known and chosen first
	Run   Takeover     // it is to be run in this terminal
	Said  string       // it was started elsewhere
	Note  string       // nothing was done, and why
	Leave bool         // the browser is in the way of what was started, and ends
	Goes  []BackupTo   // nothing was copied: this is where each backup would go
}

// BackupTo is where the transcript of a session would be copied to.
type BackupTo = screen.BackupTo

// Copied says what was copied. Send, when there is some, is what the terminal has to be sent for it.
type Copied struct{ Said, Send string }

// Quote is what can be copied of a row.
type Quote struct {
	Kind QuoteKind
	Text string // of QuoteText, with Name as the word for it
	Name string
}

// QuoteKind names what is copied; the words are those of `continuo copy`.
type QuoteKind string

// What can be copied.
const (
	QuoteID      QuoteKind = "id"
	QuoteCommand QuoteKind = "command" // that resumes it, for a shell
	QuotePath    QuoteKind = "path"
	QuoteAnswer  QuoteKind = "answer" // the last one
	QuoteCode    QuoteKind = "code"   // the last block of code
	QuoteText    QuoteKind = "text"   // what is under the bar
)

// Takeover is a program that takes over the terminal until it ends.
type Takeover = screen.Takeover

// Place is where sessions were looked for.
type Place struct {
	Path    string // or the name of a variable
	Note    string // what is there, in a few words
	Missing bool   // it is not there, or cannot be read
}

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
