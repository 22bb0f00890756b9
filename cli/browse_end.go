package cli

import (
	"errors"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui"
)

// sayEnded says what became of a change that was agreed to right before the browser was quit, so that no screen has told of
// it. What was not done, or went wrong, is the error.
func sayEnded(s *out.Output, done tui.Done, err error) error {
	switch {
	case errors.Is(err, tui.ErrNotBegun):
		return &out.Failure{What: "Nothing was done: the browser was quit before it began.", Cause: err}
	case errors.Is(err, tui.ErrUnfinished):
		return &out.Failure{What: "The browser was quit, and what it was doing is not done yet. See what was done.", Hints: []string{"continuo undo --list"}, Cause: err}
	case err != nil:
		return err
	}
	if done.Said != "" {
		s.Err.Print(transcript.CleanLine(done.Said) + "\n")
	}
	if done.But != "" {
		return &out.Failure{What: done.But}
	}
	return nil
}
