package cli

import (
	"bufio"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui"
)

const helpResume = `
continuo resume SESSION goes on with a session in its folder, with claude --resume.

  --latest                  a pending backup first, else the newest document or session of this project
  --fork                    a new session that starts with all of this one, which stays as it is
  --in PLACE                here, window, split, popup or auto: those but here need tmux
  --folder PATH             start in another folder
  --make                    make its folder again when it is gone; a removed worktree with git
  --new                     a new session in its folder
  --attach                  go to the tmux pane in which it is live
  --accept                  go on although it is damaged, of a newer claude, or twice there
  --second-writer           open a live session once more: what one of the two writes will be hidden
  --dry-run                 say what would be run
  --json                    the plan, and what was run, as one object

When something stands in the way, nothing is run: in a terminal you choose, elsewhere the choices are printed.
What is behind -- goes to claude as it is: continuo resume --latest -- --model opus

Exit: 1 when there is something to choose first · 2 when it cannot be resumed · 3 when there is no such session.
`

// resumeOptions are the flags of resume.
type resumeOptions struct {
	latest, attach, dryRun bool
	in                     string
	ask                    sessions.ResumeAsk
}

func newResumeCmd(d *deps, g *globals) *cobra.Command {
	var o resumeOptions
	cmd := &cobra.Command{
		Use: "resume",
		RunE: func(cmd *cobra.Command, args []string) error {
			if n := cmd.ArgsLenAtDash(); n >= 0 {
				o.ask.Args, args = args[n:], args[:n]
			}
			arg, err := newSessionArg(cmd, args, o.latest)
			if err != nil {
				return err
			}
			if o.ask.In = sessions.Where(o.in); !slices.Contains(places(), o.ask.In) {
				return usage("--in takes here, window, split, popup or auto, not "+quoted(o.in)+".", "continuo resume --help")
			}
			row, err := d.resumeRow(cmd.Context(), g, arg, &o)
			if err != nil {
				return err
			}
			return d.resumeCommand(cmd.Context(), g, row, &o)
		},
	}
	addLatest(cmd, &o.latest)
	f := cmd.Flags()
	f.BoolVar(&o.ask.Fork, "fork", false, "")
	f.StringVar(&o.in, "in", "", "")
	f.StringVar(&o.ask.Folder, "folder", "", "")
	f.BoolVar(&o.ask.Make, "make", false, "")
	f.BoolVar(&o.ask.New, "new", false, "")
	f.BoolVar(&o.attach, "attach", false, "")
	f.BoolVar(&o.ask.Known, "accept", false, "")
	f.BoolVar(&o.ask.Second, "second-writer", false, "")
	f.BoolVar(&o.dryRun, "dry-run", false, "")
	return cmd
}

// places are the values of --in.
func places() []sessions.Where {
	return []sessions.Where{"", sessions.WhereAuto, sessions.WhereHere, sessions.WhereWindow, sessions.WhereSplit, sessions.WherePopup}
}

// resumeRow is the row that is meant. What --latest means may be a backup or a document: then a new session begins
// with it.
func (d *deps) resumeRow(ctx context.Context, g *globals, arg sessionArg, o *resumeOptions) (sessions.Row, error) {
	if !arg.latest {
		row, _, err := d.find(ctx, g, arg)
		return row, err
	}
	opts, err := d.catalogOptions(g)
	if err != nil {
		return sessions.Row{}, err
	}
	rows, _ := d.open(opts).List(ctx, true)
	if ctx.Err() != nil {
		return sessions.Row{}, ctx.Err()
	}
	row, args, err := d.latestToResume(ctx, rows)
	if len(args) > 0 {
		o.ask.New, o.ask.Folder = true, row.Project
		o.ask.Args = append(args, o.ask.Args...)
	}
	return row, err
}

// latestToResume follows spec 000, /resume-latest: a pending backup first, one of an exit before one of a compaction;
// else the newest document or session of this project. args is the prompt that takes a backup or a document up;
// none for a session.
func (d *deps) latestToResume(ctx context.Context, rows []sessions.Row) (row sessions.Row, args []string, err error) {
	v := selectRows(rows, d.scopeOf(ctx, rows, listOptions{}), rowFilter{}, 0)
	backup, newest := newestToResume(v.rows)
	switch {
	case backup != nil && d.hasSlashCommand(ctx, backup.Project, "resume-latest"):
		return *backup, []string{"/resume-latest"}, nil
	case backup != nil:
		for i := range v.rows {
			if r := &v.rows[i]; r.Kind == sessions.KindSession && r.ID == backup.Of {
				return *r, nil, nil
			}
		}
		return *backup, []string{"Read the transcript " + backup.Path + ", sum up where we were, and ask how to go on."}, nil
	case newest == nil:
		return row, nil, &failure{code: ExitNone, what: "There is nothing here to resume. Look in every project.", hints: []string{"continuo list --all"}}
	case newest.Kind == sessions.KindSession:
		return *newest, nil, nil
	case d.hasSlashCommand(ctx, newest.Project, "resume-from"):
		return *newest, []string{"/resume-from " + newest.Path}, nil
	}
	return *newest, []string{"Read the session document " + newest.Path + " and ask how to go on from there."}, nil
}

