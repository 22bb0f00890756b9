package screen

import (
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// ShortID returns the first 8 bytes of an ID. Screens show this form.
func ShortID(id string) string { return transcript.CleanLine(id[:min(len(id), 8)]) }

// IsUnsaved reports whether a session ended without a backup, and its transcript still exists.
func IsUnsaved(r *sessions.Row) bool { return r.Has(sessions.FlagNoBackup) && !r.Deleted }

// WhyNotRead returns why a row can't be opened; "" if it can be opened.
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
