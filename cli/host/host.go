// Package host starts the programs of a person's machine: git, tmux, br or bd, ck, the editor and claude, one file for
// each. It is the only one that does. What a program must not do, how long it may take and what it gets to see is
// decided here; what a person is told of it is up to the caller, who gets results and errors with a type.
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

// Host is the machine as one run of continuo meets it.
type Host struct {
	Environ []string // "KEY=value", as os.Environ gives it; of two with one key the last wins
}

// ExitError is a program that has run and ended with a failure. Of git it has what git said on stderr.
type ExitError = exec.ExitError

var (
	// ErrNoProgram says that a program is not on the PATH.
	ErrNoProgram = exec.ErrNotFound
	// ErrSilent says that a program has not answered in time. Of tmux: its server may have been stopped, and go on later.
	ErrSilent = errors.New("no answer in time")
	// errTooMuch says that an answer is longer than is read.
	errTooMuch = errors.New("its answer is longer than 8 MB")
)

// answerLimit is how many bytes of the answer to Ask are kept.
const answerLimit = 64 << 10

// Getenv returns the value of an environment variable, "" when it is not set.
func (h Host) Getenv(key string) string {
	for i := len(h.Environ) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(h.Environ[i], key+"="); ok {
			return v
		}
	}
	return ""
}

// LookPath finds a program: a whole path, or a name on the PATH of this run. An element of the PATH that is no whole
// path is passed over: it would be another program in each directory.
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

// Ask runs a program in the environment of this run and returns the first 64 KB of what it prints. The error is
// ErrSilent when it takes longer than the limit, even when it leaves a child behind that holds its output.
func (h Host) Ask(ctx context.Context, limit time.Duration, program string, args ...string) (string, error) {
	asked, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(asked, program, args...)
	cmd.Env = append([]string{}, h.Environ...) // never nil: that would be the environment of this process
	cmd.WaitDelay = limit / 4
	var out beginning
	cmd.Stdout = &out
	err := bare(cmd.Run())
	switch {
	case errors.Is(err, exec.ErrWaitDelay): // it has ended well
		err = nil
	case err != nil && ctx.Err() == nil && asked.Err() != nil:
		err = ErrSilent
	}
	return string(out), err
}

// bare is an error without the name of the program, which the caller knows.
func bare(err error) error {
	if e, ok := errors.AsType[*exec.Error](err); ok {
		return e.Err
	}
	return err
}

// beginning keeps the first bytes of what is written to it.
type beginning []byte

// Write implements io.Writer.
func (o *beginning) Write(b []byte) (int, error) {
	*o = append(*o, b[:min(len(b), answerLimit-len(*o))]...)
	return len(b), nil
}
