package recovery

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/handover"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Tokens, expired and expires":  "token expir and expir",
		"src/auth/jwt.ts ParseRef":     "src auth jwt ts pars ref",
		"stopped stopping stop":        "stop stop stop",
		"class classes status queries": "class class status query",
		"Größe 3f9a É":                 "größ 3f9a é",
		"時計を直す":                        "時 計 を 直 す",
		"":                             "",
	} {
		var got []string
		eachWord(text, func(stem []byte, from, end int) {
			got = append(got, string(stem))
			if from < 0 || end <= from || end > len(text) {
				t.Errorf("%q: %d to %d", text, from, end)
			}
		})
		if strings.Join(got, " ") != want {
			t.Errorf("words of %q are %q, want %q", text, got, want)
		}
	}
	if got := wordsOf("Why are the guests on the waitlist? And the guests?"); got != "guests waitlist" {
		t.Errorf("words of a prompt: %q", got)
	}
}

func TestRank(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	entries := []entry{
		{title: "Rate limits per calendar", body: "an old token of a guest"},
		{title: "Guest tokens share a check", body: "drift"},
		{title: "Waitlist", body: "promote", when: day},
		{title: "Waitlist", body: "promote", when: day.AddDate(0, 0, 1)},
		{title: "A token for a guest"},
	}
	for query, want := range map[string][]int{
		"guest token":        {1, 4, 0}, // an entry with a shorter title comes first
		`"guest tokens"`:     {1},
		"“guest tokens”":     {1},
		"WAITLISTS promoted": {3, 2}, // of two equal scores, the newer entry comes first
		"nothing of it":      nil,
		"the":                nil,
		"":                   nil,
	} {
		got := matching(slices.Clone(entries), parseQuery(query))
		if query == "guest token" {
			if len(got) != 3 || got[2] != 0 {
				t.Errorf("rank of %q is %v: a title counts for more", query, got)
			}
			continue
		}
		if !slices.Equal(got, want) {
			t.Errorf("rank of %q is %v, want %v", query, got, want)
		}
	}
}

func TestLongQuery(t *testing.T) {
	t.Parallel()
	var long, phrases strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&long, "word%d the ", i)
		fmt.Fprintf(&phrases, `"one %d" `, i)
	}
	if q := parseQuery(long.String()); len(q.stems) != queryWords || len(q.phrases) != 0 {
		t.Errorf("%d words and %d phrases are searched for", len(q.stems), len(q.phrases))
	}
	if q := parseQuery(phrases.String()); len(q.stems) != queryWords/2+1 || len(q.phrases) != queryWords/2 {
		t.Errorf("%d words and %d phrases are searched for", len(q.stems), len(q.phrases))
	}
	q := parseQuery(`guest "` + long.String() + `"`)
	if len(q.phrases) != 1 || len(q.phrases[0]) != queryWords-1 {
		t.Errorf("phrases are %v", q.phrases)
	}
}

const ledgerText = `# Notes

## Session Continuity
- **Reasoning State**: Admin is next.

## Decisions
| Date | Decision | Rationale |
|------|----------|-----------|
| 2026-11-18 | Opening hours are rules | Two tables drifted apart. |
| 2026-11-14 | Waitlist promotes on cancel | A timer promotes those who left. |

## Open Questions
- [ ] Who edits the hours?
- [ ] Is mail enough?

## Learnings
Calendars drift.

Hours are stored in UTC.
`

// TestTopicMemories: only level 2 searches the notes of bd remember. Level 1 counts them.
func TestTopicMemories(t *testing.T) {
	t.Parallel()
	f := factsOf(ledgerText, &beads.Graph{Memories: []beads.Memory{
		{Key: "lids", Text: "Lids are in the left drawer"}, {Key: "cups", Text: "Six cups"},
	}})
	r := Recover(f, Ask{Level: Topic, Query: "drawer"})
	const want = "## Memories, 1 of 2 matches\n- lids: Lids are in the left drawer [B]\n[N NOTES.md, B bead]\n"
	if !strings.HasSuffix(r.Text, want) || !slices.Contains(r.LeftOut, Left{"memories", 1, 0}) {
		t.Errorf("text is\n%s\nleft out: %v", r.Text, r.LeftOut)
	}
	if r = Recover(f, Ask{Level: Where}); strings.Contains(r.Text, "drawer") || !slices.Contains(r.LeftOut, Left{"memories", 2, 0}) {
		t.Errorf("level 1 is\n%s\nleft out: %v", r.Text, r.LeftOut)
	}
}

