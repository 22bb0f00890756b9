package cli

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
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
attention, sessions, documents, hooks and backups. Without PATH it is the project of
this folder. A worktree belongs to its repository.

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
				return out.Usage("project takes a folder, and this one is empty. Is a variable not set?", "continuo project --help")
			case len(args) == 1:
				dir = env.TypedPath(args[0])
			case dir == "":
				return out.Usage("The current folder was removed. Name the folder of a project.", "continuo project --help")
			}
			return runProject(cmd.Context(), env, o, dir)
		},
	}
}

// runProject prints the facts of a project.
func runProject(ctx context.Context, env *place.Env, o *out.Output, dir string) error {
	opts, err := place.CatalogOptions(env)
	if err != nil {
		return err
	}
	if sessions.ProbeFolder(ctx, dir).State == sessions.FolderThere {
		opts.Cwd = place.RealPath(dir) // include the project even without sessions
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
	case o.JSON:
		return o.PrintJSON(newProjectJSON(&p))
	case o.Out.Terminal:
		o.Out.Print(projectText(env, o, &p))
	default:
		o.Out.Print(projectPiped(&p))
	}
	return nil
}

// projectText formats a project like its page in the browser.
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
	if where != "" { // no room next to the name
		for _, line := range render.Wrap(where, width) {
			b.WriteString(st.Paint(render.Muted, line) + "\n")
		}
	}
	b.WriteString("\n")
	page := render.DrawProject(p, render.ProjectOptions{Width: width, Styles: st, Now: env.Now(), Blanks: true, Command: true})
	for _, line := range page.Lines {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// projectPiped formats a project as tab-separated rows.
func projectPiped(p *survey.Project) string {
	var b strings.Builder
	line := func(words ...string) { b.WriteString(out.Tabbed(words...)) }
	b.WriteString("project\t" + place.BaseName(p.Dir) + "\t" + out.CleanPath(p.Dir) + "\n")
	if g := p.Git; g != nil {
		number := func(n int) string {
			if !g.Known {
				return ""
			}
			return strconv.Itoa(n)
		}
		line("git", g.Branch, number(g.Ahead), number(g.Behind), number(g.Changed), strconv.Itoa(p.Trees))
	}
	if l := p.Last; l != nil {
		line("last", l.Row.ID, out.When(l.Row.Last), render.Title(&l.Row))
		line("prompt", l.Prompt)
		line("answer", l.Answer)
	}
	for i, step := range p.Next {
		line("next", strconv.Itoa(i+1), step, p.NextFrom)
	}
	line("todos", strconv.Itoa(p.Todos), strconv.Itoa(p.TodosIn))
	for i := range p.Needs {
		n := &p.Needs[i]
		line("needs", string(n.Kind), strconv.Itoa(n.N), n.More, out.When(n.By))
	}
	for _, what := range p.NotKnown {
		line("needs", "not known", "", what, "")
	}
	if len(p.Needs)+len(p.NotKnown) == 0 {
		line("needs", "nothing", "0", "", "")
	}
	if c := p.Context; c != nil {
		line("context", filepath.Base(c.Path), out.When(c.Updated), strconv.FormatInt(c.Bytes, 10), out.Word(c.Stale(p.Checked), "stale"), out.Word(c.Heavy(), "heavy"))
	}
	for _, h := range p.Hooks.Events {
		line("hook", h.Event, string(h.State), out.When(h.Since), out.When(h.Fired))
	}
	if p.Hooks.Trouble != "" {
		line("hooks", p.Hooks.Trouble)
	}
	line("sessions", strconv.Itoa(p.All))
	table := find.ListTable(nil)
	for i := range p.Sessions {
		b.WriteString("session\t" + table.Tabs(&p.Sessions[i]))
	}
	if r := p.Document; r != nil {
		line("document", r.ID, out.When(r.When()), r.Status, render.Title(r))
	}
	for _, k := range p.Kept {
		line("kept", strings.ToLower(k.Name), strconv.Itoa(k.Files), strconv.FormatInt(k.Bytes, 10), out.When(k.Newest))
	}
	for _, text := range p.Unread {
		line("unread", text)
	}
	return b.String()
}
