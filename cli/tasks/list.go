package tasks

import (
	"context"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/tui/render"
)

func newListCmd(env *place.Env, o *out.Output) *cobra.Command {
	var a ask
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List tasks, or the sessions of a task",
		Long: `List the tasks of a project, the task with the newest activity first. With --task list the
sessions of that task, the oldest first.

Exit codes: 1 there are none, 2 they couldn't be read, 3 no such task.`,
		Example: `  continuo task list
  continuo task list --task feat-user-auth`,
		Args: find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runList(cmd.Context(), env, o, cmd, &a) },
	}
	a.addFlags(cmd, env, "list the sessions of the task `NAME`")
	return cmd
}

func runList(ctx context.Context, env *place.Env, o *out.Output, cmd *cobra.Command, a *ask) error {
	t, err := a.look(ctx, env, cmd)
	if err != nil {
		return err
	}
	if a.slug == "" {
		if len(t.All) == 0 && !o.JSON {
			return none(env, &t)
		}
		return taskTable(env.Now()).Print(o, t.All, "")
	}
	one, err := a.one(env, &t)
	if err != nil {
		return err
	}
	return sessionTable(env.Now(), one).Print(o, one.Sessions, "")
}

// mark returns the mark of a state.
func mark(state string) render.Span {
	switch state {
	case string(task.Complete):
		return render.Span{Ink: render.Good, Text: "✓"}
	case string(task.Suspended), task.Blocked:
		return render.Span{Ink: render.Warn, Text: "△"}
	case string(task.Active), string(task.Init):
		return render.Span{Ink: render.Accent, Text: "●"}
	}
	return render.Span{Ink: render.Faint, Text: "·"}
}

func taskTable(now time.Time) *out.Table[*task.Task] {
	return &out.Table[*task.Task]{
		Mark: func(t *task.Task) render.Span { return mark(t.State()) },
		Columns: []out.Column[*task.Task]{
			{Key: "task", Head: "TASK", Value: func(t *task.Task) any { return t.Slug }, Ink: render.Strong, Max: 32, Least: 12},
			{Key: "state", Head: "STATE", Value: func(t *task.Task) any { return t.State() }},
			{Key: "gate", Head: "GATE", Value: func(t *task.Task) any { return string(t.Gate()) }},
			{Key: "sessions", Head: "SESSIONS", Right: true, Value: func(t *task.Task) any { return len(t.Sessions) }, Leave: 2},
			{Key: "checkpoints", Head: "CKPTS", Right: true, Value: func(t *task.Task) any { return len(t.Checkpoints) }, Leave: 3},
			{Key: "lastActivity", Head: "LAST ACTIVITY", Value: func(t *task.Task) any { return out.Time(t.Active()) }, Text: func(t *task.Task) string { return words.Moment(now, t.Active()) }, Leave: 1},
			{Key: "resume", Value: func(t *task.Task) any { return t.Resume() }},
			{Key: "path", Value: func(t *task.Task) any { return out.Path(t.Dir()) }},
			{Key: "title", Head: "TITLE", Value: func(t *task.Task) any { return t.Title }, Fill: true, Least: 10, Leave: 4},
		},
		Piped: "task state gate sessions checkpoints lastActivity title",
		Shown: "task state gate sessions checkpoints lastActivity title",
	}
}

func sessionTable(now time.Time, of *task.Task) *out.Table[*task.Session] {
	moment := func(at func(*task.Session) time.Time) (value func(*task.Session) any, text func(*task.Session) string) {
		return func(s *task.Session) any { return out.Time(at(s)) }, func(s *task.Session) string { return words.Moment(now, at(s)) }
	}
	started, startedText := moment(func(s *task.Session) time.Time { return s.Started })
	active, activeText := moment(func(s *task.Session) time.Time { return s.Active })
	return &out.Table[*task.Session]{
		Mark: func(s *task.Session) render.Span { return mark(string(s.State)) },
		Columns: []out.Column[*task.Session]{
			{Key: "session", Head: "SESSION", Value: func(s *task.Session) any { return s.Name }, Ink: render.Strong, Least: 16},
			{Key: "state", Head: "STATE", Value: func(s *task.Session) any { return string(s.State) }},
			{Key: "gate", Head: "GATE", Value: func(s *task.Session) any { return string(s.Gate) }},
			{Key: "started", Head: "STARTED", Value: started, Text: startedText, Leave: 2},
			{Key: "lastActivity", Head: "LAST-ACTIVITY", Value: active, Text: activeText},
			{Key: "checkpoints", Head: "CKPTS", Right: true, Value: func(s *task.Session) any { return len(of.Of(s.ID)) }, Text: func(s *task.Session) string { return strconv.Itoa(len(of.Of(s.ID))) }},
			{Key: "parent", Head: "PARENT", Value: func(s *task.Session) any { return s.Parent }, Leave: 1},
			{Key: "agent", Value: func(s *task.Session) any { return s.Agent }},
			{Key: "claudeSession", Value: func(s *task.Session) any { return s.ClaudeID }},
			{Key: "resumedFrom", Value: func(s *task.Session) any { return s.ResumedFrom }},
		},
		Piped: "session state gate started lastActivity checkpoints parent",
		Shown: "session state gate started lastActivity checkpoints parent",
	}
}
