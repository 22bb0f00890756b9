package cli

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
)

// errGitFilters says that git would run programs for a status that cannot be switched off.
var errGitFilters = errors.New("filters cannot be switched off")

// gitFilters is how many filters are switched off; a repository has one or two.
const gitFilters = 64

// git runs a command of git that only looks. Nothing that the repository names is run: no hook, file system monitor,
// pager or transport; a directory that only looks like a repository inside of one is none. gitStatus is for status.
func (d *deps) git(ctx context.Context, dir string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"-C", dir, "--no-pager", "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null", "-c", "safe.bareRepository=explicit",
	}, args...)...)
	// An object that is not there would be fetched by a program that the config of its remote names.
	cmd.Env = append(d.gitEnv(), "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=")
	cmd.WaitDelay = trackedLimit / 4
	out, err := cmd.Output()
	return string(out), err
}

// gitStatus is git status with args. It reads files that have changed through the filters of the config, which are
// programs, and those of submodules have configs of their own: so no filter is set, and submodules are not looked into.
// A file that has a filter counts as changed once it was touched.
func (d *deps) gitStatus(ctx context.Context, dir string, args ...string) (string, error) {
	names, err := d.git(ctx, dir, "config", "-z", "--name-only", "--get-regexp", `^filter\.`)
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != 1) { // 1: there is none
		return "", err
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
			return "", errGitFilters
		}
		off = append(off, "-c", filter+".clean=", "-c", filter+".process=", "-c", filter+".required=false")
	}
	return d.git(ctx, dir, slices.Concat(off, []string{"status", "--ignore-submodules=dirty"}, args)...)
}

// gitEnv is the environment of git: it asks for nothing, and looks at no repository but the one it is told.
func (d *deps) gitEnv() []string {
	env := slices.DeleteFunc(slices.Clone(d.environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"}, name)
	})
	return append(env, "GIT_TERMINAL_PROMPT=0")
}
