package out

import (
	"context"
	"io"
	"strings"
)

// Agreed asks a yes-or-no question on stderr. It reports whether the answer is yes.
func (s *Output) Agreed(ctx context.Context) (bool, error) {
	s.Err.Print("Do this? [y/N] ")
	line, err := ReadLine(ctx, s.Stdin)
	answer := strings.ToLower(strings.TrimSpace(line))
	return err == nil && (answer == "y" || answer == "yes"), err
}

// ReadLine reads a line byte by byte, and leaves further input unread. It returns early if ctx ends; the read
// then continues in the background.
func ReadLine(ctx context.Context, in io.Reader) (string, error) {
	type answer struct {
		line string
		err  error
	}
	got := make(chan answer, 1)
	go func() {
		var line []byte
		b := make([]byte, 1)
		for len(line) < 4096 {
			n, err := in.Read(b)
			if n > 0 && b[0] == '\n' {
				break
			}
			line = append(line, b[:n]...)
			if err != nil {
				got <- answer{string(line), err}
				return
			}
		}
		got <- answer{strings.TrimSuffix(string(line), "\r"), nil}
	}()
	select {
	case a := <-got:
		return a.line, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
