package cli

import (
	"errors"
	"strings"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// failure is an error as a person reads it: what happened, and what to do.
type failure struct {
	code  int      // 0 is ExitFailed
	what  string   // two short sentences
	facts []string // candidates and the like, one a line
	hints []string // a command that can be pasted, three spaces, what it brings
	cause error    // nil when there is no other error below
	plain bool     // it is what the person wanted, so nothing went wrong
}

// Error implements error.
func (f *failure) Error() string { return f.what }

// Unwrap returns the error below.
func (f *failure) Unwrap() error { return f.cause }

func (f *failure) exitCode() int {
	if f.code == 0 {
		return ExitFailed
	}
	return f.code
}

// text is the failure as it is printed, cleaned, with a newline at the end. In a terminal of some cells it is broken at
// words, but for the hints, which are to be pasted; 0 breaks nothing.
func (f *failure) text(s *render.Styles, width int) string {
	switch {
	case f.plain && f.what == "": // what was printed says it
		return ""
	case f.plain:
		return f.what + "\n"
	}
	var b strings.Builder
	lines := []string{transcript.CleanLine(f.what)}
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
	for _, fact := range f.facts {
		b.WriteString("    " + oneLine(fact) + "\n")
	}
	for _, hint := range f.hints {
		b.WriteString("  " + s.Paint(render.Faint, "hint") + "  " + oneLine(hint) + "\n")
	}
	return b.String()
}

// cells is the width of a terminal, 0 elsewhere.
func (o *stream) cells() int {
	if o.terminal {
		return o.width
	}
	return 0
}

// oneLine cleans a line and keeps the blanks in it.
func oneLine(s string) string { return strings.ReplaceAll(transcript.Clean(s), "\n", " ") }

// asFailure finds the failure in err, or makes one of it.
func asFailure(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	return &failure{what: sentence(err.Error()), cause: err}
}

// usage is a failure of the command line itself.
func usage(what string, hints ...string) *failure {
	return &failure{what: what, hints: hints}
}
