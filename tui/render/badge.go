package render

import (
	"strconv"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
)

// deleted is the fault of a backup or document with a deleted file.
const deleted = "deleted"

// purgeNow is the number of days from which the badge of a deletion is urgent.
const purgeNow = 3

// BadgeSpans returns the glyph and the word of a row's badge. The word is "" for stub and ok. A word about a deletion
// has the number of calendar days until then.
func BadgeSpans(r *sessions.Row, now time.Time) (glyph, word Span) {
	badge := r.Badge()
	if badge != sessions.BadgePurgeSoon || r.Purge.IsZero() {
		return Glyph(badge), badgeWord(badge)
	}
	days := -words.DaysBetween(r.Purge, now)
	text := "purge in " + strconv.Itoa(days) + " d"
	if days <= 0 { // the deletion may be overdue
		text = "purge today"
	}
	if days <= purgeNow {
		return Span{Urgent, "▲"}, Span{Urgent, text}
	}
	return Span{Warn, "△"}, Span{Warn, text}
}

// Glyph returns the glyph of a badge, which has one cell.
func Glyph(b sessions.Badge) Span {
	switch b {
	case sessions.BadgeWaiting:
		return Span{AccentBold, "?"}
	case sessions.BadgeLive:
		return Span{GoodBold, "●"}
	case sessions.BadgeBroken:
		return Span{BadBold, "✗"}
	case sessions.BadgeOnlyCopy:
		return Span{Warn, "◐"}
	case sessions.BadgePurgeSoon:
		return Span{Warn, "△"}
	case sessions.BadgeHiddenBranch:
		return Span{Warn, "◇"}
	case sessions.BadgeStub:
		return Span{Faint, "○"}
	case sessions.BadgePending:
		return Span{Urgent, "!"}
	case sessions.BadgeOK:
	}
	return Span{Faint, "·"}
}

// badgeWord returns the word of a badge; "" for stub and ok.
func badgeWord(b sessions.Badge) Span {
	switch b {
	case sessions.BadgeWaiting:
		return Span{Accent, string(b)}
	case sessions.BadgeLive:
		return Span{Good, string(b)}
	case sessions.BadgeBroken:
		return Span{Bad, string(b)}
	case sessions.BadgeOnlyCopy, sessions.BadgePurgeSoon, sessions.BadgeHiddenBranch, sessions.BadgePending:
		return Span{Warn, string(b)}
	case sessions.BadgeStub, sessions.BadgeOK:
	}
	return Span{}
}

// BadgeHelp returns an explanation of a badge in one or two sentences.
func BadgeHelp(b sessions.Badge) string {
	switch b {
	case sessions.BadgeWaiting:
		return "Claude asked something and waits for your answer."
	case sessions.BadgeLive:
		return "A running Claude Code has this session open."
	case sessions.BadgeBroken:
		return "claude --resume would fail. The preview says why."
	case sessions.BadgePending:
		return "Claude offers this backup at every start until you restore, keep or discard it."
	case sessions.BadgeOnlyCopy:
		return "The live transcript is gone. This backup is the only copy."
	case sessions.BadgePurgeSoon:
		return "Claude Code will delete this transcript, and there is no backup. Resuming the session postpones the deletion."
	case sessions.BadgeHiddenBranch:
		return "claude --resume hides some messages of this session. The reader shows them."
	case sessions.BadgeStub:
		return "A transcript without messages."
	case sessions.BadgeOK:
	}
	return "Nothing needs your attention."
}
