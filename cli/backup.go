package cli

import (
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/undoing"
)

func newBackupCmd(env *place.Env, o *out.Output) *cobra.Command {
	return find.NewGroupCmd(
		&cobra.Command{
			Use:   "backup",
			Short: "List, show, create, discard, keep, restore, verify and prune backups",
			Long: `Show, create and discard raw backups: copies of transcripts in .claude/memory of a
project.

A NAME is a path, a file name or its start, a session ID or its start, or a time: Today
11:02, Nov 17 15:19, 11:02, 2026-11-17. Every command that writes shows its plan first
and asks, unless --yes is given. Only prune --empty-trash deletes.`,
			Example: `  continuo backup list
  continuo backup restore 3f9ac1e0 --dry-run
  continuo backup create --missed`,
		},
		backups.NewListCmd(env, o), backups.NewShowCmd(env, o), backups.NewCreateCmd(env, o), backups.NewDiscardCmd(env, o),
		backups.NewKeepCmd(env, o), backups.NewRestoreCmd(env, o), backups.NewVerifyCmd(env, o), backups.NewPruneCmd(env, o),
		undoing.NewBackupCmd(env, o),
	)
}
