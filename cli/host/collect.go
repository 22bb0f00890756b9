package host

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"time"
)

// ErrTooMuch reports an answer that is longer than its limit.
var ErrTooMuch = errors.New("its answer is too long")

// Answer is what a program printed.
type Answer struct{ Out, Messages []byte }

// Collect runs a program in a directory, with variables added to the environment, and returns what it prints: most bytes
// of each stream. It and all that it starts end with ctx, with the limit, and when it does.
//
// The error is that of ctx, ErrTooMuch, ErrSilent, or that of the program. A program that ends well and leaves a child
// behind has ended well.
func (h Host) Collect(ctx context.Context, limit time.Duration, most int, dir string, env []string, program string, args ...string) (Answer, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(limited, program, args...)
	cmd.Dir = dir
	cmd.Env = append(append(append([]string{}, h.Environ...), "PWD="+dir), env...)
	cmd.WaitDelay = time.Second
	out, messages := &upTo{limit: most}, &upTo{limit: most}
	cmd.Stdout, cmd.Stderr = out, messages
	endGroup := inGroup(cmd)
	err := cmd.Run()
	endGroup()
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case out.more || messages.more:
		err = ErrTooMuch
	case errors.Is(err, exec.ErrWaitDelay):
		err = nil
	case err != nil && limited.Err() != nil:
		err = ErrSilent
	}
	return Answer{out.buf.Bytes(), messages.buf.Bytes()}, err
}

// upTo keeps what is written to it, and refuses what is more than its limit.
type upTo struct {
	buf   bytes.Buffer // not embedded: io.Copy would go round Write
	limit int
	more  bool
}

// Write implements io.Writer.
func (o *upTo) Write(b []byte) (int, error) {
	if o.buf.Len()+len(b) > o.limit {
		o.more = true
		return 0, ErrTooMuch
	}
	return o.buf.Write(b)
}
