package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/sessions"
)

const (
	showChunk  = 64 // messages decoded at a time, so that a long transcript is never held whole
	showNarrow = 20 // a narrower width is taken as this one
)

func newShowCmd(d *deps, g *globals) *cobra.Command {
	var latest bool
	var width int
	cmd := &cobra.Command{
		Use: "show",
		RunE: func(cmd *cobra.Command, args []string) error {
			arg, err := newSessionArg(cmd, args, latest)
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("width") {
				width = d.out.width
			} else if width <= 0 {
				return usage("--width takes a number of columns, 1 or more.", "continuo show --help")
			}
			return d.show(cmd.Context(), g, arg, max(width, showNarrow))
		},
	}
	addLatest(cmd, &latest)
	cmd.Flags().IntVar(&width, "width", 0, "")
	return cmd
}

// show prints one conversation or document.
func (d *deps) show(ctx context.Context, g *globals, arg sessionArg, width int) error {
	row, src, err := d.find(ctx, g, arg)
	if err != nil {
		return err
	}
	if row.State == sessions.StateUnreadable {
		return &failure{what: d.tilde(row.Path) + " cannot be read" + because(row.Reason) + ". Make it readable and run it again."}
	}
	doc, err := src.Open(ctx, row)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &failure{what: d.tilde(row.Path) + " cannot be read: " + reason(err) + ". Check the file.", cause: err}
	}
	defer func() { _ = doc.Close() }() // it was only read
	if g.json {
		return d.showJSON(ctx, &row, doc)
	}
	return d.showText(ctx, &row, doc, width)
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + strings.TrimSuffix(reason, ".")
}
