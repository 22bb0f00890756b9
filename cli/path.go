package cli

import (
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
)

// newPathCmd prints where the file of a session is: raw into a pipe, so that it can be opened whatever its
// name is, and clean in a terminal.
func newPathCmd(env *Env, o *out.Output) *cobra.Command {
	var latest bool
	cmd := &cobra.Command{
		Use:  "path",
		Long: helpPath,
		RunE: func(cmd *cobra.Command, args []string) error {
			arg, err := newSessionArg(cmd, args, latest)
			if err != nil {
				return err
			}
			row, _, err := findSession(cmd.Context(), env, arg)
			if err != nil {
				return err
			}
			switch {
			case o.JSON:
				if err := o.PrintJSON(struct {
					ID   string `json:"id"`
					Path string `json:"path"`
				}{row.ID, row.Path}); err != nil {
					return err
				}
			case o.Out.Terminal:
				o.Out.Exact(out.CleanPath(row.Path) + "\n")
			default:
				o.Out.Exact(row.Path + "\n")
			}
			return nil
		},
	}
	addLatest(cmd, &latest)
	return cmd
}
