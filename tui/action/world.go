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

// Actions acts on rows. Without Actions, the keys of these actions don't exist. An error says in one or two
// sentences why the action failed.
type Actions interface {
	// Resume resumes a session. If there are problems, it returns a plan with the problems and the choices instead.
	// Each call checks everything again, immediately before it starts a program. The ctx of Resume and Edit ends when
	// the user does something else, but never before a Takeover has ended.
	Resume(ctx context.Context, row sessions.Row, ask resume.Ask) (Outcome, error)
	// Folders returns directories that match the typed text. The text may start with ~ or be a relative path.
	// Directories of known that exist and contain the text come first. If nothing is typed, Folders returns only the
	// directories of known that exist.
	Folders(ctx context.Context, typed string, known []string) []string
	// Copy copies a text of a row to the clipboard.
	Copy(ctx context.Context, row sessions.Row, what Quote) (Copied, error)
	// Backup copies the transcripts of sessions to the memory directories of their projects. If write is false, it
	// writes nothing and only returns these directories. If write is true, ctx ends with the program. Otherwise, ctx
	// ends when the user does something else.
	Backup(ctx context.Context, rows []sessions.Row, write bool) (Outcome, error)
	// Annotate changes what is written about sessions. After that, the catalogue sends the rows of these sessions
	// again.
	Annotate(ctx context.Context, rows []sessions.Row, e annotate.Edit) error
	// Figures counts what happened in a session or backup, in the same way as `continuo stats`.
	Figures(ctx context.Context, row sessions.Row) (stats.Figures, error)
	// FiguresOf counts what happened in sessions from one time to another, as `continuo stats --day` does, and the
	// sessions with activity. It counts all files that can be read, and returns the first error.
	FiguresOf(ctx context.Context, rows []sessions.Row, from, to time.Time) (f stats.Figures, active int, err error)
	// Edit prepares the editor for a file of the row. The path may be relative to the folder of the row.
	Edit(ctx context.Context, row sessions.Row, file string, line int) (screen.Takeover, error)
	// View opens an image in the image viewer of the desktop. It returns a message.
	View(ctx context.Context, image []byte) (said string, err error)
}

// Outcome is the result of an action. At most one field is set, with one exception: Said may be set together with
// Run. It then describes a step that was carried out before Run, and is shown after Run.
type Outcome struct {
	Plan   *resume.Plan      // nothing has run, because the user must choose first
	Run    screen.Takeover   // program for this terminal
	Said   string            // message about a program that was started in another place
	Note   string            // why nothing was done
	Leave  bool              // the browser must end, so that the started program gets the terminal
	Drives string            // ID of the session that continuo drives
	Goes   []screen.BackupTo // directory for each backup; nothing was copied
}

// Copied describes what was copied. If Send is set, it must be written to the terminal.
type Copied struct{ Said, Send string }

// Quote selects the text of a row that should be copied.
type Quote struct {
	Kind QuoteKind
	Text string // for QuoteText: the text; Name is the name of this text
	Name string
}

// QuoteKind is the kind of text to copy. The kinds are the same as in `continuo copy`.
type QuoteKind string

// The kinds of text to copy.
const (
	QuoteID      QuoteKind = "id"
	QuoteCommand QuoteKind = "command" // the shell command that resumes the session
	QuotePath    QuoteKind = "path"
	QuoteAnswer  QuoteKind = "answer" // the last answer
	QuoteCode    QuoteKind = "code"   // the last block of code
	QuoteText    QuoteKind = "text"   // a text that was selected in the browser
)

// Changes changes files, and undoes such changes. Without Changes, the keys of these actions don't exist. An error
// says in one or two sentences why the change failed.
type Changes interface {
	// Plan plans a change. It writes nothing. ctx ends when the user does something else.
	Plan(ctx context.Context, ask screen.Change) (screen.Plan, error)
	// Do carries out a plan as it was shown. It leaves files alone that differ from the plan, and reports them. It is
	// called once for each plan. ctx ends with the program. A change that has begun is completed even then.
	Do(ctx context.Context, plan screen.Plan) (screen.Done, error)
	// Handover fills the handover of a ChangeHandover, or looks at the stores again for the one that the change has. It
	// writes nothing. ctx ends with the dialog.
	Handover(ctx context.Context, ask screen.Change) (screen.Handover, error)
	// Past returns the last actions, newest first, and says which of them can be undone.
	Past(ctx context.Context) ([]screen.PastAction, error)
}

// Ledgers reads the ledgers of projects.
type Ledgers interface {
	dialog.Recalls
	// Ledger reads the ledger of a folder.
	Ledger(ctx context.Context, dir string) (survey.Ledger, error)
	// Take copies a recovery to the clipboard, or starts a session with it. It writes nothing to the project.
	Take(ctx context.Context, dir string, r recovery.Result, how screen.Taking) (Taken, error)
}

// Taken is the result of using a recovery. Either Run or Said is set. If Send is set, it must be written to the
// terminal.
type Taken struct {
	Run  screen.Takeover
	Said string
	Send string
}
