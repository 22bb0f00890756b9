package host

import (
	"context"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
)

// Command is a program that takes over the terminal of a person. It ends when the person ends it.
type Command struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	cmd *exec.Cmd
}

// NewCommand prepares a program in a directory, "" for the current one, with exactly the environment.
func NewCommand(ctx context.Context, dir string, environ, argv []string) *Command {
	// It doesn't end when this program is told to stop.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, environ
	return &Command{cmd: cmd}
}

// Name returns the name of the program.
func (c *Command) Name() string { return strings.TrimSuffix(filepath.Base(c.cmd.Path), ".exe") }

// Path returns the path of the program.
func (c *Command) Path() string { return c.cmd.Path }

// Args returns the name of the program as it was given, and its arguments.
func (c *Command) Args() []string { return c.cmd.Args }

// Dir returns the directory that it starts in.
func (c *Command) Dir() string { return c.cmd.Dir }

// Environ returns its environment.
func (c *Command) Environ() []string { return c.cmd.Env }

// Start starts it and returns its process ID.
func (c *Command) Start() (pid int, err error) {
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
	if err := c.cmd.Start(); err != nil {
		return 0, err
	}
	return c.cmd.Process.Pid, nil
}

// Wait waits for its end. ExitCode tells the error of a program that failed from others.
func (c *Command) Wait() error { return c.cmd.Wait() }
