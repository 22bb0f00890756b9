package cli

import (
	"context"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

func newProjectCmd(env *place.Env, o *out.Output) *cobra.Command {
	return &cobra.Command{
		Use:   "project [PATH]",
		Short: "Show a project on one page",
		Long: `Show a project on one page: its newest session, the next steps, what needs
attention, sessions, documents, hooks and backups. The default PATH is this
folder. A worktree belongs to its repository.

Exit codes: 2 it can't be read, 3 the folder is gone or isn't a project.`,
		Example: `  continuo project
  continuo project ~/src/teahouse --json`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := env.Dir
			switch {
			case len(args) > 1:
				return out.Usage("project takes one folder, not "+out.Count(len(args), "word")+".", "continuo project --help")
			case len(args) == 1 && args[0] == "":
				return out.Usage("project takes a folder, but it is empty. Is a variable unset?", "continuo project --help")
			case len(args) == 1:
				dir = env.TypedPath(args[0])
			case dir == "":
				return out.Usage("The current folder was removed. Name the folder of a project.", "continuo project --help")
			}
			return runProject(cmd.Context(), env, o, dir)
		},
	}
}

func runProject(ctx context.Context, env *place.Env, o *out.Output, dir string) error {
	opts, err := place.CatalogOptions(env)
	if err != nil {
		return err
	}
	if sessions.ProbeFolder(ctx, dir).State == sessions.FolderThere {
		opts.Cwd = place.RealPath(dir) // includes the project even without sessions
	}
	src := env.Open(opts)
	rows, problem := src.List(ctx, true)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	l := place.ProjectLook(env, src, opts.Dirs, dir)
	l.Rows, l.Problem, l.Exact = rows, problem, true
	p, err := survey.ProjectOf(ctx, l)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return place.ProjectFailure(env, l, err)
	}
	return projectRecord(&p).Print(o, func() string { return projectText(env, o, &p) })
}

func projectText(env *place.Env, o *out.Output, p *survey.Project) string {
	width, st := o.Out.Page(), o.Out.Styles
	head := render.NewLine(st, width).Put(render.Strong, place.BaseName(p.Dir))
	where := env.Tilde(p.Dir)
	if git := render.GitWords(p.Git); git != "" {
		where += " " + git
	}
	var b strings.Builder
	if head.At()+2+ansi.StringWidth(where) <= width {
		head.Right(width, render.Span{Ink: render.Muted, Text: where})
		where = ""
	}
	b.WriteString(strings.TrimRight(head.String(), " ") + "\n")
	if where != "" { // no space beside the name
		for _, line := range render.Wrap(where, width) {
			b.WriteString(st.Paint(render.Muted, line) + "\n")
		}
	}
	b.WriteString("\n")
	page := render.DrawProject(p, render.ProjectOptions{Width: width, Styles: st, Now: env.Now(), Blanks: true, Command: true})
	return b.String() + out.Page(page.Lines)
}
