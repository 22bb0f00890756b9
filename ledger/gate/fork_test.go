package gate_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/gate"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/trajectory"
)

func TestSaidIn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want string // title|text|rationale|evidence|bead, one per line
	}{
		"nothing":        {"A decision: none.\n\nWe made a DECISION.", ""},
		"plain":          {"Fine.\n\nDECISION: Use rotating refresh tokens\n", "|Use rotating refresh tokens|||"},
		"small letters":  {"decision: think about it\nDecision: later", ""},
		"bold":           {"**Decision**: Use tokens.", "|Use tokens.|||"},
		"bold colon":     {"**Decision:** Use tokens.", "|Use tokens.|||"},
		"bold all":       {"**Decision: use tokens**", "|use tokens|||"},
		"capitals":       {"**DECISION**: x y", "|x y|||"},
		"item":           {"- DECISION: one\n- DECISION: two\n- three", "|one|||\n|two|||"},
		"numbered":       {"1. DECISION: one\n2) DECISION: two\n3. more", "|one|||\n|two|||"},
		"bead":           {"DECISION (br-x7y8): one\nDECISION [beads-1]: two\n**Decision** (`bd-3`): three", "|one|||br-x7y8\n|two|||beads-1\n|three|||bd-3"},
		"no bead":        {"DECISION (for the time being): one", ""},
		"several lines":  {"DECISION: Use rotating\n  refresh tokens\nfor all guests\n\nAnd more.", "|Use rotating refresh tokens for all guests|||"},
		"fields":         {"DECISION: one\nRationale: because\nof it\nEvidence: src/a.go:12\nBead: br-1\nTest scenario: x\nmore", "|one|because of it|src/a.go:12|br-1"},
		"form of NOTES":  {"### 2024-01-15T14:30:00Z - Token refresh\n\n**Decision**: one\n**Rationale**: why\n**Evidence**:\n- `x` [${PROJECT_ROOT}/a.go:1]\n- `y` [${PROJECT_ROOT}/b.go:2]\n", "Token refresh|one|why|`x` [${PROJECT_ROOT}/a.go:1],`y` [${PROJECT_ROOT}/b.go:2]|"},
		"day and time":   {"## 2024-01-15 14:30 — Token refresh\nDECISION: one", "Token refresh|one|||"},
		"no title":       {"## Decision Log\nDECISION: one\n# 2024-01-15\nDECISION: two", "|one|||\n|two|||"},
		"another title":  {"## A\nDECISION: one\n## B\nDECISION: two", "A|one|||\nB|two|||"},
		"fence":          {"```\nDECISION: no\n```\nDECISION: yes\n~~~\nDECISION: never", "|yes|||"},
		"quotation":      {"> DECISION: no\n\nDECISION: yes\n> more", "|yes|||"},
		"heading behind": {"DECISION: one\n## Next\nmore", "|one|||"},
		"blank":          {"DECISION:\n\nnothing", ""},
		"below":          {"DECISION:\nUse tokens", "|Use tokens|||"},
		"crlf":           {"DECISION: one\r\nRationale: why\r\n", "|one|why||"},
	} {
		var got []string
		for _, s := range gate.Statements(c.text) {
			got = append(got, strings.Join([]string{s.Title, s.Text, s.Rationale, strings.Join(s.Evidence, ","), s.Bead}, "|"))
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestSaidBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 1<<18)
	for _, text := range []string{
		"DECISION: " + long, "DECISION: x\n" + strings.Repeat(long+"\n", 3), "# " + long + "\nDECISION: x", "DECISION: x\nRationale: " + long,
		"DECISION: x\n" + strings.Repeat("Evidence: a:1 "+long+"\n", 50), "DECISION (" + long, "**Decision" + long, "DECISION: \x00\x1b[31m" + long,
		"DECISION: " + strings.Repeat("é", 1<<20),
	} {
		for _, s := range gate.Statements(text) {
			for _, part := range append(s.Evidence, s.Title, s.Text, s.Rationale, s.Bead) {
				if len(part) > 4<<10 {
					t.Errorf("%.40q: %d bytes of %.20q", text, len(part), part)
				}
			}
			if len(s.Evidence) > 20 {
				t.Errorf("%.40q: %d pieces of evidence", text, len(s.Evidence))
			}
		}
	}
	if n := len(gate.Statements(strings.Repeat("DECISION: one\n\n", 50_000))); n != 50_000 {
		t.Errorf("%d of 50,000", n)
	}
}

