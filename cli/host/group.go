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
	late           bool // ended by the timeout
}

// inProject runs a program in the root of a project and returns up to most bytes of output. The program and its child
// processes end at the timeout, with ctx, and when the program exits. The error is errTooMuch for longer output.
func (h Host) inProject(ctx context.Context, limit time.Duration, root string, most int, argv []string, env ...string) (printed, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(limited, argv[0], argv[1:]...)
	cmd.Dir = root
	cmd.Env = append(append(append([]string{}, h.Environ...), "PWD="+root), env...)
	cmd.WaitDelay = time.Second
	stdout, stderr := &upTo{limit: most}, &upTo{limit: most}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	endGroup := inGroup(cmd)
	err := cmd.Run()
	endGroup()
	if stdout.more || stderr.more {
		err = errTooMuch
	}
	return printed{stdout.buf.Bytes(), stderr.buf.Bytes(), ctx.Err() == nil && limited.Err() != nil}, err
}

// upTo is a buffer that refuses writes beyond its limit.
type upTo struct {
	buf   bytes.Buffer // not embedded: io.Copy would bypass Write
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
