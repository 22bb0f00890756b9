package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/hook/setup"
)

// setupFlags has the flags of init and uninstall.
type setupFlags struct {
	project, user, gate, snapshot, tasks, replace, purge, hooks bool

	write writing.Flags
}

// NewInitCmd returns the command continuo init.
func NewInitCmd(env *place.Env, o *out.Output) *cobra.Command {
	var f setupFlags
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Install hooks and commands in this project",
		Long: `Install hooks that back up a session when it is compacted or ends, a memory in
.claude/memory, six commands, and two files that Claude reads at every start.

Without --project or --user the hooks go into the project, unless your settings or
a plugin have them. Every change is shown first. continuo uninstall removes all of it.

Exit codes: 0 done, or nothing to do; 1 choose something first, or you said no; 2 an
error, or there is no terminal to ask in.`,
		Example: `  continuo init
  continuo init --user --dry-run`,
		Args: find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			at, err := lookSetup(env, &f)
			if err != nil {
				return err
			}
			f.write.FinishInterrupted(cmd.Context(), env)
			plan, err := at.PlanInstall()
			if err != nil {
				return setupFailure(env, err)
			}
			if here := place.RealPath(env.Dir); plan.Scope == setup.ScopeProject && here != plan.Project {
				plan.Warnings = append(plan.Warnings, setup.Warning{Text: "Claude Code runs project hooks only if it is started in " +
					plan.Project + " itself. Started below, in " + here + ", it runs only those of --user."})
			}
			v := &setupView{
				plan: &plan, project: at.Project, asked: at.Scope, line: writing.CommandLine(cmd, nil), offPath: !at.OnPath,
				again: func(context.Context) (setup.Plan, error) { return at.PlanInstall() },
			}
			return carryOutSetup(cmd.Context(), env, o, f.write, v)
		},
	}
	addScopeFlags(cmd, &f, "install the hooks in .claude/settings.json of the project", "install the hooks in your own settings.json, for all projects with a memory")
	cmd.Flags().BoolVar(&f.gate, "gate", false, "install two more hooks that block a compaction while a strict gate isn't passed")
	cmd.Flags().BoolVar(&f.snapshot, "snapshot", false, "install /save-session-protocol, /load-session-protocol and a hook that tells Claude about a snapshot")
	cmd.Flags().BoolVar(&f.tasks, "tasks", false, "install /task-start, -checkpoint, -end, -status and the hooks of tasks")
	cmd.Flags().BoolVar(&f.replace, "replace", false, "replace files that another author wrote; uninstall restores them")
	return cmd
}

// addScopeFlags adds the flags of init and uninstall. project and user are help texts.
func addScopeFlags(cmd *cobra.Command, f *setupFlags, project, user string) {
	cmd.Flags().BoolVar(&f.project, "project", false, project)
	cmd.Flags().BoolVar(&f.user, "user", false, user)
	writing.AddFlags(cmd, &f.write)
}

// lookSetup returns the options for an installation.
func lookSetup(env *place.Env, f *setupFlags) (setup.Options, error) {
	s := setup.Options{
		Home: place.RealPath(env.Home), ConfigDir: env.ClientDir(), Gate: f.gate, Snapshot: f.snapshot, Tasks: f.tasks, Replace: f.replace, Purge: f.purge, Hooks: f.hooks,
	}
	switch {
	case f.project && f.user:
		return s, out.Usage("--project and --user are two places for the same hooks. Choose one.")
	case f.project:
		s.Scope = setup.ScopeProject
	case f.user:
		s.Scope = setup.ScopeUser
	}
	switch len(env.ClaudeDirs) {
	case 0:
	case 1:
		if env.ClaudeDirs[0] == "" {
			return s, out.Usage("--claude-dir is empty. Is a variable unset?")
		}
		s.ConfigDir = env.Abs(env.ClaudeDirs[0])
	default:
		return s, out.Usage("Hooks go into one config directory. Name --claude-dir once.")
	}
	state := env.StateDir()
	if state == "" || !filepath.IsAbs(s.ConfigDir) {
		return s, &out.Failure{What: "HOME isn't set, so the previous content can't be saved. Set HOME and run the command again."}
	}
	s.Records = filepath.Join(state, "installed")
	if env.Dir != "" {
		s.Project = setup.ProjectRoot(place.RealPath(env.Dir), s.Home)
	}
	s.Program, s.OnPath = OwnProgram(env)
	return s, nil
}

