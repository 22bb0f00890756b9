package notes_test

import (
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
)

// TestInsertShapes: an entry takes the form of the entries in its section. New lines have a + in front.
func TestInsertShapes(t *testing.T) {
	t.Parallel()
	decision := notes.Entry{Kind: notes.EntryDecision, At: now(), Title: "Use Go", Rationale: "small"}
	question := notes.Entry{Kind: notes.EntryQuestion, At: now(), Text: "Why?", Bead: "br-1"}
	next := notes.Entry{Kind: notes.EntryNext, At: now(), Text: "# Go on\n- and on"}
	scenario := notes.Entry{Kind: notes.EntryScenario, At: now(), Text: "Edge", Type: "edge_case", Expected: "a | b"}
	handoff := notes.Entry{Kind: notes.EntryHandoff, At: now(), Session: "s-1", Ratio: "0.97"}
	tests := []struct {
		name string
		e    notes.Entry
		want string
	}{
		{"new file", question, "+# Agent Working Memory (NOTES.md)\n+\n+## Pending Questions\n+\n+- [ ] Why? (br-1)\n"},
		{"the spec's form", decision, "### Decision Log\n\n#### 2026-01-02T03:04:05Z - a\n**Decision**: a\n+\n+#### 2026-11-22T03:04:05Z - Use Go\n+**Decision**: Use Go\n+**Rationale**: small\n\n### Pending Questions\n"},
		{"newest first", decision, "## Decision Log\nText.\n\n+### 2026-11-22T03:04:05Z - Use Go\n+**Decision**: Use Go\n+**Rationale**: small\n+\n### 2026-01-03 - b\n### 2026-01-02 - a\n"},
		{"empty log", decision, "## Decision Log\n<!-- Major decisions -->\n+\n+#### 2026-11-22T03:04:05Z - Use Go\n+**Decision**: Use Go\n+**Rationale**: small\n\n## Blockers\n"},
		{"only None", decision, "## Decision Log\n\n(None)\n+\n+#### 2026-11-22T03:04:05Z - Use Go\n+**Decision**: Use Go\n+**Rationale**: small\n\n---\n\n# Other\n"},
		{"no log", decision, "# N\n\n## Session Continuity\n\nHere.\n+\n+## Decision Log\n+\n+#### 2026-11-22T03:04:05Z - Use Go\n+**Decision**: Use Go\n+**Rationale**: small\n\n## Learnings\n"},
		{"empty table", decision, "## Decision Log\n| Date | Decision | Rationale | Decided By |\n|------|----------|-----------|------------|\n+| 2026-11-22 | Use Go | small | user |\n"},
		{"table, newest first", decision, "## Decisions\n|Timestamp|Decision|\n|-|-|\n+| 2026-11-22T03:04:05Z | Use Go<br>small |\n|2026-01-02T10:00:00Z|b|\n|2026-01-01T10:00:00Z|a|\n"},
		{"table with its heading right below", decision, "## Decisions\n|Date|Decision|\n|-|-|\n|2026-01-02|b|\n+| 2026-11-22 | Use Go<br>small |\n## Blockers\n"},
		{"bold", decision, "## Decision Log\n\n**Decision: a**\n- **Rationale**: b\n+\n+**Decision: Use Go**\n+- **Date**: 2026-11-22T03:04:05Z\n+- **Rationale**: small\n\n## Blockers\n"},
		{"bold titles", decision, "## Decision Log\n\n**Use git** — it is there\n+\n+**Use Go**\n+- **Date**: 2026-11-22T03:04:05Z\n+- **Rationale**: small\n"},
		{"list", decision, "## Decisions\n* a\n* b\n+* 2026-11-22: **Use Go**\n+  - **Rationale**: small\n\nText\n"},
		{"numbered list", decision, "## Decisions\n1) a\n2) b\n+3) 2026-11-22: **Use Go**\n+   - **Rationale**: small\n"},
		{"dated logs", decision, "# N\n\n+## Decision Log (2026-11-22): Use Go\n+\n+**Decision**: Use Go\n+**Rationale**: small\n+\n## Decision Log (2026-01-03): b\nb\n\n## Decision Log (2026-01-02): a\na\n"},
		{"dated logs, newest last", decision, "## Decision Log — 2026-01-02 (a)\na\n\n## Decision Log — 2026-01-03 (b)\nb\n+\n+## Decision Log — 2026-11-22 (Use Go)\n+\n+**Decision**: Use Go\n+**Rationale**: small\n\n---\n\n## Blockers\n"},
		{"a table in a dated log", decision, "+## Decision Log — 2026-11-22 (Use Go)\n+\n+**Decision**: Use Go\n+**Rationale**: small\n+\n## Decision Log — 2026-01-02 (a)\n\n| Decision | Rationale |\n|-|-|\n| a | b |\n\n## Blockers\n"},
		{"a table with days in a dated log", decision, "## Decision Log — 2026-01-02 (a)\n\n| Date | Decision |\n|-|-|\n| 2026-01-02 | a |\n+| 2026-11-22 | Use Go<br>small |\n"},
		{"one dated log with dated entries", decision, "## Decision Log (since 2026-01-02)\n### 2026-01-02 - a\na\n+\n+### 2026-11-22T03:04:05Z - Use Go\n+**Decision**: Use Go\n+**Rationale**: small\n"},
		{"before a fence that is never closed", decision, "## Decision Log\n### 2026-01-02 - a\na\n+\n+### 2026-11-22T03:04:05Z - Use Go\n+**Decision**: Use Go\n+**Rationale**: small\n+\n```\n# a\n"},
		{"questions", question, "## Session Continuity\n\n### Pending Questions\n<!-- Carry -->\n- [ ] a\n  more\n- [x] b\n+- [ ] Why? (br-1)\n\n<!-- Guide -->\n"},
		{"questions without boxes", question, "## Open Questions\n\n- a\n+- Why? (br-1)\n"},
		{"table of questions", question, "## Open Questions\n| # | Question | Since |\n|-|-|-|\n| 1 | a | 2026-01-02 |\n+|  | Why?<br>Bead: br-1 | 2026-11-22 |\n"},
		{"no questions", question, "# N\n\n## Session Continuity\n\n### Active Context\n- **Current Bead**: br-1\n+\n+### Pending Questions\n+\n+- [ ] Why? (br-1)\n\n## Decisions\n"},
		{"steps", next, "## Active Sub-Goals\n<!-- Current -->\n+\n+- [ ] \\# Go on\n+  \\- and on\n\n## Blockers\n"},
		{"numbered steps", next, "## Active Sub-Goals\n1. ~~a~~ DONE\n2. b\n+3. \\# Go on\n+   \\- and on\n"},
		{"no steps", next, "Text"},
		{"scenarios", scenario, "## Test Scenarios\n1. a\n+2. **Edge** (edge_case): a | b\n"},
		{"table of scenarios", scenario, "## Test Scenarios\n| Name | Type | Expected |\n|-|-|-|\n+| Edge | edge_case | a \\| b |\n"},
		{"row of a session", handoff, "## Session Continuity\n<!-- Key -->\n| Timestamp | Agent | Summary |\n|---|---|---|\n| 2026-01-02 10:30 | a | b |\n+| 2026-11-22 03:04 | s-1 | Session: s-1<br>Grounding Ratio: 0.97 |\n\n## Decision Log\n"},
		{"heading of a session", handoff, "## Session Continuity\n\n+### 2026-11-22T03:04:05Z - Handoff s-1\n+\n+- **Session**: s-1\n+- **Grounding Ratio**: 0.97\n+\n### Two (2026-01-03)\nb\n### One (2026-01-02)\na\n"},
		{"an indented heading below", question, "## Open Questions\n+\n+- [ ] Why? (br-1)\n+\n+<!-- -->\n\n  ## B\n"},
		{"crlf", question, "## Open Questions\r\n- [ ] a\r\n+- [ ] Why? (br-1)\r\n\r\n## B\r\n"},
		{"no end of the last line", question, "## Open Questions\n- [ ] a"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			want := strings.ReplaceAll(test.want, "\n+", "\n")
			want = strings.TrimPrefix(want, "+")
			var was strings.Builder
			for line := range strings.SplitAfterSeq(test.want, "\n") {
				if !strings.HasPrefix(line, "+") {
					was.WriteString(line)
				}
			}
			switch test.name {
			case "no steps":
				want = "Text\n\n## Active Sub-Goals\n\n- [ ] \\# Go on\n  \\- and on\n"
			case "no end of the last line":
				want += "\n- [ ] Why? (br-1)\n"
			}
			in, err := notes.Parse([]byte(was.String())).Insert(test.e)
			if err != nil {
				t.Fatal(err)
			}
			got := string(in.Apply([]byte(was.String())))
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			insert(t, []byte(was.String()), test.e)
			if lines := strings.Split(got, "\n"); in.Line < 1 || strings.TrimSpace(lines[in.Line-1]) == "" {
				t.Errorf("line %d of\n%s", in.Line, got)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, e := range entries() {
		if got := e.Check(); len(got) > 0 {
			t.Errorf("%s: %+v", e.Kind, got)
		}
	}
	all := entries()
	tests := []struct {
		name string
		kind notes.EntryKind
		with func(*notes.Entry)
		want string
	}{
		{"nothing", notes.EntryDecision, func(e *notes.Entry) { *e = notes.Entry{Kind: e.Kind} }, "ts decision rationale evidence"},
		{"a title is enough", notes.EntryDecision, func(e *notes.Entry) { e.Text = " " }, ""},
		{"relative", notes.EntryDecision, func(e *notes.Entry) {
			e.Evidence = []notes.Evidence{{Ref: ledger.Ref{Path: "a.go", Form: ledger.FormRelative}}}
		}, "evidence[0].path evidence[0].line evidence[0].quote"},
		{"no file", notes.EntryDecision, func(e *notes.Entry) {
			e.Evidence = []notes.Evidence{{Ref: ledger.Ref{From: 4, To: 2}, Quote: "x"}}
		}, "evidence[0].path evidence[0].line"},
		{"type", notes.EntryScenario, func(e *notes.Entry) { e.Type = "sad" }, "type"},
		{"no scenario", notes.EntryScenario, func(e *notes.Entry) { *e = notes.Entry{Kind: e.Kind} }, "name type expected"},
		{"no handoff", notes.EntryHandoff, func(e *notes.Entry) { *e = notes.Entry{Kind: e.Kind} }, "session_id ended notes_ref trajectory_ref grounding_ratio"},
		{"too much", notes.EntryHandoff, func(e *notes.Entry) { e.Ratio = "1.01" }, "grounding_ratio"},
		{"percent", notes.EntryHandoff, func(e *notes.Entry) { e.Ratio = "97%" }, "grounding_ratio"},
		{"no number", notes.EntryHandoff, func(e *notes.Entry) { e.Ratio = "NaN" }, "grounding_ratio"},
		{"one", notes.EntryHandoff, func(e *notes.Entry) { e.Ratio = "1" }, ""},
		{"no question", notes.EntryQuestion, func(e *notes.Entry) { e.Text = "\n" }, "questions[]"},
		{"no step", notes.EntryNext, func(e *notes.Entry) { e.Text = "" }, "next_steps[]"},
		{"no kind", notes.EntryNext, func(e *notes.Entry) { e.Kind = "x" }, "kind"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			e := all[test.kind]
			test.with(&e)
			var got []string
			for _, m := range e.Check() {
				got = append(got, m.Field)
				if !strings.HasSuffix(m.Why, ".") {
					t.Errorf("%q isn't a sentence", m.Why)
				}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("missing %q, want %q", got, test.want)
			}
		})
	}
}
