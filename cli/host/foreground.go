package host

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
)

// Foreground is a program that uses the terminal until it exits, even if continuo is cancelled.
type Foreground struct {
	Argv    []string  // path and arguments; no shell is used
	Dir     string    // "" means the current directory
	Environ []string  // nil means the environment of this process
	Stdin   io.Reader // the same as in exec.Cmd
	Stdout  io.Writer
	Stderr  io.Writer
}

// Run starts the program, calls started with the PID, and waits for the exit. The error is an *ExitError if the
// program failed or a signal ended it.
func (f *Foreground) Run(started func(pid int)) error {
	cmd := exec.CommandContext(context.Background(), f.Argv[0], f.Argv[1:]...) // only the user ends this program
	cmd.Dir, cmd.Env = f.Dir, f.Environ
	cmd.Stdin, cmd.Stdout, cmd.Stderr = f.Stdin, f.Stdout, f.Stderr
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("run %s in %s: %w", cmd.Path, cmd.Dir, err)
	}
	started(cmd.Process.Pid)
	return cmd.Wait()
}

// Name returns the program name for messages.
func (f *Foreground) Name() string { return strings.TrimSuffix(filepath.Base(f.Argv[0]), ".exe") }
