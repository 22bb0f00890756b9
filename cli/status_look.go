package cli

import (
	"context"
	"sync"

	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// status is what wants attention on this machine, and in this project.
type status struct {
	survey.Machine
	here hereStatus
}

// pendingProject is a survey.PendingProject for programs.
type pendingProject struct {
	Path    string `json:"path"`
	Count   int    `json:"count"`
	Unsaved int    `json:"unsaved"`
	Unseen  int    `json:"unseen"`
}

// newStatusLook makes the look at this machine. The short line says nothing of what nobody has looked at.
func newStatusLook(env *Env, dirs []string, line bool) *survey.MachineLook {
	known := func() []string { return knownProjects(env.knownPath()) }
	l := survey.NewMachineLook(dirs, env.dir, env.home, env.now, known, hooksAct(env, dirs))
	if !line {
		seen := sync.OnceValue(func() map[string]bool { return seenBackups(env) })
		l.Unseen = func(ctx context.Context, project string) (int, error) {
			return backup.Unseen(ctx, project, env.now(), seen())
		}
	}
	return l
}
