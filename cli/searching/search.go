package searching

import (
	"context"
	"errors"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/sessions/search"
)

const (
	limitTerminal = 20 // default of --limit on a terminal
	hitsShown     = 3  // for each result on a terminal
)

// ask has the arguments of continuo search.
type ask struct {
	query, scope, project string
	limit                 int // 0 means no limit
	context               int
}

// NewSearchCmd returns the command continuo search.
func NewSearchCmd(env *place.Env, o *out.Output) *cobra.Command {
	a := ask{scope: "conversation"}
	cmd := &cobra.Command{
		Use:   "search QUERY...",
		Short: "Find what was said in any session, document or ledger",
		Long: `Find what was said in any session, document or ledger, best match first.

All words must occur in one message, in any order and in any case. "Words in quotes"
must stand together, -word excludes messages, and /regexp/ has Go's syntax. Fields
limit the search: project: branch: model: tag: role: tool: file: is: after: before:
docs/search.md describes them.

With --scope all, calls of tools, their output and thoughts are searched, too.

Exit codes: 0 found, 1 nothing found, 2 the search failed, 3 no such project.`,
		Example: `  continuo search leeway
  continuo search '"30 s" after:3w role:you'
  continuo search --scope all permission denied
  continuo search -- leeway -ldap`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case a.limit < 0:
				return out.Usage("--limit takes 0 (no limit) or more.", "continuo search --help")
			case a.context < 0:
				return out.Usage("--context takes 0 or more.", "continuo search --help")
			case a.scope != "conversation" && a.scope != "all":
				return out.Usage("--scope takes conversation or all, not "+out.Quoted(a.scope)+".", "continuo search --help")
			case !cmd.Flags().Changed("limit") && o.Out.Terminal && !o.JSON:
				a.limit = limitTerminal
			}
			a.query = strings.Join(args, " ")
			return runSearch(cmd.Context(), env, o, &a)
		},
	}
	f := cmd.Flags()
	f.StringVar(&a.scope, "scope", a.scope, "search `WHERE`: conversation, or all")
	f.StringVar(&a.project, "project", "", "search only the project at `PATH`")
	f.IntVar(&a.limit, "limit", 0, "print at most `N` results; 0 is no limit (default 20 in a terminal)")
	f.IntVarP(&a.context, "context", "C", 0, "print `N` messages before and after each match")
	find.CompleteFolder(cmd, "project")
	find.CompleteFlag(cmd, "scope", "conversation", "all")
	return cmd
}

// runSearch searches, and prints the results.
func runSearch(ctx context.Context, env *place.Env, o *out.Output, a *ask) error {
	q, err := query.Parse(a.query, env.Now())
	if err != nil {
		return syntaxFailure(a.query, err)
	}
	if q.Empty() {
		return out.Usage("search needs words to look for.", "continuo search --help")
	}
	c, err := load(ctx, env)
	if err != nil {
		return err
	}
	opts := search.Options{Keep: hitsShown}
	if a.scope == "all" {
		opts.Scope = search.All
	}
	if a.project != "" {
		if opts.Project, err = projectAt(ctx, env, c.Rows, env.TypedPath(a.project)); err != nil {
			return err
		}
	}
	if o.JSON || !o.Out.Terminal {
		opts.Keep = 1
	}
	var answer search.Batch
	search.Run(ctx, c, q, opts, func(b search.Batch) { answer = b })
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case answer.Err != nil:
		return answer.Err
	}
	view := viewOf(env, &answer, a)
	if a.context > 0 {
		view.around = aroundHits(ctx, env, view.results, a.context)
	}
	if err := view.print(o); err != nil {
		return err
	}
	if c.Problem != nil {
		return c.Problem
	}
	if len(answer.Results) == 0 {
		return &out.Failure{Code: out.ExitNo, Plain: true}
	}
	return nil
}

// projectAt returns the root of a folder's project.
func projectAt(ctx context.Context, env *place.Env, rows []sessions.Row, dir string) (string, error) {
	if s := find.ScopeOf(ctx, env, rows, find.Options{Project: dir}); s.Project != "" {
		return s.Project, nil
	}
	return "", &out.Failure{
		Code: out.ExitNone, What: env.Tilde(dir) + " isn't a project: Claude Code was never started in it. Name another folder.",
		Hints: []string{"continuo list --all"},
	}
}

// syntaxFailure points at the mistake in a query.
func syntaxFailure(text string, err error) error {
	se, ok := errors.AsType[*query.SyntaxError](err)
	if !ok {
		return err
	}
	before := out.OneLine(text[:min(se.At, len(text))])
	return &out.Failure{
		What:  se.Problem,
		Facts: []string{out.OneLine(text), strings.Repeat("\u00a0", ansi.StringWidth(before)) + "^"},
		Hints: []string{"continuo search --help"},
		Cause: err,
	}
}
