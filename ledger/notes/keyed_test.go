package notes_test

import (
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
)

func TestKeyed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind           notes.EntryKind
		was, now, gone string
	}{
		"the spec's state": {
			notes.EntryState, "# N\n\n## Session Continuity\n\n### Active Context\n- **Current Bead**: br-1 (Tea)\n- **Reasoning State**: old\n  and more\n  - nested\n- **Last Checkpoint**: x\n\n## Rest\n",
			"# N\n\n## Session Continuity\n\n### Active Context\n- **Current Bead**: br-1 (Tea)\n- **Reasoning State**: br-7 Token refresh\n- **Last Checkpoint**: x\n\n## Rest\n",
			"- **Reasoning State**: old\n  and more\n  - nested",
		},
		"the spec's bead": {
			notes.EntryBead, "## Session Continuity\n### Active Context\n- **Current Bead**: br-1 (Tea)\n- **Reasoning State**: old\n",
			"## Session Continuity\n### Active Context\n- **Current Bead**: br-7 (Token refresh)\n- **Reasoning State**: old\n", "- **Current Bead**: br-1 (Tea)",
		},
		"keys in a paragraph, with CRLF": {
			notes.EntryState, "## Session Continuity\r\nCurrent state: old\r\ngoes on\r\nLast checkpoint: x\r\n", "## Session Continuity\r\nCurrent state: br-7 Token refresh\r\nLast checkpoint: x\r\n", "Current state: old\ngoes on",
		},
		"a new key": {
			notes.EntryState, "## Session Continuity\n\n### Active Context\n- **Current Bead**: br-1\n", "## Session Continuity\n\n### Active Context\n- **Reasoning State**: br-7 Token refresh\n- **Current Bead**: br-1\n", "",
		},
		"a bead with a note": {
			notes.EntryBead, "## Session Continuity\n- **Current Bead**: br-1\n  (Tea | milk)\n  - a note\n\nProse.\n", "## Session Continuity\n- **Current Bead**: br-7 (Token refresh)\n  - a note\n\nProse.\n",
			"- **Current Bead**: br-1\n  (Tea | milk)",
		},
		"prose after a state": {
			notes.EntryState, "## Session Continuity\n- **Reasoning State**: a | b\n\nProse.\n", "## Session Continuity\n- **Reasoning State**: br-7 Token refresh\n\nProse.\n", "- **Reasoning State**: a | b",
		},
		"not in a fence": {
			notes.EntryState, "## Session Continuity\n```\nReasoning State: x\n```\n", "## Session Continuity\n- **Reasoning State**: br-7 Token refresh\n\n```\nReasoning State: x\n```\n", "",
		},
	} {
		n := notes.Parse([]byte(c.was))
		r, ok := n.Keyed(notes.Entry{Kind: c.kind, Text: "br-7\nToken refresh"})
		if !ok || string(r.Text) != c.now || r.Was != c.gone {
			t.Errorf("%s: %v, was %q\n%q\nwant\n%q", name, ok, r.Was, r.Text, c.now)
			continue
		}
		if line := strings.Split(strings.ReplaceAll(c.now, "\r", ""), "\n")[r.Line-1]; line != r.Now {
			t.Errorf("%s: line %d is %q, not %q", name, r.Line, line, r.Now)
		}
		now := notes.Parse(r.Text).Continuity()
		if c.kind == notes.EntryState && now.State != "br-7 Token refresh" || c.kind == notes.EntryBead && (now.Bead != "br-7" || now.BeadText != "Token refresh") {
			t.Errorf("%s: Parse doesn't return the value: %+v", name, now)
		}
	}
	if _, ok := notes.Parse([]byte("# N\n")).Keyed(notes.Entry{Kind: notes.EntryState, Text: "x"}); ok {
		t.Error("a text without a section has a key")
	}
	if _, ok := notes.Parse([]byte("## Session Continuity\n")).Keyed(notes.Entry{Kind: notes.EntryNext, Text: "x"}); ok {
		t.Error("a next step is a key")
	}
}

func TestInsertContext(t *testing.T) {
	t.Parallel()
	ref, _ := ledger.ParseRef("${PROJECT_ROOT}/src/a.go:3-5")
	at := time.Date(2026, 11, 22, 15, 4, 5, 0, time.UTC)
	reference := notes.Entry{Kind: notes.EntryReference, At: at, Text: "Leeway | of clocks", Evidence: []notes.Evidence{{Ref: ref}}}
	for name, c := range map[string]struct {
		entry    notes.Entry
		was, now string
	}{
		"a state":  {notes.Entry{Kind: notes.EntryState, Text: "Next: x"}, "# N\n", "# N\n\n## Session Continuity\n\n### Active Context\n- **Reasoning State**: Next: x\n"},
		"a bead":   {notes.Entry{Kind: notes.EntryBead, Text: "br-7"}, "# N\n", "# N\n\n## Session Continuity\n\n### Active Context\n- **Current Bead**: br-7\n"},
		"no table": {reference, "## Session Continuity\n- **Reasoning State**: x\n\n## Rest\n", "## Session Continuity\n- **Reasoning State**: x\n\n### Lightweight Identifiers\n| Identifier | Purpose | Last Verified |\n|---|---|---|\n| ${PROJECT_ROOT}/src/a.go:3-5 | Leeway \\| of clocks | 2026-11-22T15:04:05Z |\n\n## Rest\n"},
		"the spec's": {
			reference, "### Lightweight Identifiers\n| Identifier | Purpose | Last Verified |\n|---|---|---|\n| ${PROJECT_ROOT}/b.go:1 | B | 14:25:00Z |\n",
			"### Lightweight Identifiers\n| Identifier | Purpose | Last Verified |\n|---|---|---|\n| ${PROJECT_ROOT}/b.go:1 | B | 14:25:00Z |\n| ${PROJECT_ROOT}/src/a.go:3-5 | Leeway \\| of clocks | 2026-11-22T15:04:05Z |\n",
		},
	} {
		n := notes.Parse([]byte(c.was))
		place, err := n.Insert(c.entry)
		if now := string(place.Apply(n.Text)); err != nil || now != c.now {
			t.Errorf("%s: %v\n%q\nwant\n%q", name, err, now, c.now)
		}
		if found := notes.Parse(place.Apply(n.Text)).Lint("/p", func(string) bool { return true }); len(found) > 0 {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
