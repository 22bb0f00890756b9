package place

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/sessions/hook/setup"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// ProgramReason returns the reason why a program failed.
func ProgramReason(err error) string {
	if e, ok := errors.AsType[*host.ExitError](err); ok && e.ExitCode() > 0 {
		return fmt.Sprintf("exit code %d", e.ExitCode())
	}
	return out.Reason(err)
}

// HookRuns is the hooks' log in the state directory.
const HookRuns = "hooks.jsonl"

// HookPlace returns the environment of hooks. project is the folder with .claude/memory, or "".
func HookPlace(env *Env, dirs []string, project string) survey.HookPlace {
	at := survey.HookPlace{
		Place: env.LookFrom(env.Dir), Project: project, ConfigDir: env.ClientDir(), Dirs: dirs, PathFix: env.PathFix(),
		Broken: func(program string) string {
			if _, err := env.Host.LookPath(program); err != nil {
				return ProgramReason(err)
			}
			return ""
		},
	}
	if dir := env.StateDir(); dir != "" {
		at.Installed, at.Runs = filepath.Join(dir, "installed"), filepath.Join(dir, HookRuns)
	}
	return at
}

// HooksAct returns a function that reports whether SessionEnd hooks run in a project. It reads the user settings once.
func HooksAct(env *Env, dirs []string) func(project string) bool {
	user := sync.OnceValue(func() bool {
		return slices.ContainsFunc(dirs, func(dir string) bool {
			return setup.Options{Home: env.Home, ConfigDir: dir}.Look().Runs(hook.EventEnd)
		})
	})
	return func(project string) bool {
		return user() || setup.Options{Home: env.Home, Project: project}.Look().Runs(hook.EventEnd)
	}
}
