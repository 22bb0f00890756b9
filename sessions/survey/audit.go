package survey

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// auditAhead is the period in which Audit.PurgeSoon counts deletions of Claude Code.
const auditAhead = 7 * 24 * time.Hour

// Audit counts backups and sessions on this machine that may be lost.
type Audit struct {
	Sessions   int
	Pending    int // number of backups with a marker
	OnlyCopies int // backups that no transcript contains completely
	Damaged    int // number of rows of any kind that are damaged or unreadable
	PurgeSoon  int // number of sessions that Claude Code deletes within 7 days
	Uncopied   int // number of the PurgeSoon sessions without a backup
}

// NeedsLook reports whether the user has to do something. Backups that need a decision are in Pending, so it ignores
// OnlyCopies.
func (a *Audit) NeedsLook() bool { return a.Pending+a.Damaged+a.Uncopied > 0 }

// AuditOf computes an Audit from a complete list of rows with exact figures.
func AuditOf(rows []sessions.Row, now time.Time) Audit {
	var a Audit
	all := make([]*sessions.Row, len(rows))
	for i := range rows {
		all[i] = &rows[i]
	}
	saved := savedSessions(all)
	add := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	for _, r := range all {
		session, backup := r.Kind == sessions.KindSession, r.Kind == sessions.KindBackup
		add(&a.Sessions, session)
		add(&a.Pending, backup && r.Pending)
		add(&a.OnlyCopies, backup && (r.Has(sessions.FlagBackupOnly) || r.Relation != "" && !r.Relation.Held()))
		add(&a.Damaged, r.State == sessions.StateDamaged || r.State == sessions.StateUnreadable)
		soon := session && !r.Purge.IsZero() && r.Purge.Before(now.Add(auditAhead))
		add(&a.PurgeSoon, soon)
		add(&a.Uncopied, soon && isPurged(r, saved))
	}
	return a
}
