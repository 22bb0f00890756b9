package notes

import (
	"strings"
	"testing"
)

// TestWork: no text makes Parse read its bytes more often than a few times, however its lines are nested, and a longer one
// not more often than a short one.
func TestWork(t *testing.T) {
	t.Parallel()
	const size, most = 64 << 10, 4
	heads := []string{"", "## Decisions\n", "## Decision Log — 2026-01-01 (x)\n", "## Session Continuity\n", "## Open Questions\n", "### Lightweight Identifiers\n", "## Decisions\n|Decision|\n|-|\n"}
	lines := []string{
		"\n", "# a\n", "## Decisions\n", "# Decisions\n## Decisions\n### Decisions\n#### a\n##### b\n###### c\n", "### a\n#### b\n##### c\n###### d\n",
		"- a\n", "- ", "-", "`", "```\n", "<!-- ", "<!-- a\n", "[", "**", "**a\n", "|", "|a|b\n|-|-\n", "|a|b|\n", "2026-01-01 a\n", "a: b\n",
		"## Open Questions\n- [ ] a\n", "## Session Continuity\n### 2026-01-01 a\nx\n", "### Session Continuity\n#### a\n##### b\n", "Decisions\n---\n", "**Decision**: a\n**Rationale**: b\n", "\r\n",
		" - a\n  - b\n   - c\n    - d\n", "## Learnings\n### a\n#### b\n##### c\ntext\n",
	}
	for _, head := range heads {
		for _, line := range lines {
			text := []byte(head + strings.Repeat(line, size/len(line)))
			work := 0
			parse(text, &work)
			if work > most*len(text) {
				t.Errorf("%q and many %q: %d bytes were read for %d", head, line, work, len(text))
			}
		}
	}
}
