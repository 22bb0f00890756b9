// Package host starts other programs: git, tmux, br or bd, ck, the editor and claude. Each has its own file. No other
// package starts programs. This package decides on the restrictions, the timeouts and the environment of each program.
// It returns typed results and errors, and its callers write the messages.
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
	Environ []string // "KEY=value", as in os.Environ; if a key occurs twice, the last value is used
}

// ExitError is the error of a program that failed or was killed. For git, its Stderr has the messages.
type ExitError = exec.ExitError

var (
	// ErrNoProgram means that a program isn't on the PATH.
	ErrNoProgram = exec.ErrNotFound
	// ErrSilent means that a program hasn't answered in time. It may still answer later: for example, a stopped tmux
	// server may be continued.
	ErrSilent = errors.New("no answer in time")
	// errTooMuch means that the output of a program exceeds the limit.
	errTooMuch = errors.New("its output is longer than 8 MB")
)

// answerLimit is the maximum number of bytes that Ask returns.
const answerLimit = 64 << 10

// Getenv returns a variable of the environment; "" if it isn't set.
func (h Host) Getenv(key string) string {
	for i := len(h.Environ) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(h.Environ[i], key+"="); ok {
			return v
		}
	}
	return ""
}

// LookPath finds a program by its absolute path, or by its name on the PATH of this run. It ignores relative
// elements of the PATH, because their meaning depends on the current directory.
func (h Host) LookPath(name string) (string, error) {
	if filepath.IsAbs(name) {
		path, err := exec.LookPath(name)
		return path, bare(err)
	}
	for _, dir := range filepath.SplitList(cmp.Or(h.Getenv("PATH"), h.Getenv("Path"))) { // the name is Path on Windows
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", ErrNoProgram
}

// Ask runs a program in the environment of this run. It returns the first 64 KB of the output. After the timeout,
// the error is ErrSilent, even if a child process keeps the output open.
func (h Host) Ask(ctx context.Context, limit time.Duration, program string, args ...string) (string, error) {
	asked, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(asked, program, args...)
	cmd.Env = append([]string{}, h.Environ...) // never nil, because nil means the environment of this process
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

// bare removes the name of the program from an error.
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
