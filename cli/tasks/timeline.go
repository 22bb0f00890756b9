package tasks

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/tui/render"
)

func newTimelineCmd(env *place.Env, o *out.Output) *cobra.Command {
	var a ask
	cmd := &cobra.Command{
		Use:   "timeline",
		Short: "Show the sessions and checkpoints of tasks in order of time",
		Long: `Show when the sessions of tasks started and ended, and their checkpoints between, in order
of time.

Exit codes: 1 there is nothing to show, 2 it couldn't be read, 3 no such task.`,
		Example: `  continuo task timeline --task feat-user-auth`,
		Args:    find.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runTimeline(cmd.Context(), env, o, cmd, &a) },
	}
	a.addFlags(cmd, env, "show only the task `NAME`")
	return cmd
}

// moment is a row of the timeline.
type moment struct {
	task.Moment

	of *task.Task
}

func runTimeline(ctx context.Context, env *place.Env, o *out.Output, cmd *cobra.Command, a *ask) error {
	t, err := a.look(ctx, env, cmd)
	if err != nil {
		return err
	}
	all, err := a.selected(env, &t)
	if err != nil {
		return err
	}
	var rows []moment
	for _, one := range all {
		for _, m := range one.Timeline() {
			rows = append(rows, moment{m, one})
		}
	}
	slices.SortStableFunc(rows, func(a, b moment) int { return strings.Compare(a.of.Slug, b.of.Slug) })
	if len(rows) == 0 && !o.JSON {
		return &out.Failure{Code: out.ExitNo, What: "No task in " + env.Tilde(t.Root) + " has a session or a checkpoint."}
	}
	return timelineTable(env.Now()).Print(o, rows, "")
}

func (m moment) session() string {
	switch {
	case m.Session != nil:
		return m.Session.Name
	case m.Checkpoint != nil:
		return m.Checkpoint.Session
	}
	return ""
}

// what describes the moment.
func (m moment) what() string {
	if m.Checkpoint != nil {
		return m.Checkpoint.Summary
	}
	if m.Kind == task.MomentEnd {
		return "session " + string(m.After)
	}
	if from := m.Session.ResumedFrom; from != "" {
		return "session starts from " + from
	}
	return "session starts"
}

func (m moment) label() string {
	if m.Checkpoint != nil {
		return m.Checkpoint.Type.Label()
	}
	return string(m.Kind)
}

func (m moment) gate() string {
	switch {
	case m.Checkpoint != nil:
		return string(m.Checkpoint.Gate)
	case m.Kind == task.MomentEnd:
		return string(m.Session.Gate)
	}
	return ""
}

// span returns the mark of a row. ┏ and ┗ mark the start and the end of a session.
func (m moment) span() render.Span {
	switch {
	case m.Checkpoint != nil && (m.Checkpoint.Type == task.Interrupted || m.Checkpoint.Type == task.ErrorRecovery):
		return render.Span{Ink: render.Warn, Text: "△"}
	case m.Checkpoint != nil:
		return render.Span{Ink: render.Good, Text: "✓"}
	case m.Kind == task.MomentStart:
		return render.Span{Ink: render.Faint, Text: "┏"}
	}
	return render.Span{Ink: render.Faint, Text: "┗"}
}

func timelineTable(now time.Time) *out.Table[moment] {
	checkpoint := func(value func(c *task.Checkpoint) any) func(moment) any {
		return func(m moment) any {
			if m.Checkpoint == nil {
				return ""
			}
			return value(m.Checkpoint)
		}
	}
	return &out.Table[moment]{
		Mark:  moment.span,
		Group: func(m moment) string { return m.of.Slug },
		Columns: []out.Column[moment]{
			{Key: "time", Value: func(m moment) any { return out.Time(m.At) }, Text: func(m moment) string { return words.Moment(now, m.At) }, Ink: render.Muted},
			{Key: "task", Value: func(m moment) any { return m.of.Slug }},
			{Key: "kind", Value: func(m moment) any { return string(m.Kind) }},
			{Key: "type", Value: checkpoint(func(c *task.Checkpoint) any { return string(c.Type) }), Text: moment.label},
			{Key: "gate", Value: func(m moment) any { return m.gate() }},
			{Key: "session", Value: func(m moment) any { return m.session() }},
			{Key: "checkpoint", Value: checkpoint(func(c *task.Checkpoint) any { return c.Name })},
			{Key: "state", Value: func(m moment) any { return string(m.After) }, Ink: render.Muted, Leave: 1},
			{Key: "what", Value: func(m moment) any { return m.what() }, Fill: true, Least: 20},
			{Key: "resume", Value: checkpoint(func(c *task.Checkpoint) any { return c.Resume })},
		},
		Piped: "time task kind type gate session checkpoint state what",
		Shown: "time type gate what state",
	}
}
