// Package export implements the command export. It writes a conversation in a format for people or for programs.
package export

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript/export"
)

const hint = "continuo export --help"

// options has the flags of continuo export.
type options struct {
	format   export.Format
	file     string // "" means stdout
	redact   bool
	from, to string // messages, or ""
}

// NewCmd returns the command continuo export.
func NewCmd(env *place.Env, o *out.Output) *cobra.Command {
	var latest bool
	var opts options
	var format string
	cmd := &cobra.Command{
		Use:   "export SESSION",
		Short: "Write a conversation as markdown, HTML, JSON or JSONL",
		Long: `Write a conversation to stdout or a file: as markdown, as one HTML page, as JSON, or
as its unchanged records (jsonl).

--redact masks secrets of known formats, e-mail addresses and home directories. Other
secrets may remain: read the result before you share it. MESSAGE is a number as in
--format json, an ID, or the beginning of an ID.

Exit codes: 1 no line of the file is a record, 2 several sessions match, 3 no such
session or message.`,
		Example: `  continuo export --latest --format html -o session.html
  continuo export 3f9ac1e0 --redact --from 12 --to 40`,
		ValidArgsFunction: find.CompleteSession(env),
		RunE: func(cmd *cobra.Command, args []string) error {
			arg, err := find.NewSessionArg(cmd, args, latest)
			if err != nil {
				return err
			}
			if opts.format, err = formatOf(format, cmd.Flags().Changed("format"), o.JSON); err != nil {
				return err
			}
			if cmd.Flags().Changed("output") && opts.file == "" {
				return out.Usage("--output takes a file, but it is empty. Is a variable unset?", hint)
			}
			row, _, err := find.Session(cmd.Context(), env, arg)
			if err != nil {
				return err
			}
			return run(cmd.Context(), env, o, &row, opts)
		},
	}
	find.AddLatest(cmd, &latest)
	f := cmd.Flags()
	f.StringVar(&format, "format", string(export.Markdown), "write `FORMAT`: md, html, json or jsonl")
	f.StringVarP(&opts.file, "output", "o", "", "write to `FILE`, which must not exist")
	f.BoolVar(&opts.redact, "redact", false, "mask secrets, e-mail addresses and home directories")
	f.StringVar(&opts.from, "from", "", "begin with `MESSAGE`")
	f.StringVar(&opts.to, "to", "", "end with `MESSAGE`")
	find.CompleteFlag(cmd, "format", export.Markdown, export.HTML, export.JSON, export.JSONL)
	return cmd
}

// formatOf returns the format that --format and --json select.
func formatOf(name string, named, json bool) (export.Format, error) {
	switch f := export.Format(name); f {
	case export.Markdown, export.HTML, export.JSON, export.JSONL:
		if !json {
			return f, nil
		}
		if named && f != export.JSON && f != export.JSONL {
			return "", out.Usage("--json and --format "+name+" both name a format. Use one of them.", hint)
		}
		if named {
			return f, nil
		}
		return export.JSON, nil
	}
	return "", out.Usage("--format takes md, html, json or jsonl, not "+out.Quoted(name)+".", hint)
}

// run exports a row.
func run(ctx context.Context, env *place.Env, o *out.Output, row *sessions.Row, opts options) error {
	redactor := opts.redactor(env)
	if opts.file != "" {
		if _, err := toFile(ctx, env, row, opts, redactor); err != nil {
			return err
		}
	} else {
		src, err := openSource(ctx, env, row, opts)
		if err != nil {
			return err
		}
		defer src.close()
		err = src.write(ctx, stdout{o.Out, opts.format}, opts.format, redactor)
		if o.Out.Failed != nil { // the caller reports this
			return nil
		}
		if err != nil {
			return failure(ctx, env, row, err)
		}
	}
	if redactor != nil {
		o.Err.Print("Masked " + out.Count(redactor.Count, "value") + ".\n")
	}
	return nil
}

// redactor returns the redactor if --redact is set, else nil.
func (o *options) redactor(env *place.Env) *export.Redactor {
	if !o.redact {
		return nil
	}
	return export.NewRedactor(env.Home)
}
