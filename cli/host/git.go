package host

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// gitTimeout is the timeout for git commands that only read.
const gitTimeout = 5 * time.Second

// errGitFilters says that a filter can't be disabled because git -c can't express its name.
var errGitFilters = errors.New("a filter of the repository has a name that cannot be switched off")

// gitFilters is the maximum number of filters to disable. Repositories usually have one or two.
const gitFilters = 64

// Git runs a git command that writes nothing, and returns its output. The timeout is 5 s. The error is an *ExitError
// with git's messages, or ErrNoProgram. Use GitStatus for git status.
func (h Host) Git(ctx context.Context, dir string, args ...string) (string, error) {
	return h.gitWithin(ctx, gitTimeout, dir, args...)
}

// gitWithin runs git in dir and returns its output. The error is an *ExitError with git's messages. All git commands
// of continuo use it. It prevents git from running programs that the repository configures: hooks, file system monitor,
// pager and transport. It doesn't disable filters; gitNoFilters does. It also prevents git from using a bare repository
// inside another repository.
func (h Host) gitWithin(ctx context.Context, limit time.Duration, dir string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"-C", dir, "--no-pager", "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null", "-c", "safe.bareRepository=explicit",
	}, args...)...)
	// Otherwise git fetches missing objects with a program from the remote's config.
	cmd.Env = append(h.gitEnv(), "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=")
	cmd.WaitDelay = 500 * time.Millisecond
	out, err := cmd.Output()
	return string(out), err
}

// gitNoFilters returns options that disable all filters in the config of dir, because filters run programs. The error
// is errGitFilters if a filter can't be disabled.
func (h Host) gitNoFilters(ctx context.Context, dir string) ([]string, error) {
	names, err := h.Git(ctx, dir, "config", "-z", "--name-only", "--get-regexp", `^filter\.`)
	if exit, ok := errors.AsType[*ExitError](err); err != nil && (!ok || exit.ExitCode() != 1) { // exit code 1: no filters
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
		if strings.Contains(filter, "=") || len(seen) > gitFilters { // -c would parse a different name
			return nil, errGitFilters
		}
		off = append(off, "-c", filter+".clean=", "-c", filter+".smudge=", "-c", filter+".process=", "-c", filter+".required=false")
	}
	return off, nil
}

// GitStatus returns the output of git status with args. Touched files with a filter count as changed because no
// filter runs. Submodules are ignored because they have their own configs.
func (h Host) GitStatus(ctx context.Context, dir string, args ...string) (string, error) {
	off, err := h.gitNoFilters(ctx, dir)
	if err != nil {
		return "", err
	}
	return h.Git(ctx, dir, slices.Concat(off, []string{"status", "--ignore-submodules=dirty"}, args)...)
}

// GitAddWorktree runs git worktree add with args in the worktree main, without hooks and filters. folder is the new
// worktree, which args also name. GitAddWorktree first adds the worktree without files, because a conditional include
// in the config can add filters for the new folder. If the files can't be written, it removes the worktree.
func (h Host) GitAddWorktree(ctx context.Context, main, folder string, args ...string) error {
	const limit = 12 * gitTimeout // it writes a whole tree
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
	if err != nil { // without its files, a commit in the worktree would delete them
		_, left := h.gitWithin(context.WithoutCancel(ctx), limit, main, "worktree", "remove", "--force", "--", folder)
		err = errors.Join(err, left)
	}
	return err
}

// gitEnv returns the environment for git: without prompts, and without variables that name a different repository.
func (h Host) gitEnv() []string {
	env := slices.DeleteFunc(slices.Clone(h.Environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"}, name)
	})
	return append(env, "GIT_TERMINAL_PROMPT=0")
}
