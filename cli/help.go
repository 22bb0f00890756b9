package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
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
				return unknownCommand(topic, args[0])
			}
			if len(rest) > 0 && topic.HasAvailableSubCommands() {
				return unknownCommand(topic, rest[0])
			}
			return topic.Help()
		},
	}
}

// commandName is the name that a command has behind continuo: "list", "backup list". That of continuo is its own.
func commandName(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return cmd.Name()
	}
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	return name
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

const helpList = `
continuo list prints the sessions of this project and its worktrees, newest first; elsewhere all of them.

  --all                     every project, nothing hidden
  --project PATH            another project, or every one below a directory
  --state STATE             ok, empty, stub, damaged or unreadable; several with commas
  --kind KIND               session, backup or document; several with commas
  --since WHEN              an age (30m 12h 7d 2w 3mo 1y) or a date (2026-11-21)
  --limit N                 the first N; 0 is no limit (in a terminal 20, elsewhere none)
  --quick                   at once, with the figures that need no reading of whole files
  --json                    one array of objects; a figure that is not known is null

In a terminal backups, documents, stubs (empty ones too) and -p runs are hidden and counted; --all, --kind or
--state shows them. Elsewhere nothing is hidden, and a row is one line with tabs between:
id, badge, last message, messages, branch, folder, name; "-" is unknown.
Documents alone (--kind document) have the columns of /sessions-list in a terminal, and the two files of the memory come
last; --json has their todos, too. Elsewhere: id, date, project, status, branch, open, done, tags, the one before, path.

Exit: 0 also when the list is empty · 2 when a part of it could not be read.
`

const helpShow = `
continuo show SESSION prints one conversation, as it reads: every thread, the main one first.

  --latest                  the newest session of this project
  --width N                 columns to fill; else those of the terminal, else 80
  --json                    one object a line for each message (id, role, kind, time, model, thread, gap, blocks);
                            the last line counts the records: {"records":{type:n},"unparsed":n,"notObjects":n}

A SESSION is an id or its start, a title, or the path of a .jsonl or .md file anywhere.
In a terminal long tool output is folded; into a file or a pipe nothing is.

Exit: 1 when no line of the file is a record · 2 when the word fits several sessions · 3 when it fits none.
`

const helpPath = `
continuo path SESSION prints the path of the file that a session is in.

  --latest                  the newest session of this project
  --json                    {"id":…,"path":…}

A SESSION is an id or its start, a title, or a path.

Exit: 2 when the word fits several sessions · 3 when it fits none.
`

const helpDemo = `
continuo demo makes up two dozen sessions, with backups and documents, in a temporary directory and opens the
browser on them; without a terminal it prints their list. The directory is removed when it ends.

  --keep                    leave the directory there, and say where it is
  --dir PATH                make them in PATH, which is empty or not there yet, and keep them
  --json                    print the list as list --json does

Your own sessions are neither read nor written. Made-up sessions cannot be resumed.
`

const helpVersion = `
continuo version prints which continuo this is and what it was built with.

  --json                    version, revision, time, modified, go, platform
`

const helpHelp = `
continuo help [COMMAND] prints what continuo does, or what one command takes.
`
