package tasks

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/transcript"
)

func newEndCmd(env *place.Env, o *out.Output) *cobra.Command {
	var a ask
	var flags writing.Flags
	var outcome, message, from string
	var commit bool
	cmd := &cobra.Command{
		Use:   "end",
		Short: "End the session of a task: the shutdown ritual",
		Long: `End the newest session of a task (spec 003, section 4.1): a block in implementation-log.md,
the checkpoint session_end, the status and the event session.complete. The session becomes
complete, whatever the outcome is. The task is complete after success at G10, and blocked
while it has blockers.

--commit first commits all files of the repository, with its hooks. The plan lists them.
continuo undo doesn't undo the commit. --from takes the fields of the checkpoint, as
continuo task checkpoint does.

Exit codes: 1 you said no, or the session isn't active; 2 an error, or there is no
terminal to ask in; 3 no such task.`,
		Example: `  continuo task end --task feat-user-auth --outcome success
  continuo task end --outcome partial --commit -m "Refresh tokens"`,
		Args: find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case !slices.Contains(task.Outcomes(), task.Outcome(outcome)):
				return out.Usage("--outcome takes success, partial or failed, not "+out.Quoted(outcome)+".", cmd.CommandPath()+" --help")
			case commit && strings.TrimSpace(message) == "":
				return out.Usage("--commit needs a message: -m TEXT.", cmd.CommandPath()+" --help")
			case !commit && message != "":
				return out.Usage("-m needs --commit, because TEXT is the commit message.", cmd.CommandPath()+" --help")
			}
			q := &task.Ask{Now: env.Now()}
			if err := entries.PipedText(o, &from); err != nil {
				return err
			}
			if from != "" {
				var err error
				if q.Content, err = contentOf(from); err != nil {
					return err
				}
			}
			return runEnd(cmd, env, o, &a, q, task.Outcome(outcome), message, flags)
		},
	}
	f := cmd.Flags()
	f.StringVar(&outcome, "outcome", "", "`OUTCOME`: success, partial, failed")
	f.StringVar(&from, "from", "", "fields of the checkpoint as `JSON`; - reads them from a pipe")
	f.BoolVar(&commit, "commit", false, "commit all files first")
	f.StringVarP(&message, "message", "m", "", "`TEXT` of the commit message")
	a.addFlags(cmd, env, "end the session of the task `NAME` (default the only one)")
	writing.AddFlags(cmd, &flags)
	find.CompleteFlag(cmd, "outcome", "success", "partial", "failed")
	return cmd
}

// runEnd ends a session after the user confirms. message is the commit message; "" means no commit.
func runEnd(cmd *cobra.Command, env *place.Env, o *out.Output, a *ask, q *task.Ask, outcome task.Outcome, message string, flags writing.Flags) error {
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
	planned := func() (*Work, error) {
		q.Branch, q.Commit = gitOf(ctx, env, t.Root)
		return plan(ctx, env, &t, []*task.Task{one}, "task end", "", func(ctx context.Context, k *task.Task) (change.Change, error) {
			return k.PlanEnd(ctx, outcome, q)
		})
	}
	w, err := planned()
	if err != nil {
		return err
	}
	if message != "" {
		files, err := env.Host.GitStatus(ctx, t.Root, "--porcelain", "--untracked-files=all")
		if err != nil {
			return &out.Failure{What: "The files to commit can't be listed: " + out.Reason(err) + ". Nothing was done.", Cause: err}
		}
		lines := []change.Line{{Mark: change.Good, Text: "no uncommitted changes, so there is no commit"}}
		if strings.TrimSpace(files) != "" {
			lines = []change.Line{{Text: transcript.CleanLine(message)}}
			for s := range strings.Lines(files) {
				lines = append(lines, change.Line{Tone: change.Muted, Text: transcript.CleanLine(strings.TrimRight(s, "\n")), Whole: true})
			}
			w.first = func() (*Work, error) {
				if err := env.Host.GitCommit(ctx, t.Root, message); err != nil {
					f := &out.Failure{What: "git commit failed: " + out.Reason(err) + ". The session wasn't ended.", Cause: err}
					if exit, ok := errors.AsType[*host.ExitError](err); ok {
						f.Facts = strings.Split(strings.TrimSpace(transcript.Clean(string(exit.Stderr))), "\n")
					}
					return nil, f
				}
				return planned()
			}
		}
		p := &writing.Plan{}
		p.Add("Commit", lines...)
		w.before = p.Parts
	}
	return w.proceed(cmd, o, flags)
}
