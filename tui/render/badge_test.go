package render

import (
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// TestBadgeSpans: the time until the deletion is in calendar days. Three days before, the badge is urgent.
func TestBadgeSpans(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 23, 0, 0, 0, time.FixedZone("east", 9*3600))
	at := func(d time.Duration) time.Time { return now.Add(d) }
	soon := []sessions.Flag{sessions.FlagPurgeSoon}
	const day = 24 * time.Hour
	tests := []struct {
		name        string
		row         sessions.Row
		glyph, word Span
	}{
		{"unknown day", sessions.Row{Session: sessions.Session{Flags: soon}}, Span{Warn, "△"}, Span{Warn, "purge soon"}},
		{"later", sessions.Row{Session: sessions.Session{Flags: soon, Purge: at(9 * day)}}, Span{Warn, "△"}, Span{Warn, "purge in 9 d"}},
		{"latest", sessions.Row{Session: sessions.Session{Flags: soon, Purge: at(10 * day)}}, Span{Warn, "△"}, Span{Warn, "purge in 10 d"}},
		{"four days", sessions.Row{Session: sessions.Session{Flags: soon, Purge: at(4 * day)}}, Span{Warn, "△"}, Span{Warn, "purge in 4 d"}},
		{"three days", sessions.Row{Session: sessions.Session{Flags: soon, Purge: at(3 * day).UTC()}}, Span{Urgent, "▲"}, Span{Urgent, "purge in 3 d"}},
		{"after midnight", sessions.Row{Session: sessions.Session{Flags: soon, Purge: at(2 * time.Hour).UTC()}}, Span{Urgent, "▲"}, Span{Urgent, "purge in 1 d"}},
		{"today", sessions.Row{Session: sessions.Session{Flags: soon, Purge: at(time.Minute)}}, Span{Urgent, "▲"}, Span{Urgent, "purge today"}},
		{"overdue", sessions.Row{Session: sessions.Session{Flags: soon, Purge: at(-90 * day)}}, Span{Urgent, "▲"}, Span{Urgent, "purge today"}},
		{"only a copy is left", sessions.Row{Session: sessions.Session{Flags: []sessions.Flag{sessions.FlagPurgeSoon, sessions.FlagBackupOnly}, Purge: at(day)}}, Span{Warn, "◐"}, Span{Warn, "only copy"}},
		{"no flag", sessions.Row{Session: sessions.Session{Purge: at(day)}}, Span{Faint, "·"}, Span{}},
		{"headless run", sessions.Row{Session: sessions.Session{Flags: []sessions.Flag{sessions.FlagSDK}}}, Span{Faint, "·"}, Span{}},
		{"a backup has all of it", sessions.Row{Session: sessions.Session{Flags: soon, Purge: at(day), Copied: true}}, Span{Faint, "·"}, Span{}},
		{"headless run without a message", sessions.Row{Session: sessions.Session{State: sessions.StateStub, Flags: []sessions.Flag{sessions.FlagSDK}}}, Span{Faint, "○"}, Span{}},
		{"deleted", sessions.Row{Deleted: true, Session: sessions.Session{Flags: soon, Purge: at(day)}}, Span{BadBold, "✗"}, Span{Bad, "broken"}},
	}
	for _, test := range tests {
		glyph, word := BadgeSpans(&test.row, now)
		if glyph != test.glyph || word != test.word {
			t.Errorf("%s: %v %v, want %v %v", test.name, glyph, word, test.glyph, test.word)
		}
	}
}
