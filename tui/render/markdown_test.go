package render

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

const markdownSource = "The check compares **whole days**, and `a &lt; b` disagrees:\n\n" +
	"1. `Exp` is UTC, but `Check` truncates *local* time, so late tokens look a day old; more of it;\n" +
	"2. there is no leeway\n   - nested\n   ```\n   re := `\\d+\\.x` &#27; &amp;\n   ```\n\n" +
	"Use <Foo> and &#27;[31m and &#x1b;[8m and [docs](https://x.y/z).\n\n" +
	"```go\nfunc Test(t *testing.T) {\n\tclock := at(\"2026\\n\")  // &amp; one, and a comment that is too long for the line\n}\n```\n" +
	"# Head\ntext &copy; under\n> quote\n> two\n\n| a | b |\n|---|---|\n| 1 | two |\n\n---\n\n- [ ] todo\n- [x] done\n\n" +
	"<details>\n<summary>S</summary>\nbody\n</details>\n\nhttps://example.com/a_b ![alt](i.png) ~~gone~~\n\n    indented \\* code\n\n~~~\nopen"

func TestMarkdown(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, width := range []int{70, 30} {
		b.WriteString(strings.Join(Markdown(markdownSource, width, width+10, NewStyles(None)), "\n") + "\n" + strings.Repeat("=", width) + "\n")
	}
	golden(t, "markdown", b.String())
}

// TestMarkdownLosesNothing: every word of the source is there, whatever the renderer does to its marks.
func TestMarkdownLosesNothing(t *testing.T) {
	t.Parallel()
	got := strings.Join(Markdown(markdownSource, 300, 300, NewStyles(None)), "\n")
	for _, want := range []string{
		"`a &lt; b`", `re := ` + "`\\d+\\.x`" + ` &#27; &amp;`, "<Foo>", "&#27;[31m", "&#x1b;[8m", "https://x.y/z", `at("2026\n")  // &amp; one`,
		"<details>", "<summary>S</summary>", "</details>", "https://example.com/a_b", "i.png", "gone", `indented \* code`, "open", "©",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in:\n%s", want, got)
		}
	}
}

// TestMarkdownReferences: a text with link definitions is not taken apart, so they are found.
func TestMarkdownReferences(t *testing.T) {
	t.Parallel()
	got := strings.Join(Markdown("See [this][1].\n\n```\na \\. b\n```\n\n[1]: https://example.com/one\n", 80, 80, NewStyles(None)), "\n")
	for _, want := range []string{"https://example.com/one", `a \. b`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in:\n%s", want, got)
		}
	}
}

func TestMarkdownStaysPlain(t *testing.T) {
	t.Parallel()
	for name, got := range map[string][]string{
		"long":   Markdown(strings.Repeat("x", MaxMarkdown+1), 80, 80, NewStyles(Dark)),
		"narrow": Markdown("x", 3, 3, NewStyles(Dark)),
		"blank":  Markdown(" \n", 80, 80, NewStyles(Dark)),
	} {
		if got != nil {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// FuzzMarkdown: whatever the text is, no line is too wide and nothing but text and styles comes out.
func FuzzMarkdown(f *testing.F) {
	f.Add(markdownSource, uint8(70))
	f.Add("&#27&#x9b;31m&NewLine;&Tab;x\r\x1b[2J\u009b", uint8(20))
	f.Add("| a |\n|---|---|\n| 預約 | b | c |", uint8(9))
	f.Add("[a][b]\n```\n[b]: x\n```\n[b]: y \"\x1b\"", uint8(40))
	f.Add("<!-- x", uint8(40))
	f.Fuzz(func(t *testing.T, text string, width uint8) {
		for _, theme := range []Theme{None, Dark} {
			for _, line := range Markdown(text, int(width), int(width), NewStyles(theme)) {
				if w := ansi.StringWidth(line); w > int(width) {
					t.Fatalf("%d cells, %d asked for: %q", w, width, line)
				}
				if bad := unsafe(line); bad != "" || theme == None && strings.Contains(line, "\x1b") {
					t.Fatalf("%q comes through: %q", bad, line)
				}
			}
		}
	})
}

// TestMarkdownLists: the lines of an item hang below its text, and each of its paragraphs begins on its own line.
func TestMarkdownLists(t *testing.T) {
	t.Parallel()
	src := "- an item that is longer than the line\n  and its second line\n  - nested and also longer than that\n\n    Its paragraph.\n\n" +
		"12. twelve and more than there is room for\n\n> - quoted and longer than the line is\n"
	want := `• an item that is
  longer than the line
  and its second line
  • nested and also
    longer than that
    Its paragraph.

12. twelve and more
    than there is room
    for

│
│ • quoted and longer
│   than the line is`
	if got := strings.Join(Markdown(src, 22, 22, NewStyles(None)), "\n"); got != want {
		t.Errorf("got:\n%s", got)
	}
}
