package find

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
)

// NoArgs returns an error if a command has arguments.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return out.Usage(cmd.Name()+" takes no argument "+out.Quoted(args[0])+". It has flags only.", cmd.CommandPath()+" --help")
}

// NewGroupCmd adds subcommands to a command. Without a subcommand, the command prints its help.
func NewGroupCmd(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return UnknownCommand(cmd, args[0])
		}
		return cmd.Help()
	}
	cmd.SuggestionsMinimumDistance = 2
	cmd.AddCommand(commands...)
	return cmd
}

// AddProject adds --project to a command that acts in the project of the current folder.
func AddProject(cmd *cobra.Command, project *string) {
	cmd.Flags().StringVar(project, "project", "", "use the project at `PATH`")
	CompleteFolder(cmd, "project")
}

// FolderAsked returns the named folder or, for "", the current one.
func FolderAsked(env *place.Env, named string) (string, error) {
	switch {
	case named != "":
		return env.TypedPath(named), nil
	case env.Dir == "":
		return "", out.Usage("The current folder was removed. Name a project with --project PATH.")
	}
	return env.Dir, nil
}

// UnknownCommand returns the error for an unknown command, with similar names.
func UnknownCommand(cmd *cobra.Command, name string) error {
	what := "There is no command " + out.Quoted(name) + "."
	if cmd.HasParent() {
		what = "There is no command " + out.Quoted(name) + " of " + CommandName(cmd) + "."
	}
	if near := cmd.SuggestionsFor(name); len(near) > 0 {
		what += " Did you mean " + strings.Join(near, " or ") + "?"
	}
	return out.Usage(what, cmd.CommandPath()+" --help")
}

// FlagError converts an error of pflag into a message.
func FlagError(cmd *cobra.Command, err error) error {
	hint := cmd.CommandPath() + " --help"
	if f, ok := errors.AsType[*out.Failure](err); ok { // an error of the flag's own check
		f.Hints = append(f.Hints, hint)
		return f
	}
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := "--" + e.GetSpecifiedName()
		if e.GetSpecifiedShortnames() != "" {
			name = "-" + e.GetSpecifiedName()
		}
		return out.Usage("There is no flag "+name+" here. See the help.", hint)
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return out.Usage("--"+e.GetSpecifiedName()+" takes a value. Write it after the flag.", hint)
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		takes := "a number"
		if e.GetFlag().Value.Type() == "bool" {
			takes = "true or false"
		}
		return out.Usage("--"+e.GetFlag().Name+" takes "+takes+", not "+out.Quoted(e.GetValue())+".", hint)
	}
	if e, ok := errors.AsType[*pflag.InvalidSyntaxError](err); ok {
		return out.Usage(out.Quoted(e.GetSpecifiedFlag())+" isn't a flag. A flag is --name or --name=value.", hint)
	}
	return &out.Failure{What: out.Sentence(err.Error()), Hints: []string{hint}, Cause: err}
}

// CommandName returns the name of a command, such as "backup list". For the root, it returns continuo.
func CommandName(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return cmd.Name()
	}
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	return name
}
