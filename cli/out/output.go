package out

import (
	"io"
	"strconv"
)

// Output has a command's standard streams and their settings.
type Output struct {
	Stdin    io.Reader
	Typing   bool // stdin is a terminal
	Out, Err *Stream
	JSON     bool
	// Take, if set, gets the values of --json, one call for each row. Nothing is printed.
	Take func(v any) error
}

// New returns an Output for the standard streams. The variables of getenv determine colours and glyphs.
func New(stdin io.Reader, stdout, stderr io.Writer, getenv func(string) string) *Output {
	return &Output{Stdin: stdin, Typing: isTerminal(stdin), Out: newStream(stdout, getenv), Err: newStream(stderr, getenv)}
}

// Fail prints an error on stderr and returns its exit code.
func (s *Output) Fail(err error) int {
	f := AsFailure(err)
	s.Err.Print(f.Text(s.Err.Styles, s.Err.cells()))
	return f.ExitCode()
}

// PrintJSON prints a value as JSON on one line.
func (s *Output) PrintJSON(v any) error {
	if s.Take != nil {
		return s.Take(v)
	}
	line, err := EncodeJSON(v)
	if err == nil {
		s.Out.Exact(line + "\n")
	}
	return err
}

// PrintPage prints a text or, with --json, a value that has the text.
func (s *Output) PrintPage(text string, value any) error {
	if s.JSON {
		return s.PrintJSON(value)
	}
	s.Out.Exact(text)
	return nil
}

// printArray prints n values as a JSON array, one on each line. It writes in pieces, because the text can have
// megabytes.
func (s *Output) printArray(n int, value func(i int) any) error {
	if s.Take != nil {
		for i := range n {
			if err := s.Take(value(i)); err != nil {
				return err
			}
		}
		return nil
	}
	const piece = 64 << 10 // bytes
	b := append(make([]byte, 0, 2*piece), '[')
	for i := range n {
		if len(b) >= piece {
			s.Out.Exact(string(b))
			b = b[:0]
		}
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendJSON(append(b, '\n'), value(i)); err != nil {
			return err
		}
	}
	s.Out.Exact(string(b) + "\n]\n")
	return nil
}

// SetColor checks the value of --color and applies it.
func (s *Output) SetColor(value string) error {
	switch mode := ColorMode(value); mode {
	case ColorAuto, ColorAlways, ColorNever:
		s.Out.setColor(mode)
		s.Err.setColor(mode)
		return nil
	}
	return Usage("--color takes auto, always or never, not " + Quoted(value) + ".")
}

// SetASCII applies the value of --ascii, true or false.
func (s *Output) SetASCII(value string) error {
	on, err := strconv.ParseBool(value)
	if err != nil {
		return Usage("--ascii takes true or false, not " + Quoted(value) + ".")
	}
	s.Out.SetASCII(on)
	s.Err.SetASCII(on)
	return nil
}

// Plain reports whether the browser can't be shown.
func (s *Output) Plain() bool { return s.JSON || !s.Out.Terminal || !s.Typing }
