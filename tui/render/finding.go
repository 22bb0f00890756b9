package render

import (
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
)

// FindingGlyph returns the glyph for a finding of the check before a resume. A finding without a badge gets a warning.
func FindingGlyph(kind resume.FindingKind) Span {
	switch kind {
	case resume.FindingLive:
		return Span{Good, "●"}
	case resume.FindingHeld:
		return Span{Good, "✓"}
	case resume.FindingOnlyCopy:
		return Span{Warn, "◐"}
	case resume.FindingRewritten:
		return Span{Urgent, "≠"}
	case resume.FindingCut:
		return Span{Muted, "·"}
	case resume.FindingPending:
		return Glyph(sessions.BadgePending)
	default:
		return Span{Warn, "△"}
	}
}
