package tasks

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/hook/setup"
	"github.com/continuo-tui/continuo/sessions/survey"
)

const (
	orphansEvery = time.Minute     // minimum time between two checks
	orphansLimit = 2 * time.Second // time limit for the tasks of all projects
)

// ReapOrphans suspends interrupted sessions as continuo task reap does, without asking (spec 003, section 4.2).
// It checks the project of dir, and known projects with the hooks of init --tasks. It runs at most once a
// minute. Each change is in the journal. It ignores errors: continuo task reap reports them.
func ReapOrphans(ctx context.Context, env *place.Env, dir string) {
	_ = sessions.Catch(func() { reapOrphans(ctx, env, dir) })
}

func reapOrphans(ctx context.Context, env *place.Env, dir string) {
	stamp := filepath.Join(env.StateDir(), "orphans") // file with the last check's time
	if env.StateDir() == "" || env.MadeUp {
		return
	}
	last, _ := time.Parse(time.RFC3339, sessions.FirstLine(stamp)) // "" before the first check
	if age := env.Now().Sub(last); age >= 0 && age < orphansEvery {
		return
	}
	by := time.Now().Add(orphansLimit)
	projects := slices.DeleteFunc(append(place.KnownProjects(env.KnownPath()), setup.ProjectRoot(dir, env.Home)), func(p string) bool { return p == "" })
	slices.Sort(projects)
	projects = slices.Compact(projects)
	has := sessions.AskAll(ctx, by, projects, func(_ context.Context, project string) bool { return hasTaskHooks(env, project) })
	late := len(has) < len(projects) // some folder didn't respond: write the stamp, so it isn't tried more often
	projects = slices.DeleteFunc(projects, func(p string) bool { return !has[p] })
	if len(projects) == 0 && !late {
		return
	}
	if place.ReplaceFile(stamp, []byte(env.Now().UTC().Format(time.RFC3339)+"\n"), 0o600, 0o700) != nil {
		return
	}
	for _, work := range sessions.AskAll(ctx, by, projects, func(ctx context.Context, project string) []*Work { return orphans(ctx, env, project) }) {
		for _, w := range work {
			limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), disk.LockLimit)
			_, _, _ = w.Write(limited)
			cancel()
		}
	}
}

// hasTaskHooks reports whether a project has tasks and the hooks of init --tasks.
func hasTaskHooks(env *place.Env, project string) bool {
	if _, err := os.Stat(filepath.Join(project, "tasks")); err != nil {
		return false
	}
	return len(setup.Options{Home: env.Home, ConfigDir: env.ClientDir(), Project: project}.Look().Tasks) > 0
}

// orphans plans to suspend the interrupted sessions of a project.
func orphans(ctx context.Context, env *place.Env, project string) []*Work {
	t, err := survey.TasksOf(ctx, env.LookFrom(project))
	if err != nil {
		return nil
	}
	var all []*Work
	for _, k := range t.All {
		if !slices.ContainsFunc(k.Sessions, func(s *task.Session) bool { return s.State == task.Active || s.State == task.Init }) {
			continue
		}
		w, err := PlanReap(ctx, env, &t, []*task.Task{k})
		if err == nil && slices.ContainsFunc(w.reports, func(r *task.Report) bool { return len(r.Incidents) > 0 }) {
			all = append(all, w)
		}
	}
	return all
}
