package tasks

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// newReapCmd returns the command continuo task reap.
func newReapCmd(env *place.Env, o *out.Output) *cobra.Command {
	var a ask
	var flags writing.Flags
	cmd := &cobra.Command{
		Use:   "reap",
		Short: "Suspend interrupted sessions of tasks",
		Long: `Suspend interrupted sessions of tasks (spec 003, section 4.2). A session is interrupted
if it is active, its files and its transcript haven't changed for 5 minutes, and no client
has it open. Each one gets an interrupted checkpoint with its last known state, and a line
in json/incidents.jsonl. A write that was interrupted is completed.

Running it again changes nothing. With --yes it suits cron.

Exit codes: 1 you said no; 2 an error, or there is no terminal to ask in; 3 no such
task.`,
		Example: `  continuo task reap --dry-run
  continuo task reap --yes`,
		Args: find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			flags.FinishInterrupted(ctx, env)
			t, err := a.look(ctx, env, cmd)
			if err != nil {
				return err
			}
			all, err := a.selected(env, &t)
			if err != nil {
				return err
			}
			w, err := PlanReap(ctx, env, &t, all)
			if err != nil {
				return err
			}
			return w.proceed(cmd, o, flags)
		},
	}
	a.addFlags(cmd, env, "only the task `NAME` (default all)")
	writing.AddFlags(cmd, &flags)
	return cmd
}

// PlanReap returns the plan of continuo task reap.
func PlanReap(ctx context.Context, env *place.Env, t *survey.Tasks, tasks []*task.Task) (*Work, error) {
	now := env.Now()
	var seen func(id string) task.Seen
	return plan(ctx, env, t, tasks, "task reap", "Reaped tasks", func(ctx context.Context, k *task.Task) (change.Change, error) {
		if seen == nil {
			seen = clients(ctx, env, t.Root)
		}
		return k.PlanReap(ctx, now, seen)
	})
}

// clients returns a function that reports whether Claude Code's session of a task may be live, and when it was
// last used. A task session without one may belong to any live session of the project. If the registry is
// unreadable, every session may be live.
func clients(ctx context.Context, env *place.Env, root string) func(id string) task.Seen {
	conf, _ := place.LoadConfig(env) // the caller has reported the error
	var live []sessions.Live
	own := env.Host.Getenv("CLAUDE_CODE_SESSION_ID") // the registry may not have a starting session yet
	unsure := false
	for _, dir := range place.ConfigDirs(env, conf) {
		list, errs := sessions.ReadRegistry(ctx, dir, sessions.SystemProbe())
		live, unsure = append(live, list...), unsure || len(errs) > 0
	}
	last := map[string]time.Time{}
	here := false
	_, rows := place.ProjectRows(ctx, env, root)
	for _, r := range rows {
		if r.Kind != sessions.KindSession {
			continue
		}
		if r.Last.After(last[r.ID]) {
			last[r.ID] = r.Last
		}
		here = here || slices.ContainsFunc(live, func(l sessions.Live) bool { return l.SessionID == r.ID })
	}
	return func(id string) task.Seen {
		if id == "" {
			return task.Seen{Live: unsure || here || own != ""}
		}
		return task.Seen{Live: unsure || id == own || slices.ContainsFunc(live, func(l sessions.Live) bool { return l.SessionID == id }), Last: last[id]}
	}
}
