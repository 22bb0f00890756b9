package host

import (
	"bytes"
	"context"
	"os/exec"
	"time"
)

// printed is what a program wrote.
type printed struct {
	out, said []byte // stdout and stderr
	late      bool   // it was ended because it took longer than its limit
}

// inProject runs a program in the root of a project and keeps up to most bytes of what it prints. It and all that it
// starts end with the limit, with ctx, and when it does. The error is errTooMuch when it prints more.
func (h Host) inProject(ctx context.Context, limit time.Duration, root string, most int, argv []string, env ...string) (printed, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(limited, argv[0], argv[1:]...)
	cmd.Dir = root
	cmd.Env = append(append(append([]string{}, h.Environ...), "PWD="+root), env...)
	cmd.WaitDelay = time.Second
	out, said := &upTo{limit: most}, &upTo{limit: most}
	cmd.Stdout, cmd.Stderr = out, said
	endGroup := inGroup(cmd)
	err := cmd.Run()
	endGroup()
	if out.more || said.more {
		err = errTooMuch
	}
	return printed{out.buf.Bytes(), said.buf.Bytes(), ctx.Err() == nil && limited.Err() != nil}, err
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
		return 0, errTooMuch
	}
	return o.buf.Write(b)
}
