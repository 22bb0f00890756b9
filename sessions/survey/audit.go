package survey

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// auditAhead is the period for which an audit looks ahead: it counts the sessions that Claude Code deletes within it.
const auditAhead = 7 * 24 * time.Hour

// Audit counts backups and sessions on this machine that can be lost.
type Audit struct {
	Sessions   int
	Pending    int // backups with a marker
	OnlyCopies int // backups with bytes that aren't in any transcript
	Damaged    int // rows of any kind that are damaged or unreadable
	PurgeSoon  int // sessions that Claude Code deletes within 7 days
	Uncopied   int // sessions in PurgeSoon without a backup
}

// NeedsLook reports whether something waits for the user. OnlyCopies doesn't count, except for the pending ones.
func (a *Audit) NeedsLook() bool { return a.Pending+a.Damaged+a.Uncopied > 0 }

// AuditOf counts the rows of a whole list with exact figures. It reads nothing.
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
