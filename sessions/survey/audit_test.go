package survey

import (
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// TestAuditOf: NeedsLook is true only if the user has to do something.
func TestAuditOf(t *testing.T) {
	t.Parallel()
	row := func(kind sessions.Kind, flags ...sessions.Flag) sessions.Row {
		r := sessions.Row{Kind: kind}
		r.ID, r.State, r.Flags = "a", sessions.StateOK, flags
		if r.Has(sessions.FlagPurgeSoon) {
			r.Purge = time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
		}
		return r
	}
	with := func(r sessions.Row, change func(r *sessions.Row)) sessions.Row { change(&r); return r }
	backup := row(sessions.KindBackup)
	backup.Of, backup.Relation = "a", sessions.RelationGrown
	for name, tt := range map[string]struct {
		rows []sessions.Row
		want Audit
		look bool
	}{
		"nothing":         {nil, Audit{}, false},
		"calm":            {[]sessions.Row{row(sessions.KindSession), row(sessions.KindDocument), backup}, Audit{Sessions: 1}, false},
		"pending":         {[]sessions.Row{with(backup, func(r *sessions.Row) { r.Pending = true })}, Audit{Pending: 1}, true},
		"gone":            {[]sessions.Row{with(backup, func(r *sessions.Row) { r.Relation = sessions.RelationGone })}, Audit{OnlyCopies: 1}, false},
		"rewritten":       {[]sessions.Row{with(backup, func(r *sessions.Row) { r.Relation = sessions.RelationRewritten })}, Audit{OnlyCopies: 1}, false},
		"not compared":    {[]sessions.Row{with(backup, func(r *sessions.Row) { r.Relation = "" })}, Audit{}, false},
		"unreadable copy": {[]sessions.Row{with(row(sessions.KindBackup, sessions.FlagBackupOnly), func(r *sessions.Row) { r.State = sessions.StateUnreadable })}, Audit{OnlyCopies: 1, Damaged: 1}, true},
		"damaged":         {[]sessions.Row{with(row(sessions.KindSession), func(r *sessions.Row) { r.State = sessions.StateDamaged })}, Audit{Sessions: 1, Damaged: 1}, true},
		"purged later":    {[]sessions.Row{with(row(sessions.KindSession, sessions.FlagPurgeSoon), func(r *sessions.Row) { r.Purge = r.Purge.AddDate(0, 0, 3) })}, Audit{Sessions: 1}, false},
		"purged":          {[]sessions.Row{row(sessions.KindSession, sessions.FlagPurgeSoon)}, Audit{Sessions: 1, PurgeSoon: 1, Uncopied: 1}, true},
		"purged, copied":  {[]sessions.Row{row(sessions.KindSession, sessions.FlagPurgeSoon), backup}, Audit{Sessions: 1, PurgeSoon: 1}, false},
	} {
		if got := AuditOf(tt.rows, time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)); got != tt.want || got.NeedsLook() != tt.look {
			t.Errorf("%s: %+v, needs a look: %v", name, got, got.NeedsLook())
		}
	}
}
