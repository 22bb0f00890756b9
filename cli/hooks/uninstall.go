package hooks

import (
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/sessions/hook/setup"
)

// NewUninstallCmd returns the command continuo uninstall.
func NewUninstallCmd(env *place.Env, o *out.Output) *cobra.Command {
	var f setupFlags
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Remove what init installed",
		Long: `Remove what continuo init installed in this project. A file that hasn't changed since
gets its previous content, byte for byte. From other files, only the lines of continuo
are removed. Backups and documents stay.

Exit codes: 1 nothing is installed, or you said no; 2 an error, or there is no terminal
to ask in.`,
		Example: `  continuo uninstall --dry-run
  continuo uninstall --user`,
		Args: find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.hooks && f.purge {
				return out.Usage("--hooks keeps the memory, and --purge deletes it. Choose one.")
			}
			at, err := lookSetup(env, &f)
			if err != nil {
				return err
			}
			f.write.FinishInterrupted(cmd.Context(), env)
			plan, err := at.PlanUninstall(cmd.Context())
			if err != nil {
				return setupFailure(env, err)
			}
			v := &setupView{
				plan: &plan, project: at.Project, asked: at.Scope, removes: true, hooks: f.hooks, line: writing.CommandLine(cmd, nil),
				again: at.PlanUninstall,
			}
			if plan.Empty() {
				if o.JSON {
					if err := o.PrintJSON(setupReport(env, v, false)); err != nil {
						return err
					}
				}
				return notInstalled(env, v)
			}
			return carryOutSetup(cmd.Context(), env, o, f.write, v)
		},
	}
	addScopeFlags(cmd, &f, "remove the hooks and files of the project (default)", "also remove the hooks in your own settings.json")
	cmd.Flags().BoolVar(&f.hooks, "hooks", false, "remove only the hooks and their scripts")
	cmd.Flags().BoolVar(&f.purge, "purge", false, "also remove log, stale markers, staged recovery and unchanged documents from the memory")
	return cmd
}

// notInstalled returns the error if the hooks aren't installed. It names other hooks that run here.
func notInstalled(env *place.Env, v *setupView) error {
	f := &out.Failure{Code: out.ExitNo, What: "continuo isn't installed in " + env.Tilde(v.project) + "."}
	if v.asked == setup.ScopeUser {
		f.What = "There are no hooks of continuo in your settings."
	}
	if v.hooks && v.asked != setup.ScopeUser {
		f.What = "There are no hooks of continuo in " + env.Tilde(v.project) + "."
	}
	f.Facts = stayLines(env, v)
	f.Hints = othersAct(env, v)
	return f
}

// othersAct returns the commands that remove other hooks that run here.
func othersAct(env *place.Env, v *setupView) []string {
	switch v.plan.Scope {
	case setup.ScopeUser:
		return []string{"continuo uninstall --user --hooks   removes the hooks from " + env.Tilde(v.plan.Acts)}
	case setup.ScopePlugin:
		return []string{"claude plugin uninstall continuo   removes the plugin"}
	default:
		return nil
	}
}
