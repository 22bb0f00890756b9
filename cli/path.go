package cli

import (
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
)

// newPathCmd returns the command path. It removes control characters only on a terminal.
func newPathCmd(env *place.Env, o *out.Output) *cobra.Command {
	var latest bool
	cmd := &cobra.Command{
		Use:   "path SESSION",
		Short: "Print the path of a session's file",
		Example: `  continuo path --latest
  less "$(continuo path 3f9ac1e0)"`,
		ValidArgsFunction: find.CompleteSession(env),
		RunE: func(cmd *cobra.Command, args []string) error {
			arg, err := find.NewSessionArg(cmd, args, latest)
			if err != nil {
				return err
			}
			row, _, err := find.Session(cmd.Context(), env, arg)
			if err != nil {
				return err
			}
			switch {
			case o.JSON:
				return o.PrintJSON(out.NewRecord().Set("id", row.ID).Set("path", row.Path))
			case o.Out.Terminal:
				o.Out.Exact(out.CleanPath(row.Path) + "\n")
			default:
				o.Out.Exact(row.Path + "\n")
			}
			return nil
		},
	}
	find.AddLatest(cmd, &latest)
	return cmd
}
