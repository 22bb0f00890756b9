package render

import (
	"slices"
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

// TestMarkdownReferences: a text with link definitions isn't split, so its links keep their targets.
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

// TestMarkdownLimits: a text isn't rendered as markdown if this would take seconds.
func TestMarkdownLimits(t *testing.T) {
	t.Parallel()
	r := strings.Repeat
	wide := "|" + r("a|", 500) + "\n|" + r("-|", 500) + "\n"
	for name, c := range map[string]struct {
		text     string
		unparsed bool
	}{
		"quotes":        {text: r(">", 200) + "a"},
		"lists":         {text: r("- ", 100) + "a"},
		"both":          {text: r("> - ", 8) + "a"},
		"indented":      {text: "- a\n" + r(" ", 2) + r("- ", 12) + "a"},
		"headings":      {text: r("# a\n", 8000)},
		"items":         {text: r("- a\n", 8000)},
		"paragraphs":    {text: r("a\n\n", 8000)},
		"rows":          {text: "|a|\n|-|\n" + r("|b|\n", 8000)},
		"tables":        {text: r("|a|\n|-|\n|b|\n\n", 2000)},
		"definitions":   {text: r("a\n: b\n\n", 2000)},
		"deep emphasis": {text: r("*a **b ", 1000) + r("c** d* ", 1000)},
		"code spans":    {text: r("`a` ", 8000)},
		"addresses":     {text: r("www.a.b ", 4000)},
		"code in lists": {text: r("- ", 4) + "```\n" + r(r(" ", 8)+"a\n", 3200)},
		"links":         {text: r("[a](b)", 5000), unparsed: true},
		"open links":    {text: r("[a](", 8000), unparsed: true},
		"brackets":      {text: r("[", 10000), unparsed: true},
		"emphasis":      {text: r("*a_ ", 8000), unparsed: true},
		"cells":         {text: wide + r("|\n", 15000), unparsed: true},
		"quoted cells":  {text: "> " + strings.ReplaceAll(wide, "\n|-", "\n> |-") + r("> |\n", 7000), unparsed: true},
	} {
		if len(c.text) > MaxMarkdown {
			t.Errorf("%s: %d bytes are more than MaxMarkdown", name, len(c.text))
		}
		if got := splitSource(c.text); got != nil {
			t.Errorf("%s: %d parts would be rendered", name, len(got))
		}
		if got := Markdown(c.text, 80, 80, NewStyles(Dark)); got != nil {
			t.Errorf("%s: %d lines", name, len(got))
		}
		if isCostly(c.text) != c.unparsed {
			t.Errorf("%s: costly to parse: %v", name, !c.unparsed)
		}
	}
	for name, text := range map[string]string{
		"quotes":   r("> ", 8) + "a",
		"lists":    r("- ", 4) + "a",
		"headings": r("# a head\n\nand its text\n\n", 200),
		"items":    r("- an item with `code` in it\n", 300),
		"a table":  "|a|b|c|\n|-|-|-|\n" + r("|a|b|c|\n", 150),
		"links":    r("[a](https://example.com/b)\n", 400),
		"code":     "```\n" + r("a[i] = *b | c_d\n", 1900) + "```\n",
		"prose":    r("words and words, ", 1900),
	} {
		if Markdown(text, 80, 80, NewStyles(Dark)) == nil {
			t.Errorf("%s: stays plain", name)
		}
	}
}

// FuzzMarkdown checks, for any text, that no line is too wide and that lines have only text and styles.
func FuzzMarkdown(f *testing.F) {
	f.Add(markdownSource, uint8(70))
	f.Add("&#27&#x9b;31m&NewLine;&Tab;x\r\x1b[2J\u009b", uint8(20))
	f.Add("| a |\n|---|---|\n| 預約 | b | c |", uint8(9))
	f.Add("[a][b]\n```\n[b]: x\n```\n[b]: y \"\x1b\"", uint8(40))
	f.Add("<!-- x", uint8(40))
	f.Fuzz(func(t *testing.T, text string, width uint8) {
		if len(text) > 4<<10 {
			t.Skip("long texts take the fuzzer too long; TestMarkdownLimits tests them")
		}
		for _, theme := range []Theme{None, Dark} {
			for _, line := range Markdown(text, int(width), int(width), NewStyles(theme)) {
				if w := ansi.StringWidth(line); w > int(width) {
					t.Fatalf("%d cells, %d asked for: %q", w, width, line)
				}
				if bad := unsafe(line); bad != "" || theme == None && strings.Contains(line, "\x1b") {
					t.Fatalf("%q isn't removed: %q", bad, line)
				}
			}
		}
	})
}

// TestMarkdownLists checks that all lines of an item are indented to its text, and that each paragraph starts on a new
// line.
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

// TestMarkdownTasks checks the glyph of an open task and the indentation of its continuation lines.
func TestMarkdownTasks(t *testing.T) {
	t.Parallel()
	got := Markdown("- [ ] one two three four five six\n- [x] done\n", 24, 24, NewStyles(None))
	want := []string{"○ one two three four", "  five six", "✓ done"}
	for i := range got {
		got[i] = strings.TrimRight(got[i], " ")
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, line := range got {
		if s := ASCII(line); strings.ContainsFunc(s, func(r rune) bool { return r > 0x7e }) {
			t.Errorf("ASCII: %q", s)
		}
	}
}
