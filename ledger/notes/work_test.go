package notes

import (
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
)

// TestWork: Parse reads each byte only a few times.
func TestWork(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	const size, most = 64 << 10, 4
	heads := []string{"", "## Decisions\n", "## Decision Log — 2026-01-01 (x)\n", "## Session Continuity\n", "## Open Questions\n", "### Lightweight Identifiers\n", "## Decisions\n|Decision|\n|-|\n"}
	lines := []string{
		"\n", "# a\n", "## Decisions\n", "# Decisions\n## Decisions\n### Decisions\n#### a\n##### b\n###### c\n", "### a\n#### b\n##### c\n###### d\n",
		"- a\n", "- ", "-", "`", "```\n", "<!-- ", "<!-- a\n", "[", "**", "**a\n", "|", "|a|b\n|-|-\n", "|a|b|\n", "2026-01-01 a\n", "a: b\n",
		"## Open Questions\n- [ ] a\n", "## Session Continuity\n### 2026-01-01 a\nx\n", "### Session Continuity\n#### a\n##### b\n", "Decisions\n---\n", "**Decision**: a\n**Rationale**: b\n", "\r\n",
		" - a\n  - b\n   - c\n    - d\n", "## Learnings\n### a\n#### b\n##### c\ntext\n",
	}
	var growing strings.Builder // none of the runs of backticks is closed
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
				times *= 3 // the spans are read two more times
			}
			if work > times*len(text) {
				t.Errorf("%q and many %.40q: %d bytes were read for %d", head, line, work, len(text))
			}
		}
	}
}

// TestTitlesOnly checks that DecisionTitles doesn't read the text below a heading with a time and a title. Decisions
// must read it.
func TestTitlesOnly(t *testing.T) {
	t.Parallel()
	const many = 300
	text := []byte("## Decision Log\n" + strings.Repeat("\n### 2026-02-01T10:00:00Z - Keep it simple\n\n**Decision**: Keep it\n**Rationale**: It is right [${PROJECT_ROOT}/a.go:1]\n\n"+strings.Repeat("More that is said of it.\n", 20), many))
	work := 0
	n := parse(text, &work)
	if titles := n.DecisionTitles(); len(titles) != many {
		t.Fatalf("%d titles", len(titles))
	}
	for _, d := range n.DecisionTitles() {
		if d.body.hi <= d.body.lo || d.Rationale != "" || d.Evidence != nil {
			t.Fatalf("read for its title: %+v", d)
		}
	}
	if n.filled != nil || work > len(text)*5/4 {
		t.Errorf("%d bytes were read for %d, decisions are read: %v", work, len(text), n.filled != nil)
	}
	for _, d := range n.Decisions() {
		if d.body != (body{}) || d.Rationale == "" || len(d.Evidence) != 1 {
			t.Fatalf("not read: %+v", d)
		}
	}
}

// TestShortcuts checks that a fast path returns the same result as the full code.
func TestShortcuts(t *testing.T) {
	t.Parallel()
	dates := []string{"2026-01-02", "2026/01/02", "May 12, 2026", "12 May 2026", "1st May 2026", "[YYYY-MM-DD]", "a", ""}
	seen := 0
	for _, before := range []string{"", " ", "\v", "\f\n", "**", "[(`*", "<!-- a -->", "<br>", "\u00a0", "\u0085 ", "- ", "a ", "* ", "Agent: ", "maybe "} {
		for _, date := range dates {
			for _, after := range []string{"", "** b", "  b\n c", "\tb <!-- c -->"} {
				s := before + date + after
				line := strings.Join(strings.Fields(lineBreaks(uncomment(s), " ")), " ")
				if got := oneLine(s); got != line {
					t.Errorf("%q in one line is %q, want %q", s, got, line)
				}
				w, ok := findWhen(line[:min(len(line), 40)])
				if ok = ok && strings.Trim(line[:w.at], "*[(`") == ""; ok && !mayBeDated(s) {
					t.Errorf("%q begins with a date", s)
				}
				if ok {
					seen++
				}
			}
		}
	}
	if seen < 100 || mayBeDated("Agent: 2026-01-02") || mayBeDated("- 2026-01-02") {
		t.Errorf("%d begin with a date", seen)
	}
}
