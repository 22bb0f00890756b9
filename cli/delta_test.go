package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// TestDeltaShapes: several findings become one insertion, in each format of decision log.
func TestDeltaShapes(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"none":        "-",
		"empty":       "",
		"no log":      "# Notes\n\nText.",
		"headings":    "## Decision Log\n\n### 2026-01-01T10:00:00Z - A\n**Decision**: a\n\n### 2026-01-02T10:00:00Z - B\n**Decision**: b\n\n## Next\n\nx\n",
		"falling":     "## Decision Log\n\n### 2026-01-02T10:00:00Z - B\n**Decision**: b\n\n### 2026-01-01T10:00:00Z - A\n**Decision**: a\n",
		"table":       "## Decisions\n\n| Date | Decision | Rationale |\n|---|---|---|\n| 2026-01-01 | a | b |\n\nText.\n",
		"items":       "## Decision Log\n\n- 2026-01-01: a\n- 2026-01-02: b\n\n## Next\n",
		"bold":        "## Decision Log\n\n**Decision: a**\n- **Rationale**: x\n\n**Decision: b**\n- **Rationale**: x",
		"dated":       "## Decision Log — 2026-01-01 (a)\n\nText.\n\n## Decision Log — 2026-01-02 (b)\n\nText.\n",
		"crlf":        "## Decision Log\r\n\r\n### 2026-01-01T10:00:00Z - A\r\n**Decision**: a\r\n\r\n## Next\r\n",
		"the same":    "## Decision Log\n\n### 2026-11-21T15:52:00Z - one\n**Decision**: one\n**Rationale**: Not given\n",
		"fence":       "## Decision Log\n\n### 2026-01-01T10:00:00Z - A\n**Decision**: a\n\n```\nnever closed\n",
		"placeholder": "## Decision Log\n\n### [timestamp] - [title]\n**Decision**: [what]\n\n## Next\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newNoteWorld(t)
			if text != "-" {
				w.write(notesFile, text)
			}
			w.run(out.ExitDone, "delta", "--finding", "one", "--finding", "Title: two", "--finding", "three\nlines of\n# it", "--yes")
			got := w.notes()
			for _, want := range []string{"one", "two", "three"} {
				if !strings.Contains(got, want) {
					t.Errorf("no %s in\n%s", want, got)
				}
			}
			if entries := w.entries(); len(entries) != 1 || len(entries[0].Ops) != 1 {
				t.Fatalf("%+v", entries)
			}
			w.run(out.ExitDone, "undo", "--yes")
			if got := w.notes(); got != text {
				t.Errorf("%q is left of\n%q", got, text)
			}
		})
	}
}

// TestDeltaHostile: findings from a hostile transcript are limited and cleaned.
func TestDeltaHostile(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	w := newNoteWorld(t)
	long := strings.Repeat("word ", 1<<18)
	var many strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&many, "DECISION: number %d of many\n\n", i)
	}
	const id = "3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35"
	var lines strings.Builder
	for i, text := range []string{
		many.String(), "DECISION: " + long, "DECISION: red \x1b[31mred\x1b]0;title\x07 and\r\nmore\x00 | x <!-- y\n", "DECISION: \u202egnp.exe\u2066",
		"## " + long + "\n**Decision**: below\nRationale: " + long, "DECISION: password: hunter2hunter2",
	} {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&lines, `{"type":"assistant","uuid":"u%d","parentUuid":null,"cwd":%q,"timestamp":"2026-11-21T15:00:0%dZ","sessionId":%q,"message":{"id":"m%d","role":"assistant","content":[{"type":"text","text":%s}]}}`+"\n", i, w.project, i, id, i, quoted)
	}
	path := filepath.Join(w.home, ".claude", "projects", "x", id+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	printed := w.run(out.ExitDone, "delta", "--session", id, "--yes", "--json")
	var report struct {
		Delta struct {
			Findings []any
			Left     int
			Text     string
		}
	}
	if err := json.Unmarshal([]byte(printed), &report); err != nil {
		t.Fatalf("%v\n%.200s", err, printed)
	}
	if n := len(report.Delta.Findings); n != entries.DeltaMost-1 || n+report.Delta.Left < 3000 {
		t.Errorf("%d findings, %d left", n, report.Delta.Left)
	}
	notes := w.notes()
	if strings.ContainsAny(notes, "\x00\x07\x1b\r\u202e\u2066") || strings.Contains(notes, "hunter2hunter2") || len(notes) > 200<<10 {
		t.Errorf("%d bytes: %.300q", len(notes), notes[len(notes)-1000:])
	}
	printed = w.run(out.ExitDone, "fork-check", id)
	if !strings.Contains(printed, "not checked") || strings.ContainsAny(printed, "\x1b\x07") {
		t.Errorf("%.300q", printed)
	}
}

// TestAttentionsAfterDelta: a delta counts only in the context in which it was written.
func TestAttentionsAfterDelta(t *testing.T) {
	t.Parallel()
	w := newNoteWorld(t)
	d := w.deps()
	p, err := ledger.Find(w.project, d.LedgerEnv())
	if err != nil {
		t.Fatal(err)
	}
	w.write("grimoires/loa/NOTES.md", "# Notes\n")
	began := now().Add(-time.Hour)
	record := func(session string, at time.Time, tokens int) {
		r := trajectory.DeltaSync{TS: at.Format(time.RFC3339), Agent: survey.GateAgent, Phase: trajectory.PhaseDelta, SessionID: session, Tokens: tokens}
		if err := trajectory.Append(t.Context(), p.Root, trajectory.LogFile(&p, survey.GateAgent, d.Now()), r); err != nil {
			t.Fatal(err)
		}
	}
	record("a", began.Add(time.Minute), 2_000)
	record("a", began.Add(2*time.Minute), 6_000)
	record("b", began.Add(-time.Minute), 6_000) // from an earlier context
	record("c", began.Add(time.Minute), 9_000)  // more tokens than now: a part was cleared
	if err := trajectory.Append(t.Context(), p.Root, trajectory.LogFile(&p, survey.GateAgent, d.Now()), map[string]any{"phase": "cite", "session_id": "d", "tokens": 6_000}); err != nil {
		t.Fatal(err)
	}
	rows := make([]sessions.Row, 4)
	for i, id := range []string{"a", "b", "c", "d"} {
		rows[i] = row(id, "x", in(w.project, w.project), func(r *sessions.Row) {
			r.Live, r.ContextTokens, r.ContextBase, r.ContextBegan = &sessions.Live{PID: 1}, 23_000, 16_000, began
		})
	}
	attentions := &place.Attentions{Env: d.Env}
	for range 5 { // on a busy machine, a lookup may reach its time limit
		if attentions.Fill(t.Context(), rows); rows[0].Attention != nil && rows[0].Attention.Fresh == 1_000 {
			break
		}
	}
	for i, want := range []int64{1_000, 7_000, 7_000, 7_000} {
		if a := rows[i].Attention; a == nil || a.Fresh != want || a.Due != (want > 5_000) || a.Level != "yellow" {
			t.Errorf("%s: %+v, want %d", rows[i].ID, a, want)
		}
	}
}
