package cli

import (
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
)

func newVersionCmd(env *place.Env, o *out.Output) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of continuo and of Go",
		Args:  find.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if !o.JSON {
				o.Out.Print(place.VersionLine(env) + "\n")
				return nil
			}
			return o.PrintJSON(place.NewBuild(env.Version))
		},
	}
}
