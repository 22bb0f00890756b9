package render

import "github.com/continuo-tui/continuo/sessions"

// Glyph returns the one cell that stands for a badge, and its ink.
func Glyph(b sessions.Badge) Span {
	switch b {
	case sessions.BadgeWaiting:
		return Span{AccentBold, "?"}
	case sessions.BadgeLive:
		return Span{GoodBold, "●"}
	case sessions.BadgeUnreadable, sessions.BadgeDamaged:
		return Span{BadBold, "✗"}
	case sessions.BadgeBackupOnly:
		return Span{Warn, "◐"}
	case sessions.BadgePurgeSoon:
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

// Word returns the word of a badge and its ink; "" for ok, which says nothing.
func Word(b sessions.Badge) Span {
	switch b {
	case sessions.BadgeWaiting:
		return Span{Accent, string(b)}
	case sessions.BadgeLive:
		return Span{Good, string(b)}
	case sessions.BadgeUnreadable, sessions.BadgeDamaged:
		return Span{Bad, string(b)}
	case sessions.BadgeBackupOnly, sessions.BadgePurgeSoon, sessions.BadgeHiddenBranch, sessions.BadgePending:
		return Span{Warn, string(b)}
	case sessions.BadgeStub, sessions.BadgeEmpty:
		return Span{Faint, string(b)}
	case sessions.BadgeOK:
	}
	return Span{}
}
