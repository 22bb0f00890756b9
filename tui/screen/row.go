package screen

import (
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// ShortID returns the first 8 bytes of an ID, for display.
func ShortID(id string) string { return transcript.CleanLine(id[:min(len(id), 8)]) }

// IsUnsaved reports whether a session ended without a backup and still has its transcript.
func IsUnsaved(r *sessions.Row) bool { return r.Has(sessions.FlagNoBackup) && !r.Deleted }

// WhyNotRead returns the reason why a row can't be opened, or "".
func WhyNotRead(row *sessions.Row) string {
	switch {
	case row == nil:
	case row.Deleted:
		return "deleted"
	case row.State == sessions.StateUnreadable:
		return "unreadable"
	}
	return ""
}

// AgentRow returns the row of a sub-agent of a session.
func AgentRow(of *sessions.Row, path, task string) sessions.Row {
	var row sessions.Row
	row.Kind, row.Path, row.State, row.Agents = sessions.KindSession, path, sessions.StateOK, of.Agents
	row.Project, row.Workdir, row.Branch = of.Project, of.Workdir, of.Branch
	row.Name = "Sub-agent"
	if task = transcript.CleanLine(task); task != "" {
		row.Name += ": " + task
	}
	row.Flags = []sessions.Flag{sessions.FlagNotResumable}
	return row
}
