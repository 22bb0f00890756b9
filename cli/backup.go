package cli

import "github.com/spf13/cobra"

const helpBackup = `
continuo backup shows, makes and puts away raw backups: copies of transcripts in the .claude/memory of a project.

  list                      what is pending, and what nobody has looked at
  show NAME                 one of them, as it reads
  create SESSION            back a session up now
  discard [NAME]            to the trash of its project; without NAME all that is pending here
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

// helpOfBackup is the help of a command of backup, that of backup itself for "".
func helpOfBackup(name string) string {
	switch name {
	case "":
		return helpBackup
	case "list":
		return helpBackupList
	case "show":
		return helpBackupShow
	case "create":
		return helpBackupCreate
	case "discard":
		return helpBackupDiscard
	case "restore":
		return helpBackupRestore
	case "verify":
		return helpBackupVerify
	case "prune":
		return helpBackupPrune
	case "undo":
		return helpBackupUndo
	}
	return helpContinuo
}

func newBackupCmd(d *deps, g *globals) *cobra.Command {
	return newGroupCmd(d, "backup", newBackupListCmd(d, g), newBackupShowCmd(d, g), newBackupCreateCmd(d, g), newBackupDiscardCmd(d, g),
		newBackupRestoreCmd(d, g), newBackupVerifyCmd(d, g), newBackupPruneCmd(d, g), newBackupUndoCmd(d, g))
}
