package cli

import (
	"cmp"
	"strings"

	"github.com/muesli/roff"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
)

// These sections don't come from the help texts.
const (
	manEnvironment = `  CLAUDE_CONFIG_DIR  the directory to look in, instead of ~/.claude; --claude-dir takes precedence
  LOA_BEADS_DIR  the directory of the beads; takes precedence over .loa.config.yaml
  LOA_GRIMOIRE_DIR  the directory of NOTES.md; takes precedence over .loa.config.yaml
  PROJECT_ROOT  the root of the project whose ledger is read
  CLAUDE_CODE_SESSION_ID  the session that runs the command; used if no session is named
  CLAUDE_PROJECT_DIR  for hooks, the directory in which Claude Code was started
  CONTINUO_GLYPHS  ascii: draw with ASCII characters; any other value: don't
  LC_ALL, LC_CTYPE, LANG  the locale, in this order; if its character set isn't UTF-8, continuo draws with ASCII characters
  ALLOWED_ROOTS  the folders whose sessions the page and the API of the keeper show, separated by commas
  NO_COLOR  if set, no colors
  GOGC  if set, how often Go collects garbage; otherwise continuo collects it rarely during its start
  COLORFGBG  dark or light colors, if the terminal sets it
  VISUAL, EDITOR  the editor, in this order
  TERM  with dumb, the output is that of a pipe
  COLUMNS  the width of a terminal that doesn't report it
  TMPDIR  the temporary directory; a session in it doesn't belong to the folders below it
  TMUX, TMUX_PANE  inside tmux, where windows, splits and popups open and where copies go
  XDG_CACHE_HOME  the directory of the search index and of the list of projects, instead of ~/.cache
  XDG_CONFIG_HOME  the directory of continuo/config.toml, instead of ~/.config
  XDG_STATE_HOME  the directory of reports and of the state of continuo, instead of ~/.local/state`
	manFiles = `  ~/.claude/projects  the transcripts of Claude Code; only backup restore creates one
  ~/.claude/sessions  the open sessions; their keys are never read
  ~/.config/continuo/config.toml  the settings; continuo config prints them
  ~/.cache/continuo/index  what was said, for search; safe to delete
  ~/.cache/continuo/projects  the projects with .claude/memory; safe to delete
  .claude/memory  in a project, its backups, markers and documents
  planning/sessions  in a project, archived documents
  ~/.local/state/continuo  reports of bugs; starting.json, the clients just started; seen, the reviewed backups; hooks.jsonl, the runs of hooks; installed/, what init has changed; keeper/, the tokens, port and process of the keeper`
	manExit = `  0  done
  1  the answer is no
  2  an error
  3  not found
  70  a bug
  128 and the number of a signal  the signal ended the run`
)

// manFile is the file name that man looks for.
const manFile = "continuo.1"

func newManCmd(env *place.Env, o *out.Output) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man",
		Short: "Print the manual page",
		Example: `  continuo man | man -l -
  continuo man --dir ~/.local/share/man/man1`,
		Args: find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			into := cmd.Flags().Changed("dir")
			if into && dir == "" {
				return out.Usage("--dir takes a directory, but it is empty. Is a variable unset?", "continuo man --help")
			}
			page := manPage(cmd.Root(), place.NewBuild(env.Version).Version)
			if into {
				path, err := writePage(env, env.Abs(dir), manFile, page)
				if err != nil {
					return err
				}
				return printPaths(o, []string{path})
			}
			return o.PrintPage(page, struct {
				File string `json:"file"`
				Page string `json:"page"`
			}{manFile, page})
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write "+manFile+" into `PATH`")
	find.CompleteFolder(cmd, "dir")
	return cmd
}

// manPage returns continuo(1) in roff. It has no date, so builds are reproducible.
func manPage(root *cobra.Command, version string) string {
	d := roff.NewDocument()
	manSection(d, "Name", root.Name()+" - "+root.Short)
	manSection(d, "Synopsis", root.UseLine()+"\n\n"+root.Name()+" COMMAND [flags]")
	manSection(d, "Description", root.Long)
	manSection(d, "Options", "Every command has these.")
	manFlags(d, root.LocalFlags())
	manSection(d, "Commands", "continuo help COMMAND prints one of these.")
	manCommands(d, root)
	manSection(d, "Exit status", manExit)
	manSection(d, "Files", manFiles)
	manSection(d, "Environment", manEnvironment)
	// Without these escapes, roff prints typographic characters. A shell can't run pasted ones.
	plain := strings.NewReplacer("-", `\-`, "~", `\(ti`, "^", `\(ha`, "'", `\(aq`, "`", `\(ga`)
	return `.TH CONTINUO 1 "" "continuo ` + version + `" "User Commands"` + "\n.nh\n.ad l" + plain.Replace(d.String()) + "\n"
}

func manSection(d *roff.Document, title, text string) {
	d.Section(title)
	manText(d, text)
}

// manText writes paragraphs. An indented line is a term, two or more blanks, and a description.
func manText(d *roff.Document, text string) {
	for i, paragraph := range strings.Split(text, "\n\n") {
		if !strings.HasPrefix(paragraph, "  ") {
			if i > 0 {
				d.Paragraph()
			}
			d.Text(strings.ReplaceAll(paragraph, "\n", " "))
			continue
		}
		for line := range strings.Lines(paragraph) {
			term, words, _ := strings.Cut(strings.TrimSpace(line), "  ")
			manItem(d, term, strings.TrimSpace(words))
		}
	}
}

func manItem(d *roff.Document, term, words string) {
	d.TaggedParagraph(-1)
	d.TextBold(term)
	d.EndSection()
	d.Text(words)
}

func manFlags(d *roff.Document, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(f)
		manItem(d, strings.TrimSpace("--"+f.Name+" "+value), usage)
	})
}

func manCommands(d *roff.Document, cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		if c.Hidden {
			continue
		}
		flags := c.LocalFlags() // must precede UseLine, which adds the flags of root
		d.Paragraph()
		d.TextBold(c.UseLine())
		d.Indent(4)
		manText(d, cmp.Or(c.Long, c.Short))
		manFlags(d, flags)
		for line := range strings.Lines(c.Example) {
			d.Paragraph()
			d.TextItalic(strings.TrimSpace(line))
		}
		d.IndentEnd()
		manCommands(d, c)
	}
}
