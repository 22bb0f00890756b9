package action

import (
	"context"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

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
	Edit(ctx context.Context, row sessions.Row, file string, line int) (screen.Takeover, error)
}

// Outcome is what has become of an action: one of its fields is set, or none, when it is done and there is nothing to
// say. Beside Run Said is what that does before anything runs: it is said when the terminal is back.
type Outcome struct {
	Plan  *resume.Plan      // nothing has run: this is to be known and chosen first
	Run   screen.Takeover   // it is to be run in this terminal
	Said  string            // it was started elsewhere
	Note  string            // nothing was done, and why
	Leave bool              // the browser is in the way of what was started, and ends
	Goes  []screen.BackupTo // nothing was copied: this is where each backup would go
}

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

// Changes is what writes files, and what takes that back. Without it those keys are not there. An error says in one or
// two sentences why something could not be done.
type Changes interface {
	// Plan looks up, now, what a change would touch. Nothing is written. ctx ends when the person goes on to something
	// else.
	Plan(ctx context.Context, ask screen.Change) (screen.Plan, error)
	// Do carries a plan out as it was shown; what is not as it was planned is left alone, and said. It is not
	// called twice with one plan. ctx ends with the program, and then what was begun is finished.
	Do(ctx context.Context, plan screen.Plan) (screen.Done, error)
	// Past are the last actions, newest first, with what can be taken back of them.
	Past(ctx context.Context) ([]screen.PastAction, error)
}

// Ledgers is what the actions want of the ledgers of projects.
type Ledgers interface {
	dialog.Recalls
	// Ledger reads the ledger of a folder.
	Ledger(ctx context.Context, dir string) (survey.Ledger, error)
	// Take does with a recovery what writes nothing into the project: to the clipboard, or a new session that starts
	// with it.
	Take(ctx context.Context, dir string, r recovery.Result, how screen.Taking) (Taken, error)
}

// Taken is what became of it: one of Run and Said is set. Send is what the terminal has to be sent.
type Taken struct {
	Run  screen.Takeover
	Said string
	Send string
}
