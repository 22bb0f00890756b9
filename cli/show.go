package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
)

const (
	showChunk  = 64 // messages decoded at a time, so that a long transcript is never held whole
	showNarrow = 20 // a narrower width is taken as this one
)

func newShowCmd(env *Env, o *out.Output) *cobra.Command {
	var latest bool
	var width int
	cmd := &cobra.Command{
		Use:  "show",
		Long: helpShow,
		RunE: func(cmd *cobra.Command, args []string) error {
			arg, err := newSessionArg(cmd, args, latest)
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("width") {
				width = o.Out.Width
			} else if width <= 0 {
				return out.Usage("--width takes a number of columns, 1 or more.", "continuo show --help")
			}
			return showSession(cmd.Context(), env, o, arg, max(width, showNarrow))
		},
	}
	addLatest(cmd, &latest)
	cmd.Flags().IntVar(&width, "width", 0, "")
	return cmd
}

// showSession prints one conversation or document.
func showSession(ctx context.Context, env *Env, o *out.Output, arg sessionArg, width int) error {
	row, src, err := findSession(ctx, env, arg)
	if err != nil {
		return err
	}
	return showRow(ctx, env, o, row, src, width)
}

// showRow prints what a row stands for.
func showRow(ctx context.Context, env *Env, o *out.Output, row sessions.Row, src source, width int) error {
	if row.State == sessions.StateUnreadable {
		return unreadable(env, &row)
	}
	doc, err := src.Open(ctx, row)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &out.Failure{What: env.tilde(row.Path) + " cannot be read: " + out.Reason(err) + ". Check the file.", Cause: err}
	}
	defer func() { _ = doc.Close() }() // it was only read
	markSeen(env, row.Path)
	if o.JSON {
		err = showJSON(ctx, o, &row, doc)
	} else {
		err = showText(ctx, env, o, &row, doc, width)
	}
	if err == nil && isNoTranscript(doc) {
		err = &out.Failure{Code: out.ExitNo, What: env.tilde(row.Path) + " is no transcript: not one line of it is a record."}
	}
	return err
}

// isNoTranscript reports whether a file has lines and none of them is a record: an object with a type.
func isNoTranscript(doc sourceDoc) bool {
	if _, ok := doc.Markdown(); ok {
		return false
	}
	c := doc.Counts()
	untyped := c.Types[""]
	return c.Records() == untyped && untyped+c.Unparsed+c.NotObjects > 0
}

// unreadable says why a row cannot be read. Its reason is a sentence or two.
func unreadable(env *Env, row *sessions.Row) error {
	why := row.Reason
	if why == "" {
		why = "Check the file and its mode."
	}
	return &out.Failure{What: env.tilde(row.Path) + " cannot be read. " + why}
}