func TestTopic(t *testing.T) {
	t.Parallel()
	f := factsOf(ledgerText, &beads.Graph{Beads: []beads.Bead{{
		ID: "t-1", Title: "x", Status: "open", Decisions: []beads.Decision{{Text: "Hours have a span", Rationale: "one model"}},
	}}})
	r := Recover(f, Ask{Level: Topic, Query: "opening hours"})
	want := `## Session continuity
Admin is next. [N]
## Decisions, 2 of 3 match
- 2026-11-18: Opening hours are rules [N]
  Two tables drifted apart. [N]
- t-1: Hours have a span [B]
  one model [B]
## Open questions, 1 of 2 matches
- Who edits the hours? [N]
## Sections, 1 of 1 matches
- Learnings: Hours are stored in UTC. [N]
[N NOTES.md, B bead]
`
	if r.Text != want {
		t.Errorf("text is\n%s\nwant\n%s", r.Text, want)
	}
	for _, p := range r.Parts {
		for _, l := range p.Lines {
			if p.Name == "Decisions" && strings.Contains(l.Text, "Opening") && (len(l.Match) != 2 || l.Text[l.Match[1][0]:l.Match[1][1]] != "hours") {
				t.Errorf("matches of %q are %v", l.Text, l.Match)
			}
		}
	}
	if !slices.Equal(r.LeftOut, []Left{{"decisions", 1, 1}, {"questions", 1, 1}, {"items", 1, 0}}) {
		t.Errorf("left out: %v", r.LeftOut)
	}
	r = Recover(f, Ask{Level: Topic, Query: "opening hours", Max: 20})
	if Tokens(r.Text) > 20 || !strings.Contains(r.Text, "Opening hours are rules") {
		t.Errorf("of 20 tokens:\n%s", r.Text)
	}
	r = Recover(f, Ask{Level: Topic, Query: "zebra"})
	if len(r.Notes) != 1 || !strings.Contains(r.Text, "Opening hours") {
		t.Errorf("no match: %v\n%s", r.Notes, r.Text)
	}
	f.Prompted = "Please have a look at the waitlist"
	if r = Recover(f, Ask{Level: Topic}); r.Query != "look waitlist" || !strings.Contains(r.Text, "promotes on cancel") || strings.Contains(r.Text, "Opening") {
		t.Errorf("of a prompt, %q:\n%s", r.Query, r.Text)
	}
}

func TestFound(t *testing.T) {
	t.Parallel()
	f := factsOf(ledgerText, nil)
	f.File, f.FoundBy, f.Found = "grimoires/loa/NOTES.md", "ck", []Hit{
		{File: "grimoires/loa/NOTES.md", From: 10, To: 10, Text: "x"},
		{File: "grimoires/loa/prd.md", From: 3, To: 4, Text: "The waitlist\nis a queue."},
	}
	r := Recover(f, Ask{Level: Topic, Query: "queue"})
	for _, want := range []string{"Waitlist promotes on cancel", "## Found by ck\n- grimoires/loa/prd.md:3-4  The waitlist is a queue.\n"} {
		if !strings.Contains(r.Text, want) {
			t.Errorf("%q is not in\n%s", want, r.Text)
		}
	}
	if !slices.Contains(r.From, "ck") || strings.Contains(r.Text, "Opening") {
		t.Errorf("from %v\n%s", r.From, r.Text)
	}
}

// TestInstead: other sources replace a missing NOTES.md, within the same budget.
func TestInstead(t *testing.T) {
	t.Parallel()
	document := handover.Held{Handover: &handover.Handover{}, Mark: handover.MarkDocument, Name: "session-1.md"}
	document.Text = "# Session\n\n## Summary\nHours are rules.\n\n" + strings.Repeat("Long sentence here. ", 100)
	f := factsOf("", nil, document)
	f.Bead = &beads.Bead{ID: "t-1", Title: "Hours", Status: "open"}
	f.Instead = []Source{{Kind: "backup", Name: "x.jsonl"}}
	for level := Where; level <= All; level++ {
		r := Recover(f, Ask{Level: level, Query: "hours"})
		if !strings.Contains(r.Text, "t-1") || !strings.Contains(r.Text, "Hours are rules.") {
			t.Errorf("level %d is\n%s", level, r.Text)
		}
		if len(r.Notes) == 0 || r.Notes[0] != "There is no NOTES.md." {
			t.Errorf("level %d: %v", level, r.Notes)
		}
		for _, wrong := range violations(f, &r) {
			t.Errorf("level %d: %s", level, wrong)
		}
	}
	f.Held[0].Text = strings.Repeat("x", 500)
	r := Recover(f, Ask{Level: Where, Max: 12})
	if strings.Contains(r.Text, "##") || len(r.LeftOut) == 0 {
		t.Errorf("a heading without a line:\n%s", r.Text)
	}
	r = Recover(&Facts{File: "NOTES.md", Trouble: "NOTES.md is no text."}, Ask{Level: All})
	if r.Text != "" || r.Notes[0] != "NOTES.md is no text." {
		t.Errorf("without any source: %+v", r)
	}
}
