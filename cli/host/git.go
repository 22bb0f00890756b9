package host

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// gitTimeout is the time limit of a git command that writes nothing.
const gitTimeout = 5 * time.Second

// errGitFilters means that a filter has an equals sign in its name, or that a repository has too many filters.
var errGitFilters = errors.New("the repository has a git filter that can't be disabled")

// gitFilters is the maximum number of filters; usually there are one or two.
const gitFilters = 64

// Git runs a git command that writes nothing, for at most 5 s, and returns the output. The error is an *ExitError with
// the messages of git, or ErrNoProgram. For git status, use GitStatus.
func (h Host) Git(ctx context.Context, dir string, args ...string) (string, error) {
	return h.gitWithin(ctx, gitTimeout, dir, args...)
}

// gitWithin runs git safely in an untrusted repository: without its hooks, monitors, pagers and transports. It doesn't
// disable filters; see gitNoFilters. The error is an *ExitError with the messages of git.
func (h Host) gitWithin(ctx context.Context, limit time.Duration, dir string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"-C", dir, "--no-pager", "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null", "-c", "safe.bareRepository=explicit",
	}, args...)...)
	// Otherwise, git would fetch missing objects, and run programs named by the remote's config.
	cmd.Env = append(h.gitEnv(), "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=")
	cmd.WaitDelay = 500 * time.Millisecond
	out, err := cmd.Output()
	return string(out), err
}

// gitNoFilters returns options that disable all filters, because filters run programs. The error may be errGitFilters.
func (h Host) gitNoFilters(ctx context.Context, dir string) ([]string, error) {
	names, err := h.Git(ctx, dir, "config", "-z", "--name-only", "--get-regexp", `^filter\.`)
	// git config exits with 1 without filters.
	if exit, ok := errors.AsType[*ExitError](err); err != nil && (!ok || exit.ExitCode() != 1) {
		return nil, err
	}
	var off, seen []string
	for name := range strings.SplitSeq(names, "\x00") {
		i := strings.LastIndexByte(name, '.')
		if i < 0 || slices.Contains(seen, name[:i]) {
			continue
		}
		filter := name[:i]
		seen = append(seen, filter)
		if strings.Contains(filter, "=") || len(seen) > gitFilters { // git -c ends a name at the first equals sign
			return nil, errGitFilters
		}
		off = append(off, "-c", filter+".clean=", "-c", filter+".smudge=", "-c", filter+".process=", "-c", filter+".required=false")
	}
	return off, nil
}

// GitStatus returns the output of git status. No filter runs, so a touched file with a filter counts as modified.
// Submodules are ignored, because each has its own config.
func (h Host) GitStatus(ctx context.Context, dir string, args ...string) (string, error) {
	off, err := h.gitNoFilters(ctx, dir)
	if err != nil {
		return "", err
	}
	return h.Git(ctx, dir, slices.Concat(off, []string{"status", "--ignore-submodules=dirty"}, args)...)
}

// GitAddWorktree runs git worktree add in the worktree main, without hooks and filters. folder is the path of the new
// worktree; args must contain the same path. The worktree is created without files, because its config may name more
// filters. Then git writes the files. After an error, the worktree is removed.
func (h Host) GitAddWorktree(ctx context.Context, main, folder string, args ...string) error {
	const limit = 12 * gitTimeout // writes a whole tree
	if _, err := h.gitNoFilters(ctx, main); err != nil {
		return err
	}
	if _, err := h.gitWithin(ctx, limit, main, append([]string{"worktree", "add", "--quiet", "--no-checkout"}, args...)...); err != nil {
		return err
	}
	off, err := h.gitNoFilters(ctx, folder)
	if err == nil {
		_, err = h.gitWithin(ctx, limit, folder, append(off, "reset", "--hard", "--quiet", "--no-recurse-submodules")...)
	}
	if err != nil { // a commit in a worktree without files would delete all files
		_, left := h.gitWithin(context.WithoutCancel(ctx), limit, main, "worktree", "remove", "--force", "--", folder)
		err = errors.Join(err, left)
	}
	return err
}

// gitEnv returns an environment without prompts and without variables that name a repository.
func (h Host) gitEnv() []string {
	env := slices.DeleteFunc(slices.Clone(h.Environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"}, name)
	})
	return append(env, "GIT_TERMINAL_PROMPT=0")
}
