package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions/catalog"
)

// newRootCmd builds the whole command tree anew.
func newRootCmd(env *Env, o *out.Output) *cobra.Command {
	root := &cobra.Command{
		Use:           "continuo",
		Long:          strings.Replace(helpContinuo, "{of backup}", namesOfBackup(), 1),
		Version:       versionLine(env),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Plain() {
				return listSessions(cmd.Context(), env, o, listOptions{limit: limitUnset})
			}
			return runBrowser(cmd.Context(), env, o)
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			c, err := loadConfig(env)
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
	f.StringArrayVar(&env.claudeDirs, "claude-dir", nil, "")
	f.Func("color", "", o.SetColor)
	f.BoolFunc("ascii", "", o.SetASCII)
	f.BoolVar(&o.JSON, "json", false, "")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { o.Out.Print(helpText(cmd)) })
	root.AddCommand(newListCmd(env, o), newShowCmd(env, o), newPathCmd(env, o), newResumeCmd(env, o), newCopyCmd(env, o), newConfigCmd(env, o), newDemoCmd(env, o),
		newDoctorCmd(env, o), newVersionCmd(env, o), newCompletionCmd(env, o),
		newManCmd(env, o), newStatusCmd(env, o), newProjectCmd(env, o), newBeadsCmd(env, o), newRecoverCmd(env, o), newStartCmd(env, o), newTmuxCmd(env, o), newBackupCmd(env, o), newSaveCmd(env, o), newUndoCmd(env, o), newCompleteCmd(env, o), newHookCmd(env, o),
		newInitCmd(env, o), newUninstallCmd(env, o))
	root.AddCommand(newNoteCmd(env, o), newNotesCmd(env, o), newLedgerCmd(env, o), newHealCmd(env, o), newDeltaCmd(env, o), newForkCmd(env, o), newGateCmd(env, o), newTrajectoryCmd(env, o))
	root.AddCommand(newContextCmd(env, o), newAuditCmd(env, o))
	root.SetHelpCommand(newHelpCmd())
	describe(root)
	return root
}

// worksWithout reports whether a command has to work while the config file is broken: those that help to mend it, and
// those that need nothing of it.
func worksWithout(cmd *cobra.Command) bool {
	return slices.Contains([]string{
		"config", "doctor", "help", "version", "completion", "man", "status", cobra.ShellCompRequestCmd,
	}, cmd.Name())
}

// applyConfig sets what the output looks like. Flags and variables of this run come before the file.
func applyConfig(env *Env, std *out.Output, cmd *cobra.Command, c *config) {
	for _, o := range []*out.Stream{std.Out, std.Err} {
		o.SetTheme(c.Theme, cmd.Flags().Changed("color"))
		if c.Glyphs != auto && env.host.Getenv("CONTINUO_GLYPHS") == "" && !cmd.Flags().Changed("ascii") {
			o.SetASCII(c.Glyphs == "ascii")
		}
	}
}

// catalogOptions say where to look: --claude-dir, else $CLAUDE_CONFIG_DIR, else the roots of the config, else
// ~/.claude. A directory that
// was named and is not there is an error; that the default is missing is no more than an empty list.
func catalogOptions(env *Env) (catalog.Options, error) {
	opts := catalog.Options{Cwd: env.dir, Home: env.home, Now: env.now, Zone: env.now().Location(), Seen: func() map[string]bool { return seenBackups(env) }}
	for _, dir := range env.claudeDirs {
		if dir == "" {
			return opts, out.Usage("--claude-dir takes a directory, and this one is empty. Is a variable not set?")
		}
		abs := env.abs(dir)
		info, err := os.Stat(abs)
		if err == nil && !info.IsDir() {
			return opts, &out.Failure{
				What:  "The Claude config directory " + env.tilde(abs) + " is a file. Name the directory that holds projects/.",
				Cause: err,
			}
		}
		if err != nil {
			return opts, &out.Failure{
				What:  "The Claude config directory " + env.tilde(abs) + " cannot be read: " + out.Reason(err) + ". Name the one that holds projects/.",
				Cause: err,
			}
		}
		if !slices.ContainsFunc(opts.Dirs, func(have string) bool { return sameFile(have, info) }) {
			opts.Dirs = append(opts.Dirs, abs)
		}
	}
	if len(opts.Dirs) > 0 {
		env.dirs = opts.Dirs
		opts.Kept = hooksAct(env, opts.Dirs)
		return opts, nil
	}
	c, _ := loadConfig(env) // whoever needs it has looked at the error
	if opts.Dirs, _ = searchDirs(env, c); len(opts.Dirs) == 0 {
		return opts, &out.Failure{What: "HOME is not set, so the sessions cannot be found. Say where they are with --claude-dir PATH."}
	}
	opts.Kept, opts.Also = hooksAct(env, opts.Dirs), knownProjects(env.knownPath())
	return opts, nil
}

// sameFile reports whether a path leads to the file, so that a link to a directory does not list it twice.
func sameFile(path string, info os.FileInfo) bool {
	other, err := os.Stat(path)
	return err == nil && os.SameFile(other, info)
}

// abs makes a path absolute against the directory of this run.
func (e *Env) abs(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.dir, path)
	}
	return filepath.Clean(path)
}

func unknownCommand(cmd *cobra.Command, name string) error {
	what := "There is no command " + out.Quoted(name) + "."
	if cmd.HasParent() {
		what = "There is no command " + out.Quoted(name) + " of " + commandName(cmd) + "."
	}
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		what += " Did you mean " + strings.Join(near, " or ") + "?"
	}
	return out.Usage(what, cmd.CommandPath()+" --help")
}

// flagError says in our words what pflag found.
func flagError(cmd *cobra.Command, err error) error {
	hint := cmd.CommandPath() + " --help"
	if f, ok := errors.AsType[*out.Failure](err); ok { // from the flag's own check
		f.Hints = append(f.Hints, hint)
		return f
	}
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := "--" + e.GetSpecifiedName()
		if e.GetSpecifiedShortnames() != "" {
			name = "-" + e.GetSpecifiedName()
		}
		return out.Usage("There is no flag "+name+" here. See which there are.", hint)
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return out.Usage("--"+e.GetSpecifiedName()+" takes a value. Write it behind the flag.", hint)
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		takes := "a number"
		if e.GetFlag().Value.Type() == "bool" {
			takes = "true or false"
		}
		return out.Usage("--"+e.GetFlag().Name+" takes "+takes+", not "+out.Quoted(e.GetValue())+".", hint)
	}
	if e, ok := errors.AsType[*pflag.InvalidSyntaxError](err); ok {
		return out.Usage(out.Quoted(e.GetSpecifiedFlag())+" is no flag. A flag is --name or --name=value.", hint)
	}
	return &out.Failure{What: out.Sentence(err.Error()), Hints: []string{hint}, Cause: err}
}
