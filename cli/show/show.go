// Package show implements the command show, which prints a conversation.
package show

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
)

// showChunk is how many messages are decoded at a time, to save memory.
const showChunk = 64

// Narrow is the minimum width of wrapped text, in cells.
const Narrow = 20

// NewCmd returns the command continuo show.
func NewCmd(env *place.Env, o *out.Output) *cobra.Command {
	var latest bool
	var width int
	cmd := &cobra.Command{
		Use:   "show SESSION",
		Short: "Print a conversation",
		Long: `Print a conversation: every thread, the main one first. A SESSION can also be the
path of a .jsonl or .md file.

Each tool call is one line. --json has its input and output.

Exit codes: 1 no line of the file is a record, 2 several sessions match, 3 no session
matches.`,
		Example: `  continuo show --latest
  continuo show 3f9ac1e0 --json`,
		ValidArgsFunction: find.CompleteSession(env),
		RunE: func(cmd *cobra.Command, args []string) error {
			arg, err := find.NewSessionArg(cmd, args, latest)
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("width") {
				width = o.Out.Width
			} else if width <= 0 {
				return out.Usage("--width takes a number of columns, 1 or more.", "continuo show --help")
			}
			return showSession(cmd.Context(), env, o, arg, max(width, Narrow))
		},
	}
	find.AddLatest(cmd, &latest)
	cmd.Flags().IntVar(&width, "width", 0, "wrap at `N` columns (default the width of the terminal, or 80)")
	return cmd
}

// showSession prints one conversation or one document.
func showSession(ctx context.Context, env *place.Env, o *out.Output, arg find.SessionArg, width int) error {
	row, src, err := find.Session(ctx, env, arg)
	if err != nil {
		return err
	}
	return Row(ctx, env, o, row, src, width)
}

// Row prints the content of a row.
func Row(ctx context.Context, env *place.Env, o *out.Output, row sessions.Row, src place.Source, width int) error {
	if row.State == sessions.StateUnreadable {
		return Unreadable(env, &row)
	}
	doc, err := src.Open(ctx, row)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &out.Failure{What: env.Tilde(row.Path) + " cannot be read: " + out.Reason(err) + ". Check the file.", Cause: err}
	}
	defer func() { _ = doc.Close() }() // nothing was written
	// With Take, a model reads the backup, which doesn't count as a review.
	if o.Take == nil {
		place.MarkSeen(env, row.Path)
	}
	if o.JSON {
		err = showJSON(ctx, o, &row, doc)
	} else {
		err = showText(ctx, env, o, &row, doc, width)
	}
	if err == nil && isNoTranscript(doc) {
		err = &out.Failure{Code: out.ExitNo, What: env.Tilde(row.Path) + " isn't a transcript: no line is a record."}
	}
	return err
}

// isNoTranscript reports whether a file has lines, but none is a JSON object with a type.
func isNoTranscript(doc place.SourceDoc) bool {
	if _, ok := doc.Markdown(); ok {
		return false
	}
	c := doc.Counts()
	untyped := c.Types[""]
	return c.Records() == untyped && untyped+c.Unparsed+c.NotObjects > 0
}

// Unreadable returns the error for an unreadable row.
func Unreadable(env *place.Env, row *sessions.Row) error {
	why := row.Reason
	if why == "" {
		why = "Check the file and its mode."
	}
	return &out.Failure{What: env.Tilde(row.Path) + " cannot be read. " + why}
}
