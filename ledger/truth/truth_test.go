package truth

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
)

func graph(t *testing.T, lines string) *beads.Graph {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "issues.jsonl"), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := beads.Read(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

const some = `{"id":"br-1","title":"a","status":"in_progress","priority":1}
{"id":"br-2","title":"b","status":"closed","priority":1,"closed_at":"2026-11-20T10:00:00Z"}
{"id":"br-3","title":"c","status":"open","priority":1}
{"id":"br-4","title":"d","status":"tombstone","priority":1}
`

func continuity(lines string) string { return "# N\n\n## Session Continuity\n\n" + lines + "\n" }

func TestFind(t *testing.T) {
	t.Parallel()
	at := func(s string) time.Time {
		when, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	decision := "# N\n\n## Decision Log\n\n#### 2026-11-20T10:00:00Z - Leeway is 30 s\n\n**Evidence**:\n- `const leeway = 30` [${PROJECT_ROOT}/src/a.go:3]\n- [${PROJECT_ROOT}/src/b.go:9]\n"
	bead := func(s string) string { return continuity("- **Current Bead**: " + s) }
	last := func(s string) string { return continuity("- **Last Checkpoint**: " + s) }
	for _, c := range []struct {
		name    string
		notes   string
		beads   string
		found   ledger.Status
		handoff time.Time
		wins    Source
		says    string // statements of the sources, joined
	}{
		{"the bead is worked on", bead("br-1 (a)"), some, "", time.Time{}, "", ""},
		{"the bead is closed", bead("br-2 (b)"), some, "", time.Time{}, Beads, "br-2 is closed since 2026-11-20 | br-2 is the current bead"},
		{"the bead is deleted", bead("br-4 (d)"), some, "", time.Time{}, Beads, "br-4 is closed | br-4 is the current bead"},
		{"another is worked on", bead("br-3 (c)"), some, "", time.Time{}, Beads, "br-3 is open, and br-1 is in progress | br-3 is the current bead"},
		{"there is no such bead", bead("br-9 (z)"), some, "", time.Time{}, Beads, "there is no bead br-9 | br-9 is the current bead"},
		{"it may be in a torn line", bead("br-9 (z)"), some + "{\"id\":\"br-9\",", "", time.Time{}, "", ""},
		{"another state", bead("br-1 (blocked)"), some, "", time.Time{}, Beads, "br-1 is in progress | br-1 is blocked"},
		{"the same state", bead("br-1 (In-Progress)"), some, "", time.Time{}, "", ""},
		{"no beads", bead("br-2 (b)"), "", "", time.Time{}, "", ""},
		{"no bead", continuity("- **Reasoning State**: folding"), some, "", time.Time{}, "", ""},
		{"the quote is gone", decision, "", ledger.NoQuote, time.Time{}, Code, "src/a.go:3 doesn't contain “const leeway = 30”, and 1 more | the decision cites this code as evidence"},
		{"the file is gone", decision, "", ledger.NoFile, time.Time{}, Code, "src/a.go doesn't exist, and 1 more | the decision cites this code as evidence"},
		{"the file is shorter", decision, "", ledger.NoLine, time.Time{}, Code, "src/a.go:3 doesn't exist: the file has 0 lines, and 1 more | the decision cites this code as evidence"},
		{"it has moved", decision, "", ledger.Moved, time.Time{}, "", ""},
		{"it is unreadable", decision, "", ledger.Unreadable, time.Time{}, "", ""},
		{"it was not checked", decision, "", "", time.Time{}, "", ""},
		{"a newer handoff", last("2026-11-20T10:00:00Z"), "", "", at("2026-11-21T09:30:00Z"), Notes, "the last checkpoint was at 2026-11-20 10:00 | a session handed over at 2026-11-21 09:30 (a.jsonl)"},
		{"an older handoff", last("2026-11-20T10:00:00Z"), "", "", at("2026-11-20T09:30:00Z"), "", ""},
		{"both at once", last("2026-11-20T10:00:00Z"), "", "", at("2026-11-20T10:00:30Z"), "", ""},
		{"a day holds until its end", last("2026-11-20"), "", "", at("2026-11-20T23:00:00Z"), "", ""},
		{"no checkpoint", continuity("- **Reasoning State**: folding"), "", "", at("2026-11-20T23:00:00Z"), "", ""},
		{"no NOTES.md", "", some, "", at("2026-11-20T23:00:00Z"), "", ""},
	} {
		f := Facts{Handoff: c.handoff, Where: "a.jsonl"}
		f.Evidence = func(*notes.Evidence) ledger.Check { return ledger.Check{Status: c.found} }
		if c.notes != "" {
			f.Notes = notes.Parse([]byte(c.notes))
		}
		if c.beads != "" {
			f.Beads = graph(t, c.beads)
		}
		r := Find(&f)
		if c.says == "" {
			if len(r.List) != 0 {
				t.Errorf("%s: %+v", c.name, r.List)
			}
			continue
		}
		if len(r.List) != 1 {
			t.Errorf("%s: %+v", c.name, r.List)
			continue
		}
		var says []string
		for _, s := range r.List[0].Says {
			says = append(says, s.Text)
		}
		if got := strings.Join(says, " | "); got != c.says || r.List[0].Wins() != c.wins || r.List[0].Do == "" {
			t.Errorf("%s: %q, %s wins; want %q, %s", c.name, got, r.List[0].Wins(), c.says, c.wins)
		}
	}
}

func TestMost(t *testing.T) {
	t.Parallel()
	text := "## Decision Log\n"
	for range most + 5 {
		text += "\n#### 2026-11-20T10:00:00Z - D\n\n**Evidence**:\n- [${PROJECT_ROOT}/gone.go:3]\n"
	}
	r := Find(&Facts{Notes: notes.Parse([]byte(text)), Evidence: func(*notes.Evidence) ledger.Check { return ledger.Check{Status: ledger.NoFile} }})
	if len(r.List) != most || r.Left != 5 {
		t.Errorf("%d, %d left", len(r.List), r.Left)
	}
}
