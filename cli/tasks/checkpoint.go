package tasks

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger/task"
)

const checkpointHint = "continuo task checkpoint --help"

// newCheckpointCmd returns the command continuo task checkpoint.
func newCheckpointCmd(env *place.Env, o *out.Output) *cobra.Command {
	var a ask
	var w writing.Flags
	var event, gate, from string
	var strict bool
	cmd := &cobra.Command{
		Use:   "checkpoint",
		Short: "Save a checkpoint of a task",
		Long: `Save a checkpoint of the newest session of a task. The session must be active. continuo
writes the checkpoint first, then the index, the session and task-status.json.

--from takes the fields of section 3.2 of the spec as JSON: summary, step, state,
next_steps, can_resume, resume_instructions. Other fields are kept. The content that the
spec asks of the event and of the gate goes into state: acceptance_criteria, tdd_plan,
resolutions. Missing content is a warning in the plan; with --strict, it
is an error.

Exit codes: 1 you said no, or the session, the gate or the content isn't allowed; 2 an
error, or there is no terminal to ask in; 3 no such task.`,
		Example: `  continuo task checkpoint --event gate_transition --gate G4 --from - <fields.json
  continuo task checkpoint --event decision --from '{"summary":"JWT, not cookies"}'`,
		Args: find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, name := range []string{"event", "gate", "from"} {
				if f := cmd.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
					return out.Usage("--"+name+" is empty. Is a variable unset?", checkpointHint)
				}
			}
			q, err := askOf(o, event, gate, from)
			if err != nil {
				return err
			}
			return runCheckpoint(cmd, env, o, &a, q, w, strict)
		},
	}
	f := cmd.Flags()
	f.StringVar(&event, "event", "", "`EVENT`: "+eventNames())
	f.StringVar(&gate, "gate", "", "`GATE` from G0 to G10 (default that of the session)")
	f.StringVar(&from, "from", "", "fields as `JSON`; - reads them from a pipe")
	f.BoolVar(&strict, "strict", false, "refuse a checkpoint that lacks content required by the spec")
	a.addFlags(cmd, env, "save the checkpoint in the task `NAME` (default the only one)")
	writing.AddFlags(cmd, &w)
	var events []string
	for _, e := range task.Events() {
		events = append(events, string(e))
	}
	find.CompleteFlag(cmd, "event", events...)
	return cmd
}

func eventNames() string {
	var all []string
	for _, e := range task.Events() {
		all = append(all, string(e))
	}
	return strings.Join(all, ", ")
}

// askOf converts the flags of continuo task checkpoint into a request.
func askOf(o *out.Output, event, gate, from string) (*task.Ask, error) {
	q := &task.Ask{Event: task.Event(event), Gate: task.Gate(gate)}
	known := false
	for _, e := range task.Events() {
		known = known || e == q.Event
	}
	if !known {
		return nil, out.Usage("--event takes "+eventNames()+", not "+out.Quoted(event)+".", checkpointHint)
	}
	if _, ok := q.Gate.Number(); gate != "" && !ok {
		return nil, out.Usage("--gate takes G0 to G10, not "+out.Quoted(gate)+".", checkpointHint)
	}
	if err := entries.PipedText(o, &from); err != nil {
		return nil, err
	}
	if from == "" {
		return q, nil
	}
	var err error
	q.Content, err = contentOf(from)
	return q, err
}

// runCheckpoint plans a checkpoint, and saves it after the user confirms.
func runCheckpoint(cmd *cobra.Command, env *place.Env, o *out.Output, a *ask, q *task.Ask, flags writing.Flags, strict bool) error {
	ctx := cmd.Context()
	flags.FinishInterrupted(ctx, env)
	t, err := a.look(ctx, env, cmd)
	if err != nil {
		return err
	}
	one, err := a.one(env, &t)
	if err != nil {
		return err
	}
	q.Now = env.Now()
	q.Branch, q.Commit = gitOf(ctx, env, t.Root)
	w, err := plan(ctx, env, &t, []*task.Task{one}, "task checkpoint", "", func(ctx context.Context, k *task.Task) (change.Change, error) {
		return k.PlanCheckpoint(ctx, q)
	})
	if err != nil {
		return err
	}
	if lacks := w.reports[0].Lacks; strict && len(lacks) > 0 {
		f := &out.Failure{Code: out.ExitNo, What: "The checkpoint lacks content that the spec requires. Nothing was written."}
		for _, lack := range lacks {
			f.Facts = append(f.Facts, lack.Field+": "+lack.Name)
		}
		return f
	}
	return w.proceed(cmd, o, flags)
}

// gitOf returns the branch and the commit of a project, or "".
func gitOf(ctx context.Context, env *place.Env, root string) (branch, commit string) {
	ask := func(args ...string) string {
		text, err := env.Host.Git(ctx, root, args...)
		if err != nil {
			return ""
		}
		return strings.TrimSpace(text)
	}
	if commit = ask("rev-parse", "--verify", "--quiet", "HEAD"); commit == "" {
		return "", ""
	}
	return ask("symbolic-ref", "--short", "--quiet", "HEAD"), commit
}

// newMoveCmd returns a command that changes the state of a task's newest session.
func newMoveCmd(env *place.Env, o *out.Output, to task.State, name, short string) *cobra.Command {
	var a ask
	var flags writing.Flags
	more := ""
	if to.Ended() {
		more = " It also saves the checkpoint\nsession_end, unless the last checkpoint is a session_end already."
	}
	var from []string
	for _, s := range []task.State{task.Init, task.Active, task.Suspended, task.Complete, task.Terminated} {
		for _, next := range s.To() {
			if next == to {
				from = append(from, string(s))
			}
		}
	}
	cmd := &cobra.Command{
		Use:   name,
		Short: short,
		Long: short + " (spec 003, section 1.1)." + more + `
The session must be ` + strings.Join(from, " or ") + `.

Exit codes: 1 you said no, or its state doesn't allow this; 2 an error, or there is no
terminal to ask in; 3 no such task.`,
		Example: `  continuo task ` + name + ` --task feat-user-auth`,
		Args:    find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			flags.FinishInterrupted(ctx, env)
			t, err := a.look(ctx, env, cmd)
			if err != nil {
				return err
			}
			one, err := a.one(env, &t)
			if err != nil {
				return err
			}
			q := &task.Ask{Now: env.Now()}
			q.Branch, q.Commit = gitOf(ctx, env, t.Root)
			w, err := plan(ctx, env, &t, []*task.Task{one}, "task "+name, "", func(ctx context.Context, k *task.Task) (change.Change, error) {
				return k.PlanMove(ctx, to, q)
			})
			if err != nil {
				return err
			}
			return w.proceed(cmd, o, flags)
		},
	}
	a.addFlags(cmd, env, name+" the session of the task `NAME` (default the only one)")
	writing.AddFlags(cmd, &flags)
	return cmd
}
