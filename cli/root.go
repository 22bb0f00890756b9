package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/continuo-tui/continuo/sessions/catalog"
)

// globals are the flags of every command.
type globals struct {
	claudeDirs []string
	json       bool
}

// newRootCmd builds the whole command tree anew.
func newRootCmd(d *deps) *cobra.Command {
	g := &globals{}
	root := &cobra.Command{
		Use:           "continuo",
		Version:       d.versionLine(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if d.plain(g) {
				return d.list(cmd.Context(), g, listOptions{limit: limitUnset})
			}
			return d.browser(cmd.Context(), g)
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			c, err := d.config()
			if err != nil && !worksWithout(cmd) {
				return err
			}
			d.applyConfig(cmd, c)
			return nil
		},
		CompletionOptions:          cobra.CompletionOptions{DisableDefaultCmd: true},
		SuggestionsMinimumDistance: 2,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetIn(d.stdin)
	root.SetOut(writer{d.out})
	root.SetErr(writer{d.err})
	f := root.PersistentFlags()
	f.StringArrayVar(&g.claudeDirs, "claude-dir", nil, "")
	f.Func("color", "", d.setColor)
	f.BoolFunc("ascii", "", d.setASCII)
	f.BoolVar(&g.json, "json", false, "")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { d.out.print(helpText(commandName(cmd))) })
	root.AddCommand(newListCmd(d, g), newShowCmd(d, g), newPathCmd(d, g), newResumeCmd(d, g), newCopyCmd(d, g), newConfigCmd(d, g), newDemoCmd(d, g),
		newDoctorCmd(d, g), newVersionCmd(d, g), newCompletionCmd(d, g),
		newManCmd(d, g), newStatusCmd(d, g), newProjectCmd(d, g), newBeadsCmd(d, g), newRecoverCmd(d, g), newStartCmd(d, g), newTmuxCmd(d, g), newBackupCmd(d, g), newSaveCmd(d, g), newUndoCmd(d, g), newCompleteCmd(d, g), newHookCmd(d),
		newInitCmd(d, g), newUninstallCmd(d, g))
	root.AddCommand(newNoteCmd(d, g), newNotesCmd(d, g), newLedgerCmd(d, g), newHealCmd(d, g), newDeltaCmd(d, g), newForkCmd(d, g), newGateCmd(d, g), newTrajectoryCmd(d, g))
	root.AddCommand(newContextCmd(d, g), newAuditCmd(d, g))
	root.SetHelpCommand(newHelpCmd(d))
	describe(root)
	return root
}

// writer is an output for cobra, which prints help and version by itself.
type writer struct{ o *output }

// Write implements io.Writer.
func (w writer) Write(b []byte) (int, error) {
	w.o.print(string(b))
	return len(b), w.o.failed
}

// setColor checks and applies --color.
func (s *streams) setColor(value string) error {
	switch mode := colorMode(value); mode {
	case colorAuto, colorAlways, colorNever:
		s.out.setColor(mode)
		s.err.setColor(mode)
		return nil
	}
	return usage("--color takes auto, always or never, not " + quoted(value) + ".")
}

// setASCII applies --ascii, and --ascii=false.
func (s *streams) setASCII(value string) error {
	on, err := strconv.ParseBool(value)
	if err != nil {
		return usage("--ascii takes true or false, not " + quoted(value) + ".")
	}
	s.out.setASCII(on)
	s.err.setASCII(on)
	return nil
}

// worksWithout reports whether a command has to work while the config file is broken: those that help to mend it, and
// those that need nothing of it.
func worksWithout(cmd *cobra.Command) bool {
	return slices.Contains([]string{
		"config", "doctor", "help", "version", "completion", "man", "status", cobra.ShellCompRequestCmd,
	}, cmd.Name())
}

// applyConfig sets what the output looks like. Flags and variables of this run come before the file.
func (d *deps) applyConfig(cmd *cobra.Command, c *config) {
	for _, o := range []*output{d.out, d.err} {
		o.setTheme(c.Theme, cmd.Flags().Changed("color"))
		if c.Glyphs != auto && d.host.Getenv("CONTINUO_GLYPHS") == "" && !cmd.Flags().Changed("ascii") {
			o.setASCII(c.Glyphs == "ascii")
		}
	}
}

