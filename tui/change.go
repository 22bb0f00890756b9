package tui

import (
	"context"

	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/action"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Names for the types in the interfaces that the caller implements.
type (
	// Actions acts on rows.
	Actions = action.Actions
	// Changes changes files and undoes such changes.
	Changes = action.Changes
	// Outcome is the result of an action.
	Outcome = action.Outcome
	// Copied describes a copied text.
	Copied = action.Copied
	// Quote selects the text to copy from a row.
	Quote = action.Quote
	// QuoteKind is the kind of text to copy.
	QuoteKind = action.QuoteKind
	// BackupTo describes the backup that a session would have.
	BackupTo = screen.BackupTo
	// Takeover is a program that takes over the terminal until it ends.
	Takeover = screen.Takeover
	// Taken is the result of using a recovery.
	Taken = action.Taken
)

// The kinds of text to copy.
const (
	QuoteID      = action.QuoteID
	QuoteCommand = action.QuoteCommand
	QuotePath    = action.QuotePath
	QuoteAnswer  = action.QuoteAnswer
	QuoteCode    = action.QuoteCode
	QuoteText    = action.QuoteText
)

// Errors for Options.Ended, if a confirmed change wasn't complete at the end of the program.
var (
	ErrNotBegun   = action.ErrNotBegun
	ErrUnfinished = action.ErrUnfinished
)

type (
	// Change is a change to files that the user asks for.
	Change = screen.Change
	// ChangeKind is the kind of a change.
	ChangeKind = screen.ChangeKind
	// Plan describes a change before it is made.
	Plan = screen.Plan
	// Wrong describes an invalid field of a note.
	Wrong = screen.Wrong
	// Done is the result of a plan that was carried out.
	Done = screen.Done
	// ExportAs has the format and the target of a ChangeExport.
	ExportAs = screen.ExportAs
	// Handover is the handover of a session, and the stores of its project.
	Handover = screen.Handover
	// HandoverStore is a store that a handover can be written to.
	HandoverStore = screen.HandoverStore
	// PastAction is an entry of the list of actions that can be undone.
	PastAction = screen.PastAction
)

// The kinds of changes.
const (
	ChangeDiscard  = screen.ChangeDiscard
	ChangeDelete   = screen.ChangeDelete
	ChangeRestore  = screen.ChangeRestore
	ChangeVerify   = screen.ChangeVerify
	ChangeUndo     = screen.ChangeUndo
	ChangeSave     = screen.ChangeSave
	ChangeNote     = screen.ChangeNote
	ChangeStage    = screen.ChangeStage
	ChangeExport   = screen.ChangeExport
	ChangeHandover = screen.ChangeHandover
	ChangeEvidence = screen.ChangeEvidence
	ChangeDelta    = screen.ChangeDelta
	ChangeForks    = screen.ChangeForks
	ChangeHeal     = screen.ChangeHeal
	ChangeLint     = screen.ChangeLint
)

// Projects reads the facts for the project page. If Projects is nil, there is no project page.
type Projects interface {
	// Project reads the current facts about the project in a directory.
	Project(ctx context.Context, dir string) (survey.Project, error)
}

// World has the interfaces to everything outside the browser. Only Source must be set.
type World struct {
	Source   Source
	Actions  Actions
	Changes  Changes
	Projects Projects
	Ledgers  Ledgers
	Tasks    Tasks
	Searcher Searcher
	Live     Live // nil: there is no Live tab
}
