package action

import (
	"context"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/annotate"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript/stats"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Actions acts on rows. Without it the keys of these actions don't exist. An error describes in one or two sentences
// why the action failed.
type Actions interface {
	// Resume resumes a session, or returns a plan of the problems and choices. Each call checks everything again, right
	// before anything runs. ctx of Resume and Edit ends when the user moves on, but never before a Takeover has ended.
	Resume(ctx context.Context, row sessions.Row, ask resume.Ask) (Outcome, error)
	// Folders returns the directories that match the typed text, which may start with ~ or be relative. Existing
	// directories of known that contain the text come first. If nothing is typed, only the existing directories of known
	// are returned.
	Folders(ctx context.Context, typed string, known []string) []string
	// Copy copies text of a row to the clipboard.
	Copy(ctx context.Context, row sessions.Row, what Quote) (Copied, error)
	// Backup copies the transcripts of sessions to the memories of their projects. Without do it writes nothing and
	// returns the destinations. ctx ends when the user moves on; with do, when the program ends.
	Backup(ctx context.Context, rows []sessions.Row, do bool) (Outcome, error)
	// Annotate changes what is written about sessions. The catalogue sends their rows again.
	Annotate(ctx context.Context, rows []sessions.Row, e annotate.Edit) error
	// Figures counts what happened in a session or backup, as `continuo stats` does.
	Figures(ctx context.Context, row sessions.Row) (stats.Figures, error)
	// Edit prepares the editor for a file of the row. The path may be relative to the folder of the row.
	Edit(ctx context.Context, row sessions.Row, file string, line int) (screen.Takeover, error)
	// View opens an image in the viewer of the desktop and returns a message.
	View(ctx context.Context, image []byte) (said string, err error)
}

// Outcome is the result of an action. At most one field is set, except that Said may accompany Run: it then describes a
// step that was done before Run, and is shown afterwards.
type Outcome struct {
	Plan  *resume.Plan      // nothing has run; the user must choose first
	Run   screen.Takeover   // program for this terminal
	Said  string            // message about a program that was started elsewhere
	Note  string            // reason why nothing was done
	Leave bool              // the browser must end for the started program
	Goes  []screen.BackupTo // destination of each backup; nothing was copied
}

// Copied describes the copied text. Send, if set, must be written to the terminal.
type Copied struct{ Said, Send string }

// Quote selects the text to copy from a row.
type Quote struct {
	Kind QuoteKind
	Text string // for QuoteText; Name is its name
	Name string
}

// QuoteKind is the kind of text to copy, as in `continuo copy`.
type QuoteKind string

// The kinds of text to copy.
const (
	QuoteID      QuoteKind = "id"
	QuoteCommand QuoteKind = "command" // shell command that resumes the session
	QuotePath    QuoteKind = "path"
	QuoteAnswer  QuoteKind = "answer" // the last answer
	QuoteCode    QuoteKind = "code"   // the last block of code
	QuoteText    QuoteKind = "text"   // selected in the browser
)

// Changes makes changes to files and undoes them. Without it the keys of these actions don't exist. An error describes
// in one or two sentences why the change failed.
type Changes interface {
	// Plan plans a change. It writes nothing. ctx ends when the user moves on.
	Plan(ctx context.Context, ask screen.Change) (screen.Plan, error)
	// Do carries out a plan as shown. It doesn't touch files that differ from the plan, and reports them. It is called
	// once per plan. ctx ends with the program; a change that has begun is finished.
	Do(ctx context.Context, plan screen.Plan) (screen.Done, error)
	// Past returns the last actions, newest first, and which can be undone.
	Past(ctx context.Context) ([]screen.PastAction, error)
}

// Ledgers reads the ledgers of projects.
type Ledgers interface {
	dialog.Recalls
	// Ledger reads the ledger of a folder.
	Ledger(ctx context.Context, dir string) (survey.Ledger, error)
	// Take copies a recovery to the clipboard or starts a session with it. It writes nothing into the project.
	Take(ctx context.Context, dir string, r recovery.Result, how screen.Taking) (Taken, error)
}

// Taken is the result of using a recovery: Run or Said is set. Send, if set, must be written to the terminal.
type Taken struct {
	Run  screen.Takeover
	Said string
	Send string
}
