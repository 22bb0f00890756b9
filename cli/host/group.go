package host

import (
	"bytes"
	"context"
	"os/exec"
	"time"
)

// printed is the output of a program.
type printed struct {
	stdout, stderr []byte
	late           bool // the timeout has ended the program
}

// inProject runs a program in the root of a project, and returns up to limit bytes of output. The program is killed
// after timeout, or when ctx ends. When the program ends, its child processes are killed. If the output is longer than
// limit, the error is errTooMuch.
func (h Host) inProject(ctx context.Context, timeout time.Duration, root string, limit int, argv []string, env ...string) (printed, error) {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.CommandContext(limited, argv[0], argv[1:]...)
	cmd.Dir = root
	cmd.Env = append(append(append([]string{}, h.Environ...), "PWD="+root), env...)
	cmd.WaitDelay = time.Second
	stdout, stderr := &upTo{limit: limit}, &upTo{limit: limit}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	endGroup := inGroup(cmd)
	err := cmd.Run()
	endGroup()
	if stdout.more || stderr.more {
		err = errTooMuch
	}
	return printed{stdout.buf.Bytes(), stderr.buf.Bytes(), ctx.Err() == nil && limited.Err() != nil}, err
}

// upTo is a buffer whose Write fails instead of exceeding the limit.
type upTo struct {
	buf   bytes.Buffer // not embedded, because io.Copy would call its ReadFrom instead of Write
	limit int
	more  bool
}

// Write implements io.Writer.
func (o *upTo) Write(b []byte) (int, error) {
	if o.buf.Len()+len(b) > o.limit {
		o.more = true
		return 0, errTooMuch
	}
	return o.buf.Write(b)
}
