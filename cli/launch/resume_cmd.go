package launch

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui"
	"github.com/continuo-tui/continuo/tui/render"
)

// resumeOptions has the flags of continuo resume.
type resumeOptions struct {
	latest, attach, dryRun bool
	in, take               string
	words                  []string // the arguments that name the session, for hints
	ask                    resume.Ask
}

// NewResumeCmd returns the command continuo resume.
func NewResumeCmd(env *place.Env, std *out.Output) *cobra.Command {
	var o resumeOptions
	cmd := &cobra.Command{
		Use:   "resume SESSION [flags] [-- CLAUDE-FLAG...]",
		Short: "Resume a session in its folder",
		Long: `Resume a session in its folder with claude --resume. Everything after -- is passed
to claude. To name a backup or a document, use its file name or path.

If you must choose something first, continuo asks in a terminal; without one, it prints
the choices and runs nothing.

Exit codes: 1 you must choose something first, 2 it can't be resumed, 3 no such session.`,
		Example: `  continuo resume --latest
  continuo resume 3f9ac1e0 --fork --in window
  continuo resume --latest -- --model opus`,
		ValidArgsFunction: find.CompleteSession(env),
		RunE: func(cmd *cobra.Command, args []string) error {
			if n := cmd.ArgsLenAtDash(); n >= 0 {
				o.ask.Args, args = args[n:], args[:n]
			}
			arg, err := find.NewSessionArg(cmd, args, o.latest)
			if err != nil {
				return err
			}
			if o.ask.In = resume.Where(o.in); !slices.Contains(places(), o.ask.In) {
				return out.Usage("--in takes here, window, split, popup or auto, not "+out.Quoted(o.in)+".", "continuo resume --help")
			}
			if o.ask.Take = resume.Take(o.take); o.take != "" && !slices.Contains(Takes(), o.ask.Take) {
				return out.Usage("--take takes latest, restore, new-id, session or document, not "+out.Quoted(o.take)+".", "continuo resume --help")
			}
			if o.ask.At != "" && !o.ask.Fork {
				return out.Usage("--at needs --fork.", "continuo resume --help")
			}
			if o.ask.New && o.ask.Fork {
				return out.Usage("--new starts an empty session, and --fork copies the whole session. Choose one.", "continuo resume --help")
			}
			for _, dir := range env.ClaudeDirs {
				o.words = append(o.words, "--claude-dir", dir)
			}
			if o.words = append(o.words, arg.Word); arg.Latest {
				o.words[len(o.words)-1] = "--latest"
			}
			row, err := resumeRow(cmd.Context(), env, std, arg, &o)
			if err != nil {
				return err
			}
			return resumeCommand(cmd.Context(), env, std, row, &o)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.latest, "latest", false, "use a pending backup, or else the newest document or session of this project")
	f.BoolVar(&o.ask.Fork, "fork", false, "start a new session with the history of this session")
	f.StringVar(&o.ask.At, "at", "", "with --fork: the new session ends with `MESSAGE`, an ID or a number")
	f.StringVar(&o.in, "in", "", "run in `PLACE`: here, window, split, popup or auto; all but here need tmux")
	f.StringVar(&o.take, "take", "", "`ACTION` for a backup or document: latest, restore, new-id, session or document")
	f.StringVar(&o.ask.Folder, "folder", "", "start in `PATH` instead of the folder of the session")
	f.BoolVar(&o.ask.Make, "make", false, "create the folder of the session again if it is gone")
	f.BoolVar(&o.ask.New, "new", false, "start a new session in the same folder")
	f.BoolVar(&o.attach, "attach", false, "switch to the tmux pane that has the session open")
	f.BoolVar(&o.ask.Known, "accept", false, "resume even if the session is damaged, made by a newer claude, in two files, or cut by --at")
	f.BoolVar(&o.ask.Other, "other-file", false, "if two files have this ID, resume the one that claude opens in the folder")
	f.BoolVar(&o.ask.Second, "second-writer", false, "open a live session a second time: the two writers fork it, and one branch gets hidden")
	f.BoolVar(&o.dryRun, "dry-run", false, "print the command or the choices and run nothing")
	find.CompleteFlag(cmd, "in", places()[1:]...)
	find.CompleteFlag(cmd, "take", Takes()...)
	find.CompleteFolder(cmd, "folder")
	return cmd
}

// places returns the possible values of --in.
func places() []resume.Where {
	return []resume.Where{"", resume.WhereAuto, resume.WhereHere, resume.WhereWindow, resume.WhereSplit, resume.WherePopup}
}

// Takes returns the possible values of --take.
func Takes() []resume.Take {
	return []resume.Take{resume.TakeLatest, resume.TakeRestore, resume.TakeNew, resume.TakeSession, resume.TakeDocument}
}

// resumeRow returns the row to resume. With --latest, a backup or document may start a new session.
func resumeRow(ctx context.Context, env *place.Env, std *out.Output, arg find.SessionArg, o *resumeOptions) (sessions.Row, error) {
	if !arg.Latest {
		return namedToResume(ctx, env, arg, o)
	}
	opts, err := place.CatalogOptions(env)
	if err != nil {
		return sessions.Row{}, err
	}
	rows, _ := env.Open(opts).List(ctx, true)
	if ctx.Err() != nil {
		return sessions.Row{}, ctx.Err()
	}
	row, args, err := latestToResume(ctx, env, rows)
	if err != nil {
		return row, err
	}
	if len(args) > 0 {
		if o.ask.Fork {
			return row, out.Usage("A " + string(row.Kind) + " begins a new session, so there is nothing to fork. Leave --fork out.")
		}
		o.ask.New = true
		o.ask.Args = append(args, o.ask.Args...)
		if o.ask.Folder == "" {
			o.ask.Folder = cmp.Or(row.Workdir, row.Project)
		}
	}
	sayLatest(env, std, &row, rows)
	return row, nil
}

// sayLatest prints which row --latest selects, and why.
func sayLatest(env *place.Env, o *out.Output, row *sessions.Row, rows []sessions.Row) {
	why := "the newest " + string(row.Kind)
	if row.Kind == sessions.KindSession {
		for i := range rows {
			if b := &rows[i]; b.Kind == sessions.KindBackup && b.Pending && b.Of == row.ID {
				why = "a backup of it is pending"
			}
		}
	} else if row.Pending {
		why = "it is pending"
	}
	name := render.Title(row)
	o.Err.Print(transcript.CleanLine(name) + " (" + why + ", " + render.RowAge(row, env.Now()) + ")\n")
}

// latestToResume selects the row of /resume-latest (spec 000): a pending backup, else the newest document or session.
// args is the prompt for a backup or a document; nil for a session.
func latestToResume(ctx context.Context, env *place.Env, rows []sessions.Row) (row sessions.Row, args []string, err error) {
	rows = find.ProjectRowsHere(ctx, env, rows, find.RowFilter{})
	backup, newest := newestToResume(rows)
	switch {
	case backup != nil && hasSlashCommand(ctx, env, backup.Project, "resume-latest"):
		return *backup, []string{"/resume-latest"}, nil
	case backup != nil:
		for i := range rows {
			if r := &rows[i]; r.Kind == sessions.KindSession && r.ID == backup.Of {
				return *r, nil, nil
			}
		}
		return *backup, []string{"Read the transcript " + backup.Path + ", sum up where we were, and ask how to go on."}, nil
	case newest == nil:
		return row, nil, &out.Failure{Code: out.ExitNone, What: "Nothing to resume here. List all projects.", Hints: []string{"continuo list --all"}}
	case newest.Kind == sessions.KindSession:
		return *newest, nil, nil
	case hasSlashCommand(ctx, env, newest.Project, "resume-from"):
		return *newest, []string{"/resume-from " + newest.Path}, nil
	}
	return *newest, []string{"Read the session document " + newest.Path + " and ask how to go on from there."}, nil
}

// newestToResume returns the first pending backup, preferably from a session's end, and the first document or session.
// rows must be sorted. A missing result is nil.
func newestToResume(rows []sessions.Row) (backup, newest *sessions.Row) {
	for i := range rows {
		r := &rows[i]
		switch {
		case r.Deleted:
		case r.Kind == sessions.KindBackup && r.Pending:
			if backup == nil || isExit(r) && !isExit(backup) {
				backup = r
			}
		case r.Kind == sessions.KindSession && (r.Quiet() || r.Last.IsZero() && r.State != sessions.StateOK):
		case r.Kind == sessions.KindDocument && !r.IsSessionDocument():
		case r.Kind != sessions.KindBackup && newest == nil:
			newest = r
		}
	}
	return backup, newest
}

// isExit reports whether a backup was made at the end of its session. Other names end in _compact (spec 000).
func isExit(r *sessions.Row) bool { return !strings.Contains(filepath.Base(r.Path), "_compact") }

// hasSlashCommand reports whether the project or the user has a slash command of spec 000.
func hasSlashCommand(ctx context.Context, env *place.Env, project, name string) bool {
	if sessions.ProbeFolder(ctx, project).State != sessions.FolderThere {
		return false
	}
	for _, dir := range []string{filepath.Join(project, ".claude"), env.ClientDir()} {
		if _, err := sessions.ReadSmall(filepath.Join(dir, "commands", name+".md"), 1<<20); err == nil {
			return true
		}
	}
	return false
}

func resumeCommand(ctx context.Context, env *place.Env, std *out.Output, row sessions.Row, o *resumeOptions) error {
	row.Dir = place.ConfigDirOf(&row)
	for {
		plan, err := PlanResume(ctx, env, row, o.ask)
		if err != nil {
			return err
		}
		if o.attach {
			if plan, err = attachPlan(plan, o); err != nil {
				return err
			}
			o.attach, o.ask = false, resume.Ask{Pane: plan.Launch.Pane}
		}
		if o.dryRun {
			return printPlan(env, std, &plan, false)
		}
		if plan.Launch == nil {
			ask, err := chooseHow(ctx, env, std, &plan, o)
			if err != nil {
				return err
			}
			o.ask = ask
			continue
		}
		if plan.Launch.In == resume.WhereHere && plan.Launch.Pane == "" && !std.Typing && !slices.ContainsFunc(plan.Launch.Argv, func(a string) bool { return a == "-p" || a == "--print" }) {
			return &out.Failure{
				What:  "claude needs a terminal, and this isn't one. Run it in a terminal, or print the answer: -- -p PROMPT",
				Hints: []string{"continuo resume " + row.ID + " --dry-run   shows the command"},
			}
		}
		// The user has just chosen, so the plan is current.
		out, err := carryOut(ctx, env, std, row, o.ask, plan.Launch)
		switch {
		case err != nil:
			return err
		case out.Plan != nil: // something has changed since the plan
			continue
		case out.Run != nil:
			if err := out.Run.Run(); err != nil {
				return err
			}
		}
		return printResumed(env, std, &plan, out)
	}
}

// attachPlan returns a plan that switches to the pane of a live session.
func attachPlan(plan resume.Plan, o *resumeOptions) (resume.Plan, error) {
	for _, c := range plan.Choices {
		if c.Ask.Pane != "" {
			plan.Launch, plan.Findings, plan.Choices = c.Launch, nil, nil
			return plan, nil
		}
	}
	if plan.Launch != nil {
		return plan, &out.Failure{Code: out.ExitNo, What: "The session isn't live, so there is no pane to switch to. Resume it.", Hints: []string{resumeHint(o, "")}}
	}
	return plan, &out.Failure{Code: out.ExitNo, What: "The session is live, but not in a known tmux pane. Show its process.", Hints: []string{resumeHint(o, "--dry-run")}}
}

// resumeHint returns this command line with more flags.
func resumeHint(o *resumeOptions, flags string) string {
	line := "continuo resume " + place.ShellLine(o.words)
	if flags != "" {
		line += " " + flags
	}
	if args := o.ask.Args; len(args) > 0 && !o.ask.New {
		line += " -- " + place.ShellLine(args)
	}
	return line
}

func printResumed(env *place.Env, o *out.Output, plan *resume.Plan, out tui.Outcome) error {
	if o.JSON {
		return printPlan(env, o, plan, true)
	}
	if out.Said != "" {
		o.Err.Print(out.Said + "\n")
	}
	return nil
}

// chooseHow asks the user. Without a terminal, the error lists the choices.
func chooseHow(ctx context.Context, env *place.Env, std *out.Output, plan *resume.Plan, o *resumeOptions) (ask resume.Ask, err error) {
	if std.JSON {
		if err := printPlan(env, std, plan, false); err != nil {
			return ask, err
		}
	}
	if std.JSON || !std.Typing || !std.Err.Terminal {
		return ask, planFailure(plan, o)
	}
	std.Err.Print(resumePlanText(plan, std.Err))
	for {
		std.Err.Print("\nChoose a letter, or enter to cancel: ")
		line, err := out.ReadLine(ctx, std.Stdin)
		switch answer := strings.TrimSpace(line); {
		case err != nil || answer == "" || answer == "q" || strings.HasPrefix(answer, "\x1b"):
			return ask, &out.Failure{Code: out.ExitNo, What: "Nothing was run.", Cause: err}
		default:
			ask, chosen := chosenAnswer(std, ctx, plan, answer)
			if chosen {
				return ask, nil
			}
		}
	}
}

// chosenAnswer returns the typed choice. A choice that can't be undone needs the whole word.
func chosenAnswer(s *out.Output, ctx context.Context, plan *resume.Plan, answer string) (ask resume.Ask, ok bool) {
	i := slices.IndexFunc(plan.Choices, func(c resume.Choice) bool {
		return strings.EqualFold(c.Key, answer) || strings.EqualFold(c.Name, answer)
	})
	if i < 0 {
		s.Err.Print("There is no " + out.Quoted(answer) + " here.\n")
		return ask, false
	}
	c := &plan.Choices[i]
	switch {
	case c.Off != "":
		s.Err.Print(c.Name + ": " + c.Off + ".\n")
	case c.Slow && strings.EqualFold(c.Key, answer):
		s.Err.Print(c.Name + ": " + c.Note + ". To confirm, type " + strings.ToLower(c.Name) + ".\n")
	case c.Path:
		s.Err.Print("Folder: ")
		line, err := out.ReadLine(ctx, s.Stdin)
		if ask = c.Ask; err == nil && strings.TrimSpace(line) != "" {
			ask.Folder = strings.TrimSpace(line)
			return ask, true
		}
	default:
		return c.Ask, true
	}
	return ask, false
}
