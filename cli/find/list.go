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
		Use:  "list",
		Long: helpList,
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
	f.BoolVar(&o.all, "all", false, "")
	f.BoolVar(&o.quick, "quick", false, "")
	f.StringVar(&o.Project, "project", "", "")
	f.IntVar(&limit, "limit", 0, "")
	f.Func("state", "", func(s string) (err error) { o.states, err = addStates(o.states, s); return })
	f.Func("kind", "", func(s string) (err error) { o.kinds, err = addKinds(o.kinds, s); return })
	f.Func("since", "", func(s string) (err error) { o.since, err = ParseSince(s, env.Now()); return })
	return cmd
}

// ListSessions prints the list. Read errors follow the rows, and the exit code is ExitFailed then. An empty list is
// no error.
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

// printList prints the rows. On a terminal, sessions look like the browser's and documents follow spec 000.
func printList(env *place.Env, o *out.Output, v *ListView, documents bool) error {
	rows := out.Pointers(v.rows)
	table, sum := ListTable(rows), v.heading(env.Home)
	if documents {
		table = documentsTable(env, rows)
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

// viewRows applies the flags. Only a terminal hides rows: headless runs, stubs, backups and documents that no flag
// asked for.
func viewRows(ctx context.Context, env *place.Env, std *out.Output, rows []sessions.Row, o Options, json bool) ListView {
	where := ScopeOf(ctx, env, rows, o)
	f := RowFilter{states: o.states, kinds: o.kinds, since: o.since}
	if std.Out.Terminal && !json {
		f.Hide = !o.all
		if o.Limit == LimitUnset {
			o.Limit = limitTerminal
		}
	}
	view := SelectRows(rows, where, f, max(o.Limit, 0))
	view.filtered = len(o.states) > 0 || len(o.kinds) > 0 || !o.since.IsZero()
	return view
}

const helpList = `
continuo list prints the sessions of this project and its worktrees, newest first; elsewhere all of them.

  --all                     every project, nothing hidden
  --project PATH            another project, or every one below a directory
  --state STATE             ok, empty, stub, damaged or unreadable; several with commas
  --kind KIND               session, backup or document; several with commas
  --since WHEN              an age (30m 12h 7d 2w 3mo 1y) or a date (2026-11-21)
  --limit N                 the first N; 0 is no limit (in a terminal 20, elsewhere none)
  --quick                   at once, with the figures that need no reading of whole files
  --json                    one array of objects; a figure that is not known is null

In a terminal backups, documents, stubs (empty ones too) and -p runs are hidden and counted; --all, --kind or
--state shows them. Elsewhere nothing is hidden, and a row is one line with tabs between:
id, badge, last message, messages, branch, folder, name; "-" is unknown.
Documents alone (--kind document) have the columns of /sessions-list in a terminal, and the two files of the memory come
last; --json has their todos, too. Elsewhere: id, date, project, status, branch, open, done, tags, the one before, path.

Exit: 0 also when the list is empty · 2 when a part of it could not be read.
`
