package render

import (
	"strconv"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
)

// purgeNow is the number of days before the deletion of a transcript when its badge becomes urgent.
const purgeNow = 3

// BadgeSpans returns the glyph and the word of a row's badge; the word of ok is "". A session that Claude Code will
// delete soon shows the calendar days left. A session of claude -p without another badge is shown as a headless run.
func BadgeSpans(r *sessions.Row, now time.Time) (glyph, word Span) {
	badge := r.Badge()
	if badge == sessions.BadgeOK && r.Has(sessions.FlagSDK) {
		return Glyph(badge), Span{Faint, "headless run"}
	}
	if badge != sessions.BadgePurgeSoon || r.Purge.IsZero() {
		return Glyph(badge), badgeWord(badge)
	}
	days := -words.DaysBetween(r.Purge, now)
	text := "purge in " + strconv.Itoa(days) + " d"
	if days <= 0 { // below 0 if the deletion is overdue
		text = "purge today"
	}
	if days <= purgeNow {
		return Span{Urgent, "▲"}, Span{Urgent, text}
	}
	return Span{Warn, "△"}, Span{Warn, text}
}

// Glyph returns the one-cell glyph of a badge with its ink.
func Glyph(b sessions.Badge) Span {
	switch b {
	case sessions.BadgeWaiting:
		return Span{AccentBold, "?"}
	case sessions.BadgeLive:
		return Span{GoodBold, "●"}
	case sessions.BadgeDeleted, sessions.BadgeUnreadable, sessions.BadgeDamaged:
		return Span{BadBold, "✗"}
	case sessions.BadgeBackupOnly:
		return Span{Warn, "◐"}
	case sessions.BadgePurgeSoon, sessions.BadgeNoBackup:
		return Span{Warn, "△"}
	case sessions.BadgeHiddenBranch:
		return Span{Warn, "◇"}
	case sessions.BadgeStub, sessions.BadgeEmpty:
		return Span{Faint, "○"}
	case sessions.BadgePending:
		return Span{Urgent, "!"}
	case sessions.BadgeOK:
	}
	return Span{Faint, "·"}
}

// badgeWord returns the word of a badge with its ink; "" for ok.
func badgeWord(b sessions.Badge) Span {
	switch b {
	case sessions.BadgeWaiting:
		return Span{Accent, string(b)}
	case sessions.BadgeLive:
		return Span{Good, string(b)}
	case sessions.BadgeDeleted, sessions.BadgeUnreadable, sessions.BadgeDamaged:
		return Span{Bad, string(b)}
	case sessions.BadgeBackupOnly, sessions.BadgePurgeSoon, sessions.BadgeHiddenBranch, sessions.BadgeNoBackup, sessions.BadgePending:
		return Span{Warn, string(b)}
	case sessions.BadgeStub, sessions.BadgeEmpty:
		return Span{Faint, string(b)}
	case sessions.BadgeOK:
	}
	return Span{}
}
