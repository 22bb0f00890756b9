package tui

import (
	"context"

	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/screen"
)

// Changes is what writes files, and what takes that back. Without it those keys are not there. An error says in one or
// two sentences why something could not be done.
type Changes interface {
	// Plan looks up, now, what a change would touch. Nothing is written. ctx ends when the person goes on to something
	// else.
	Plan(ctx context.Context, ask Change) (Plan, error)
	// Do carries a plan out as it was shown; what is not as it was planned is left alone, and said. It is not
	// called twice with one plan. ctx ends with the program, and then what was begun is finished.
	Do(ctx context.Context, plan Plan) (Done, error)
	// Past are the last actions, newest first, with what can be taken back of them.
	Past(ctx context.Context) ([]PastAction, error)
}

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