func graph(id string, decisions ...string) *beads.Graph {
	b := beads.Bead{ID: id, Title: "Implement token refresh"}
	for i, d := range decisions {
		b.Decisions = append(b.Decisions, beads.Decision{Text: d, Rationale: "why", At: time.Date(2024, 1, 15, 10+i, 0, 0, 0, time.UTC)})
	}
	return &beads.Graph{Beads: []beads.Bead{b}}
}

const forkLog = `# Notes

## Decision Log

### 2024-01-15T14:30:00Z - Token refresh strategy
**Decision**: Use rotating refresh tokens
**Rationale**: They can be revoked.

### 2024-01-14T14:30:00Z - Token refresh strategy
**Decision**: Use stateless tokens

### 2024-01-13T14:30:00Z - Leeway
**Decision**: A leeway of 30 seconds

### 2024-01-12T14:30:00Z - Use one clock
**Rationale**: There is no other.
`

func TestForks(t *testing.T) {
	t.Parallel()
	const id = "beads-x7y8"
	for name, c := range map[string]struct {
		statements []gate.Statement
		bead       string
		want       string // decision of the session > decision of the ledger; one pair per line
	}{
		"of the spec":         {[]gate.Statement{{Text: "Use stateless tokens", Bead: id}}, "", "Use stateless tokens > Use rotating refresh tokens"},
		"the bead by default": {[]gate.Statement{{Text: "Use stateless tokens"}}, id, "Use stateless tokens > Use rotating refresh tokens"},
		"the bead in front":   {[]gate.Statement{{Text: id + ": Use stateless tokens"}}, "", "Use stateless tokens > Use rotating refresh tokens"},
		"no bead":             {[]gate.Statement{{Text: "Use stateless tokens"}}, "", ""},
		"another bead":        {[]gate.Statement{{Text: "Use stateless tokens", Bead: "br-1"}}, "", ""},
		"a word in common":    {[]gate.Statement{{Text: "Log tokens of guests by day", Bead: id}}, "", ""},
		"the same":            {[]gate.Statement{{Text: "use Rotating refresh tokens.", Bead: id}}, "", ""},
		"another form":        {[]gate.Statement{{Text: "We decided to use the refresh token that is rotated", Bead: id}}, "", ""},
		"more":                {[]gate.Statement{{Text: "Use rotating refresh tokens, with a family for each device", Bead: id}}, "", ""},
		"less":                {[]gate.Statement{{Text: "refresh tokens", Bead: id}}, "", ""},
		"not":                 {[]gate.Statement{{Text: "Don't use rotating refresh tokens", Bead: id}}, "", "Don't use rotating refresh tokens > Use rotating refresh tokens"},
		"a number":            {[]gate.Statement{{Text: "Add a grace period of 30 minutes", Bead: id}}, "", "Add a grace period of 30 minutes > Add 15-minute grace period"},
		"about another thing": {[]gate.Statement{{Text: "Use tabs", Bead: id}}, "", ""},
		"a title":             {[]gate.Statement{{Title: "Token refresh strategy", Text: "Sessions in a cookie"}}, "", "Sessions in a cookie > Use rotating refresh tokens"},
		"a title in front":    {[]gate.Statement{{Text: "Token Refresh Strategy: sessions in a cookie"}}, "", "Token Refresh Strategy: sessions in a cookie > Use rotating refresh tokens"},
		"a heading besides":   {[]gate.Statement{{Title: "Summary", Text: "Leeway: 60 seconds"}}, "", "Leeway: 60 seconds > A leeway of 30 seconds"},
		"an older one":        {[]gate.Statement{{Title: "Token refresh strategy", Text: "Use stateless tokens"}}, "", "Use stateless tokens > Use rotating refresh tokens"},
		"the title alone":     {[]gate.Statement{{Title: "Use one clock", Text: "Use two clocks"}}, "", ""},
		"the bead comes first": {
			[]gate.Statement{{Title: "Token refresh strategy", Text: "Use stateless tokens", Bead: id}}, "", "Use stateless tokens > Use rotating refresh tokens",
		},
		"a change of mind": {[]gate.Statement{
			{Text: "Use stateless tokens", Bead: id}, {Text: "Use rotating refresh tokens", Bead: id},
		}, "", "Use stateless tokens > Use rotating refresh tokens"},
		"denied in more words": {[]gate.Statement{{Text: "We should not use refresh tokens with rotation for guests", Bead: id}}, "", "We should not use refresh tokens with rotation for guests > Use rotating refresh tokens"},
		"another denied":       {[]gate.Statement{{Text: "Use rotating refresh tokens, not stateless ones", Bead: id}}, "", ""},
		"turned around":        {[]gate.Statement{{Title: "Leeway", Text: "No leeway of 30 seconds"}}, "", "No leeway of 30 seconds > A leeway of 30 seconds"},
		"a change of mind, away": {[]gate.Statement{
			{Text: "Use rotating refresh tokens", Bead: id}, {Text: "Use stateless tokens", Bead: id},
		}, "", "Use stateless tokens > Use rotating refresh tokens"},
		"two, in their order": {[]gate.Statement{
			{Title: "Leeway", Text: "60 seconds"}, {Text: "Use stateless tokens", Bead: id},
		}, "", "60 seconds > A leeway of 30 seconds\nUse stateless tokens > Use rotating refresh tokens"},
		"no decision": {[]gate.Statement{{}, {Title: "Leeway"}, {Bead: id}, {Text: "the", Bead: id}}, "", ""},
	} {
		l := gate.Ledger{Notes: notes.Parse([]byte(forkLog)), Beads: graph(id, "Use rotating refresh tokens", "Add 15-minute grace period"), Bead: c.bead}
		var got []string
		for _, f := range gate.Forks(t.Context(), c.statements, l) {
			got = append(got, f.Statement.Text+" > "+f.Decision)
			if (f.Resolution == gate.BeadWins) != (f.Bead == id) || (f.Resolution == gate.NotesWins) != (f.Line > 0) || f.Rationale == "" && f.Title != "Leeway" {
				t.Errorf("%s: %+v", name, f)
			}
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if f := gate.Forks(t.Context(), []gate.Statement{{Text: "x", Bead: "y"}}, gate.Ledger{}); f != nil {
		t.Errorf("without a ledger: %+v", f)
	}
}

// TestForkDetection has the example of spec 002, section Fork Detection.
func TestForkDetection(t *testing.T) {
	t.Parallel()
	const current = "## Session Continuity\n\n**Current bead**: beads-x7y8\n"
	for name, c := range map[string]struct {
		notes    string
		progress []string // IDs of the beads in progress
		want     int
	}{
		"the only one in progress":      {"", []string{"beads-x7y8"}, 1},
		"one of two in progress":        {"", []string{"beads-x7y8", "beads-2"}, 0},
		"the current one of two":        {current, []string{"beads-x7y8", "beads-2"}, 1},
		"current and not in progress":   {current, []string{"beads-2"}, 1},
		"the current one doesn't exist": {"## Session Continuity\n\n**Current bead**: beads-9\n", []string{"beads-x7y8"}, 1},
		"none":                          {"", nil, 0},
	} {
		g := graph("beads-x7y8", "Use rotating refresh tokens")
		g.Beads = append(g.Beads, beads.Bead{ID: "beads-2", Title: "Another"})
		for i := range g.Beads {
			g.Beads[i].Status = "open"
			if slices.Contains(c.progress, g.Beads[i].ID) {
				g.Beads[i].Status = "in_progress"
			}
		}
		l := gate.Ledger{Notes: notes.Parse([]byte(c.notes)), Beads: g}
		said := []gate.Statement{{Text: "Use stateless tokens"}}
		if forks := gate.Forks(t.Context(), said, l); len(forks) != c.want {
			t.Errorf("%s: %+v", name, forks)
		}
		if fresh, forks, _ := gate.Fresh(t.Context(), said, l); len(forks) != c.want || len(fresh) != 1-c.want {
			t.Errorf("%s: a delta would write %+v, and withhold %+v", name, fresh, forks)
		}
	}
}

func TestForkRecord(t *testing.T) {
	t.Parallel()
	f := gate.Forks(t.Context(), []gate.Statement{{Text: "Use stateless tokens"}}, gate.Ledger{Beads: graph("beads-x7y8", "Use rotating refresh tokens"), Bead: "beads-x7y8"})[0]
	text, err := json.Marshal(f.Record(time.Date(2024, 1, 15, 15, 0, 0, 0, time.UTC), "implementing-tasks"))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"ts":"2024-01-15T15:00:00Z","agent":"implementing-tasks","phase":"fork_detected","bead_id":"beads-x7y8","context_decision":"Use stateless tokens","bead_decision":"Use rotating refresh tokens","resolution":"bead_wins"}`
	if string(text) != want {
		t.Errorf("%s", text)
	}
	record := func(text string) *trajectory.Record {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &fields); err != nil {
			t.Fatal(err)
		}
		r := &trajectory.Record{Fields: fields}
		r.Phase = r.Text("phase")
		return r
	}
	if !f.Recorded(record(want)) || f.Recorded(record(strings.Replace(want, "stateless", "opaque", 1))) ||
		f.Recorded(record(strings.Replace(want, "fork_detected", "cite", 1))) || f.Recorded(record(strings.Replace(want, "x7y8", "x7y9", 1))) {
		t.Error("Recorded accepts the record of another fork")
	}
}

func TestFresh(t *testing.T) {
	t.Parallel()
	const id = "beads-x7y8"
	for name, c := range map[string]struct {
		statements   []gate.Statement
		want         string
		forks, known int
	}{
		"nothing":            {nil, "", 0, 0},
		"new":                {[]gate.Statement{{Text: "Docs are in English"}, {Text: "Use tabs"}}, "Docs are in English|Use tabs", 0, 0},
		"known":              {[]gate.Statement{{Text: "use rotating refresh tokens"}, {Text: "The leeway: 30 seconds"}}, "", 0, 2},
		"known by its title": {[]gate.Statement{{Text: "Use one clock."}}, "", 0, 1},
		"of the bead":        {[]gate.Statement{{Text: "Add a grace period", Bead: id}}, "", 0, 1},
		"more":               {[]gate.Statement{{Text: "Use rotating refresh tokens, a family for each device", Bead: id}}, "Use rotating refresh tokens, a family for each device", 0, 0},
		"a fork":             {[]gate.Statement{{Text: "Use stateless tokens", Bead: id}}, "", 1, 0},
		"a change of mind":   {[]gate.Statement{{Text: "Use stateless tokens", Bead: id}, {Text: "Use rotating refresh tokens", Bead: id}}, "", 1, 1},
		"twice":              {[]gate.Statement{{Text: "Use tabs"}, {Text: "use tabs!"}}, "use tabs!", 0, 0},
		"not after all":      {[]gate.Statement{{Text: "Use tabs"}, {Text: "Do not use tabs"}}, "Use tabs|Do not use tabs", 0, 0},
		"one title twice":    {[]gate.Statement{{Title: "Indent", Text: "Use tabs"}, {Title: "Indent", Text: "Two blanks"}}, "Two blanks", 0, 0},
		"no words":           {[]gate.Statement{{Text: "…"}, {Text: "the"}}, "", 0, 0},
	} {
		l := gate.Ledger{Notes: notes.Parse([]byte(forkLog)), Beads: graph(id, "Use rotating refresh tokens", "Add 15-minute grace period")}
		fresh, forks, known := gate.Fresh(t.Context(), c.statements, l)
		var got []string
		for _, s := range fresh {
			got = append(got, s.Text)
		}
		if strings.Join(got, "|") != c.want || len(forks) != c.forks || known != c.known {
			t.Errorf("%s: %q, %d forks, %d known", name, got, len(forks), known)
		}
	}
}