// newestToResume finds, of rows that are in order, the pending backup and the document or session that come first;
// nil for none.
func newestToResume(rows []sessions.Row) (backup, newest *sessions.Row) {
	for i := range rows {
		r := &rows[i]
		switch {
		case r.Deleted:
		case r.Kind == sessions.KindBackup && r.Pending:
			if backup == nil || isExit(r) && !isExit(backup) {
				backup = r
			}
		case r.Kind == sessions.KindSession && (r.Quiet() || r.Last.IsZero()):
		case r.Kind == sessions.KindDocument && !strings.HasPrefix(filepath.Base(r.Path), "session-"):
		case r.Kind != sessions.KindBackup && newest == nil:
			newest = r
		}
	}
	return backup, newest
}

// isExit reports whether a backup was made when its session ended: its name ends in _exit (spec 000).
func isExit(r *sessions.Row) bool { return !strings.Contains(filepath.Base(r.Path), "_compact") }

// hasSlashCommand reports whether a project, or the person, has a command of spec 000.
func (d *deps) hasSlashCommand(ctx context.Context, project, name string) bool {
	if probeFolder(ctx, project).State != sessions.FolderThere {
		return false
	}
	for _, dir := range []string{filepath.Join(project, ".claude"), d.clientDir()} {
		if _, err := readSmall(filepath.Join(dir, "commands", name+".md"), 1<<20); err == nil {
			return true
		}
	}
	return false
}

// resumeCommand runs resume for one row.
func (d *deps) resumeCommand(ctx context.Context, g *globals, row sessions.Row, o *resumeOptions) error {
	for {
		plan, err := d.planResume(ctx, row, o.ask)
		if err != nil {
			return err
		}
		if o.attach {
			if plan, err = attachPlan(plan); err != nil {
				return err
			}
			o.attach, o.ask = false, sessions.ResumeAsk{Pane: plan.Launch.Pane}
		}
		if o.dryRun {
			return d.printPlan(g, &row, &plan, false)
		}
		if plan.Launch == nil {
			ask, err := d.choose(g, &row, &plan)
			if err != nil {
				return err
			}
			o.ask = ask
			continue
		}
		if plan.Launch.In == sessions.WhereHere && plan.Launch.Pane == "" && !d.typing && !slices.Contains(plan.Launch.Argv, "-p") {
			return &failure{
				what:  "claude needs a terminal, and this is none. Run it in one, or let it print: -- -p PROMPT",
				hints: []string{"continuo resume " + row.ID + " --dry-run   says what would be run"},
			}
		}
		out, err := d.resume(ctx, row, o.ask)
		switch {
		case err != nil:
			return err
		case out.Plan != nil: // something has changed in between
			continue
		case out.Run != nil:
			if err := out.Run.Run(); err != nil {
				return err
			}
		}
		return d.resumed(g, &row, &plan, out)
	}
}

// attachPlan is the plan to go where a session is live.
func attachPlan(plan sessions.ResumePlan) (sessions.ResumePlan, error) {
	for _, c := range plan.Choices {
		if c.Ask.Pane != "" {
			plan.Launch, plan.Findings, plan.Choices = &sessions.Launch{Pane: c.Ask.Pane}, nil, nil
			return plan, nil
		}
	}
	return plan, &failure{code: ExitNo, what: "The session is live in no tmux pane that could be found. See who has it.", hints: []string{"continuo resume " + plan.ID + " --dry-run"}}
}

// resumed says what was run.
func (d *deps) resumed(g *globals, row *sessions.Row, plan *sessions.ResumePlan, out tui.Outcome) error {
	if g.json {
		return d.printPlan(g, row, plan, true)
	}
	if out.Said != "" {
		d.err.print(out.Said + "\n")
	}
	return nil
}

// choose lets the person choose; where nobody can, it is the failure that names the choices.
func (d *deps) choose(g *globals, row *sessions.Row, plan *sessions.ResumePlan) (ask sessions.ResumeAsk, err error) {
	if g.json {
		if err := d.printPlan(g, row, plan, false); err != nil {
			return ask, err
		}
	}
	if g.json || !d.typing || !d.err.terminal {
		return ask, planFailure(plan)
	}
	d.err.print(d.planText(plan, d.err))
	in := bufio.NewReader(d.stdin)
	for {
		d.err.print("\nChoose a letter, or enter to cancel: ")
		line, err := in.ReadString('\n')
		letter := strings.TrimSpace(line)
		if letter == "" {
			return ask, &failure{code: ExitNo, what: "Nothing was run.", cause: err}
		}
		i := slices.IndexFunc(plan.Choices, func(c sessions.Choice) bool { return strings.EqualFold(c.Key, letter) })
		switch {
		case i < 0:
			d.err.print("There is no " + quoted(letter) + " here.\n")
		case plan.Choices[i].Off != "":
			d.err.print(plan.Choices[i].Name + ": " + plan.Choices[i].Off + ".\n")
		case plan.Choices[i].Path:
			d.err.print("Folder: ")
			line, _ := in.ReadString('\n')
			if ask = plan.Choices[i].Ask; strings.TrimSpace(line) != "" {
				ask.Folder = strings.TrimSpace(line)
				return ask, nil
			}
		default:
			return plan.Choices[i].Ask, nil
		}
	}
}
