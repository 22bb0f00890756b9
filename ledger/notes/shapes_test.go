package notes_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger/notes"
)

func formatted(d notes.Decision) string {
	at := "-"
	switch {
	case d.Day:
		at = d.When.Format(time.DateOnly)
	case !d.When.IsZero():
		at = d.When.Format(time.RFC3339)
	}
	line := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	return strings.Join([]string{at, d.Title, line(d.Decision), line(d.Rationale), d.By}, "|")
}

func TestDecisionShapes(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"none", "# a\n\n## Decision Log\n<!-- Major decisions -->\n\n(None)\n", ""},
		{"placeholders", "## Decisions\n\n- [Placeholder decision]\n- None yet\n- _None identified so far_\n", ""},
		{"the spec's own words", "### Decision Log\n#### 2024-01-15T14:30:00Z - Decision Title\n**Decision**: What we decided\n**Rationale**: Why we decided it\n", ""},
		{"heading with a zone", "## Decisions\n### 2024-01-16T01:30:00+02:00 — Rotate\nBecause.\n", "2024-01-15T23:30:00Z|Rotate|Because.||"},
		{"heading with a day", "## Decision Log\n### 2025-12-22: Keep docs\n**Decision**: Do NOT drop them\n**Rationale**: They are good\n**Outcome**: Kept\n", "2025-12-22|Keep docs|Do NOT drop them|They are good|"},
		{"day in brackets", "## Decision Log\n### [2026-01-02 14:30] Use Go\nText\n", "2026-01-02T14:30:00Z|Use Go|Text||"},
		{"day at the end", "## Decision Log\n### Use Go (Jan 2, 2026)\nText\n", "2026-01-02|Use Go|Text||"},
		{"numbered", "## Decision Log\n### 1. Use `Go`\n### 2) Keep [#675](https://x.y/1) open\n", "-|Use `Go`|||\n-|Keep #675 open|||"},
		{"marks around", "## Decision Log\n### **Use Go** ###\n", "-|Use Go|||"},
		{"a day with a list", "## Decision Log\n### 2026-01-02\n- **Use Go.** It compiles\n- Use git\n\n### 2026-01-03\nOne sentence. Two.\n", "2026-01-03|One sentence. Two.|||\n2026-01-02|Use git|||\n2026-01-02|Use Go|It compiles||"},
		{"fields as headings", "## Decisions\n### Use Go\n#### Decision\nGo it is\n#### Rationale\nSmall\n#### Status\nDone\n", "-|Use Go|Go it is|Small|"},
		{"a group", "## Decision Log\n### Storage\n#### Use files\nText\n#### Use git\nText\n", "-|Use files|Text||\n-|Use git|Text||"},
		{"inside of Session Continuity", "## Session Continuity\n### Decision Log\n#### Use Go\n### Pending Questions\n- [ ] Why?\n", "-|Use Go|||"},
		{"dated section", "## Decision Log — 2026-05-12 (sprint 2 (b) — done)\n\n**Status**: done\n\n**Why**: it was time\n\n---\n\n## Other\n", "2026-05-12|sprint 2 (b) — done|**Status**: done|it was time|"},
		{"dated at the end", "## Decision Log — new direction (2026-05-29)\n\nText\n", "2026-05-29|new direction|Text||"},
		{"dated without a title", "## Decision Log (2026-05-29)\n\nKeep it. It works.\n", "2026-05-29|Keep it. It works.|||"},
		{"suffix without a day", "### Decision Log — gated on the operator (NOT bypassed)\n`x` refuses it.\n", "-|gated on the operator (NOT bypassed)|`x` refuses it.||"},
		{"dated with its own text", "## Decision Log — 2026-05-28 (go live)\n\n- " + strings.Repeat("It says a lot. ", 20) + "\n\n### A slice (2026-05-23)\nText\n", "2026-05-28|go live|- " + strings.TrimSpace(strings.Repeat("It says a lot. ", 20)) + "||\n2026-05-23|A slice|Text||"},
		{"dated with a line of its own", "## Decision Log — 2026-05-28 (go live)\nTwo of them.\n### One\n### Two\n", "2026-05-28|One|||\n2026-05-28|Two|||"},
		{"table", "## Decision Log\n| Date | Decision | Rationale | Decided By |\n|---|---|---|---|\n| 2026-05-07 PM | Use \\|\\| | `a\\|b` | zerker |\n| 2026-05-08 | Next<br>more | x | op |\n", "2026-05-08|Next|more|x|op\n2026-05-07|Use ||||`a|b`|zerker"},
		{"table in another order", "## Decisions\n\nID | Decision | Reasoning | Date\n-- | :--: | --- | ---\nD-1 | Use Go | small | 2026-02-26\n", "2026-02-26|Use Go||small|"},
		{"table with a gap", "## Decisions\n|Date|Decision|\n|-|-|\n|2026-01-01|a|\n\n|2026-01-02|b|\n", "2026-01-02|b|||\n2026-01-01|a|||"},
		{"table in a subsection", "## Decisions\n### Sprint 1\n|Date|Decision|\n|-|-|\n|2026-01-01|a|\n", "2026-01-01|a|||"},
		{"table of something else", "## Decisions\n|Path|State|\n|-|-|\n|a|b|\n", ""},
		{"bold paragraphs", "## Decision Log\n\n**Decision: Use Go**\n- **Rationale**: small\n- **Pattern**: any\n**Decision: Use\ngit**\n- **Reason:** old\n", "-|Use Go|- **Pattern**: any|small|\n-|Use git||old|"},
		{"bold titles", "## Decision Log\n\n**2026-01-02: Use Go** — it is small\n\n**Use git** (2026-01-03): because it is there\n", "2026-01-03|Use git||because it is there|\n2026-01-02|Use Go|it is small||"},
		{"fields without a heading", "## Decision Log\n**Decision**: Use Go\n**Rationale**: small\n\n**Decision**: Use git\n**Date**: 2026-01-02\n", "2026-01-02|Use git|||\n-|Use Go||small|"},
		{"dated lines", "## Decision Log\n2026-01-02: Use Go\n2026-01-03 - Use git because\nit is there\n", "2026-01-03|Use git because|it is there||\n2026-01-02|Use Go|||"},
		{"list", "## Decisions\n- /ride 2026-05-19: made it\n  new\n- Skip it until 2027-01-01\n- [x] **Go** (2026-05-20) — small\n  - Rationale: it is\n1. One\n", "2026-05-20|Go|small|it is|\n2026-05-19|/ride 2026-05-19: made it new|||\n-|One|||\n-|Skip it until 2027-01-01|||"},
		{"list with fields", "## Decisions\n- **Decision**: Use Go\n  **Rationale**: small\n- **Decision**: Use git\n  **Decided By**: op\n", "-|Use Go||small|\n-|Use git|||op"},
		{"list of days", "## Decision Log\n- **2026-04-13:** Made it a repo because it is. Then more.\n- **2026-04-14 (ratified) — One = two.** Keep it. Rationale: it is right\n- **Three** → it is\n", "2026-04-14|(ratified) — One = two|Keep it.|it is right|\n2026-04-13|Made it a repo because it is.|Made it a repo because it is. Then more.||\n-|Three|it is||"},
		{"other names", "## 🧭 4. Key Decisions (locked)\n- Use Go\n\n# DECISIONS\n- Use git\n\n# Decisional matters\n- No\n", "-|Use Go|||\n-|Use git|||"},
		{"added at the end by the fallback of the spec", "## Blockers\nNone\n#### 2026-01-02T03:04:05Z - Use Go\n**Decision**: Go\n**Rationale**: small\n", "2026-01-02T03:04:05Z|Use Go|Go|small|"},
		{"a heading that says so", "# N\n## Decision: Use Go\nText\n## Decision maker\nMe\n", "-|Use Go|Text||"},
		{"those of one day in a log that grows downwards", "## Decisions\n|Date|Decision|\n|-|-|\n|2026-01-01|a|\n|2026-01-02|b|\n|2026-01-02|c|\n", "2026-01-02|c|||\n2026-01-02|b|||\n2026-01-01|a|||"},
		{"fence and comment", "## Decisions\n```\n- a\n```\n<!--\n- b\n-->\n- c <!-- d -->\n", "-|c|||"},
		{"crlf", "## Decisions\r\n### 2026-01-02 - Use Go\r\n**Decision**: Go\r\n**Rationale**: small\r\n", "2026-01-02|Use Go|Go|small|"},
		{"underlined", "Decision Log\n------------\n- a\n\nText\n---\n- b\n", "-|a|||\n-|b|||"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			n := notes.Parse([]byte(test.text))
			tile(t, n)
			var got []string
			for _, d := range n.Decisions() {
				got = append(got, formatted(d))
			}
			if s := strings.Join(got, "\n"); s != test.want {
				t.Errorf("got\n%s\nwant\n%s", s, test.want)
			}
		})
	}
}

