package tui

import (
	"context"

	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/action"
	"github.com/continuo-tui/continuo/tui/screen"
)

// What the caller brings for the actions.
type (
	// Actions is what can be done with a row.
	Actions = action.Actions
	// Changes is what writes files, and what takes that back.
	Changes = action.Changes
	// Outcome is what has become of an action.
	Outcome = action.Outcome
	// Copied says what was copied.
	Copied = action.Copied
	// Quote is what can be copied of a row.
	Quote = action.Quote
	// QuoteKind names what is copied.
	QuoteKind = action.QuoteKind
	// BackupTo is where the transcript of a session would be copied to.
	BackupTo = screen.BackupTo
	// Takeover is a program that takes over the terminal until it ends.
	Takeover = screen.Takeover
	// Taken is what became of a recovery.
	Taken = action.Taken
)

// What can be copied.
const (
	QuoteID      = action.QuoteID
	QuoteCommand = action.QuoteCommand
	QuotePath    = action.QuotePath
	QuoteAnswer  = action.QuoteAnswer
	QuoteCode    = action.QuoteCode
	QuoteText    = action.QuoteText
)

// What has become of a change that was agreed to when the program ends.
var (
	ErrNotBegun   = action.ErrNotBegun
	ErrUnfinished = action.ErrUnfinished
)

type (
	// Change is what a person asks for.
	Change = screen.Change
	// ChangeKind names a change.
	ChangeKind = screen.ChangeKind
	// Plan is what a change would do.
	Plan = screen.Plan
	// Wrong is what is wrong with a field of an entry.
	Wrong = screen.Wrong
	// Done is what has become of a plan.
	Done = screen.Done
	// PastAction is something that was done.
	PastAction = screen.PastAction
)

// The changes.
const (
	ChangeDiscard  = screen.ChangeDiscard
	ChangeRestore  = screen.ChangeRestore
	ChangeVerify   = screen.ChangeVerify
	ChangeUndo     = screen.ChangeUndo
	ChangeSave     = screen.ChangeSave
	ChangeNote     = screen.ChangeNote
	ChangeStage    = screen.ChangeStage
	ChangeHandoff  = screen.ChangeHandoff
	ChangeEvidence = screen.ChangeEvidence
)

// Projects is what is known of a project, for its page. Without it the page is not there.
type Projects interface {
	// Project looks at a directory, now.
	Project(ctx context.Context, dir string) (survey.Project, error)
}

// World is what the browser looks at and what it can have done. Only Source has to be there.
type World struct {
	Source   Source
	Actions  Actions
	Changes  Changes
	Projects Projects
	Ledgers  Ledgers
}
