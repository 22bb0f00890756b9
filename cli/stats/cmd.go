// Package stats implements the command stats. It counts what happened in a session or on a day.
package stats

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/show"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript/stats"
)

// NewCmd returns the command continuo stats.
func NewCmd(env *place.Env, o *out.Output) *cobra.Command {
	var latest bool
	var day string
	cmd := &cobra.Command{
		Use:   "stats [SESSION | --day [DATE]]",
		Short: "Count time, tokens, tools and changes of a session or a day",
		Long: `Count what happened in a session (default: the newest of this project): duration and
active time, messages, tool calls and failures, tokens by model, changed files,
commands, errors and linked pull requests. With --day, count all sessions with activity
on that day, by project. DATE is today, yesterday or 2026-11-21.

Gaps over 5 minutes aren't active time. Sub-agents are included. Each message
counts once, even if several files contain it.

Exit codes: 1 nothing happened on this day, 2 a file couldn't be read, 3 no such
session.`,
		Example: `  continuo stats 3f9ac1e0
  continuo stats --day yesterday --json`,
		ValidArgsFunction: find.CompleteSession(env),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("day") {
				return runDay(cmd.Context(), env, o, day, args, latest)
			}
			arg, err := find.NewSessionArg(cmd, args, latest || len(args) == 0)
			if err != nil {
				return err
			}
			row, _, err := find.Session(cmd.Context(), env, arg)
			if err != nil {
				return err
			}
			return ofSession(cmd.Context(), env, o, &row)
		},
	}
	find.AddLatest(cmd, &latest)
	f := cmd.Flags()
	f.StringVar(&day, "day", "", "count one `DATE` over all projects (default today)")
	f.Lookup("day").NoOptDefVal = "today"
	find.CompleteFlag(cmd, "day", "today", "yesterday")
	return cmd
}

// runDay prints the figures of a day: the value of --day, or the argument after it.
func runDay(ctx context.Context, env *place.Env, o *out.Output, day string, args []string, latest bool) error {
	const hint = "continuo stats --help"
	switch {
	case latest:
		return out.Usage("--day counts all sessions, and --latest counts one. Use one of them.", hint)
	case len(args) > 1 || len(args) == 1 && day != "today":
		return out.Usage("--day takes one date and no session.", hint)
	case len(args) == 1:
		day = args[0]
	}
	at, err := find.ParseDay("day", day, env.Now())
	if err != nil {
		return err
	}
	y, m, d := at.Date()
	return ofDay(ctx, env, o, time.Date(y, m, d, 0, 0, 0, 0, env.Now().Location()))
}

// ofSession prints the figures of a session and its sub-agents.
func ofSession(ctx context.Context, env *place.Env, o *out.Output, row *sessions.Row) error {
	f, err := Of(ctx, env, row)
	if err != nil {
		return err
	}
	return sessionRecord(row, &f).Print(o, func() string { return sessionPage(env, o, row, &f) })
}

// Of counts a session and its sub-agents.
func Of(ctx context.Context, env *place.Env, row *sessions.Row) (stats.Figures, error) {
	switch {
	case row.Kind == sessions.KindDocument:
		return stats.Figures{}, &out.Failure{What: env.Tilde(row.Path) + " is a document. Name a session or a backup."}
	case row.State == sessions.StateUnreadable:
		return stats.Figures{}, show.Unreadable(env, row)
	}
	var t stats.Tally
	if err := countRow(ctx, env, stats.NewCounter(time.Time{}, time.Time{}), &t, row); err != nil {
		return stats.Figures{}, err
	}
	return t.Figures(), nil
}

// countRow counts the transcripts of a row and its sub-agents.
func countRow(ctx context.Context, env *place.Env, c *stats.Counter, t *stats.Tally, row *sessions.Row) error {
	for i, path := range append([]string{row.Path}, row.Agents...) {
		if err := c.Count(ctx, t, path, i > 0); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return &out.Failure{What: env.Tilde(path) + " cannot be read: " + out.Reason(err) + ". Check the file.", Cause: err}
		}
	}
	return nil
}
