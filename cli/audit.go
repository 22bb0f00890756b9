package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/survey"
)

func newAuditCmd(env *place.Env, o *out.Output) *cobra.Command {
	return &cobra.Command{
		Use:   "audit",
		Short: "Count the backups and sessions that need attention, on one line",
		Long: `Print one line about all projects, for cron and tmux. It counts:

  pending      backups that you have neither restored nor discarded
  only copies  backups with bytes that no transcript has
  damaged      sessions, backups and documents that are damaged or unreadable
  purge soon   sessions that Claude Code deletes within 7 days

What needs attention: pending backups, damaged files, and sessions that are deleted
soon and have no backup. audit reads every transcript and changes nothing.

Exit codes: 0 nothing needs attention, 1 something does, 2 a file couldn't be read.`,
		Example: `  line=$(continuo audit) || echo "$line"`,
		Args:    find.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runAudit(cmd.Context(), env, o) },
	}
}

// runAudit prints the audit line. If some sessions can't be read, the error has ExitFailed.
func runAudit(ctx context.Context, env *place.Env, o *out.Output) error {
	opts, err := place.CatalogOptions(env)
	if err != nil {
		return err
	}
	rows, problem := env.Open(opts).List(ctx, false)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	a, unread := survey.AuditOf(rows, env.Now()), survey.Sentences(problem)
	if err := printAudit(o, &a, unread); err != nil {
		return err
	}
	if err := find.Incomplete(problem, find.Scope{}); err != nil {
		return err
	}
	if a.NeedsLook() {
		return &out.Failure{Code: out.ExitNo, Plain: true} // the line already says what needs attention
	}
	return nil
}

func printAudit(o *out.Output, a *survey.Audit, unread []string) error {
	if !o.JSON {
		o.Out.Print(auditLine(a, len(unread)) + "\n")
		return nil
	}
	return o.PrintJSON(out.NewRecord().Set("sessions", a.Sessions).Set("pending", a.Pending).Set("onlyCopies", a.OnlyCopies).
		Set("damaged", a.Damaged).Set("purgeSoon", a.PurgeSoon).Set("purgeSoonWithoutBackup", a.Uncopied).
		Set("needsLook", a.NeedsLook() || len(unread) > 0).Set("unread", out.OrEmpty(unread)))
}

// auditLine returns all counts on one line, including zeros: "4 sessions · 1 pending · …".
func auditLine(a *survey.Audit, unread int) string {
	line := out.Count(a.Sessions, "session") + " · " + words.Count(a.Pending) + " pending · " +
		words.Counted(a.OnlyCopies, "only copy", "only copies") + " · " + words.Count(a.Damaged) + " damaged · " +
		words.Count(a.PurgeSoon) + " purge soon"
	if a.Uncopied > 0 {
		line += ", " + words.Count(a.Uncopied) + " without a backup"
	}
	if unread > 0 {
		line += " · " + words.Count(unread) + " could not be read"
	}
	return line
}
