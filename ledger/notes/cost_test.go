package notes_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/ledger/notes"
)

func large(size int) []byte {
	var b bytes.Buffer
	b.WriteString("# Notes\n\n## Session Continuity\n\n| Timestamp | Agent | Summary |\n|---|---|---|\n")
	for i := range size / 4096 {
		fmt.Fprintf(&b, "| 2026-01-%02d %02d:00 | agent | Did a thing that is told in `src/a.go:%d` at some length |\n", i%28+1, i%24, i+1)
	}
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "\n## Decision Log — 2026-02-%02d (session %d)\n\n", i%28+1, i)
		for k := range 3 {
			fmt.Fprintf(&b, "### Decision %d of that day\n\n**Decision**: Keep it %s\n**Rationale**: It is %s\n- one `x` [${PROJECT_ROOT}/src/a.go:%d]\n- two <!-- not shown -->\n\n```go\n## not a heading\n```\n", k, strings.Repeat("simple ", 30), strings.Repeat("right ", 30), k+1)
		}
	}
	return b.Bytes()
}

func BenchmarkParse(b *testing.B) {
	text := large(200 << 10)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		notes.Parse(text)
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, line := range hostile() {
		for _, head := range []string{"", "## Decisions\n", "## Decision Log — 2026-01-01 (x)\n", "## Session Continuity\n", "## Open Questions\n", "### Lightweight Identifiers\n", "## Decisions\n|Decision|\n|-|\n"} {
			b.Run(name+"/"+head, func(b *testing.B) {
				text := []byte(head + strings.Repeat(line, (1<<20)/len(line)))
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					notes.Parse(text)
				}
			})
		}
	}
}

// growing returns runs of backticks of growing length. All of them stay open.
func growing(size int) string {
	var b strings.Builder
	for n := 1; b.Len() < size; n++ {
		b.WriteString(strings.Repeat("`", n) + " ")
	}
	return b.String()
}

// hostile returns texts that take quadratic time if the parser searches backward or forward at each line or mark.
func hostile() map[string]string {
	return map[string]string{
		"blank":     "\n",
		"headings":  "# a\n",
		"logs":      "## Decisions\n",
		"nested":    "# Decisions\n## Decisions\n### Decisions\n#### a\n##### b\n###### c\n",
		"deep":      "## Decision Log\n### a\n#### b\n##### c\n###### d\n",
		"items":     "- a\n",
		"bullets":   "- ",
		"dashes":    "-",
		"ticks":     "`",
		"spans":     "`a``b```c````d",
		"fences":    "```\n",
		"comments":  "<!-- ",
		"arrows":    "<!-- a\n",
		"brackets":  "[",
		"bold":      "**",
		"boldlines": "**a\n",
		"pipes":     "|",
		"table":     "|Decision|\n|-|\n",
		"rows":      "|a|b|\n",
		"escapes":   `\|`,
		"dates":     "2026-01-01 - ",
		"datelines": "2026-01-01 a\n",
		"colons":    "a: ",
		"quotes":    "> ",
		"hashes":    "#",
		"questions": "## Open Questions\n- [ ] a\n",
		"cont":      "## Session Continuity\n### 2026-01-01 a\nx\n",
		"parens":    "## Decision Log — ((((((((((\n",
		"tabs":      "\t",
		"setext":    "Decisions\n---\n",
		"fields":    "**Decision**: a\n**Rationale**: b\n",
		"roots":     "${PROJECT_ROOT}/a.go:1 ",
		"carriage":  "\r\n",
		"nul":       "\x00\xff",
		"growing":   growing(1<<19) + "<!-- `${PROJECT_ROOT}/a.go:1`\n",
	}
}
