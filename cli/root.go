package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/doctor"
	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/hooks"
	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/show"
	"github.com/continuo-tui/continuo/cli/undoing"
)

// newRootCmd builds the command tree.
func newRootCmd(env *place.Env, o *out.Output) *cobra.Command {
	root := &cobra.Command{
		Use:           "continuo",
		Long:          strings.Replace(helpContinuo, "{of backup}", namesOfBackup(), 1),
		Version:       place.VersionLine(env),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return find.UnknownCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Plain() {
				return find.ListSessions(cmd.Context(), env, o, find.Options{Limit: find.LimitUnset})
			}
			return browse.RunBrowser(cmd.Context(), env, o)
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			c, err := place.LoadConfig(env)
			if err != nil && !worksWithout(cmd) {
				return err
			}
			applyConfig(env, o, cmd, c)
			return nil
		},
		CompletionOptions:          cobra.CompletionOptions{DisableDefaultCmd: true},
		SuggestionsMinimumDistance: 2,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetIn(o.Stdin)
	root.SetOut(o.Out)
	root.SetErr(o.Err)
	f := root.PersistentFlags()
	f.StringArrayVar(&env.ClaudeDirs, "claude-dir", nil, "")
	f.Func("color", "", o.SetColor)
	f.BoolFunc("ascii", "", o.SetASCII)
	f.BoolVar(&o.JSON, "json", false, "")
	root.SetFlagErrorFunc(find.FlagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { o.Out.Print(helpText(cmd)) })
	root.AddCommand(find.NewListCmd(env, o), show.NewShowCmd(env, o), newPathCmd(env, o), launch.NewResumeCmd(env, o), launch.NewCopyCmd(env, o), newConfigCmd(env, o), browse.NewDemoCmd(env, o),
		doctor.NewDoctorCmd(env, o), newVersionCmd(env, o), newCompletionCmd(env, o),
		newManCmd(env, o), doctor.NewStatusCmd(env, o), newProjectCmd(env, o), ledgers.NewBeadsCmd(env, o), ledgers.NewRecoverCmd(env, o), ledgers.NewStartCmd(env, o), launch.NewTmuxCmd(env, o), newBackupCmd(env, o), backups.NewSaveCmd(env, o), undoing.NewUndoCmd(env, o), newCompleteCmd(env, o), hooks.NewHookCmd(env, o),
		hooks.NewInitCmd(env, o), hooks.NewUninstallCmd(env, o))
	root.AddCommand(entries.NewNoteCmd(env, o), entries.NewNotesCmd(env, o), ledgers.NewLedgerCmd(env, o), entries.NewHealCmd(env, o), entries.NewDeltaCmd(env, o), ledgers.NewForkCmd(env, o), ledgers.NewGateCmd(env, o), ledgers.NewTrajectoryCmd(env, o))
	root.AddCommand(ledgers.NewContextCmd(env, o), newAuditCmd(env, o))
	root.SetHelpCommand(newHelpCmd())
	describe(root)
	return root
}

// worksWithout reports whether a command runs without a valid config file: commands that help to fix it, and commands
// that don't use it.
func worksWithout(cmd *cobra.Command) bool {
	return slices.Contains([]string{
		"config", "doctor", "help", "version", "completion", "man", "status", cobra.ShellCompRequestCmd,
	}, cmd.Name())
}

// applyConfig applies the settings of the output. Flags and variables override the file.
func applyConfig(env *place.Env, std *out.Output, cmd *cobra.Command, c *place.Config) {
	for _, o := range []*out.Stream{std.Out, std.Err} {
		o.SetTheme(c.Theme, cmd.Flags().Changed("color"))
		if c.Glyphs != place.Auto && env.Host.Getenv("CONTINUO_GLYPHS") == "" && !cmd.Flags().Changed("ascii") {
			o.SetASCII(c.Glyphs == "ascii")
		}
	}
}
