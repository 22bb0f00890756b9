package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
)

func newHelpCmd() *cobra.Command {
	return &cobra.Command{
		Use:  "help",
		Long: helpHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Root().Help()
			}
			topic, rest, err := cmd.Root().Find(args)
			if err != nil || topic == cmd.Root() {
				return find.UnknownCommand(topic, args[0])
			}
			if len(rest) > 0 && topic.HasAvailableSubCommands() {
				return find.UnknownCommand(topic, rest[0])
			}
			return topic.Help()
		},
	}
}

// helpText is the help of a command, that of continuo where it has none. Each says what it is in one line and
// names its own flags only.
func helpText(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmp.Or(cmd.Long, cmd.Root().Long), "\n")
}

const helpContinuo = `
continuo finds, reads and resumes every Claude Code session on this machine.

  continuo                  opens the browser; without a terminal it prints the list
  continuo COMMAND          does one thing and ends

Find and read
  list                      sessions of this project, newest first
  show SESSION              one conversation, as it reads
  path SESSION              the file that it is in
  resume SESSION            go on with it where it was, or from a copy of it
  copy SESSION [WHAT]       its resume command, id, path, last answer or last code
  status                    what is live, what waits for you, what is pending
  audit                     one line for cron: what is pending, an only copy, damaged or deleted soon
  project [PATH]            where was I? One project on one page

The ledger of a project
  ledger                    decisions, questions, identifiers and beads: what survives /clear
  recover [LEVEL]           what to read first after /clear: 1 where I was, 2 this topic, 3 everything
  start                     what is ready, a recovery and what it rests on, on one page
  note COMMAND              write into it: decision, question, next, handoff or scenario
  notes lint                path identifiers of NOTES.md that are not as they have to be
  delta                     what a live session has found, brought to it while it is fresh
  fork-check [SESSION]      what a session has decided and the ledger says otherwise
  heal                      bring back what is missing of it, from git or begun anew
  gate                      what has to hold before /compact, and with --full before /clear
  context COMMAND           what survives a compaction: status, rules, checkpoint, recover and more
  beads [ID]                the task graph of this project: in progress, ready, blocked
  trajectory                what agents logged of their work, newest first

Safeguard
  backup COMMAND            raw backups: {of backup}
  undo [ACTION]             take back what was done last, in the browser or by a command
  save                      a session document from a transcript, without a model
  init                      hooks and commands of this project, so that none of its sessions is lost
  uninstall                 takes them out again

About
  completion SHELL          commands, flags and sessions, completed in your shell
  config                    the settings in force, and where each comes from
  demo                      a made-up tree of sessions to look around in
  doctor                    what stands in the way on this machine
  help [COMMAND]            this page, or that of a command
  man                       the manual page
  tmux                      bindings and a status line for tmux
  version                   which continuo this is

Everywhere
  --json                    for programs
  --claude-dir PATH         look in PATH, not in ~/.claude; several times for several
  --color WHEN              auto, always or never
  --ascii                   glyphs of ASCII
  --help                    this page, or that of a command

A SESSION is an id or its start, a title, a path, or --latest.
Exit: 0 done · 1 the answer is no · 2 could not be done · 3 no such thing · 70 a bug.
`

const helpHelp = `
continuo help [COMMAND] prints what continuo does, or what one command takes.
`
