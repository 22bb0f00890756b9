package cli

import (
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/continuo-tui/continuo/sessions/hook"
	"github.com/continuo-tui/continuo/sessions/hook/setup"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// placeOfHook is where the hooks of a project are looked for: the one that has the memory, "" none.
func placeOfHook(env *Env, dirs []string, project string) survey.HookPlace {
	at := survey.HookPlace{
		Place: env.lookFrom(env.dir), Project: project, ConfigDir: env.clientDir(), Dirs: dirs, PathFix: env.pathFix(),
		Broken: func(program string) string {
			if _, err := env.host.LookPath(program); err != nil {
				return programReason(err)
			}
			return ""
		},
	}
	if dir := env.stateDir(); dir != "" {
		at.Installed, at.Runs = filepath.Join(dir, "installed"), filepath.Join(dir, hookRuns)
	}
	return at
}

// hookChecks are the checks of the hooks, those of the gate among them.
func hookChecks(env *Env, f *survey.HookFacts) []check {
	var checks []check
	for _, c := range append(f.Checks(), gateChecks(env, f)...) {
		checks = append(checks, check{Name: c.Name, State: c.State, Text: c.Text, Note: c.Note, Fix: c.Fix, See: c.See})
	}
	return checks
}

// hooksAct tells in which projects the client calls hooks at the end of a session. The settings of the user are read
// once, at the first question.
func hooksAct(env *Env, dirs []string) func(project string) bool {
	user := sync.OnceValue(func() bool {
		return slices.ContainsFunc(dirs, func(dir string) bool {
			return setup.Options{Home: env.home, ConfigDir: dir}.Look().Runs(hook.EventEnd)
		})
	})
	return func(project string) bool {
		return user() || setup.Options{Home: env.home, Project: project}.Look().Runs(hook.EventEnd)
	}
}

// pathFix is the command that puts this program on the PATH; "" it has another name.
func (e *Env) pathFix() string {
	if self, err := os.Executable(); err == nil && filepath.Base(self) == "continuo" {
		return "export PATH=" + e.shellPath(filepath.Dir(self)) + `:"$PATH"`
	}
	return ""
}
