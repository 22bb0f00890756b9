package recovery

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"": 0, "a": 1, "abcd": 1, "abcde": 2, "ééééé": 2} {
		if got := Tokens(text); got != want {
			t.Errorf("Tokens(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestSentences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                       "",
		"One ends here. And (e.g. this) goes on": "One ends here.|And (e.g. this) goes on",
		"Version 0.9.0 is done! Next: all":       "Version 0.9.0 is done!|Next: all",
		"長い文。次の文。":                               "長い文。|次の文。",
		"an (open bracket. never ends":           "an (open bracket. never ends",
	} {
		if got := strings.Join(sentences(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, c := range []struct {
		text string
		room int
		want string
	}{
		{"a sentence that has room", 40, "a sentence that has room"},
		{"a sentence that is longer than its room, and goes on", 44, "a sentence that is longer than its room …"},
		{"a sentence without any room", 20, ""},
		{strings.Repeat("x", 60), 40, strings.Repeat("x", 38) + " …"},
	} {
		if got, ok := cutTo(c.text, c.room); got != c.want || ok != (c.want != "") || utf8.RuneCountInString(got) > c.room {
			t.Errorf("%q in %d: %q, %v", c.text, c.room, got, ok)
		}
	}
}

// TestHugeBudget checks that a huge budget doesn't overflow.
func TestHugeBudget(t *testing.T) {
	t.Parallel()
	f := &Facts{Notes: notes.Parse([]byte("## Session Continuity\n\nHalf way.\n"))}
	if r := Recover(f, Ask{Level: Where, Max: 1 << 62}); r.Text != "Half way.\n" {
		t.Errorf("%q", r.Text)
	}
}

// TestWhereByHand checks level 1 for a ledger that is built from Go values, not parsed.
func TestWhereByHand(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 18, 0, 0, 0, time.UTC)
	m := &material{
		notes: &notes.Notes{}, file: "NOTES.md", now: now,
		ago: func(now, then time.Time) string { return now.Sub(then).String() + " ago" },
		continuity: notes.Continuity{
			Bead: "tea-41", BeadText: "(guest tokens)", Checkpoint: now.Add(-3 * time.Hour), CheckedAs: "2026-11-21T15:00:00Z",
			State: "Guest is done, admin is next.", First: "Moving tokens onto one check.",
		},
	}
	for _, title := range []string{"Leeway is 30 s", "One model", "Promote on cancel", "Limits by calendar"} {
		m.decisions = append(m.decisions, notes.Decision{Title: title, When: now, Day: true})
	}
	m.identifiers = make([]notes.Identifier, 2)
	m.identifiers[0].Ref, m.identifiers[0].Purpose = ledger.Ref{Path: "a.go", From: 1, To: 1, Form: ledger.FormRooted}, "clock"
	m.identifiers[1].Ref = ledger.Ref{Path: "b.go", From: 2, To: 2, Form: ledger.FormRooted}
	m.count()
	r := Result{Budget: level1Tokens}
	recoverWhere(&r, m)
	want := `Reasoning state: Guest is done, admin is next.
Bead: tea-41 (guest tokens)
Last checkpoint: 2026-11-21T15:00:00Z, 3h0m0s ago
Moving tokens onto one check.
Decision 2026-11-21: Leeway is 30 s
Decision 2026-11-21: One model
Decision 2026-11-21: Promote on cancel
${PROJECT_ROOT}/a.go:1  clock
${PROJECT_ROOT}/b.go:2
`
	if r.Text != want {
		t.Errorf("text is\n%s\nwant\n%s", r.Text, want)
	}
	if len(r.LeftOut) != 1 || r.LeftOut[0] != (Left{"decisions", 1}) {
		t.Errorf("left out: %v", r.LeftOut)
	}
	for _, at := range []time.Time{now.Add(time.Minute), {}} { // in the future, unknown
		m.continuity.Checkpoint = at
		if got := m.checkpointText(); strings.Contains(got, "ago") {
			t.Errorf("%s: %q", at, got)
		}
	}
	m.continuity.State = strings.Repeat("A long state that goes on and on. ", 60)
	r = Result{Budget: level1Tokens}
	recoverWhere(&r, m)
	if !strings.HasPrefix(r.Text, "Reasoning state: A long state") || !strings.Contains(r.Text, "Promote on cancel") || Tokens(r.Text) > level1Tokens {
		t.Errorf("a long state: %d tokens\n%s", Tokens(r.Text), r.Text)
	}
}

func TestAll(t *testing.T) {
	t.Parallel()
	text := "# Notes\r\n\n## Decisions\n\ud7ff\nlast"
	f := &Facts{Notes: notes.Parse([]byte(text)), File: "NOTES.md"}
	if r := Recover(f, Ask{Level: All}); r.Text != text || r.Budget != 0 || len(r.LeftOut) != 0 {
		t.Errorf("level 3 is %q, left out %v", r.Text, r.LeftOut)
	}
	r := Recover(f, Ask{Level: All, Max: 6})
	if r.Text != "# Notes\r\n\n## Decisions\n" || len(r.LeftOut) != 1 || r.LeftOut[0] != (Left{"lines", 2}) {
		t.Errorf("level 3 of 6 tokens is %q, left out %v", r.Text, r.LeftOut)
	}
}
