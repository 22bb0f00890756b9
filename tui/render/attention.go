package render

import (
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions"
)

// AttentionSpan is how full the head of a live session is, short: "yellow 6.2k"; "" where it is not known.
func AttentionSpan(a *sessions.Attention) Span {
	if a == nil {
		return Span{}
	}
	return Span{attentionInk(a), a.Level + " " + Tokens(a.Used)}
}

// AttentionWords are the same in words, and what is to be done about it.
func AttentionWords(a *sessions.Attention) string {
	switch {
	case a == nil:
		return ""
	case !a.Due:
		return "attention " + a.Level + " " + Tokens(a.Used)
	case a.Fresh < a.Used:
		return "attention " + a.Level + " " + Tokens(a.Used) + " · delta due, " + Tokens(a.Fresh) + " since the last"
	}
	return "attention " + a.Level + " " + Tokens(a.Used) + " · delta due"
}

func attentionInk(a *sessions.Attention) Ink {
	switch ledger.AttentionLevel(a.Level) {
	case ledger.Yellow:
		return Warn
	case ledger.Orange:
		return Urgent
	case ledger.Red:
		return BadBold
	case ledger.Green:
	}
	return Faint
}