// catalogOptions say where to look: --claude-dir, else $CLAUDE_CONFIG_DIR, else the roots of the config, else
// ~/.claude. A directory that
// was named and is not there is an error; that the default is missing is no more than an empty list.
func (d *deps) catalogOptions(g *globals) (catalog.Options, error) {
	opts := catalog.Options{Cwd: d.dir, Home: d.home, Now: d.now, Zone: d.now().Location(), Seen: d.seenBackups}
	for _, dir := range g.claudeDirs {
		if dir == "" {
			return opts, usage("--claude-dir takes a directory, and this one is empty. Is a variable not set?")
		}
		abs := d.abs(dir)
		info, err := os.Stat(abs)
		if err == nil && !info.IsDir() {
			return opts, &failure{
				what:  "The Claude config directory " + d.tilde(abs) + " is a file. Name the directory that holds projects/.",
				cause: err,
			}
		}
		if err != nil {
			return opts, &failure{
				what:  "The Claude config directory " + d.tilde(abs) + " cannot be read: " + reason(err) + ". Name the one that holds projects/.",
				cause: err,
			}
		}
		if !slices.ContainsFunc(opts.Dirs, func(have string) bool { return sameFile(have, info) }) {
			opts.Dirs = append(opts.Dirs, abs)
		}
	}
	if len(opts.Dirs) > 0 {
		d.dirs = opts.Dirs
		opts.Kept = d.hooksAct(opts.Dirs)
		return opts, nil
	}
	c, _ := d.config() // whoever needs it has looked at the error
	if opts.Dirs, _ = d.claudeDirs(g, c); len(opts.Dirs) == 0 {
		return opts, &failure{what: "HOME is not set, so the sessions cannot be found. Say where they are with --claude-dir PATH."}
	}
	opts.Kept, opts.Also = d.hooksAct(opts.Dirs), knownProjects(d.knownPath())
	return opts, nil
}

// sameFile reports whether a path leads to the file, so that a link to a directory does not list it twice.
func sameFile(path string, info os.FileInfo) bool {
	other, err := os.Stat(path)
	return err == nil && os.SameFile(other, info)
}

// abs makes a path absolute against the directory of this run.
func (e *env) abs(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(e.dir, path)
	}
	return filepath.Clean(path)
}

func unknownCommand(cmd *cobra.Command, name string) error {
	what := "There is no command " + quoted(name) + "."
	if cmd.HasParent() {
		what = "There is no command " + quoted(name) + " of " + commandName(cmd) + "."
	}
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		what += " Did you mean " + strings.Join(near, " or ") + "?"
	}
	return usage(what, cmd.CommandPath()+" --help")
}

// flagError says in our words what pflag found.
func flagError(cmd *cobra.Command, err error) error {
	hint := cmd.CommandPath() + " --help"
	if f, ok := errors.AsType[*failure](err); ok { // from the flag's own check
		f.hints = append(f.hints, hint)
		return f
	}
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := "--" + e.GetSpecifiedName()
		if e.GetSpecifiedShortnames() != "" {
			name = "-" + e.GetSpecifiedName()
		}
		return usage("There is no flag "+name+" here. See which there are.", hint)
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return usage("--"+e.GetSpecifiedName()+" takes a value. Write it behind the flag.", hint)
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		takes := "a number"
		if e.GetFlag().Value.Type() == "bool" {
			takes = "true or false"
		}
		return usage("--"+e.GetFlag().Name+" takes "+takes+", not "+quoted(e.GetValue())+".", hint)
	}
	if e, ok := errors.AsType[*pflag.InvalidSyntaxError](err); ok {
		return usage(quoted(e.GetSpecifiedFlag())+" is no flag. A flag is --name or --name=value.", hint)
	}
	return &failure{what: sentence(err.Error()), hints: []string{hint}, cause: err}
}
