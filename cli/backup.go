package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/undoing"
)

const helpBackup = `
continuo backup shows, makes and puts away raw backups: copies of transcripts in the .claude/memory of a project.

  list                      what is pending, and what nobody has looked at
  show NAME                 one of them, as it reads
  create SESSION            back a session up now
  discard [NAME]            to the trash of its project; without NAME all that is pending here
  keep NAME                 no longer pending: its markers go, the copy stays
  restore NAME              make a session of it again
  verify [NAME]             whether it still is what was copied
  prune                     old ones to the trash of their project
  undo [ENTRY]              take back what was discarded, pruned or restored last

A NAME is a path, the name of the file or its start, a time as list prints it (Today 11:02, Nov 17 15:19, 11:02,
2026-11-17), or a session id or its start.
What writes shows its plan first and asks, or says --yes. Only prune --empty-trash deletes.
With --json it prints one object: action, done, backups (path, transcript, session, bytes, relation), markers, kept
(path, reason), made, deleted, entries, problems.

Exit: 1 when you said no, or a backup is not what was copied · 2 when it could not be done · 3 when there is no such
backup.
`

// backupCommand is a subcommand of backup and the browser key with the same name.
type backupCommand struct {
	name    string
	command func(*place.Env, *out.Output) *cobra.Command
	several bool // accepts several names
}

// backupTable returns all subcommands in help order.
func backupTable() []backupCommand {
	return []backupCommand{
		{name: "list", command: backups.NewListCmd},
		{name: "show", command: backups.NewShowCmd},
		{name: "create", command: backups.NewCreateCmd, several: true},
		{name: "discard", command: backups.NewDiscardCmd, several: true},
		{name: "keep", command: backups.NewKeepCmd, several: true},
		{name: "restore", command: backups.NewRestoreCmd},
		{name: "verify", command: backups.NewVerifyCmd, several: true},
		{name: "prune", command: backups.NewPruneCmd},
		{name: "undo", command: undoing.NewBackupUndoCmd},
	}
}

// backupCommandOf returns the command with a name, or one without a name if there is none.
func backupCommandOf(name string) backupCommand {
	list := backupTable()
	if i := slices.IndexFunc(list, func(c backupCommand) bool { return c.name == name }); i >= 0 {
		return list[i]
	}
	return backupCommand{}
}

// namesOfBackup lists the names for the help of continuo.
func namesOfBackup() string {
	var names []string
	for _, c := range backupTable() {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}

func newBackupCmd(env *place.Env, o *out.Output) *cobra.Command {
	var commands []*cobra.Command
	for _, c := range backupTable() {
		commands = append(commands, c.command(env, o))
	}
	return find.NewGroupCmd("backup", helpBackup, commands...)
}
