package render

import (
	"fmt"
	"time"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
)

// StillKnown returns a sentence without its full stop. The sentence says how many messages Claude knows after a resume,
// and how large the context is. tokens is 0 if the size is unknown.
func StillKnown(known, messages int, tokens int64) string {
	text := ""
	for _, s := range StillKnownSpans(known, messages, tokens) {
		text += s.Text
	}
	return text
}

// StillKnownSpans returns the text of StillKnown with highlighted figures.
func StillKnownSpans(known, messages int, tokens int64) []Span {
	verb, figure, noun := "Claude still knows ", "all "+words.Count(messages), " messages"
	if known < messages {
		figure = words.Count(known) + " of " + words.Count(messages)
	}
	if messages == 1 {
		noun = " message"
		if known == 1 {
			verb, figure = "", "1"
		}
	}
	spans := []Span{{Ink: Muted, Text: verb}, {Ink: Strong, Text: figure}, {Ink: Muted, Text: noun}}
	if tokens > 0 {
		spans = append(spans, Span{Ink: Muted, Text: ", "}, Span{Ink: Strong, Text: Tokens(tokens)}, Span{Ink: Muted, Text: " tokens"})
	}
	return spans
}

// Lifetime of a prompt cache in the API: five minutes, or an hour if the client requests it.
const (
	cacheLeast = 5 * time.Minute
	cacheMost  = time.Hour
)

// LastUsed returns when a session was last used, and whether the API may still have its prompt cache. It returns "" for
// an unknown time.
func LastUsed(r *sessions.Row, now time.Time) string {
	if !r.Dated() {
		return ""
	}
	state := "probably expired"
	switch {
	case cached(r, now):
		state = "probably still valid"
	case now.Sub(r.When()) <= cacheMost:
		state = "may have expired"
	}
	return "last used " + words.Ago(now, r.When()) + ": prompt cache " + state
}

// cached reports whether the API probably still has the prompt cache of a session.
func cached(r *sessions.Row, now time.Time) bool { return r.Dated() && now.Sub(r.When()) <= cacheLeast }

// ReadAgain returns the price of sending a session's context again, such as "about $0.31 to read again (prices of
// 2026-10-01)". It returns "" if the context's size or the model's price is unknown.
func ReadAgain(p *resume.Prices, r *sessions.Row, now time.Time) string {
	if r.ContextTokens <= 0 || len(r.Models) == 0 {
		return ""
	}
	usd, ok := p.ReadAgain(r.Models[len(r.Models)-1], Model(r.Models), r.ContextTokens, cached(r, now))
	switch {
	case !ok:
		return ""
	case usd < 0.01:
		return "less than $0.01 to read again (prices of " + p.Date + ")"
	}
	return fmt.Sprintf("about $%.2f to read again (prices of %s)", usd, p.Date)
}
