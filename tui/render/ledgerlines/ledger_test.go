package ledgerlines

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/tui/render"
)

const ledgerNotes = `# Notes

## Session Continuity

### Active Context
- **Current Bead**: br-7 (Move the tokens)
- **Last Checkpoint**: 2026-11-21T14:30:00Z
- **Reasoning State**: Guest is done, admin is **next**

### Lightweight Identifiers
| Identifier | Purpose | Last Verified |
|------------|---------|---------------|
| ${PROJECT_ROOT}/src/clock.go:30 | The clock | 14:25:00Z |
| ${PROJECT_ROOT}/src/jwt.go:1 | The verifier | 14:25:00Z |

## Decision Log

### 2026-11-20T10:00:00Z - Leeway is 30 s
**Decision**: Leeway is 30 s
**Rationale**: Hosts drift
**Evidence**:
- ` + "`const leeway = 30`" + ` [${PROJECT_ROOT}/src/clock.go:3]

## Open Questions
- [ ] Who may edit ` + "\x1b[31mhours" + `?
`

func ledgerOf(text string) *survey.Ledger {
	at := time.Date(2026, 11, 21, 15, 52, 0, 0, time.UTC)
	l := &survey.Ledger{
		Project: ledger.Project{Root: "/home/ada/teahouse", Notes: "/home/ada/teahouse/NOTES.md"}, Notes: notes.Parse([]byte(text)), At: at, Staged: at.Add(-time.Minute),
		StagedN: 92, Problems: []string{"A line of the config is bad."},
		Beads: &beads.Graph{Beads: []beads.Bead{{ID: "br-7", Title: "Move the tokens", Status: "in_progress"}}},
	}
	for i, id := range l.Notes.Identifiers() {
		c := recovery.Checked{Identifier: id, Check: ledger.Check{Status: ledger.NoLine, Lines: 3}}
		if i == 1 {
			c.Check = ledger.Check{Status: ledger.Moved, At: 4}
		}
		l.Checked = append(l.Checked, c)
	}
	l.Evidence = map[survey.Backing]ledger.Check{}
	for _, d := range l.Notes.Decisions() {
		for i := range d.Evidence {
			l.Evidence[survey.BackingOf(&d.Evidence[i])] = ledger.Check{Status: ledger.Holds, Quoted: true}
		}
	}
	return l
}

func drawLedger(l *survey.Ledger, width int) []string {
	return DrawLedger(l, LedgerOptions{Width: width, Styles: render.NewStyles(render.None), Now: l.At, Where: "~/teahouse/NOTES.md"})
}

func TestLedgerDraw(t *testing.T) {
	t.Parallel()
	l := ledgerOf(ledgerNotes)
	text := strings.Join(drawLedger(l, 80), "\n")
	for _, want := range []string{
		"teahouse  ", "~/teahouse/NOTES.md", "\nWhere was I?  ", "checkpoint 1 h ago", "\n  Guest is done, admin is next\n", "  bead br-7  Move the tokens",
		"\n    Decision Log  ", "Decisions 1, newest first", "Leeway is 30 s", "Hosts drift", "✓ src/clock.go:3", "quote found",
		"Open questions 1\n  ? Who may edit hours?", "Identifiers 2", "1 broken, 1 moved", "✗ src/clock.go:30", "has only 3 lines",
		"△ src/jwt.go:1", "moved to :4", "Beads 0 ready, 1 in progress, 0 blocked\n  br-7  Move the tokens", "A recovery of 92 tokens, 1 min ago.", "△ A line of the config is bad.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if n := strings.Count(text, "Leeway is 30 s"); n != 1 {
		t.Errorf("the title is there %d times\n%s", n, text)
	}
	if strings.ContainsRune(text, '\x1b') {
		t.Error("an escape sequence of NOTES.md got through")
	}
	l.Notes, l.Checked, l.Trouble = nil, nil, "NOTES.md is no text."
	text = strings.Join(drawLedger(l, 80), "\n")
	if !strings.Contains(text, "no NOTES.md") || !strings.Contains(text, "△ NOTES.md is no text.") || strings.Contains(text, "Where was I?") {
		t.Error(text)
	}
	text = strings.Join(drawLedger(ledgerOf("just words\n"), 80), "\n")
	if !strings.Contains(text, "NOTES.md has no Session Continuity.") || !strings.Contains(text, "NOTES.md has no headings.") {
		t.Error(text)
	}
}

func TestLedgerDrawWidth(t *testing.T) {
	t.Parallel()
	texts := map[string]string{"made up": ledgerNotes, "empty": "", "long": "# " + strings.Repeat("wörd ", 400) + "\n\n## Decisions\n\n- " + strings.Repeat("x", 4000) + "\n"}
	if dir := os.Getenv("CONTINUO_EXAMPLES"); dir != "" {
		_ = filepath.WalkDir(filepath.Join(dir, "002"), func(path string, e os.DirEntry, err error) error {
			if err == nil && !e.IsDir() && strings.HasSuffix(path, ".md") {
				if text, err := os.ReadFile(path); err == nil {
					texts[path] = string(text)
				}
			}
			return nil
		})
	}
	for name, text := range texts {
		l := ledgerOf(text)
		for _, width := range []int{1, 2, 7, 20, 40, 100, 200} {
			for _, line := range drawLedger(l, width) {
				if got := ansi.StringWidth(line); got > width {
					t.Fatalf("%s at %d: %d cells: %s", name, width, got, line)
				}
			}
		}
	}
	if got := drawLedger(ledgerOf(ledgerNotes), 0); got != nil {
		t.Errorf("%q", got)
	}
}
