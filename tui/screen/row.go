package screen

import "github.com/continuo-tui/continuo/sessions"

// WhyNotRead returns the reason why a row can't be opened, "" if it can.
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
