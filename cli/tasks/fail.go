package tasks

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/transcript"
)

func newFailCmd(env *place.Env, o *out.Output) *cobra.Command {
	var a ask
	var flags writing.Flags
	var kind string
	q := &task.Fail{}
	cmd := &cobra.Command{
		Use:   "fail",
		Short: "Record that a step of a task failed",
		Long: `Record that a step of a task failed, as an error_recovery checkpoint, and print the retry
strategy of spec 003, section 5.2:

` + strategies() + `
The third failure in a row on a step writes a brief for a fixer into ops/ of the task. A
persistent failure blocks the task. continuo never rolls code back.

Exit codes: 1 you said no, or the session isn't active; 2 an error, or there is no
terminal to ask in; 3 no such task.`,
		Example: `  continuo task fail --kind test --step 3 --error "TestRefresh: token is expired"`,
		Args:    find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			hint := cmd.CommandPath() + " --help"
			q.Kind, q.Now = task.Failure(kind), env.Now()
			switch {
			case q.Kind.Retry() == "":
				return out.Usage("--kind takes transient, test, resource, logic or persistent, not "+out.Quoted(kind)+".", hint)
			case !cmd.Flags().Changed("step") || q.Step < 0:
				return out.Usage("--step takes the number of the step that failed.", hint)
			}
			if err := entries.PipedText(o, &q.What); err != nil {
				return err
			}
			if strings.TrimSpace(q.What) == "" {
				return out.Usage("--error says what failed and what was tried.", hint)
			}
			return runFail(cmd, env, o, &a, q, flags)
		},
	}
	f := cmd.Flags()
	f.StringVar(&kind, "kind", "", "`KIND` of the failure: transient, test, resource, logic, persistent")
	f.IntVar(&q.Step, "step", 0, "number `N` of the step")
	f.StringVar(&q.What, "error", "", "`TEXT`: what failed and what was tried; - reads it from a pipe")
	a.addFlags(cmd, env, "record a failed step of the task `NAME` (default the only one)")
	writing.AddFlags(cmd, &flags)
	find.CompleteFlag(cmd, "kind", "transient", "test", "resource", "logic", "persistent")
	return cmd
}

// strategies formats the retry strategies of section 5.2.
func strategies() string {
	var b strings.Builder
	for _, f := range task.Failures() {
		b.WriteString("  " + string(f) + strings.Repeat(" ", 12-len(f)) + f.Retry() + "\n")
	}
	return b.String()
}

func runFail(cmd *cobra.Command, env *place.Env, o *out.Output, a *ask, q *task.Fail, flags writing.Flags) error {
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
	w, err := plan(ctx, env, &t, []*task.Task{one}, "task fail", "", func(ctx context.Context, k *task.Task) (change.Change, error) { return k.PlanFail(ctx, q) })
	if err != nil {
		return err
	}
	p := &writing.Plan{}
	lines := []change.Line{{Text: q.Kind.Retry() + " (step " + strconv.Itoa(q.Step) + ")"}}
	if q.Kind == task.Logic {
		if last := one.Last(); last != nil && last.Commit != "" {
			lines = append(lines, change.Line{Tone: change.Muted, Text: "checkpoint " + transcript.CleanLine(last.Name) + " is of commit " + transcript.CleanLine(last.Commit) + "; continuo doesn't change your code"})
		}
	}
	p.Add("Retry", lines...)
	w.before = p.Parts
	return w.proceed(cmd, o, flags)
}

// contentOf parses the fields of a checkpoint.
func contentOf(text string) (*task.Checkpoint, error) {
	c, err := task.ParseContent([]byte(text))
	if e, ok := errors.AsType[*task.ContentError](err); ok {
		f := out.Usage("The fields of the checkpoint are wrong. Nothing was written.", checkpointHint)
		for _, p := range e.Problems {
			f.Facts = append(f.Facts, p.String())
		}
		return nil, f
	}
	return c, err
}
