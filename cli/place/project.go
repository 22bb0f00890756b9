package place

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// memorySource is a source that can read one project's .claude/memory.
type memorySource interface {
	Memory(ctx context.Context, project string, dirs []string) catalog.Memory
}

// ProjectLook returns a survey.Look without rows for a folder's project.
func ProjectLook(env *Env, src Source, dirs []string, dir string) *survey.Look {
	l := &survey.Look{
		At: env.LookFrom(dir), Git: env.Host.GitStatus,
		Open:  func(ctx context.Context, row sessions.Row) (survey.Doc, error) { return src.Open(ctx, row) },
		Hooks: func(project string) survey.HookPlace { return HookPlace(env, dirs, project) },
	}
	if m, ok := src.(memorySource); ok {
		l.Memory = m.Memory
	}
	return l
}

// ProjectFailure makes a message from an error of a project. A context error stays unchanged.
func ProjectFailure(env *Env, l *survey.Look, err error) error {
	dir := l.At.Dir
	if none, ok := errors.AsType[*survey.NoProjectError](err); ok {
		return &out.Failure{
			Code: out.ExitNone, What: env.Tilde(none.Dir) + " isn't a project: Claude Code was never started in it. Name another folder.",
			Hints: []string{"continuo list --all"},
		}
	}
	folder, ok := errors.AsType[*survey.FolderError](err)
	if !ok {
		return err
	}
	switch folder.State {
	case sessions.FolderGone:
		if slices.ContainsFunc(l.Rows, func(r sessions.Row) bool { return Within(r.Project, dir) || Within(r.Workdir, dir) }) {
			return &out.Failure{Code: out.ExitNone, What: "The folder " + env.Tilde(dir) + " is gone. Its sessions are in the list."}
		}
	case sessions.FolderRelative:
		return &out.Failure{Code: out.ExitNone, What: env.Tilde(dir) + " isn't on this machine. Its sessions are in the list."}
	default:
	}
	return LookFailure(env, dir, err)
}

// ProjectRows returns the sessions of a project without counts. For other folders, there are none. It opens only
// transcripts in directories with a matching name.
func ProjectRows(ctx context.Context, env *Env, root string) (*survey.Look, []*sessions.Row) {
	opts, err := CatalogOptions(env)
	if err != nil {
		return nil, nil
	}
	trees, _ := sessions.InTime(ctx, time.Second, func(context.Context) []string { return sessions.Worktrees(sessions.Disk(), root) })
	opts.Cwd, opts.Also, opts.Named = root, nil, sessions.Named(append(trees, root)...)
	src := env.Open(opts)
	l := ProjectLook(env, src, opts.Dirs, root)
	l.Rows, l.Problem = src.List(ctx, true)
	return l, survey.RowsOf(l.Rows, root)
}

// Divergence compares HEAD of a folder with a commit. ahead counts the commits that only HEAD has, and behind those
// that only commit has. ok is false without git, or for an unknown commit. commit must be a hash, because other text
// could be an option.
func Divergence(ctx context.Context, env *Env, dir, commit string) (ahead, behind int, ok bool) {
	if commit == "" || strings.Trim(commit, "0123456789abcdefABCDEF") != "" {
		return 0, 0, false
	}
	counts, err := env.Host.Git(ctx, dir, "rev-list", "--left-right", "--count", commit+"...HEAD", "--")
	if err == nil {
		_, err = fmt.Sscan(counts, &behind, &ahead)
	}
	return ahead, behind, err == nil
}
