package transcript

import (
	"strings"
)

// DenialKind is the origin of a refusal of a tool call (toolDenialKind, clients 2.1.205 to 2.1.330; for older clients
// it is derived from the text of the result). Other values in the file are kept.
type DenialKind string

// The denials that have a description on screen. Any other value is shown unchanged.
const (
	DeniedByPerson DenialKind = "user-rejected"
	DeniedByRule   DenialKind = "permission-rule"
	DeniedByAuto   DenialKind = "automode-blocked"
)

// rejected is the start of the result of a call that the user rejected.
const rejected = "The user doesn't want to proceed with this tool use."

// deny sets Denied and Reason of a tool result. feedback is the userFeedback of the record.
func (b *Block) deny(kind DenialKind, feedback string) {
	if kind == "" && b.Failed && strings.HasPrefix(b.Text, rejected) {
		kind = DeniedByPerson
	}
	b.Denied = kind
	switch kind {
	case DeniedByPerson:
		b.Reason = feedbackOf(b.Text, feedback)
	case DeniedByAuto:
		_, reason, _ := strings.Cut(b.Text, "Reason: ")
		if at := strings.LastIndex(reason, ". If you have other tasks"); at >= 0 { // advice to the model
			reason = reason[:at]
		}
		b.Reason = strings.TrimSpace(reason)
	case DeniedByRule:
		text, _ := b.Unmarked()
		b.Reason, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	}
}

// feedbackOf returns the text that the user typed to reject a call: userFeedback, else the text in the result, without
// the note to the model that newer clients add. It returns "" if the user typed nothing or only chose an option.
func feedbackOf(result, feedback string) string {
	if feedback = strings.TrimSpace(feedback); feedback != "" {
		return feedback
	}
	_, said, ok := strings.Cut(result, "the user said:\n")
	if !ok || !strings.HasPrefix(result, rejected) || strings.HasPrefix(said, "The user wants to clarify these questions.") {
		return ""
	}
	said, _, _ = strings.Cut("\n\n"+said, "\n\nNote: The user's next message may contain ")
	return strings.TrimSpace(said)
}

// hasFeedback reports whether a tool result has text that the user typed to reject a call.
func (e *Envelope) hasFeedback() bool {
	kind := DenialKind(e.Denial)
	return e.Refused && (kind == "" && len(e.Said) > 0 || kind == DeniedByPerson) &&
		feedbackOf(Unquote(e.Said), Unquote(e.Feedback)) != ""
}
