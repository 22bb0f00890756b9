package find

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
)

const limitTerminal = 20 // default of --limit on a terminal

// NewListCmd returns the command continuo list.
func NewListCmd(env *place.Env, std *out.Output) *cobra.Command {
	o := Options{Limit: LimitUnset}
	var limit int
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the sessions of this project, newest first",
		Long: `List the sessions of this project and its worktrees, newest first. Outside a
project, list all sessions.

In a terminal, the list hides and counts backups, documents, stubs, -p runs and
archived sessions. --all, --kind or --state shows them. A * marks a starred session.

Exit code 2: part of the list couldn't be read.`,
		Example: `  continuo list --all --since 7d
  continuo list --state damaged
  continuo list --kind document`,
		Args: NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("limit") {
				o.Limit = limit
			}
			if limit < 0 {
				return out.Usage("--limit takes 0 (no limit) or more.", "continuo list --help")
			}
			return ListSessions(cmd.Context(), env, std, o)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.all, "all", false, "list every project and hide nothing")
	f.BoolVar(&o.quick, "quick", false, "leave out figures that require reading whole files")
	f.StringVar(&o.Project, "project", "", "list another project, or every project below `PATH`")
	f.IntVar(&limit, "limit", 0, "list at most `N` rows; 0 is no limit (default 20 in a terminal)")
	f.Func("state", "list this `STATE`: ok, empty, stub, damaged or unreadable; separate several by commas", func(s string) (err error) { o.states, err = addStates(o.states, s); return })
	f.Func("kind", "list this `KIND`: session, backup or document; separate several by commas", func(s string) (err error) { o.kinds, err = addKinds(o.kinds, s); return })
	f.Func("since", "list sessions active since `WHEN`: an age (12h 7d 2w 3mo 1y) or a date (2026-11-21)", func(s string) (err error) { o.since, err = ParseSince(s, env.Now()); return })
	f.BoolVar(&o.picker, "hidden-from-picker", false, "list only sessions that the /resume list of Claude Code leaves out, and why")
	CompleteFolder(cmd, "project")
	completeList(cmd, "state", sessions.StateOK, sessions.StateEmpty, sessions.StateStub, sessions.StateDamaged, sessions.StateUnreadable)
	completeList(cmd, "kind", sessions.KindSession, sessions.KindBackup, sessions.KindDocument)
	return cmd
}

// ListSessions prints the list. If a part can't be read, it prints the readable rows and returns an error with
// ExitFailed. An empty list isn't an error.
func ListSessions(ctx context.Context, env *place.Env, std *out.Output, o Options) error {
	opts, err := place.CatalogOptions(env)
	if err != nil {
		return err
	}
	rows, problem := env.Open(opts).List(ctx, o.quick)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(env.ClaudeDirs) == 0 {
		place.RememberProjects(env, place.MemoryRoots(rows))
	}
	(&place.Attentions{Env: env}).Fill(ctx, rows)
	view := viewRows(ctx, env, std, rows, o, std.JSON)
	if len(rows) == 0 {
		view.looked = LookedPlaces(ctx, env, opts)
	}
	if err := printList(env, std, &view, onlyDocuments(o.kinds)); err != nil {
		return err
	}
	return Incomplete(problem, view.scope)
}

// printList prints the rows. On a terminal, sessions look as in the browser, and documents have the columns of
// spec 000.
func printList(env *place.Env, o *out.Output, v *ListView, documents bool) error {
	rows := out.Pointers(v.rows)
	table, sum := ListTable(rows), v.heading(env.Home)
	if documents {
		table = documentsTable(env, rows)
	}
	if v.picker {
		table.Piped += " picker"
	}
	person := o.Out.Terminal && !o.JSON
	switch {
	case person && (len(rows) == 0 || !documents):
		o.Out.Print(Text(*v, ListLook{Width: o.Out.Width, Now: env.Now(), home: env.Home, Styles: o.Out.Styles}))
		return nil
	case person:
		table.Title, sum = sum, sumText(*v)
	case len(rows) == 0:
		sum = strings.TrimSuffix(emptyText(*v, env.Home), "\n")
	}
	return table.Print(o, rows, sum)
}

// viewRows applies the flags. Only a terminal list hides headless runs, stubs, backups and documents, unless a
// flag asks for them.
func viewRows(ctx context.Context, env *place.Env, std *out.Output, rows []sessions.Row, o Options, json bool) ListView {
	where := ScopeOf(ctx, env, rows, o)
	f := RowFilter{states: o.states, kinds: o.kinds, since: o.since, Picker: o.picker}
	if std.Out.Terminal && !json {
		f.Hide = !o.all && !o.picker
		if o.Limit == LimitUnset {
			o.Limit = limitTerminal
		}
	}
	view := SelectRows(rows, where, f, max(o.Limit, 0))
	view.filtered = len(o.states) > 0 || len(o.kinds) > 0 || !o.since.IsZero() || o.picker
	view.picker = o.picker
	return view
}
