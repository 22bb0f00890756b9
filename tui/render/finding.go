package render

import "github.com/continuo-tui/continuo/sessions"

// FindingGlyph stands before a finding of the guard: the glyph that a row has for the same, else a warning.
func FindingGlyph(kind sessions.FindingKind) Span {
	switch kind {
	case sessions.FindingLive:
		return Span{Good, "●"}
	case sessions.FindingHeld:
		return Span{Good, "✓"}
	case sessions.FindingOnlyCopy:
		return Span{Warn, "◐"}
	case sessions.FindingRewritten:
		return Span{Urgent, "≠"}
	case sessions.FindingPending:
		return Glyph(sessions.BadgePending)
	default:
		return Span{Warn, "△"}
	}
}
