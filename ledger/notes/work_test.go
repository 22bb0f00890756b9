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
	var growing strings.Builder // runs of backticks that have no end
	for n := 1; growing.Len() < size; n++ {
		growing.WriteString(strings.Repeat("`", n) + " ")
	}
	lines = append(lines, growing.String()[:size-7]+" <!-- a")
	for _, head := range heads {
		for _, line := range lines {
			text := []byte(head + strings.Repeat(line, size/len(line)))
			work := 0
			parse(text, &work)
			times := most
			if strings.HasSuffix(line, "<!-- a") {
				times *= 3 // each time its spans are read twice, too
			}
			if work > times*len(text) {
				t.Errorf("%q and many %.40q: %d bytes were read for %d", head, line, work, len(text))
			}
		}
	}
}

// TestCodeSpans: a span ends at the next run of backticks that is as long, and a run without one is text.
func TestCodeSpans(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                      "",
		"no":                    "",
		"`a` b `c`":             "a|c",
		"``a`b`` `c`":           "a`b|c",
		"``a `b` c":             "b",
		"`a ``b` ``":            "a ``b",
		"```a `b`` c``` `":      "a `b`` c",
		"`a":                    "",
		"`a`` ```b``` ` ``` ``": "a`` ```b``` ",
	} {
		var got []string
		for s := range codeSpans(text, nil) {
			got = append(got, text[s.lo:s.hi])
			for at := range text[s.at:s.end] {
				if at += s.at; inSpan(text, at, nil) != (at >= s.lo && at < s.hi) {
					t.Errorf("byte %d of %q", at, text)
				}
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("spans of %q are %q, want %q", text, got, want)
		}
	}
}
