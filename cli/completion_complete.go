package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/transcript"
)

// newCompleteCmd is what the completion scripts call while a person types. It speaks the protocol of cobra, whose
// scripts they are, and stands in the place of cobra's own hidden commands: those write what they were given to the
// stderr of the process as it is, and to a file that the environment names.
func newCompleteCmd(env *place.Env, o *out.Output) *cobra.Command {
	return &cobra.Command{
		Use: cobra.ShellCompRequestCmd, Aliases: []string{cobra.ShellCompNoDescRequestCmd},
		Hidden: true, DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			found, directive := completions(cmd.Context(), env, o, cmd.Root(), args)
			o.Out.Exact(candidateText(found, directive, cmd.CalledAs() == cobra.ShellCompRequestCmd))
			return nil
		},
	}
}

// completions finds what can stand in the place of the last word of a command line. Where the words before it are not
// understood, that is nothing.
func completions(ctx context.Context, env *place.Env, o *out.Output, root *cobra.Command, words []string) ([]find.Candidate, cobra.ShellCompDirective) {
	last := ""
	if n := len(words); n > 0 {
		words, last = words[:n-1], words[n-1]
	}
	cmd, before, err := root.Find(words)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	flags := !slices.Contains(before, "--")
	var flag *pflag.Flag
	typed := last
	if flags {
		flag, typed, before = flagAt(cmd, before, last)
	}
	if err := cmd.ParseFlags(before); err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	switch {
	case flag != nil:
		return flagValueOf(flag.Name).candidates(typed)
	case flags && strings.HasPrefix(last, "-"):
		return flagsFor(cmd, last), cobra.ShellCompDirectiveNoFileComp
	case cmd.HasAvailableSubCommands() && cmd.Flags().NArg() == 0:
		return commandsFor(cmd, last), cobra.ShellCompDirectiveNoFileComp
	}
	return completeArgument(ctx, env, o, cmd, last)
}

// flagAt returns the flag whose value the last word is, what of the value is typed, and the words before the flag.
// The flag is nil when the last word is no value.
func flagAt(cmd *cobra.Command, before []string, last string) (flag *pflag.Flag, typed string, rest []string) {
	if name, value, ok := strings.Cut(last, "="); ok && strings.HasPrefix(name, "--") {
		return cmd.Flag(name[2:]), value, before
	}
	if n := len(before); n > 0 && !strings.HasPrefix(last, "-") {
		name, long := strings.CutPrefix(before[n-1], "--")
		if f := cmd.Flag(name); long && f != nil && f.NoOptDefVal == "" {
			return f, last, before[:n-1]
		}
	}
	return nil, last, before
}

// flagsFor are the flags that begin with what was typed and can still be given.
func flagsFor(cmd *cobra.Command, typed string) []find.Candidate {
	var found []find.Candidate
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		again := flagValueOf(f.Name).several || f.Value.Type() == "stringArray"
		if name := "--" + f.Name; strings.HasPrefix(name, typed) && (again || !f.Changed) {
			found = append(found, find.Candidate{Word: name, About: f.Usage})
		}
	})
	return found
}

// candidateText is the answer to a script: a candidate a line, behind a tab what it is, and what the shell is to do
// with them.
func candidateText(found []find.Candidate, directive cobra.ShellCompDirective, about bool) string {
	var b strings.Builder
	for _, c := range found {
		b.WriteString(transcript.CleanLine(c.Word))
		if words := transcript.CleanLine(c.About); about && words != "" {
			b.WriteString("\t" + words)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, ":%d\n", directive)
	return b.String()
}
