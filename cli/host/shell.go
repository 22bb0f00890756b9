package host

import (
	"context"
	"errors"
	"strings"
	"time"
)

// Limits of Shell and GitCommit.
const (
	shellLimit = 10 * time.Minute
	shellBytes = 8 << 20
)

// Shell runs a command with sh -c in the root of a project. It returns the exit code and the output. The user must
// have confirmed the command. The error is ErrNoProgram, ErrSilent after 10 minutes, or ctx.Err().
func (h Host) Shell(ctx context.Context, root, command string) (code int, output string, err error) {
	sh, err := h.LookPath("sh")
	if err != nil {
		return 0, "", err
	}
	p, err := h.inProject(ctx, shellLimit, root, shellBytes, []string{sh, "-c", command})
	output = strings.TrimSpace(string(p.stdout) + "\n" + string(p.stderr))
	exit, failed := errors.AsType[*ExitError](err)
	switch {
	case ctx.Err() != nil:
		return 0, output, ctx.Err()
	case p.late:
		return 0, output, ErrSilent
	case failed:
		return exit.ExitCode(), output, nil
	}
	return 0, output, err
}

// GitCommit commits all files of a project, with the hooks and filters of the repository. The error is an *ExitError,
// ErrNoProgram, ErrSilent or ctx.Err().
func (h Host) GitCommit(ctx context.Context, root, message string) error {
	git, err := h.LookPath("git")
	if err != nil {
		return err
	}
	for _, argv := range [][]string{{git, "add", "-A"}, {git, "commit", "-q", "-m", message}} {
		p, err := h.inProject(ctx, shellLimit, root, shellBytes, argv)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case p.late:
			return ErrSilent
		case err != nil:
			if exit, ok := errors.AsType[*ExitError](err); ok {
				exit.Stderr = append(p.stderr, p.stdout...)
			}
			return err
		}
	}
	return nil
}
