package organise

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
)

// newExportCmd returns the command continuo annotate export.
func newExportCmd(env *place.Env, o *out.Output) *cobra.Command {
	return &cobra.Command{
		Use:   "export",
		Short: "Print all names, stars, tags and notes as JSON",
		Args:  find.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			text, err := place.OpenNotes(env).Export()
			if err != nil {
				return err
			}
			o.Out.Exact(out.EscapeJSON(string(text)))
			return nil
		},
	}
}

// newImportCmd returns the command continuo annotate import.
func newImportCmd(env *place.Env, o *out.Output) *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Add the names, stars, tags and notes of an export",
		Long: `Add the names, stars, tags and notes of an export. Of two notes about one session,
the newer one wins. If FILE is -, the export is read from a pipe. If a line can't
be read, nothing changes.`,
		Example: `  continuo annotate import annotations.json
  continuo annotate import -`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if len(args) != 1 || args[0] == "" {
				return out.Usage("import takes one file, or - for a pipe.", cmd.CommandPath()+" --help")
			}
			in := o.Stdin
			switch {
			case args[0] != "-":
				f, err := os.Open(env.TypedPath(args[0]))
				if err != nil {
					return unreadable(args[0], err)
				}
				defer f.Close()
				in = f
			case o.Typing:
				return out.Usage(`"-" reads a pipe, but stdin is a terminal. Name a file.`, cmd.CommandPath()+" --help")
			}
			n, err := place.OpenNotes(env).Import(cmd.Context(), &reader{in, args[0]})
			if err != nil {
				return err
			}
			r := out.NewRecord().Set("changed", n)
			r.Line("changed", "changed")
			return r.Print(o, func() string { return out.Count(n, "session") + " changed.\n" })
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
	}
}

// reader names the file in its errors.
type reader struct {
	in   io.Reader
	name string
}

// Read implements io.Reader.
func (r *reader) Read(b []byte) (int, error) {
	n, err := r.in.Read(b)
	if err != nil && err != io.EOF { //nolint:errorlint // io.Reader returns io.EOF itself
		err = unreadable(r.name, err)
	}
	return n, err
}

func unreadable(name string, err error) error {
	return &out.Failure{What: out.Quoted(name) + " cannot be read: " + out.Reason(err) + ". Check the path.", Cause: err}
}
