package render

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// GroupOf returns the list heading of a row, and the dates that the heading covers; "" if it isn't about dates.
func GroupOf(r *sessions.Row, now time.Time) (name, dates string) {
	switch {
	case r.Pending:
		return "Pending", ""
	case r.Unseen:
		return "Not reviewed", ""
	case r.Kind == sessions.KindBackup:
		return "Reviewed", ""
	case !r.Dated():
		return "Without a date", ""
	}
	return group(now, r.When())
}

// GroupAt returns the list heading of a time, and the dates that it covers.
func GroupAt(t, now time.Time) (name, dates string) { return group(now, t) }
