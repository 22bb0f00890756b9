package tasks

import (
	"context"
	"path"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/tui/render"
)

func newVerifyCmd(env *place.Env, o *out.Output) *cobra.Command {
	var a ask
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Verify the sessions, checkpoints and index of tasks",
		Long: `Verify the chain of tasks, without changing files. The rules:

  1  the ID of a session or checkpoint is the name of its file
  2  all fields of the spec are there and have the right form
  3  times don't decrease, and checkpoints are within their session
  4  the session of each checkpoint exists
  5  the index has each checkpoint with its SHA-256, and no others
  6  gates don't decrease, except in an error_recovery
  7  a session that ended has a checkpoint of its end
  8  a session has the number and the gate of its checkpoints
  9  parents and children name each other, without a cycle

continuo task reap adds what an interrupted write has left out. A file that was changed
by hand stays a finding: restore it, or remove json/checkpoint-index.json and reap.

Exit codes: 0 verified, 1 findings, 2 a file couldn't be read, 3 no such task.`,
		Example: `  continuo task verify --task feat-user-auth`,
		Args:    find.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runVerify(cmd.Context(), env, o, cmd, &a) },
	}
	a.addFlags(cmd, env, "verify only the task `NAME`")
	return cmd
}

// finding is a row of the result.
type finding struct {
	task.Finding

	of *task.Task
}

func runVerify(ctx context.Context, env *place.Env, o *out.Output, cmd *cobra.Command, a *ask) error {
	t, err := a.look(ctx, env, cmd)
	if err != nil {
		return err
	}
	all, err := a.selected(env, &t)
	if err != nil {
		return err
	}
	rows, unread, checkpoints := []finding{}, []string(nil), 0
	for _, one := range all {
		checkpoints += len(one.Checkpoints)
		for _, f := range one.Verify() {
			rows = append(rows, finding{f, one})
		}
		for _, problem := range ledger.Parts(one.Problem) {
			unread = append(unread, out.Sentence(out.Reason(problem)))
		}
	}
	sum := "✓ " + words.Counted(len(all), "task", "tasks") + " with " + words.Counted(checkpoints, "checkpoint", "checkpoints") + " verified."
	if len(rows) > 0 {
		sum = words.Counted(len(rows), "finding", "findings") + "."
	}
	if len(unread) > 0 {
		sum = ""
	}
	if err := findingTable().Print(o, rows, sum); err != nil {
		return err
	}
	switch {
	case len(unread) > 0:
		return &out.Failure{What: "Some files could not be read. Check their modes.", Facts: unread}
	case len(rows) > 0:
		return &out.Failure{Code: out.ExitNo, Plain: true} // the rows have the reason
	}
	return nil
}

func findingTable() *out.Table[finding] {
	return &out.Table[finding]{
		Mark: func(finding) render.Span { return render.Span{Ink: render.Bad, Text: "✗"} },
		Columns: []out.Column[finding]{
			{Key: "task", Value: func(f finding) any { return f.of.Slug }},
			{Key: "file", Value: func(f finding) any { return out.Path(path.Join("tasks", f.of.Slug, f.File)) }, Ink: render.Strong, Least: 20},
			{Key: "rule", Value: func(f finding) any { return int(f.Rule) }},
			{Key: "finding", Value: func(f finding) any { return f.What }, Fill: true, Below: true, Least: 30},
		},
		Piped: "file rule finding",
		Shown: "file rule finding",
	}
}
