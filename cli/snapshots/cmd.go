// Package snapshots implements the command snapshot. It writes and reads session-protocol.json (spec 004).
package snapshots

import (
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
)

const hint = "continuo snapshot --help"

// NewCmd returns the command continuo snapshot.
func NewCmd(env *place.Env, o *out.Output) *cobra.Command {
	return find.NewGroupCmd(
		&cobra.Command{
			Use:   "snapshot",
			Short: "Save and load the tasks of this folder in session-protocol.json",
			Long: `Save the tasks of the current folder in session-protocol.json, and load them in another
session (spec 004). The file has pending and completed tasks, decisions, failed commands,
plans, and the commit.

Exit codes: 1 you said no, or there is no task; 2 an error, or there is no terminal to
ask in; 3 no such session, or no snapshot.`,
			Example: `  continuo snapshot save --dry-run
  continuo snapshot load`,
		},
		newSaveCmd(env, o), newLoadCmd(env, o), newShowCmd(env, o),
	)
}

func newSaveCmd(env *place.Env, o *out.Output) *cobra.Command {
	var ask Ask
	var w writing.Flags
	cmd := &cobra.Command{
		Use:   "save",
		Short: "Save the tasks of a session in session-protocol.json",
		Long: `Save the tasks of a session in session-protocol.json of the current folder: todos,
beads, sub-goals, decisions, failed commands and plans.

A save merges the tasks into the file. It updates a task that has the same title or ID,
and never removes a pending task. Old completed tasks are joined by area. Secrets
of known formats, e-mail addresses and home directories are masked.`,
		Example: `  continuo snapshot save --yes
  continuo snapshot save --task "Cover the guest tokens" --dry-run`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return out.Usage("snapshot save takes no argument "+out.Quoted(args[0])+". Write --task "+out.Quoted(args[0])+".", hint)
			}
			if f := cmd.Flags(); f.Changed("session") && ask.Session == "" {
				return out.Usage("--session needs a value. Is a variable unset?", hint)
			}
			if err := ask.read(o); err != nil {
				return err
			}
			var err error
			if ask.Dir, err = find.FolderAsked(env, ""); err != nil {
				return err
			}
			ask.line, ask.Undo = writing.CommandLine(cmd, args), env.UndoLater()
			return runSave(cmd.Context(), env, o, &ask, w)
		},
	}
	f := cmd.Flags()
	f.StringVar(&ask.Session, "session", "", "tasks of this `SESSION` (default the session that runs this command, or else the newest)")
	f.StringArrayVar(&ask.tasks, "task", nil, "add a pending task, `TITLE`; repeat for several")
	f.StringArrayVar(&ask.blocks, "block", nil, "add a context block, `TITLE` or \"Title: text\"; repeat for several")
	f.StringVar(&ask.from, "from", "", "add the tasks and blocks of a JSON object from stdin: `-`; only titles are required")
	writing.AddFlags(cmd, &w)
	return cmd
}

func newLoadCmd(env *place.Env, o *out.Output) *cobra.Command {
	return &cobra.Command{
		Use:   "load",
		Short: "Show how old the snapshot is, what is next, and how git has changed",
		Args:  find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := load(cmd.Context(), env)
			if err != nil {
				return err
			}
			return printLoad(o, l)
		},
	}
}

func newShowCmd(env *place.Env, o *out.Output) *cobra.Command {
	return &cobra.Command{
		Use:   "show",
		Short: "Show the tasks and context blocks of the snapshot",
		Args:  find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := load(cmd.Context(), env)
			if err != nil {
				return err
			}
			return printShow(o, l)
		},
	}
}
