package host

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// gitTimeout is for a command of git that only reads.
const gitTimeout = 5 * time.Second

// errGitFilters reports a filter whose name git's -c option cannot express, so that it cannot be switched off.
var errGitFilters = errors.New("a filter of the repository has a name that cannot be switched off")

// gitFilters is the number of filters that are switched off at most; a repository has one or two.
const gitFilters = 64

// Git runs a git command that only reads, within 5 seconds, and returns its output; on failure the error is an *ExitError
// with its messages, or ErrNoProgram. Use GitStatus for git status.
func (h Host) Git(ctx context.Context, dir string, args ...string) (string, error) {
	return h.gitWithin(ctx, gitTimeout, dir, args...)
}

// gitWithin runs git in dir and returns its output; on failure the error is an *ExitError with its messages. Every
// git command of continuo goes through it. It runs no program that the repository names (hook, file system monitor,
// pager, transport) except filters, which gitNoFilters switches off, and takes no bare repository inside another one for
// a repository.
func (h Host) gitWithin(ctx context.Context, limit time.Duration, dir string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"-C", dir, "--no-pager", "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null", "-c", "safe.bareRepository=explicit",
	}, args...)...)
	// An object that is not there would be fetched by a program that the config of its remote names.
	cmd.Env = append(h.gitEnv(), "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=")
	cmd.WaitDelay = 500 * time.Millisecond
	out, err := cmd.Output()
	return string(out), err
}

// gitNoFilters returns the options that switch off the filters in the config of dir, which are programs. The error is
// errGitFilters if there is one that cannot be switched off.
func (h Host) gitNoFilters(ctx context.Context, dir string) ([]string, error) {
	names, err := h.Git(ctx, dir, "config", "-z", "--name-only", "--get-regexp", `^filter\.`)
	if exit, ok := errors.AsType[*ExitError](err); err != nil && (!ok || exit.ExitCode() != 1) { // 1: there is none
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
		if strings.Contains(filter, "=") || len(seen) > gitFilters { // -c would take it for another name
			return nil, errGitFilters
		}
		off = append(off, "-c", filter+".clean=", "-c", filter+".smudge=", "-c", filter+".process=", "-c", filter+".required=false")
	}
	return off, nil
}

// GitStatus returns the output of git status with args. Files with a filter count as changed once they were touched,
// because no filter runs. Submodules have configs of their own and are not looked into.
func (h Host) GitStatus(ctx context.Context, dir string, args ...string) (string, error) {
	off, err := h.gitNoFilters(ctx, dir)
	if err != nil {
		return "", err
	}
	return h.Git(ctx, dir, slices.Concat(off, []string{"status", "--ignore-submodules=dirty"}, args)...)
}

// GitAddWorktree runs git worktree add in main with args, which name folder, without hooks and filters. Git first adds
// the worktree without its files: a conditional include may give it filters that main does not have.
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
	if err != nil { // in a worktree without its files a commit would delete them
		_, left := h.gitWithin(context.WithoutCancel(ctx), limit, main, "worktree", "remove", "--force", "--", folder)
		err = errors.Join(err, left)
	}
	return err
}

// gitEnv is the environment of git: it asks for nothing, and looks at no repository but the one it is told.
func (h Host) gitEnv() []string {
	env := slices.DeleteFunc(slices.Clone(h.Environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"}, name)
	})
	return append(env, "GIT_TERMINAL_PROMPT=0")
}
