package cli

import (
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
)

// newHelpCmd replaces cobra's help, which exits with 0 for an unknown command.
func newHelpCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help of continuo or of a command",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			topic, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var found []cobra.Completion
			for _, c := range topic.Commands() {
				if !c.Hidden {
					found = append(found, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return found, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Root().Help()
			}
			topic, rest, err := cmd.Root().Find(args)
			if err != nil || topic == cmd.Root() {
				return find.UnknownCommand(topic, args[0])
			}
			if len(rest) > 0 && topic.HasAvailableSubCommands() {
				return find.UnknownCommand(topic, rest[0])
			}
			return topic.Help()
		},
	}
}
