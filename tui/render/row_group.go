package render

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// GroupOf returns the list heading of a row.
func GroupOf(r *sessions.Row, now time.Time) string {
	switch {
	case r.Pending:
		return "Pending"
	case r.Unseen:
		return "Not reviewed"
	case r.Kind == sessions.KindBackup:
		return "Reviewed"
	case !r.Dated():
		return "Without a date"
	}
	return group(now, r.When())
}
