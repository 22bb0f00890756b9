// Package host runs other programs for continuo: git, tmux, br and bd, ck, the editor, claude. It is the only package that
// imports os/exec, except for reading the start time of a process on macOS.
//
// Programs get their arguments one by one, never through a shell, and an environment that the caller names. A look at
// something ends after a limit. What a program prints is returned as it is; its messages in errors are cleaned.
package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Host starts programs in an environment.
type Host struct {
	Environ []string // "KEY=value"; of two with one key the last wins
}

// Error is a failure in words for a person: whole sentences, with what to do.
type Error struct {
	Text string
	Err  error // its cause, nil for none
}

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

var (
	// ErrNoProgram reports a program that isn't on the PATH.
	ErrNoProgram = exec.ErrNotFound
	// ErrSilent reports a program that didn't answer within its limit.
	ErrSilent = errors.New("no answer in time")
)

// ExitCode returns the exit code in the error of a program, -1 if a signal ended it; ok is false for any other error.
func ExitCode(err error) (code int, ok bool) {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return 0, false
	}
	return exit.ExitCode(), true
}

// Messages returns what a program wrote to stderr before it failed, nil if its error has none.
func Messages(err error) []byte {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.Stderr
	}
	return nil
}

// Reason returns why a program failed: its exit code, else the error of the system without the path of the program.
func Reason(err error) error {
	if e, ok := errors.AsType[*exec.Error](err); ok {
		err = e.Err
	}
	if code, ok := ExitCode(err); ok && code > 0 {
		return fmt.Errorf("exit code %d", code)
	}
	return err
}

func (h Host) getenv(key string) string {
	for i := len(h.Environ) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(h.Environ[i], key+"="); ok {
			return value
		}
	}
	return ""
}

// LookPath finds a program: a whole path, or a name on the PATH of the environment. An element of the PATH that isn't a
// whole path is skipped: it would be another program in each directory. The error is ErrNoProgram.
func (h Host) LookPath(name string) (string, error) {
	if filepath.IsAbs(name) {
		return exec.LookPath(name)
	}
	for _, dir := range filepath.SplitList(cmp.Or(h.getenv("PATH"), h.getenv("Path"))) { // Path: Windows
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", ErrNoProgram
}

// AnswerLimit is how many bytes of an answer Ask keeps.
const AnswerLimit = 64 << 10

// Ask runs a program and returns the beginning of what it prints. The error is ErrSilent if it takes longer than the
// limit, even if it leaves a child behind that holds its output.
func (h Host) Ask(ctx context.Context, limit time.Duration, program string, args ...string) (string, error) {
	asked, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(asked, program, args...)
	cmd.Env = append([]string{}, h.Environ...) // never nil: that would be the environment of this process
	cmd.WaitDelay = limit / 4
	var out beginning
	cmd.Stdout = &out
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrWaitDelay): // it has ended well
		err = nil
	case err != nil && ctx.Err() == nil && asked.Err() != nil:
		err = ErrSilent
	}
	return string(out), err
}

// beginning keeps the first bytes of what is written to it.
type beginning []byte

// Write implements io.Writer.
func (o *beginning) Write(b []byte) (int, error) {
	*o = append(*o, b[:min(len(b), AnswerLimit-len(*o))]...)
	return len(b), nil
}
