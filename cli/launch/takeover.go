package launch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/tui/render"
)

// Takeover is a tea.ExecCommand that uses the terminal until it ends.
type Takeover struct {
	env     *place.Env
	o       *out.Output
	Program host.Foreground
	Line    string // shell line to print first; may be ""
	Said    string // what before has done, for error messages; may be ""
	// Claims the session and creates its folder; may be nil.
	before func() (*prepared, error)
	Pause  bool // wait for enter at the end
	// Wait for enter after an early failure, or the browser would hide the output.
	Hold bool
}

// holdWithin is how long after the start a failure counts as early.
const holdWithin = 10 * time.Second

// Run starts the program and waits for its exit. If a signal ends the program, the error is nil.
func (t *Takeover) Run() error {
	r := &prepared{settle: func(int, string) {}}
	if t.Program.Stdin == nil {
		t.Program.Stdin, t.Program.Stdout, t.Program.Stderr = t.o.Stdin, t.o.Out.W, t.o.Err.W
	}
	if t.Line != "" && t.o.Out.Terminal {
		_, _ = io.WriteString(t.Program.Stdout, t.o.Out.Styles.Paint(render.Faint, out.OneLine(t.Line))+"\n")
	}
	if t.before != nil {
		var err error
		if r, err = t.before(); err != nil {
			return err
		}
		if r.lost != "" {
			_, _ = io.WriteString(t.Program.Stderr, out.OneLine(r.lost)+"\n")
		}
	}
	defer t.env.Signals.Yield()()
	began, started := time.Now(), false
	err := t.Program.Run(func(pid int) {
		started = true
		r.settle(pid, "")
	})
	r.settle(0, "")
	if !started {
		return r.withRestored(err)
	}
	if t.Pause {
		t.wait("")
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
	what := fmt.Sprintf("%s ended with exit code %d.", t.Program.Name(), code)
	if t.Hold && time.Since(began) < holdWithin {
		t.wait(what + " ")
	}
	return &out.Failure{What: out.JoinSentences(what, t.Said), Cause: err}
}

func (t *Takeover) wait(text string) {
	_, _ = io.WriteString(t.Program.Stdout, "\n"+text+"Press enter to go back.")
	_, _ = out.ReadLine(context.Background(), t.Program.Stdin)
}

// SetStdin implements tea.ExecCommand.
func (t *Takeover) SetStdin(in io.Reader) { t.Program.Stdin = in }

// SetStdout implements tea.ExecCommand.
func (t *Takeover) SetStdout(out io.Writer) { t.Program.Stdout = out }

// SetStderr implements tea.ExecCommand.
func (t *Takeover) SetStderr(err io.Writer) { t.Program.Stderr = err }
