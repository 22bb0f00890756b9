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
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { d.out.print(helpText(cmd.Name())) })
	root.AddCommand(newListCmd(d, g), newShowCmd(d, g), newPathCmd(d, g), newDemoCmd(d, g),
		newVersionCmd(d, g), newNoCompletionCmd())
	root.SetHelpCommand(newHelpCmd(d))
	return root
}

// newNoCompletionCmd stands in the place of cobra's hidden completion commands, which write their arguments to
// the terminal as they are.
func newNoCompletionCmd() *cobra.Command {
	return &cobra.Command{
		Use: cobra.ShellCompRequestCmd, Aliases: []string{cobra.ShellCompNoDescRequestCmd},
		Hidden: true, DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, _ []string) error { return unknownCommand(cmd, cmd.CalledAs()) },
	}
}

// writer is an output for cobra, which prints help and version by itself.
type writer struct{ o *output }

// Write implements io.Writer.
func (w writer) Write(b []byte) (int, error) {
	w.o.print(string(b))
	return len(b), w.o.failed
}

// setColor checks and applies --color.
func (d *deps) setColor(value string) error {
	switch mode := colorMode(value); mode {
	case colorAuto, colorAlways, colorNever:
		d.out.setColor(mode)
		d.err.setColor(mode)
		return nil
	}
	return usage("--color takes auto, always or never, not " + quoted(value) + ".")
}

// setASCII applies --ascii, and --ascii=false.
func (d *deps) setASCII(value string) error {
	on, err := strconv.ParseBool(value)
	if err != nil {
		return usage("--ascii takes true or false, not " + quoted(value) + ".")
	}
	d.out.setASCII(on)
	d.err.setASCII(on)
	return nil
}

// catalogOptions say where to look: --claude-dir, else $CLAUDE_CONFIG_DIR, else ~/.claude. A directory that
// was named and is not there is an error; that the default is missing is no more than an empty list.
func (d *deps) catalogOptions(g *globals) (catalog.Options, error) {
	opts := catalog.Options{Cwd: d.dir, Home: d.home, Now: d.now, Zone: d.now().Location()}
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
	switch {
	case len(opts.Dirs) > 0:
	case d.getenv("CLAUDE_CONFIG_DIR") != "":
		opts.Dirs = []string{d.abs(d.getenv("CLAUDE_CONFIG_DIR"))}
	case d.home != "":
		opts.Dirs = []string{filepath.Join(d.home, ".claude")}
	default:
		return opts, &failure{what: "HOME is not set, so the sessions cannot be found. Say where they are with --claude-dir PATH."}
	}
	return opts, nil
}

// sameFile reports whether a path leads to the file, so that a link to a directory does not list it twice.
func sameFile(path string, info os.FileInfo) bool {
	other, err := os.Stat(path)
	return err == nil && os.SameFile(other, info)
}

// abs makes a path absolute against the directory of this run.
func (d *deps) abs(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(d.dir, path)
	}
	return filepath.Clean(path)
}

func unknownCommand(cmd *cobra.Command, name string) error {
	what := "There is no command " + quoted(name) + "."
	if near := cmd.Root().SuggestionsFor(name); len(near) > 0 {
		what += " Did you mean " + strings.Join(near, " or ") + "?"
	}
	return usage(what, "continuo --help")
}

// flagError says in our words what pflag found.
func flagError(cmd *cobra.Command, err error) error {
	hint := "continuo " + cmd.Name() + " --help"
	if !cmd.HasParent() {
		hint = "continuo --help"
	}
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
