package action

import (
	"context"
	"time"

	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/annotate"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript/stats"
	"github.com/continuo-tui/continuo/tui/dialog"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Actions acts on rows. If Actions is nil, the keys of its methods don't exist. An error has one or two sentences with
// the reason.
type Actions interface {
	// Resume checks a session and resumes it. If there are problems, it returns a plan with choices. Each call repeats
	// all checks immediately before it starts a program. The next key press cancels ctx of Resume and Edit, except
	// during a Takeover.
	Resume(ctx context.Context, row sessions.Row, ask resume.Ask) (Outcome, error)
	// Folders returns the directories that match the typed text. The text may start with ~ or be a relative path.
	// Matching directories of known come first. For an empty text, Folders returns only existing directories of known.
	Folders(ctx context.Context, typed string, known []string) []string
	// Copy copies a text from a row to the clipboard.
	Copy(ctx context.Context, row sessions.Row, what Quote) (Copied, error)
	// Backup copies transcripts to the memory directories of their projects. If write is false, it copies nothing and
	// only returns these directories. The next key press cancels such a call. If write is true, the end of the program
	// cancels ctx.
	Backup(ctx context.Context, rows []sessions.Row, write bool) (Outcome, error)
	// Annotate changes the name, star, tags or note of sessions. The catalogue then sends the changed rows.
	Annotate(ctx context.Context, rows []sessions.Row, e annotate.Edit) error
	// Figures counts what happened in a session or backup, like `continuo stats`.
	Figures(ctx context.Context, row sessions.Row) (stats.Figures, error)
	// FiguresOf counts what happened in sessions between two times, like `continuo stats --day`. active is the number
	// of sessions with activity. Unreadable files are skipped. The first error is returned.
	FiguresOf(ctx context.Context, rows []sessions.Row, from, to time.Time) (f stats.Figures, active int, err error)
	// Edit prepares the editor for a file of the row. A relative path starts at the folder of the row.
	Edit(ctx context.Context, row sessions.Row, file string, line int) (screen.Takeover, error)
	// View opens an image in the image viewer of the desktop, and returns a message.
	View(ctx context.Context, image []byte) (said string, err error)
}

// Outcome is the result of an action. Exactly one field is set. With Run, Said may be set too: it describes what was
// done before Run, and is shown after Run.
type Outcome struct {
	Plan   *resume.Plan      // nothing was started; the user must choose
	Run    screen.Takeover   // a program to run in this terminal
	Said   string            // message about a program started elsewhere
	Note   string            // why nothing was done
	Leave  bool              // the browser must quit for the started program
	Drives string            // ID of the session that continuo now drives
	Goes   []screen.BackupTo // target directory of each backup; nothing was copied
}

// Copied describes a copied text. If Send isn't empty, the terminal copies the text when it receives Send.
type Copied struct{ Said, Send string }

// Quote selects the text to copy from a row.
type Quote struct {
	Kind QuoteKind
	Text string // for QuoteText: the text, called Name
	Name string
}

// QuoteKind is the kind of text to copy, as in `continuo copy`.
type QuoteKind string

// The kinds of text to copy.
const (
	QuoteID      QuoteKind = "id"
	QuoteCommand QuoteKind = "command" // the shell command that resumes the session
	QuotePath    QuoteKind = "path"
	QuoteAnswer  QuoteKind = "answer" // the last answer
	QuoteCode    QuoteKind = "code"   // the last block of code
	QuoteText    QuoteKind = "text"   // text that was selected in the browser
)

// Changes changes files and undoes such changes. If Changes is nil, the keys of its methods don't exist. An error has
// one or two sentences with the reason.
type Changes interface {
	// Plan plans a change and writes nothing. The next key press cancels ctx.
	Plan(ctx context.Context, ask screen.Change) (screen.Plan, error)
	// Do carries out a plan exactly as it was shown. A file that has changed meanwhile is skipped and reported. Do is
	// called once for each plan. When the program ends, ctx is cancelled, but a running change is completed.
	Do(ctx context.Context, plan screen.Plan) (screen.Done, error)
	// Handover returns the handover for a ChangeHandover. If ask has a handover, only its stores are checked again.
	// Handover writes nothing. Closing the dialog cancels ctx.
	Handover(ctx context.Context, ask screen.Change) (screen.Handover, error)
	// Past returns the undo list: the last actions, newest first.
	Past(ctx context.Context) ([]screen.PastAction, error)
}

// Ledgers reads the ledgers of projects.
type Ledgers interface {
	dialog.Recalls
	// Ledger reads the ledger of a folder.
	Ledger(ctx context.Context, dir string) (survey.Ledger, error)
	// Take copies a recovery to the clipboard, or starts a session with it. Take writes nothing to the project.
	Take(ctx context.Context, dir string, r recovery.Result, how screen.Taking) (Taken, error)
}

// Taken is the result of Take. Either Run or Said is set. If Send isn't empty, the caller must write it to the
// terminal.
type Taken struct {
	Run  screen.Takeover
	Said string
	Send string
}
