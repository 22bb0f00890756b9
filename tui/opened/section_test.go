package opened

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// TestTodosCounted: the outline counts the same todos as the row of the document.
func TestTodosCounted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"- [ ] HIGH: one\n- [x] two\n":                "1 of 2 open",
		"1. [ ] HIGH: one\n2. [✓] two\n- ☐ three\n":   "2 of 3 open",
		"- one\n  - a detail\n- ✅ two\n":              "1 of 2 open",
		"- None\n- [What is left]\n":                  "",
		"```\n- [ ] no\n```\n- [ ] one\n":             "1 of 1 open",
		"Nothing.\n":                                  "",
		"- [ ] one\n  goes on\n\n<!-- - [ ] no -->\n": "1 of 1 open",
	} {
		for _, heading := range []string{"## Remaining Todos\n", "## Remaining Todo\n"} {
			s := NewSection(heading + text)
			if got := s.Count(); got != want {
				t.Errorf("%s%s: %q, want %q", heading, text, got, want)
			}
		}
	}
}

func TestSoughtSteps(t *testing.T) {
	t.Parallel()
	for text, line := range map[string]string{
		"HIGH: one":  "1. HIGH: one\n",
		"one":        "2) [ ] HIGH: one\n",
		"a_b `c":     "- ☐ a\\_b `c\n",
		"None of it": "- None of it\n",
	} {
		if lineIn("## Next Steps\n\n"+line, Plain(text)) != 2 {
			t.Errorf("%q is not %q: %q, %q", text, line, Plain(text), Plain(line))
		}
	}
}

func TestTodosDrawn(t *testing.T) {
	t.Parallel()
	const text = "First:\n\n1. [ ] HIGH: one\n   and more\n   - a detail\n- [✓] two\n\n- None\n"
	lines := drawTodos(text, 40, 40, render.NewStyles(render.None), nil)
	want := []string{"First:", "", "high one and more", "", "- a detail", "", "✓ two", "", "- None"}
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(ansi.Strip(lines[i])), " ")
	}
	if !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// TestLongSections: a section of several messages continues until the next heading.
func TestLongSections(t *testing.T) {
	t.Parallel()
	var msgs []transcript.Message
	for i := range 213 {
		text := fmt.Sprintf("line %d\n", i)
		if i%100 == 0 {
			text = "## Key Files\n" + text
		}
		msgs = append(msgs, transcript.Message{Kind: transcript.Answer, Blocks: []transcript.Block{{Kind: transcript.BlockText, Text: text}}})
	}
	got := slices.Collect(Sections(slices.Values(msgs)))
	if len(got) != 3 || got[1].At != 100 || strings.Count(got[0].text, "\n") != 100 || !strings.HasSuffix(got[2].text, "line 211\nline 212\n") {
		t.Errorf("%d sections: %+v", len(got), got)
	}
}

func TestDrawFound(t *testing.T) {
	t.Parallel()
	list := slices.Values([]Section{NewSection("## Code Context\nsetClock()\n"), NewSection("## Key Files\njwt.go\n")})
	lines := Draw(list, &sessions.Row{}, 9, render.NewNeedle("clock"), talk.Options{Width: 40, Styles: render.NewStyles(render.None)})
	var got []string
	for _, line := range lines {
		got = append(got, strings.Join(strings.Fields(line), " "))
	}
	if want := []string{"▾ Code Context", "│ setClock()", "", "▸ Key Files"}; !slices.Equal(got, want) {
		t.Errorf("drawn %q, want %q", got, want)
	}
}
