package screen

import "github.com/continuo-tui/continuo/sessions"

// WhyNotRead is the reason why a row cannot be opened.
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