func TestContinuityShapes(t *testing.T) {
	t.Parallel()
	type want struct{ bead, text, at, state, first string }
	tests := []struct {
		name, text string
		want       want
	}{
		{"none", "# a\n", want{}},
		{"placeholders", "## Session Continuity\n### Active Context\n- **Current Bead**: [bead-id] ([task])\n- **Last Checkpoint**: YYYY-MM-DDTHH:MM:SSZ\n- **Reasoning State**: [Where we left off]\n", want{}},
		{"other colons", "## Session Continuity\n### Active Context\n* **Current Bead：** `br-1` — Clock\n* Last Checkpoint： 2026-01-02 03:04 UTC\n* Reasoning State: At the\n  clock\n", want{"br-1", "Clock", "2026-01-02T03:04", "At the clock", ""}},
		{"keys without a list", "## Session Continuity\n\n**Current Bead**: br-1 (Clock)\n**Last Checkpoint**: 2026-01-02T03:04:05Z\n**Reasoning State**: At the clock\n", want{"br-1", "Clock", "2026-01-02T03:04", "At the clock", ""}},
		{"keys and values", "## Session Continuity\n\nCurrent focus: Not set\nLast task: None\nStatus: New session\n", want{first: "Status: New session"}},
		{"focus", "## Session Continuity\n\nCurrent focus: The clock\nLast task: None\n", want{state: "The clock"}},
		{"stopped at", "## Session Continuity\n\nLast session: 2026-08-27T16:34:16.087Z\nStopped at: Plan 2\nResume file: None\n", want{at: "2026-08-27T16:34", state: "Plan 2"}},
		{"anchor", "## Session Continuity\n\n**Recovery Anchor**: Plan written.\n\n**Key Context**:\n- Cycle: nine\n", want{state: "Plan written.", first: "Cycle: nine"}},
		{"table", "## Session Continuity\n|Timestamp|Agent|Summary|\n|-|-|-|\n|2026-01-02 10:30|a|one|\n|2026-01-02 11:30|b|two|\n", want{at: "2026-01-02T11:30", first: "b: two"}},
		{"table, newest first", "## Session Continuity\n|Timestamp|Agent|Summary|\n|-|-|-|\n|2026-01-04|a|one|\n|2026-01-04|b|two|\n|2026-01-01|c|three|\n", want{at: "2026-01-04T00:00", first: "a: one"}},
		{"table of keys", "## Session Continuity\n|Field|Value|\n|-|-|\n|**Current Bead**|br-1|\n|Reasoning State|Here|\n", want{bead: "br-1", state: "Here"}},
		{"a row above the head", "## Session Continuity\n<!-- Key -->\n| 2026-06-11T~12:00Z | a | new |\n| Timestamp | Agent | Summary |\n|-|-|-|\n| 2026-06-11T~11:50Z | b | old |\n", want{at: "2026-06-11T12:00", first: "a: new"}},
		{"empty table", "## Session Continuity\n| Timestamp | Agent | Summary |\n|---|---|---|\n", want{}},
		{"paragraphs", "## Session Continuity\n\n**2026-01-02 — plan:** one\n\n**2026-01-03 — build:** two\nmore\n", want{at: "2026-01-03T00:00", first: "**2026-01-03 — build:** two more"}},
		{"prose", "## Session Continuity\n\n### One (2026-01-02)\nThe old.\n\n### Two (2026-01-03)\n\nThe new\none.\n\nMore.\n", want{at: "2026-01-03T00:00", first: "The new one."}},
		{"two of them", "## Session Continuity — 2026-01-02 (a)\nOld.\n\n## Session Continuity — 2026-01-02 / 2026-01-03 (b)\n### X\n- **HEAD**: new\n", want{at: "2026-01-03T00:00", first: "**HEAD**: new"}},
		{"an unfilled one first", "## Session Continuity\n[nothing]\n\n## Session Continuity\nHere.\n", want{first: "Here."}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := notes.Parse([]byte(test.text)).Continuity()
			got := want{c.Bead, c.BeadText, "", c.State, c.First}
			if !c.Checkpoint.IsZero() {
				got.at = c.Checkpoint.Format("2006-01-02T15:04")
			}
			if got != test.want {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}

func TestListShapes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		kind       notes.Kind
		want       []string
	}{
		{"tasks", "## Active Sub-Goals\n- [ ] a\n  more\n- [x] b\n- [X] c\n  - [ ] d\n", notes.KindGoals, []string{"a more"}},
		{"struck", "## Sub-goals\n1. ~~a~~ DONE\n2. b\n", notes.KindGoals, []string{"b"}},
		{"resolved", "## Blockers\n- (RESOLVED) a\n- [RESOLVED] b\n- ✅ c\n- [ ] [FLAG] d\n- [ ] [Placeholder blocker] (ETA: YYYY-MM-DD)\n", notes.KindBlockers, []string{"[FLAG] d"}},
		{"none", "## Blockers & Dependencies\nNone - all of them are optional\n\n## Blockers\n_None currently_\n\n## Blockers\n- None identified. It is ready.\n- (none) — it is free\n", notes.KindBlockers, nil},
		{"none of them", "## Blockers\n- None of the tests pass\n", notes.KindBlockers, []string{"None of the tests pass"}},
		{"paragraph", "## Blockers\nThe disk\nis full.\n", notes.KindBlockers, []string{"The disk is full."}},
		{"table", "## Technical Debt\n| ID | Description | Severity |\n|-|-|-|\n| TD-1 | [Placeholder] | LOW |\n| TD-2 | Slow | LOW |\n", notes.KindDebt, []string{"TD-2 · Slow · LOW"}},
		{"table of fields", "## Current Focus\n|Field|Value|\n|-|-|\n|**Task**|a|\n|**Blocked By**|None|\n", notes.KindFocus, []string{"**Task** · a"}},
		{"grouped", "## Technical Debt\n### Minor\n1. **a**: b\n   - Fix: c\n\n2. d\n", notes.KindDebt, []string{"**a**: b", "d"}},
		{"headings", "## Learnings\n### One (x)\n\n**Why**: y\n### Two\n", notes.KindLearnings, []string{"One (x)", "Two"}},
		{"two sections", "## Technical Debt\n\n## Decisions\n- x\n\n## Discovered Technical Debt\n- a\n", notes.KindDebt, []string{"a"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, i := range notes.Parse([]byte(test.text)).Items(test.kind) {
				got = append(got, i.Text)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestStructure(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"levels", "# a\n ## b ##\n   ### c\n    #### no\n####### no\n#no\n#\n", "1a 2b 3c 1"},
		{"fences", "```go\n# no\n~~~\n````\n# a\n~~~ x\n# no\n```\n~~~\n# b\n```` \n``` \n# no\n", "1a 1b"},
		{"a fence in an item ends with it", "- x\n  ```\n  # no\n# a\n1. ```\n   # no\n   ```\n# b\n", "1a 1b"},
		{"comments", "<!-- a\n# no\n--> x\n# a\n<!-- b --> # no\n<!--> \n# b\n`<!--`\n# c\nx <!-- y\n# d\nx <!-- y\nno\n-->\n# e\n<!--\n# no\n", "1a 1b 1c 1d 1e"},
		{"front matter", "---\ntitle: x\n# no\n---\n# a\n", "1a"},
		{"no front matter", "---\n\n# a\n---\n", "1a"},
		{"byte order mark", "\xef\xbb\xbf# a\r\n## b\r\n", "1a 2b"},
		{"in a quote or an item", "> # no\n- # no\n\n  ## no\n# a\n", "1a"},
		{"no text", "", ""},
		{"broken bytes", "# \xff\x00a\n\xc3\n## b", "1\xff\x00a 2b"},
		{"underlined", "a\n===\nb\n---\nDecisions\n---\n\nlong\nline\n===\n", "1a 2Decisions"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			n := notes.Parse([]byte(test.text))
			tile(t, n)
			var got []string
			for _, s := range n.Sections {
				got = append(got, string(rune('0'+s.Level))+s.Title)
			}
			if s := strings.Join(got, " "); s != test.want {
				t.Errorf("got %q, want %q", s, test.want)
			}
		})
	}
}
