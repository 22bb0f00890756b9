package host

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
)

// Foreground is a program that gets the terminal until it ends. It ends when the person ends it, not when this program
// is told to stop.
type Foreground struct {
	Argv    []string  // path and arguments; no shell sees them
	Dir     string    // "" that of this run
	Environ []string  // nil: that of this process
	Stdin   io.Reader // as in exec.Cmd
	Stdout  io.Writer
	Stderr  io.Writer
}

// Run starts the program, tells started its process id, and waits until it ends. Of a program that could not be started
// it is not called. The error of one that ended with a failure or by a signal is an *ExitError.
func (f *Foreground) Run(started func(pid int)) error {
	cmd := exec.CommandContext(context.Background(), f.Argv[0], f.Argv[1:]...) // it is the person who ends it
	cmd.Dir, cmd.Env = f.Dir, f.Environ
	cmd.Stdin, cmd.Stdout, cmd.Stderr = f.Stdin, f.Stdout, f.Stderr
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("run %s in %s: %w", cmd.Path, cmd.Dir, err)
	}
	started(cmd.Process.Pid)
	return cmd.Wait()
}

// Name is the name of the program, for people.
func (f *Foreground) Name() string { return strings.TrimSuffix(filepath.Base(f.Argv[0]), ".exe") }
