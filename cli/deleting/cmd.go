package deleting

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/trash"
)

// NewDeleteCmd returns the command continuo delete.
func NewDeleteCmd(env *place.Env, o *out.Output) *cobra.Command {
	var w writing.Flags
	cmd := &cobra.Command{
		Use:   "delete SESSION...",
		Short: "Move sessions to the trash",
		Long: `Move sessions with their sub-agents and side files to continuo-trash/ in their Claude
config directory. continuo undo moves them back, byte for byte. The plan says which
sessions have no backup. continuo never empties this trash: delete the directory yourself.

Exit codes: 0 done; 1 you said no, or a session is live; 2 an error, or there is no
terminal to ask in; 3 no such session.`,
		Example: `  continuo delete 3f9ac1e0 --dry-run
  continuo delete 3f9ac1e0 b81d22f7 --yes`,
		ValidArgsFunction: find.CompleteSession(env),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return out.Usage("delete takes the session to delete: an ID, a title or a path.", "continuo delete --help")
			}
			w.FinishInterrupted(cmd.Context(), env)
			rows, err := named(cmd.Context(), env, args)
			if err != nil {
				return err
			}
			x, err := New(cmd.Context(), env, rows)
			if err != nil {
				return err
			}
			return proceed(cmd.Context(), env, o, w, x, "delete", writing.CommandLine(cmd, args))
		},
	}
	writing.AddFlags(cmd, &w)
	return cmd
}

// named returns the rows of the named sessions. A row found by its path lacks the backups, so named returns the
// list's row.
func named(ctx context.Context, env *place.Env, words []string) ([]sessions.Row, error) {
	var rows []sessions.Row
	listed := map[string]sessions.Row{}
	for i, word := range words {
		row, src, err := find.Session(ctx, env, find.SessionArg{Word: word})
		if err != nil {
			return nil, err
		}
		if i == 0 {
			all, _ := src.List(ctx, true) // find has reported the error
			for _, r := range all {
				listed[place.RealPath(r.Path)] = r
			}
		}
		if r, ok := listed[place.RealPath(row.Path)]; ok {
			row = r
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// NewCleanCmd returns the command continuo clean.
func NewCleanCmd(env *place.Env, o *out.Output) *cobra.Command {
	var w writing.Flags
	cmd := &cobra.Command{
		Use:   "clean",
		Short: "Move empty, stub and duplicate sessions to the trash",
		Long: `Move sessions without content to the trash: empty files, stubs without a message, and
transcripts with the same bytes as another one. Of equal transcripts, the one in the
project of its own folder stays, else the newest. Sessions that may run are left alone.

They go to continuo-trash/ in their Claude config directory. continuo undo moves them back.

Exit codes: 0 done, or nothing to clean; 1 you said no; 2 an error, or there is no
terminal to ask in.`,
		Example: `  continuo clean --dry-run`,
		Args:    find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w.FinishInterrupted(cmd.Context(), env)
			x, err := proposed(cmd.Context(), env)
			if err != nil {
				return err
			}
			return proceed(cmd.Context(), env, o, w, x, "clean", writing.CommandLine(cmd, nil))
		},
	}
	writing.AddFlags(cmd, &w)
	return cmd
}

// proposed plans to remove everything that clean proposes.
func proposed(ctx context.Context, env *place.Env) (*Removal, error) {
	opts, err := place.CatalogOptions(env)
	if err != nil {
		return nil, err
	}
	rows, problem := env.Open(opts).List(ctx, false)
	if len(rows) == 0 && problem != nil {
		return nil, problem
	}
	list, err := trash.Proposals(ctx, rows, func(r *sessions.Row) bool { return r.MayRun(env.Now()) })
	if err != nil {
		return nil, err
	}
	x := &Removal{env: env, at: env.Now(), why: map[string]trash.Proposal{}}
	for i := range list {
		p, err := x.one(ctx, &list[i].Row)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue // it is a link, live, or already deleted
		}
		x.plans, x.why[p.Session.Path] = append(x.plans, p), list[i]
	}
	return x, nil
}

// proceed shows the plan, and carries it out after the user confirms.
func proceed(ctx context.Context, env *place.Env, o *out.Output, w writing.Flags, x *Removal, action, line string) error {
	if x.Sessions() == 0 {
		if o.JSON {
			return writing.PrintReport(o, &writing.Plan{Report: writing.Report{Action: action, Sessions: []writing.ReportedSession{}}})
		}
		o.Out.Print(o.Out.Wrapped("There is nothing to clean."))
		return nil
	}
	p := x.Plan()
	p.Line, p.Report.Action = line, action
	p.Add("Undo", change.Line{Text: env.Command("undo") + " moves " + words.Them(x.Sessions()) + " back, byte for byte."})
	return writing.Proceed(ctx, o, w, p, func(ctx context.Context) ([]string, error) {
		done, err := x.Do(ctx)
		if err != nil {
			return nil, err
		}
		if lost := writing.LostBy(&done); lost != "" {
			p.Report.Problems = append(p.Report.Problems, lost)
			return []string{done.What + "."}, nil
		}
		p.Report.Entries = append(p.Report.Entries, done.ID)
		return []string{done.What + ". To undo: " + env.Command("undo", done.ID)}, nil
	})
}
