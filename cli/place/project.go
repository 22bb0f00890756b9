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

// memorySource is a source that can also read the .claude/memory of one project.
type memorySource interface {
	Memory(ctx context.Context, project string, dirs []string) catalog.Memory
}

// ProjectLook returns a survey.Look for the project of a folder. The Look has no rows.
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

// ProjectFailure converts an error about a project into a message. It returns errors of the context unchanged.
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

// ProjectRows returns the sessions of a project, without counts. If the folder isn't a project, there are none.
// Transcripts are opened only in directories whose names match the project or its worktrees.
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

// Divergence counts the commits that only HEAD of a folder has (ahead), and the commits that only the given commit has
// (behind). ok is false without git, or for an unknown commit. commit comes from a file, so only a hash is accepted;
// another text could be an option or a path.
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