// OwnProgram returns the path of this program, or "". onPath reports whether continuo is on the PATH. It prefers
// a link on the PATH: an update may change the link's target.
func OwnProgram(env *place.Env) (path string, onPath bool) {
	found, err := env.Host.LookPath("continuo")
	onPath = err == nil
	self, err := os.Executable()
	if err != nil {
		return found, onPath
	}
	if info, err := os.Stat(self); err == nil && onPath && place.SameFile(found, info) {
		return found, onPath
	}
	if strings.Contains(self, string(filepath.Separator)+"go-build") { // go run deletes its binary
		return "", onPath
	}
	return self, onPath
}

// setupFailure converts the error of an installation to a message.
func setupFailure(env *place.Env, err error) error {
	if r, ok := errors.AsType[*setup.Refusal](err); ok {
		f := &out.Failure{What: out.Sentence(r.What + ". " + r.Do), Cause: err}
		if r.Path != "" {
			f.What = env.Tilde(r.Path) + ": " + r.What + ". " + r.Do
		}
		for _, fact := range r.Facts {
			f.Facts = append(f.Facts, env.Tilde(fact))
		}
		if r.Run != "" {
			f.Hints = []string{r.Run}
		}
		if r.Choice {
			f.Code = out.ExitNo
		}
		return f
	}
	return err
}

// applySetup carries out a plan. The result lost is a warning about the journal, or "".
func applySetup(ctx context.Context, env *place.Env, v *setupView) (lost string, err error) {
	now := env.Now()
	shown := v.plan.Change(now)
	v.plan.Sweep()
	done, err := writing.Store(env).Do(ctx, &shown, v.plan.Again(now, v.again))
	if err == nil {
		err = v.plan.Guard(ctx)
		return writing.LostBy(&done), err
	}
	_, half := errors.AsType[*act.HalfError](err)
	return "", writing.Failure(env, err, shown.Kind, func(err error) error {
		if errors.Is(err, disk.ErrLocked) {
			err = fmt.Errorf("another continuo is running: %w", err)
		}
		f := *out.AsFailure(setupFailure(env, err))
		if !half {
			f.What += " Nothing was done."
		}
		return &f
	})
}

// carryOutSetup shows a plan, and carries it out after the user confirms.
func carryOutSetup(ctx context.Context, env *place.Env, o *out.Output, w writing.Flags, v *setupView) error {
	if v.plan.Empty() {
		return leaveSetup(env, o, v)
	}
	if !o.JSON {
		o.Out.Print(diffText(env, v, o.Out, w.DryRun || !o.Out.Terminal))
		o.Out.Print(setupText(env, v, o.Out))
		printHints(o.Out, setupHints(env, v))
	}
	ask := false
	switch {
	case w.DryRun:
		return reportSetup(env, o, v, false)
	case w.Yes:
	case !o.JSON && o.Typing && o.Out.Terminal && o.Err.Terminal:
		ask = true
	default:
		if err := reportSetup(env, o, v, false); err != nil {
			return err
		}
		return &out.Failure{
			What:  "Nothing was done: the question needs a terminal. Check the plan, then pass --yes.",
			Hints: []string{v.line + " --yes"},
		}
	}
	if ask {
		o.Out.Print("\nNothing has changed yet.\n")
		if yes, err := o.Agreed(ctx); !yes {
			return &out.Failure{Code: out.ExitNo, What: "Nothing was done.", Cause: err, Plain: true}
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	lost, err := applySetup(ctx, env, v)
	if err != nil {
		return err
	}
	if v.plan.Project != "" {
		place.RememberProjects(env, []string{v.plan.Project})
	}
	but := setup.Plan{}
	if lost != "" {
		but.Warnings = []setup.Warning{{Text: lost}}
		v.plan.Warnings = append(v.plan.Warnings, but.Warnings...)
	}
	if o.JSON {
		return reportSetup(env, o, v, true)
	}
	printWarnings(env, o, &but)
	o.Out.Print("\n" + o.Out.Wrapped(setupDone(env, v)))
	printNext(o, v)
	return nil
}

// leaveSetup says why a plan has no changes.
func leaveSetup(env *place.Env, o *out.Output, v *setupView) error {
	if o.JSON {
		return o.PrintJSON(setupReport(env, v, false))
	}
	printWarnings(env, o, v.plan)
	o.Out.Print(o.Out.Wrapped(nothingToSet(env, v)))
	if fix := env.PathFix(); fix != "" && (v.waits(v.plan.Acts) || slices.ContainsFunc(v.plan.Extras(), v.waits)) {
		printHints(o.Out, []string{fix})
	}
	return nil
}

// reportSetup prints the plan as JSON.
func reportSetup(env *place.Env, o *out.Output, v *setupView, done bool) error {
	if !o.JSON {
		return nil
	}
	return o.PrintJSON(setupReport(env, v, done))
}
