package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"time"
)

// pipedDelay limits Wait if a child process keeps the output open.
const pipedDelay = 2 * time.Second

// Piped is a running program with pipes for stdin, stdout and stderr. Signals of the terminal don't reach it.
type Piped struct {
	cmd      *exec.Cmd
	stdin    io.WriteCloser
	endGroup func()
}

// StartPiped starts a program. stdout and stderr receive its output.
func StartPiped(argv []string, dir string, environ []string, stdout, stderr io.Writer) (*Piped, error) {
	cmd := exec.CommandContext(context.Background(), argv[0], argv[1:]...) // no ctx: stdin, Terminate and Kill end the program
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, environ, stdout, stderr
	cmd.WaitDelay = pipedDelay
	endGroup := inGroup(cmd)
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", argv[0], bare(err))
	}
	return &Piped{cmd, stdin, endGroup}, nil
}

// PID returns the process ID.
func (p *Piped) PID() int { return p.cmd.Process.Pid }

// Stdin returns a writer to stdin. Close the writer to end the input.
func (p *Piped) Stdin() io.WriteCloser { return p.stdin }

// Wait waits for the exit and the output, and then kills child processes. If the program failed or was killed, the
// error is an *ExitError.
func (p *Piped) Wait() error {
	err := p.cmd.Wait()
	p.endGroup()
	if errors.Is(err, exec.ErrWaitDelay) { // this is a success
		return nil
	}
	return err
}

// Terminate asks the program to end. Without SIGTERM on a system, it kills.
func (p *Piped) Terminate() {
	if p.cmd.Process.Signal(syscall.SIGTERM) != nil {
		_ = p.cmd.Process.Kill() // may have ended already
	}
}

// Kill ends the program and its child processes.
func (p *Piped) Kill() {
	p.endGroup()
	_ = p.cmd.Process.Kill() // may have ended already
}
