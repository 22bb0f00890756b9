package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
)

const (
	limitUnset    = -1 // no --limit was given
	limitTerminal = 20 // rows in a terminal unless --limit says otherwise
)

// listOptions are the flags of list.
type listOptions struct {
	all     bool
	quick   bool
	project string
	states  []sessions.State
	kinds   []sessions.Kind
	since   time.Time
	limit   int // limitUnset, 0 for no limit
}

func newListCmd(env *Env, std *out.Output) *cobra.Command {
	o := listOptions{limit: limitUnset}
	var limit int
	cmd := &cobra.Command{
		Use:  "list",
		Long: helpList,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("limit") {
				o.limit = limit
			}
			if limit < 0 {
				return out.Usage("--limit takes 0 (no limit) or more.", "continuo list --help")
			}
			return listSessions(cmd.Context(), env, std, o)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.all, "all", false, "")
	f.BoolVar(&o.quick, "quick", false, "")
	f.StringVar(&o.project, "project", "", "")
	f.IntVar(&limit, "limit", 0, "")
	f.Func("state", "", func(s string) (err error) { o.states, err = addStates(o.states, s); return })
	f.Func("kind", "", func(s string) (err error) { o.kinds, err = addKinds(o.kinds, s); return })
	f.Func("since", "", func(s string) (err error) { o.since, err = parseSince(s, env.now()); return })
	return cmd
}

// noArgs says that a command takes flags only.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return out.Usage(cmd.Name()+" takes no "+out.Quoted(args[0])+". It has flags only.", cmd.CommandPath()+" --help")
}

// listSessions prints the catalogue. What could not be read is said after the rows, and then the list is not whole:
// ExitFailed. An empty list is an answer: ExitDone.
func listSessions(ctx context.Context, env *Env, std *out.Output, o listOptions) error {
	opts, err := catalogOptions(env)
	if err != nil {
		return err
	}
	rows, problem := env.open(opts).List(ctx, o.quick)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(env.claudeDirs) == 0 {
		rememberProjects(env, memoryRoots(rows))
	}
	(&attentions{env: env}).fill(ctx, rows)
	view := viewRows(ctx, env, std, rows, o, std.JSON)
	if len(rows) == 0 {
		view.looked = lookedPlaces(ctx, env, opts)
	}
	if err := printList(env, std, &view, onlyDocuments(o.kinds)); err != nil {
		return err
	}
	return incomplete(problem, view.scope)
}

// printList prints the rows. In a terminal sessions are drawn as in the screens, and documents as spec 000 says.
func printList(env *Env, o *out.Output, v *listView, documents bool) error {
	rows := out.Pointers(v.rows)
	table, sum := listTable(rows), v.heading(env.home)
	if documents {
		table = documentsTable(env, rows)
	}
	person := o.Out.Terminal && !o.JSON
	switch {
	case person && (len(rows) == 0 || !documents):
		o.Out.Print(listText(*v, listLook{width: o.Out.Width, now: env.now(), home: env.home, styles: o.Out.Styles}))
		return nil
	case person:
		table.Title, sum = sum, sumText(*v)
	case len(rows) == 0:
		sum = strings.TrimSuffix(emptyText(*v, env.home), "\n")
	}
	return table.Print(o, rows, sum)
}

// viewRows applies the flags. Only in a terminal are rows hidden, and only those that nothing asked for: -p
// runs, stubs, backups and documents.
func viewRows(ctx context.Context, env *Env, std *out.Output, rows []sessions.Row, o listOptions, json bool) listView {
	where := scopeOf(ctx, env, rows, o)
	f := rowFilter{states: o.states, kinds: o.kinds, since: o.since}
	if std.Out.Terminal && !json {
		f.hide = !o.all
		if o.limit == limitUnset {
			o.limit = limitTerminal
		}
	}
	view := selectRows(rows, where, f, max(o.limit, 0))
	view.filtered = len(o.states) > 0 || len(o.kinds) > 0 || !o.since.IsZero()
	return view
}

// scopeOf finds out which project the list is about.
func scopeOf(ctx context.Context, env *Env, rows []sessions.Row, o listOptions) scope {
	if o.all && o.project == "" {
		return scope{}
	}
	dir := env.dir
	if o.project != "" {
		dir = env.abs(o.project)
	}
	if dir == "" {
		return scope{} // the current directory is gone
	}
	dir, roots, _ := survey.RootsAt(ctx, env.lookFrom(dir))
	s := scope{project: survey.ProjectAt(rows, roots)}
	if o.project != "" {
		s.below = dir
	}
	return s
}
