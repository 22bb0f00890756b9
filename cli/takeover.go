package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/tui/render"
)

// takeover is a program ready to take over the terminal. It has the shape of tea.ExecCommand.
type takeover struct {
	env     *Env
	o       *out.Output
	program host.Foreground
	line    string                    // for a shell, shown before it runs; "" not
	said    string                    // what before does, for the failure of what runs after it; "" not
	before  func() (*prepared, error) // claims what it writes to and makes its folder; nil: there is nothing
	hold    bool                      // when it fails at once, what it said stays until enter: a browser would cover it
}

// holdWithin is how soon a program has to fail for what it said to be the reason.
const holdWithin = 10 * time.Second

// Run starts the program and waits until it ends. That it ended with a failure is an error. That a signal ended it
// (ctrl+c is one) is none.
func (t *takeover) Run() error {
	r := &prepared{settle: func(int, string) {}}
	if t.program.Stdin == nil {
		t.program.Stdin, t.program.Stdout, t.program.Stderr = t.o.Stdin, t.o.Out.W, t.o.Err.W
	}
	if t.line != "" && t.o.Out.Terminal {
		_, _ = io.WriteString(t.program.Stdout, t.o.Out.Styles.Paint(render.Faint, out.OneLine(t.line))+"\n")
	}
	if t.before != nil {
		var err error
		if r, err = t.before(); err != nil {
			return err
		}
		if r.lost != "" {
			_, _ = io.WriteString(t.program.Stderr, out.OneLine(r.lost)+"\n")
		}
	}
	defer t.env.signals.Yield()()
	began, started := time.Now(), false
	err := t.program.Run(func(pid int) {
		started = true
		r.settle(pid, "")
	})
	r.settle(0, "")
	if !started {
		return r.but(err)
	}
	exit, ok := errors.AsType[*host.ExitError](err)
	if !ok {
		return err
	}
	const signalled = 128
	code := exit.ExitCode()
	if code <= 0 || code >= signalled {
		return nil
	}
	what := fmt.Sprintf("%s ended with exit code %d.", t.program.Name(), code)
	if t.hold && time.Since(began) < holdWithin {
		_, _ = io.WriteString(t.program.Stdout, "\n"+what+" Press enter to go back.")
		_, _ = out.ReadLine(context.Background(), t.program.Stdin)
	}
	return &out.Failure{What: joinSentences(what, t.said), Cause: err}
}

// SetStdin implements tea.ExecCommand.
func (t *takeover) SetStdin(in io.Reader) { t.program.Stdin = in }

// SetStdout implements tea.ExecCommand.
func (t *takeover) SetStdout(out io.Writer) { t.program.Stdout = out }

// SetStderr implements tea.ExecCommand.
func (t *takeover) SetStderr(err io.Writer) { t.program.Stderr = err }
