// Package host starts other programs: git, tmux, br or bd, ck, the editor and claude. No other package starts
// programs. This package sets the restrictions, timeouts and environment of each program. Its callers write the
// messages.
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

// Host is the machine on which continuo runs.
type Host struct {
	Environ []string // "KEY=value"; of two values, the last counts
}

// ExitError is the error of a program that failed or was killed. With git, Stderr has the messages.
type ExitError = exec.ExitError

var (
	// ErrNoProgram means that a program isn't on the PATH.
	ErrNoProgram = exec.ErrNotFound
	// ErrSilent means that a program hasn't answered in time. The answer may still come.
	ErrSilent = errors.New("no answer in time")
	// errTooMuch means that the output exceeds the limit.
	errTooMuch = errors.New("its output is longer than 8 MB")
)

// answerLimit is the maximum number of bytes that Ask returns.
const answerLimit = 64 << 10

// Getenv returns an environment variable; "" if it isn't set.
func (h Host) Getenv(key string) string {
	for i := len(h.Environ) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(h.Environ[i], key+"="); ok {
			return v
		}
	}
	return ""
}

// LookPath finds a program by its absolute path, or by its name on the PATH. It ignores relative elements of the PATH.
func (h Host) LookPath(name string) (string, error) {
	if filepath.IsAbs(name) {
		path, err := exec.LookPath(name)
		return path, bare(err)
	}
	for _, dir := range filepath.SplitList(cmp.Or(h.Getenv("PATH"), h.Getenv("Path"))) { // Windows says Path
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", ErrNoProgram
}

// Ask runs a program, and returns the first 64 KB of output. After the timeout, the error is ErrSilent.
func (h Host) Ask(ctx context.Context, limit time.Duration, program string, args ...string) (string, error) {
	asked, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(asked, program, args...)
	cmd.Env = append([]string{}, h.Environ...) // nil would mean the environment of this process
	cmd.WaitDelay = limit / 4
	var out beginning
	cmd.Stdout = &out
	err := bare(cmd.Run())
	switch {
	case errors.Is(err, exec.ErrWaitDelay): // this is a success
		err = nil
	case err != nil && ctx.Err() == nil && asked.Err() != nil:
		err = ErrSilent
	}
	return string(out), err
}

// bare removes the program name from an error.
func bare(err error) error {
	if e, ok := errors.AsType[*exec.Error](err); ok {
		return e.Err
	}
	return err
}

// beginning is a buffer that keeps only the first bytes.
type beginning []byte

// Write implements io.Writer.
func (o *beginning) Write(b []byte) (int, error) {
	*o = append(*o, b[:min(len(b), answerLimit-len(*o))]...)
	return len(b), nil
}
