package searching

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
)

// NewIndexCmd returns the command continuo index.
func NewIndexCmd(env *place.Env, o *out.Output) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Show, rebuild or verify the search index",
		Long: `Show, rebuild or verify the search index. It is a cache of what was said, in
$XDG_CACHE_HOME/continuo/index. Deleting it loses nothing: the next start builds it
again.

Exit codes: 0 done, 1 it is damaged (verify), 2 it couldn't be read.`,
		Example: `  continuo index
  continuo index verify
  continuo index rebuild`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return find.UnknownCommand(cmd, args[0])
			}
			return nil
		},
		RunE:                       func(cmd *cobra.Command, _ []string) error { return printStatus(cmd.Context(), env, o, true) },
		SuggestionsMinimumDistance: 2,
	}
	sub := func(use, short string, run func(context.Context) error) {
		cmd.AddCommand(&cobra.Command{
			Use: use, Short: short, Args: find.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context()) },
		})
	}
	sub("status", "Show the size of the index", func(ctx context.Context) error { return printStatus(ctx, env, o, true) })
	sub("rebuild", "Build the index again", func(ctx context.Context) error {
		env.Index.Rebuild()
		if _, err := load(ctx, env); err != nil {
			return err
		}
		return printStatus(ctx, env, o, false)
	})
	sub("verify", "Read the whole index and compare its checksums", func(ctx context.Context) error {
		if err := env.Index.Verify(ctx); err != nil {
			return &out.Failure{Code: out.ExitNo, What: "The index is damaged. The next search builds it again.", Cause: err}
		}
		return printStatus(ctx, env, o, false)
	})
	return cmd
}

// printStatus prints the state of the index. If missing is set, it counts the files that the index lacks.
func printStatus(ctx context.Context, env *place.Env, o *out.Output, missing bool) error {
	s, left := env.Index.Status(), 0
	if missing {
		c, err := list(ctx, env)
		if err != nil {
			return err
		}
		files := c.Files(ctx)
		covered, _ := env.Index.Indexed(files)
		left = len(files) - covered
	}
	r := out.NewRecord()
	r.Set("path", out.Path(s.Dir)).Set("files", s.Files).Set("missing", left).Set("messages", s.Texts)
	r.Set("textBytes", s.Text).Set("readBytes", s.Covered).Set("bytes", s.Stored)
	for _, key := range []string{"path", "files", "missing", "messages", "textBytes", "readBytes", "bytes"} {
		r.Line(key, key)
	}
	return r.Print(o, func() string {
		text := fmt.Sprintf("%s messages of %s in %s, from %s of transcripts and documents\n",
			words.Count(s.Texts), out.Count(s.Files, "file"), words.Size(s.Stored), words.Size(s.Covered))
		if left > 0 {
			text += out.Count(left, "file") + " new or changed; the next search reads them\n"
		}
		return text + env.Tilde(s.Dir) + "\n"
	})
}
