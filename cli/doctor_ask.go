package cli

import (
	"cmp"
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"time"
)

// errSilent is returned for a program that has not answered in time.
var errSilent = errors.New("no answer in time")

// answerLimit is how many bytes of an answer are kept.
const answerLimit = 64 << 10

// lookPath finds a program: a whole path, or a name on the PATH of this run. An element of the PATH that is no whole
// path is passed over: it would be another program in each directory.
func (d *deps) lookPath(name string) (string, error) {
	if filepath.IsAbs(name) {
		return exec.LookPath(name)
	}
	for _, dir := range filepath.SplitList(cmp.Or(d.getenv("PATH"), d.getenv("Path"))) { // Path: Windows
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", exec.ErrNotFound
}

// ask runs a program in the environment of this run and returns what it prints. The error is errSilent when it takes
// longer than the limit, even when it leaves a child behind that holds its output.
func (d *deps) ask(ctx context.Context, limit time.Duration, program string, args ...string) (string, error) {
	asked, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(asked, program, args...)
	cmd.Env = append([]string{}, d.environ...) // never nil: that would be the environment of this process
	cmd.WaitDelay = limit / 4
	var out beginning
	cmd.Stdout = &out
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrWaitDelay): // it has ended well
		err = nil
	case err != nil && ctx.Err() == nil && asked.Err() != nil:
		err = errSilent
	}
	return string(out), err
}

// beginning keeps the first bytes of what is written to it.
type beginning []byte

// Write implements io.Writer.
func (o *beginning) Write(b []byte) (int, error) {
	*o = append(*o, b[:min(len(b), answerLimit-len(*o))]...)
	return len(b), nil
}
