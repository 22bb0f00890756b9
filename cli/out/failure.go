package out

import (
	"errors"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// Failure is an error for the user. It says what happened and what to do.
type Failure struct {
	Code  int      // exit code; 0 means ExitFailed
	What  string   // two short sentences
	Facts []string // details, each on one line
	Hints []string // commands; "COMMAND   effect" adds an explanation
	Cause error    // wrapped error; may be nil
	Plain bool     // the user has chosen this result, so it isn't shown as an error
}

// Error implements error.
func (f *Failure) Error() string { return f.What }

// Unwrap returns the wrapped error.
func (f *Failure) Unwrap() error { return f.Cause }

// ExitCode returns the exit code of the command.
func (f *Failure) ExitCode() int {
	if f.Code == 0 {
		return ExitFailed
	}
	return f.Code
}

// Text formats the failure without control characters, and with a newline at the end. It wraps lines at width
// cells; 0 means no wrapping. It never wraps hints, because users paste them.
func (f *Failure) Text(s *render.Styles, width int) string {
	switch {
	case f.Plain && f.What == "": // the output says why
		return ""
	case f.Plain:
		return f.What + "\n"
	}
	var b strings.Builder
	lines := []string{transcript.CleanLine(f.What)}
	if width > 0 {
		lines = render.Wrap(lines[0], max(width-2, 20))
	}
	for i, line := range lines {
		mark := "  "
		if i == 0 {
			mark = s.Paint(render.BadBold, "✗") + " "
		}
		b.WriteString(mark + s.Paint(render.Strong, line) + "\n")
	}
	for _, fact := range f.Facts {
		b.WriteString("    " + OneLine(fact) + "\n")
	}
	for _, hint := range f.Hints {
		b.WriteString("  " + s.Paint(render.Faint, "hint") + "  " + OneLine(hint) + "\n")
	}
	return b.String()
}

// cells returns the width of a terminal, or 0.
func (o *Stream) cells() int {
	if o.Terminal {
		return o.Width
	}
	return 0
}

// AsFailure returns the Failure that err wraps, or a new Failure that wraps err.
func AsFailure(err error) *Failure {
	if f, ok := errors.AsType[*Failure](err); ok {
		return f
	}
	return &Failure{What: Sentence(err.Error()), Cause: err}
}

// Usage returns a failure for a wrong command line.
func Usage(what string, hints ...string) *Failure {
	return &Failure{What: what, Hints: hints}
}

// The exit codes of every command.
const (
	ExitDone   = 0  // done
	ExitNo     = 1  // no match, a rejected gate, or findings
	ExitFailed = 2  // the command failed, or its command line is wrong
	ExitNone   = 3  // no such session, backup or task
	ExitBug    = 70 // a bug; stderr names the report
)
