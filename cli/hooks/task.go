package hooks

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/tasks"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// taskLineMost is the maximum length of the hook's line, in characters.
const taskLineMost = 300

// taskHook suspends interrupted sessions. It returns a line about the last changed active or suspended task, or
// "". The client shows the line only at the start of a session.
func taskHook(ctx context.Context, env *place.Env) (string, error) {
	dir := cmp.Or(env.Host.Getenv("CLAUDE_PROJECT_DIR"), env.Dir)
	tasks.ReapOrphans(ctx, env, dir)
	t, err := survey.TasksOf(ctx, env.LookFrom(dir))
	if err != nil {
		return "", err
	}
	open := slices.DeleteFunc(t.All, func(k *task.Task) bool {
		s := k.Newest()
		return s == nil || !k.Open() || s.State != task.Active && s.State != task.Suspended
	})
	if len(open) == 0 {
		return "", nil
	}
	return taskLine(open[0], len(open)-1), nil
}

// taskLine describes a task in at most taskLineMost characters. more is the number of other open tasks.
func taskLine(k *task.Task, more int) string {
	s := k.Newest()
	head := "TASK_OPEN: " + k.Slug + " is " + string(s.State) + " at " + string(s.Gate) + "."
	end := " /task-status shows it."
	if s.State == task.Suspended {
		end = " /task-start continues it."
	}
	if more > 0 {
		end += " " + strconv.Itoa(more) + " more: continuo task list."
	}
	if note := strings.Join(strings.Fields(k.Resume()), " "); note != "" {
		const label = " Its last checkpoint says: "
		head += label + `"` + firstOf(note, taskLineMost-len([]rune(head+label+end))-2) + `"`
	}
	return firstOf(head, taskLineMost-len([]rune(end))) + end
}

// firstOf shortens a text to at most n characters.
func firstOf(text string, n int) string {
	if all := []rune(text); len(all) > n {
		return string(all[:max(n-1, 0)]) + "…"
	}
	return text
}

// taskActs describes the installed task commands and hooks; "" without --tasks.
func taskActs(env *place.Env, v *setupView) string {
	switch where := env.Tilde(v.plan.Tasks); {
	case v.plan.Tasks == "":
		return ""
	case v.waits(v.plan.Tasks):
		return " The task hooks in " + where + " do nothing until then."
	case v.plan.Project == "":
		return " The task hooks in " + where + " tell Claude about an open task and suspend interrupted ones."
	default:
		return " /task-start, /task-checkpoint, /task-end and /task-status work, and the hooks in " + where + " tell Claude about an open task and suspend interrupted ones."
	}
}
