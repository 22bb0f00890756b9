package render

import (
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// GroupOf returns the heading of a row's group, and the dates of the group. dates is "" if the group isn't about dates.
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
	days := DaysOf(now)
	return days.Heading(days.Key(r.When()))
}
