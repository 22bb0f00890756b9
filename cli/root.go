package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/browse"
	"github.com/continuo-tui/continuo/cli/deleting"
	"github.com/continuo-tui/continuo/cli/doctor"
	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/export"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/handing"
	"github.com/continuo-tui/continuo/cli/hooks"
	"github.com/continuo-tui/continuo/cli/keeping"
	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/cli/mcp"
	"github.com/continuo-tui/continuo/cli/organise"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/searching"
	"github.com/continuo-tui/continuo/cli/show"
	"github.com/continuo-tui/continuo/cli/snapshots"
	"github.com/continuo-tui/continuo/cli/stats"
	"github.com/continuo-tui/continuo/cli/tasks"
	"github.com/continuo-tui/continuo/cli/undoing"
)

func newRootCmd(env *place.Env, o *out.Output) *cobra.Command {
	root := &cobra.Command{
		Use:   "continuo",
		Short: "Find, read and resume every Claude Code session on this machine",
		Long: `continuo finds, reads and resumes every Claude Code session on this machine. Without
a command it opens the browser; without a terminal it lists the sessions.

A SESSION is an ID or its first characters, a title, a path, or --latest. When stdout
is not a terminal, output is tab-separated. docs/output.md lists the columns and the
keys of --json.

Exit codes: 0 done, 1 the answer is no, 2 an error, 3 not found, 70 a bug.`,
		Example: `  continuo
  continuo list --since 7d
  continuo resume --latest`,
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
			return browse.Run(cmd.Context(), env, o)
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			c, err := place.LoadConfig(env)
			if err != nil && !worksWithout(cmd) {
				return err
			}
			applyConfig(env, o, cmd, c)
			return nil
		},
		SuggestionsMinimumDistance: 2,
	}
	// newCompletionCmd adds --dir and --json.
	root.CompletionOptions.DisableDefaultCmd = true
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetIn(o.Stdin)
	root.SetOut(o.Out)
	root.SetErr(o.Err)
	f := root.PersistentFlags()
	f.StringArrayVar(&env.ClaudeDirs, "claude-dir", nil, "look in `PATH` instead of ~/.claude; repeat for several")
	f.Func("color", "`WHEN` to use colors: auto, always or never", o.SetColor)
	f.BoolFunc("ascii", "draw with ASCII characters", o.SetASCII)
	f.BoolVar(&o.JSON, "json", false, "print JSON")
	f.BoolP("help", "h", false, "print the help of a command") // on root, so that "continuo --help COMMAND" works
	root.Flags().BoolP("version", "v", false, "print the version")
	find.CompleteFlag(root, "color", out.ColorAuto, out.ColorAlways, out.ColorNever)
	find.CompleteFolder(root, "claude-dir")
	root.SetFlagErrorFunc(find.FlagError)
	addGroup(root, "Find and read:", find.NewListCmd(env, o), searching.NewSearchCmd(env, o), show.NewCmd(env, o), find.NewFamilyCmd(env, o), export.NewCmd(env, o), stats.NewCmd(env, o), newPathCmd(env, o), launch.NewResumeCmd(env, o),
		launch.NewCopyCmd(env, o), organise.NewCmd(env, o), deleting.NewDeleteCmd(env, o), deleting.NewCleanCmd(env, o), doctor.NewStatusCmd(env, o), doctor.NewLiveCmd(env, o), newAuditCmd(env, o), newProjectCmd(env, o))
	addGroup(root, "Keeper:", keeping.NewCmd(env, o), keeping.NewSendCmd(env, o), keeping.NewAnswerCmd(env, o))
	addGroup(root, "Ledger of a project:", ledgers.NewLedgerCmd(env, o), ledgers.NewRecoverCmd(env, o), ledgers.NewStartCmd(env, o),
		handing.NewCmd(env, o), entries.NewNoteCmd(env, o), entries.NewNotesCmd(env, o), entries.NewDeltaCmd(env, o), ledgers.NewForkCmd(env, o), entries.NewHealCmd(env, o),
		ledgers.NewGateCmd(env, o), ledgers.NewContextCmd(env, o), ledgers.NewBeadsCmd(env, o), ledgers.NewTrajectoryCmd(env, o), tasks.NewCmd(env, o), snapshots.NewCmd(env, o))
	addGroup(root, "Backups and hooks:", newBackupCmd(env, o), undoing.NewCmd(env, o), handing.NewSaveCmd(env, o),
		hooks.NewInitCmd(env, o), hooks.NewUninstallCmd(env, o), hooks.NewHookCmd(env, o))
	help := newHelpCmd()
	root.SetHelpCommand(help)
	addGroup(root, "About continuo:", newCompletionCmd(env, o), newConfigCmd(env, o), browse.NewDemoCmd(env, o),
		doctor.NewCmd(env, o), help, searching.NewIndexCmd(env, o), newManCmd(env, o), mcp.NewCmd(env, o), launch.NewTmuxCmd(env, o), newVersionCmd(env, o))
	return root
}

func addGroup(root *cobra.Command, heading string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: heading, Title: heading})
	for _, cmd := range commands {
		cmd.GroupID = heading
	}
	root.AddCommand(commands...)
}

// worksWithout reports whether a command runs with an invalid config file.
func worksWithout(cmd *cobra.Command) bool {
	return slices.Contains([]string{
		"config", "doctor", "help", "version", "completion", "man", "status", cobra.ShellCompRequestCmd,
	}, cmd.Name())
}

// applyConfig sets the output. Flags and variables override the config file.
func applyConfig(env *place.Env, std *out.Output, cmd *cobra.Command, c *place.Config) {
	for _, o := range []*out.Stream{std.Out, std.Err} {
		o.SetTheme(c.Theme, cmd.Flags().Changed("color"))
		if c.Glyphs != place.Auto && env.Host.Getenv("CONTINUO_GLYPHS") == "" && !cmd.Flags().Changed("ascii") {
			o.SetASCII(c.Glyphs == "ascii")
		}
	}
}
