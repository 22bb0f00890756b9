package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
)

const helpMan = `
continuo man prints the manual page of continuo, made of what help prints. To read it: continuo man | man -l -

  --dir PATH                write continuo.1 into PATH, which man finds when it is the man1 of its path
  --json                    {"file":…,"page":…}; with --dir {"files":[…]}
`

// What the manual says beyond the help texts, in their form.
const (
	manEnvironment = `
  CLAUDE_CONFIG_DIR         the directory to look in, in place of ~/.claude; --claude-dir goes before it
  LOA_BEADS_DIR             the beads of a project, before what its .loa.config.yaml says
  CLAUDE_CODE_SESSION_ID    of a command that a session runs: that session is meant where none is named
  LOA_GRIMOIRE_DIR          the directory of its NOTES.md, likewise
  PROJECT_ROOT              the root of the project whose ledger is looked at
  CONTINUO_GLYPHS           ascii draws with glyphs of ASCII, any other value never does
  LC_ALL, LC_CTYPE, LANG    the first that is set; a character set that is not UTF-8 means glyphs of ASCII
  NO_COLOR                  set to anything: no colours
  COLORFGBG                 the colours of the terminal, where it sets them: dark or light
  VISUAL, EDITOR            the editor, the first that is set
  TERM                      dumb is taken for a pipe
  COLUMNS                   the width of a terminal that does not tell it
  TMPDIR                    the temporary directory: its sessions are not those of the folders in it
  TMUX, TMUX_PANE           inside tmux: where windows, splits and popups open, and what is copied goes through it
  CLAUDE_PROJECT_DIR        for hooks: the directory in which the client was started, which says so
  XDG_CACHE_HOME            where the list of projects with a memory is kept, in place of ~/.cache
  XDG_CONFIG_HOME           where continuo/config.toml is, in place of ~/.config
  XDG_STATE_HOME            where reports of bugs go, and what continuo has to remember, in place of ~/.local/state
`
	manFiles = `
  ~/.claude/projects        the transcripts of Claude Code, one a session; read, and made anew by backup restore
  ~/.claude/sessions        the sessions that are open now; its keys are never read
  ~/.config/continuo/config.toml
                            the settings: continuo config prints them
  ~/.cache/continuo/projects
                            the projects that have a memory; it can be deleted
  .claude/memory            in a project: raw backups, their markers, and documents
  planning/sessions         in a project: archived documents
  ~/.local/state/continuo
                            reports of bugs; in starting.json which clients were just started, in seen which
                            backups were opened, in hooks.jsonl when hooks have run, in installed/ what was where
                            init has changed something
`
	manSignals = "A run that a signal ends exits with 128 and the number of the signal."
)

// manFile is the name that man looks for.
const manFile = "continuo.1"

func newManCmd(env *place.Env, o *out.Output) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:  "man",
		Long: helpMan,
		Args: find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			into := cmd.Flags().Changed("dir")
			if into && dir == "" {
				return out.Usage("--dir takes a directory, and this one is empty. Is a variable not set?", "continuo man --help")
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
	cmd.Flags().StringVar(&dir, "dir", "", "")
	return cmd
}

// manual is the help of continuo itself, sorted into the sections of a manual page.
type manual struct {
	uses, options []helpEntry
	commands      []string // in the order of the help, then those that it does not name
	text          []string
	exit          string // "0 done · 1 the answer is no."
}

func newManual(root *cobra.Command) manual {
	var m manual
	known := map[string]bool{}
	for _, cmd := range root.Commands() {
		known[cmd.Name()] = !cmd.Hidden
	}
	blocks := parseHelp(helpText(root))
	for _, b := range blocks[1:] { // the first is what NAME says
		for _, line := range b.lines {
			if exit, ok := strings.CutPrefix(line, "Exit: "); ok {
				m.exit = exit
			} else {
				m.text = append(m.text, line)
			}
		}
		for _, e := range b.entries {
			switch {
			case strings.HasPrefix(e.term, "--"):
				m.options = append(m.options, e)
			case e.name() == root.Name():
				m.uses = append(m.uses, e)
			}
			for word := range strings.FieldsSeq(e.term) {
				if word = strings.TrimSuffix(word, ","); known[word] {
					m.commands = append(m.commands, word)
					delete(known, word)
				}
			}
		}
	}
	for _, cmd := range root.Commands() {
		if known[cmd.Name()] {
			m.commands = append(m.commands, cmd.Name())
		}
	}
	for _, cmd := range root.Commands() {
		var below []string
		for _, sub := range cmd.Commands() {
			if !sub.Hidden {
				below = append(below, find.CommandName(sub))
			}
		}
		if i := slices.Index(m.commands, cmd.Name()); i >= 0 {
			m.commands = slices.Insert(m.commands, i+1, below...)
		}
	}
	return m
}

// manPage is continuo(1) in roff. It carries no date, so that the same source gives the same page.
func manPage(root *cobra.Command, version string) string {
	m := newManual(root)
	var r roff
	r.b.WriteString(`.\" Made by continuo man.` + "\n")
	r.macro("TH", "CONTINUO", "1", "", "continuo "+version, "User Commands")
	r.macro("nh") // a word that is cut cannot be copied
	r.macro("ad", "l")
	r.macro("SH", "NAME")
	r.line(`continuo \- ` + roffText(root.Short))
	r.macro("SH", "SYNOPSIS")
	for i, e := range m.uses {
		if i > 0 {
			r.macro("br")
		}
		r.line(roffTerm(e.term))
	}
	r.macro("SH", "DESCRIPTION")
	r.entries(m.uses, roffTerm)
	r.paragraph(m.text)
	r.macro("SH", "OPTIONS")
	r.paragraph([]string{"Every command takes these."})
	r.entries(m.options, roffTerm)
	r.macro("SH", "COMMANDS")
	for _, name := range m.commands {
		cmd, _, _ := root.Find(strings.Fields(name)) // the name is from the tree
		r.command(cmd)
	}
	r.macro("SH", "EXIT STATUS")
	r.entries(m.exits(), roffName)
	r.paragraph([]string{manSignals})
	r.macro("SH", "FILES")
	r.entries(parseHelp(manFiles)[0].entries, roffName)
	r.macro("SH", "ENVIRONMENT")
	r.entries(parseHelp(manEnvironment)[0].entries, roffName)
	return r.b.String()
}

// exits takes "0 done · 1 the answer is no." apart.
func (m *manual) exits() []helpEntry {
	var list []helpEntry
	for part := range strings.SplitSeq(strings.TrimSuffix(m.exit, "."), " · ") {
		code, words, _ := strings.Cut(part, " ")
		list = append(list, helpEntry{code, words})
	}
	return list
}

// command is the help of a command as a subsection.
func (r *roff) command(cmd *cobra.Command) {
	r.macro("SS", cmd.CommandPath())
	for _, b := range parseHelp(helpText(cmd)) {
		if b.heading != "" {
			r.paragraph([]string{b.heading})
		}
		// What a command exits with is a paragraph of its own.
		if i := slices.IndexFunc(b.lines, func(line string) bool { return strings.HasPrefix(line, "Exit: ") }); i > 0 {
			r.paragraph(b.lines[:i])
			b.lines = b.lines[i:]
		}
		r.paragraph(b.lines)
		r.entries(b.entries, roffTerm)
	}
}
