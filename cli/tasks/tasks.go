// Package tasks implements the commands that read and write the tasks of a project (spec 003).
package tasks

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// NewCmd returns the command continuo task.
func NewCmd(env *place.Env, o *out.Output) *cobra.Command {
	return find.NewGroupCmd(
		&cobra.Command{
			Use:   "task",
			Short: "Read, verify and write tasks and their checkpoints",
			Long: `Read, verify and write the tasks of a project (spec 003). A task is a directory of tasks/
with json/task-status.json, json/checkpoints/ or json/sessions/. Its sessions follow each
other, and its checkpoints are saved states of the work. continuo keeps their index and
all fields that it doesn't know. continuo undo reverts each change.

Exit codes: 1 the answer is no: findings, a state or gate that isn't allowed, or you
said no; 2 an error; 3 no such task.`,
			Example: `  continuo task list
  continuo task verify --task feat-user-auth`,
		},
		newListCmd(env, o), newTimelineCmd(env, o), newVerifyCmd(env, o), newStartCmd(env, o), newHealthCmd(env, o),
		newCheckpointCmd(env, o), newFailCmd(env, o), newEndCmd(env, o),
		newMoveCmd(env, o, task.Suspended, "suspend", "Suspend the newest session of a task"),
		newMoveCmd(env, o, task.Active, "resume", "Set the newest session of a task to active again"),
		newMoveCmd(env, o, task.Complete, "complete", "Complete the newest session of a task"),
		newMoveCmd(env, o, task.Terminated, "terminate", "Terminate the newest session of a task"),
		newReapCmd(env, o),
	)
}

// ask has the flags of all task commands.
type ask struct{ project, slug string }

// addFlags adds --task and --project.
func (a *ask) addFlags(cmd *cobra.Command, env *place.Env, usage string) {
	cmd.Flags().StringVar(&a.slug, "task", "", usage)
	find.AddProject(cmd, &a.project)
	_ = cmd.RegisterFlagCompletionFunc("task", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		slugs, _ := a.slugs(env) // no completions after an error
		return slugs, cobra.ShellCompDirectiveNoFileComp
	})
}

func (a *ask) slugs(env *place.Env) ([]string, error) {
	dir, err := find.FolderAsked(env, a.project)
	if err != nil {
		return nil, err
	}
	p, err := place.LedgerOf(env, dir)
	if err != nil {
		return nil, err
	}
	slugs, _, err := task.Slugs(p.Root)
	return slugs, err
}

// look reads the tasks of the project.
func (a *ask) look(ctx context.Context, env *place.Env, cmd *cobra.Command) (survey.Tasks, error) {
	for _, name := range []string{"task", "project"} {
		if f := cmd.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
			return survey.Tasks{}, out.Usage("--"+name+" is empty. Is a variable unset?", cmd.CommandPath()+" --help")
		}
	}
	dir, err := find.FolderAsked(env, a.project)
	if err != nil {
		return survey.Tasks{}, err
	}
	t, err := survey.TasksOf(ctx, env.LookFrom(dir))
	return t, place.LookFailure(env, dir, err)
}

// selected returns the named task, or all tasks without a name.
func (a *ask) selected(env *place.Env, t *survey.Tasks) ([]*task.Task, error) {
	if a.slug == "" {
		return t.All, nil
	}
	if one := t.Find(a.slug); one != nil {
		return []*task.Task{one}, nil
	}
	return nil, unknown(env, t, a.slug)
}

// one returns the named task or, without a name, the only one.
func (a *ask) one(env *place.Env, t *survey.Tasks) (*task.Task, error) {
	if a.slug == "" && len(t.All) == 0 {
		return nil, none(env, t)
	}
	if a.slug == "" && len(t.All) != 1 {
		f := out.Usage("Name the task with --task. The project has "+out.Count(len(t.All), "task")+".", "continuo task list")
		f.Facts = slugsOf(t)
		return nil, f
	}
	all, err := a.selected(env, t)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// none returns the error for a project without tasks.
func none(env *place.Env, t *survey.Tasks) error {
	return &out.Failure{Code: out.ExitNo, What: "There are no tasks in " + env.Tilde(t.Root) + "."}
}

// unknown returns the error for an unknown task. The error lists the known tasks.
func unknown(env *place.Env, t *survey.Tasks, slug string) error {
	f := &out.Failure{Code: out.ExitNone, What: "There is no task " + out.Quoted(slug) + " in " + env.Tilde(t.Root) + ".", Cause: task.ErrNone}
	if f.Facts = slugsOf(t); len(f.Facts) > 0 {
		f.What += " Choose one of these."
	}
	return f
}

func slugsOf(t *survey.Tasks) []string {
	var all []string
	for _, one := range t.All[:min(len(t.All), find.CandidatesMax)] {
		all = append(all, one.Slug)
	}
	return slices.Clip(all)
}
