package tasks

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
)

// startAction is the only action that may create a task.
const startAction = "task start"

// agent is the agent_id of continuo's sessions.
const agent = "claude-code"

func newStartCmd(env *place.Env, o *out.Output) *cobra.Command {
	var a ask
	var flags writing.Flags
	var gate, goal string
	var health bool
	cmd := &cobra.Command{
		Use:   "start",
		Short: "Start a session of a task: the startup ritual",
		Long: `Start a session of a task (spec 003, section 2.1), or start the task. The plan has the five
steps: the log, the status, the last commits, the health check and the goal. The new
session continues the newest checkpoint, or with --from-gate the newest one at or below
that gate.

The health check is tasks.health of the config, else scripts["test:smoke"] of
package.json. It is shown in full and runs only with --health, with sh -c in the project.
If it fails, the failure becomes a checkpoint and the first of the next steps, and the
task takes no checkpoint at a higher gate until continuo task health --health passes.

Exit codes: 1 you said no, a session is active, or the health check failed; 2 an error,
or there is no terminal to ask in; 3 no such task.`,
		Example: `  continuo task start --task feat-user-auth --goal "Refresh tokens"
  continuo task start --task feat-user-auth --from-gate G4 --health`,
		Args: find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			q := &task.Start{Now: env.Now(), Agent: agent, FromGate: task.Gate(gate), Goal: transcript.CleanLine(goal)}
			if _, ok := q.FromGate.Number(); gate != "" && !ok {
				return out.Usage("--from-gate takes G0 to G10, not "+out.Quoted(gate)+".", cmd.CommandPath()+" --help")
			}
			if id := env.Host.Getenv("CLAUDE_CODE_SESSION_ID"); sessions.IsUUID(id) {
				q.ClaudeID = id
			}
			return runStart(cmd, env, o, &a, q, flags, health)
		},
	}
	f := cmd.Flags()
	f.StringVar(&gate, "from-gate", "", "start from `GATE`")
	f.StringVar(&goal, "goal", "", "`TEXT` of the goal")
	f.BoolVar(&health, "health", false, "run the health check")
	a.addFlags(cmd, env, "start a session of the task `NAME` (default the only one)")
	writing.AddFlags(cmd, &flags)
	return cmd
}

// runStart starts a session after the user confirms.
func runStart(cmd *cobra.Command, env *place.Env, o *out.Output, a *ask, q *task.Start, flags writing.Flags, health bool) error {
	ctx := cmd.Context()
	flags.FinishInterrupted(ctx, env)
	t, err := a.look(ctx, env, cmd)
	if err != nil {
		return err
	}
	one := t.Find(a.slug)
	if one == nil && a.slug != "" {
		if !task.IsSlug(a.slug) {
			return out.Usage("--task takes the name of a directory: letters, digits, -, _ and dots, not "+out.Quoted(a.slug)+".", cmd.CommandPath()+" --help")
		}
		if one, err = task.Read(ctx, t.Root, a.slug); err != nil && !errors.Is(err, task.ErrNone) {
			return err
		}
	}
	if one == nil {
		if one, err = a.one(env, &t); err != nil {
			return err
		}
	}
	k, err := healthOf(env, t.Root)
	if err != nil {
		return err
	}
	start := func(ctx context.Context, k *task.Task) (change.Change, error) { return k.PlanStart(ctx, q) }
	w, err := plan(ctx, env, &t, []*task.Task{one}, startAction, "", start)
	if err != nil {
		return err
	}
	w.before = append(w.before, checklist(ctx, env, &t, one, q, &k, health)...)
	w.from = fromLines(ctx, env, t.Root, one, q)
	if health {
		if k.command == "" {
			return k.none()
		}
		w.first = func() (*Work, error) {
			if q.Check, err = k.run(ctx, env, t.Root); err != nil {
				return nil, err
			}
			next, err := plan(ctx, env, &t, []*task.Task{one}, startAction, "", start)
			if err == nil && q.Check.Code != 0 {
				next.then = func() (*Work, error) {
					return plan(ctx, env, &t, []*task.Task{one}, "task health", "", func(ctx context.Context, k *task.Task) (change.Change, error) {
						return k.PlanUnhealthy(ctx, q.Now, q.Check)
					})
				}
			}
			return next, err
		}
	}
	if err := w.proceed(cmd, o, flags); err != nil {
		return err
	}
	return unhealthy(one.Slug, q.Check)
}

// checklist returns the five steps of the startup ritual, in order.
func checklist(ctx context.Context, env *place.Env, t *survey.Tasks, one *task.Task, q *task.Start, k *healthCommand, run bool) []change.Part {
	p := &writing.Plan{}
	line := func(mark change.Mark, text string) change.Line {
		return change.Line{Mark: mark, Text: transcript.CleanLine(text)}
	}
	log := []change.Line{line(change.Good, one.Log)}
	end := one.LogEnd(logLines)
	if len(end) == 0 {
		log[0] = line(change.Warn, one.Log+" doesn't exist yet")
	}
	for _, s := range end {
		log = append(log, change.Line{Tone: change.Muted, Text: transcript.CleanLine(s)})
	}
	p.Add("1 Log", log...)
	status := []change.Line{line(change.Good, strings.TrimSpace(string(one.Gate())+" "+one.Status.Status))}
	if !one.Status.There() {
		status[0] = line(change.Good, "a new task")
	}
	for _, s := range one.Status.Blockers {
		status = append(status, line(change.Warn, "blocked: "+s))
	}
	for _, s := range one.Status.Next {
		status = append(status, line("", "next: "+s))
	}
	p.Add("2 Status", status...)
	var history []change.Line
	text, err := env.Host.Git(ctx, t.Root, "log", "--oneline", "-10")
	for s := range strings.Lines(text) {
		history = append(history, change.Line{Tone: change.Muted, Text: transcript.CleanLine(strings.TrimSpace(s)), Cut: true})
	}
	if err != nil || len(history) == 0 {
		history = []change.Line{line(change.Warn, "no commits")}
	}
	p.Add("3 History", history...)
	p.Add("4 Health", k.lines(&one.Status, run)...)
	goal := line(change.Warn, "none: set one with --goal")
	if q.Goal != "" {
		goal = line(change.Good, q.Goal)
	}
	p.Add("5 Goal", goal)
	return p.Parts
}

// logLines is the number of log lines that a start shows.
const logLines = 12

// fromLines describes the continued checkpoint, and its unmet preconditions.
func fromLines(ctx context.Context, env *place.Env, root string, one *task.Task, q *task.Start) []change.Line {
	from := one.From(q.FromGate)
	if from == nil {
		return nil
	}
	lines := []change.Line{{Text: "continues checkpoint " + transcript.CleanLine(from.Name) + " at " + string(from.Gate)}}
	for _, c := range one.Preconditions(from, func(path string) bool {
		_, err := os.Lstat(filepath.Join(root, filepath.FromSlash(path)))
		return err == nil
	}, func(commit string) bool {
		_, err := env.Host.Git(ctx, root, "merge-base", "--is-ancestor", "--end-of-options", commit, "HEAD")
		return err == nil
	}) {
		if !c.Holds {
			lines = append(lines, writing.Warning(transcript.CleanLine(c.Why)))
		}
	}
	if len(lines) == 1 {
		lines = append(lines, change.Line{Mark: change.Good, Text: words.AndList([]string{"its files exist", "its commit is in the history", "its gate is done", "no newer session is active"})})
	}
	return lines
}
