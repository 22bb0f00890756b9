package host

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// gitTimeout is how long a git command that only reads may take.
const gitTimeout = 5 * time.Second

// errGitFilters means that the filters of a repository can't be disabled: one has an equals sign in its name, which git
// -c can't express, or there are too many.
var errGitFilters = errors.New("the repository has a git filter that can't be disabled")

// gitFilters is the maximum number of filters. Usually, a repository has one or two.
const gitFilters = 64

// Git runs a git command that writes nothing, for at most 5 s, and returns the output. The error is an *ExitError with
// the messages of git, or ErrNoProgram. For git status, use GitStatus.
func (h Host) Git(ctx context.Context, dir string, args ...string) (string, error) {
	return h.gitWithin(ctx, gitTimeout, dir, args...)
}

// gitWithin runs git in dir and returns the output of git. The error is an *ExitError with the messages of git. All git
// commands of continuo use gitWithin, because it is safe in an untrusted repository: git runs no hook, file system
// monitor, pager or transport that the repository configures, and doesn't use a bare repository inside another one.
// Filters aren't disabled; see gitNoFilters.
func (h Host) gitWithin(ctx context.Context, limit time.Duration, dir string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"-C", dir, "--no-pager", "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null", "-c", "safe.bareRepository=explicit",
	}, args...)...)
	// Without these variables, git would fetch missing objects, and run programs that the config of the remote names.
	cmd.Env = append(h.gitEnv(), "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=")
	cmd.WaitDelay = 500 * time.Millisecond
	out, err := cmd.Output()
	return string(out), err
}

// gitNoFilters returns options that disable all filters in the config of dir, because filters run programs. If a filter
// can't be disabled, the error is errGitFilters.
func (h Host) gitNoFilters(ctx context.Context, dir string) ([]string, error) {
	names, err := h.Git(ctx, dir, "config", "-z", "--name-only", "--get-regexp", `^filter\.`)
	// git config exits with 1 if there are no filters.
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

// GitStatus returns the output of git status with the given arguments. No filter runs, so git can't tell whether a
// touched file with a filter was modified, and reports it as modified. Submodules are ignored, because each has its own
// config.
func (h Host) GitStatus(ctx context.Context, dir string, args ...string) (string, error) {
	off, err := h.gitNoFilters(ctx, dir)
	if err != nil {
		return "", err
	}
	return h.Git(ctx, dir, slices.Concat(off, []string{"status", "--ignore-submodules=dirty"}, args)...)
}

// GitAddWorktree runs git worktree add in the worktree main, without hooks and filters. args are the arguments. folder
// is the path of the new worktree, which args contain, too. The worktree is first created without files, because a
// conditional include in the config may add filters for its folder. Then git writes the files. If this fails,
// GitAddWorktree removes the worktree.
func (h Host) GitAddWorktree(ctx context.Context, main, folder string, args ...string) error {
	const limit = 12 * gitTimeout // this command writes a whole tree
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
	if err != nil { // a worktree without files is dangerous: a commit in it would delete all files
		_, left := h.gitWithin(context.WithoutCancel(ctx), limit, main, "worktree", "remove", "--force", "--", folder)
		err = errors.Join(err, left)
	}
	return err
}

// gitEnv returns the environment for git: without prompts, and without variables that name another repository.
func (h Host) gitEnv() []string {
	env := slices.DeleteFunc(slices.Clone(h.Environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"}, name)
	})
	return append(env, "GIT_TERMINAL_PROMPT=0")
}
