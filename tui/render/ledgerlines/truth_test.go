package ledgerlines

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/ledger/truth"
	"github.com/continuo-tui/continuo/tui/render"
)

// TestTruthLines: untrusted text is cleaned, and no line is too wide.
func TestTruthLines(t *testing.T) {
	t.Parallel()
	r := truth.Report{Left: 2, List: []truth.Disagreement{{
		About: "decision “a \x1b[31mred\x1b[0m one”", Do: "Fix its evidence, or decide again.",
		Says: []truth.Saying{{Source: truth.Code, Text: "src/a.go:3 does not say “\x1b]0;x\x07漢字”"}, {Source: truth.Notes, Text: "the decision rests on it", Line: 1234}},
	}}}
	for _, width := range []int{1, 5, 20, 40, 100} {
		lines := TruthLines(&r, render.NewStyles(render.None), width)
		text := strings.Join(lines, "\n")
		for _, s := range lines {
			if got := ansi.StringWidth(s); got > width {
				t.Errorf("%d cells of %d: %q", got, width, s)
			}
		}
		if strings.ContainsAny(ansi.Strip(text), "\x1b\x07") || strings.Contains(text, "[31mred") {
			t.Errorf("%q", text)
		}
		var plain []string
		for _, line := range lines {
			plain = append(plain, strings.TrimRight(ansi.Strip(line), " "))
		}
		if width < 100 {
			continue
		}
		want := "  △ decision “a red one”\n    code        src/a.go:3 does not say “漢字” (this wins)\n    NOTES.md:1234  the decision rests on it\n    Fix its evidence, or decide again.\n  … 2 more disagreements"
		if got := strings.Join(plain, "\n"); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
	if lines := TruthLines(&truth.Report{}, render.NewStyles(render.None), 80); len(lines) != 0 {
		t.Errorf("%q", lines)
	}
}
