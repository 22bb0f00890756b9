package host

import (
	"bytes"
	"context"
	"os/exec"
	"time"
)

type printed struct {
	stdout, stderr []byte
	late           bool // the program was killed after the timeout
}

// inProject runs a program in the root of a project. It returns up to limit bytes of output; longer output is
// errTooMuch. It kills the program after timeout or when ctx ends. Child processes never outlive the program.
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

// upTo is a buffer whose Write fails at the limit.
type upTo struct {
	buf   bytes.Buffer // not embedded: io.Copy would call its ReadFrom
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
