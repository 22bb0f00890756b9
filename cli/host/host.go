// Package host starts other programs: git, tmux, br or bd, ck, the editor and claude, one file for each. No other
// package starts programs. It decides the restrictions, timeouts and environment of each program and returns typed
// results and errors; callers write the messages.
package host

import (
	"cmp"
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Host is the machine of one run.
type Host struct {
	Environ []string // "KEY=value", as in os.Environ; the last value of a key wins
}

// ExitError is a failed program. For git it contains stderr.
type ExitError = exec.ExitError

var (
	// ErrNoProgram says that a program is not on the PATH.
	ErrNoProgram = exec.ErrNotFound
	// ErrSilent says that a program didn't answer in time. A stopped tmux server may continue later.
	ErrSilent = errors.New("no answer in time")
	// errTooMuch says that the output of a program is too long.
	errTooMuch = errors.New("its output is longer than 8 MB")
)

// answerLimit is the maximum output of Ask in bytes.
const answerLimit = 64 << 10

// Getenv returns an environment variable, "" if it isn't set.
func (h Host) Getenv(key string) string {
	for i := len(h.Environ) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(h.Environ[i], key+"="); ok {
			return v
		}
	}
	return ""
}

// LookPath finds a program by its absolute path or by its name on the PATH of this run. It ignores relative elements
// of the PATH, which depend on the directory.
func (h Host) LookPath(name string) (string, error) {
	if filepath.IsAbs(name) {
		path, err := exec.LookPath(name)
		return path, bare(err)
	}
	for _, dir := range filepath.SplitList(cmp.Or(h.Getenv("PATH"), h.Getenv("Path"))) { // Path: Windows
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", ErrNoProgram
}

// Ask runs a program in the environment of this run and returns the first 64 KB of its output. The error is ErrSilent
// after the timeout, also if a child process keeps the output open.
func (h Host) Ask(ctx context.Context, limit time.Duration, program string, args ...string) (string, error) {
	asked, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(asked, program, args...)
	cmd.Env = append([]string{}, h.Environ...) // never nil, which means the environment of this process
	cmd.WaitDelay = limit / 4
	var out beginning
	cmd.Stdout = &out
	err := bare(cmd.Run())
	switch {
	case errors.Is(err, exec.ErrWaitDelay): // success
		err = nil
	case err != nil && ctx.Err() == nil && asked.Err() != nil:
		err = ErrSilent
	}
	return string(out), err
}

// bare removes the name of the program from an error.
func bare(err error) error {
	if e, ok := errors.AsType[*exec.Error](err); ok {
		return e.Err
	}
	return err
}

// beginning is a buffer that keeps the first bytes.
type beginning []byte

// Write implements io.Writer.
func (o *beginning) Write(b []byte) (int, error) {
	*o = append(*o, b[:min(len(b), answerLimit-len(*o))]...)
	return len(b), nil
}
