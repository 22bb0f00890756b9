package cli

import (
	"errors"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui"
)

// ended says what became of a change that was agreed to right before the browser was quit, so that no screen has told of
// it. What was not done, or went wrong, is the error.
func (s *Output) ended(done tui.Done, err error) error {
	switch {
	case errors.Is(err, tui.ErrNotBegun):
		return &failure{what: "Nothing was done: the browser was quit before it began.", cause: err}
	case errors.Is(err, tui.ErrUnfinished):
		return &failure{what: "The browser was quit, and what it was doing is not done yet. See what was done.", hints: []string{"continuo undo --list"}, cause: err}
	case err != nil:
		return err
	}
	if done.Said != "" {
		s.err.print(transcript.CleanLine(done.Said) + "\n")
	}
	if done.But != "" {
		return &failure{what: done.But}
	}
	return nil
}
