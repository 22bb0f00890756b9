package host

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
)

// Foreground is a program that owns the terminal until it exits. Cancellation of continuo doesn't end it.
type Foreground struct {
	Argv    []string  // path and arguments, without a shell
	Dir     string    // "": the current directory
	Environ []string  // nil: the environment of this process
	Stdin   io.Reader // as in exec.Cmd
	Stdout  io.Writer
	Stderr  io.Writer
}

// Run starts the program, passes its PID to started, and waits until it exits. started isn't called if the start
// fails. The error is an *ExitError for a nonzero exit code or a signal.
func (f *Foreground) Run(started func(pid int)) error {
	cmd := exec.CommandContext(context.Background(), f.Argv[0], f.Argv[1:]...) // only the user ends it
	cmd.Dir, cmd.Env = f.Dir, f.Environ
	cmd.Stdin, cmd.Stdout, cmd.Stderr = f.Stdin, f.Stdout, f.Stderr
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("run %s in %s: %w", cmd.Path, cmd.Dir, err)
	}
	started(cmd.Process.Pid)
	return cmd.Wait()
}

// Name returns the program's name for messages.
func (f *Foreground) Name() string { return strings.TrimSuffix(filepath.Base(f.Argv[0]), ".exe") }
