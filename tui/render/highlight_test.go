package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// inked returns spans as text. A span with a syntax ink is the ink's letter and the text in ‹›.
func inked(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		if letter := map[Ink]string{Keyword: "k", String: "s", Number: "n", Comment: "c", Good: "+", Bad: "-"}[s.Ink]; letter != "" {
			fmt.Fprintf(&b, "%s‹%s›", letter, s.Text)
		} else {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

func TestHighlight(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, code, want string }{
		{"go", `if x := f("a", 1); x { return nil } // why`, `k‹if› x := f(s‹"a"›, n‹1›); x { k‹return› k‹nil› } c‹// why›`},
		{"/home/ada/a.go", "/* a\nb */\nvar x", "c‹/* a›|c‹b */›|k‹var› x"},
		{`C:\x\a.py`, "def f():\n    \"\"\"Doc.\"\"\"", "k‹def› f():|    s‹\"\"\"Doc.\"\"\"›"},
		{"n.ipynb", "def f(): pass", "k‹def› f(): k‹pass›"},
		{"Makefile", "a:\n\techo", "a:|\techo"},
		{"json", `{"a": 1}`, `{k‹"a"›: n‹1›}`},
		{"diff", "-a\n+b", "-‹-a›|+‹+b›"},
		{"go", "", ""},
		{"", "if x", ""},
		{"text", "if x", ""},
		{"no such language", "if x", ""},
		{"/x/README", "if x", ""},
	} {
		lines := strings.Split(c.code, "\n")
		out := Highlight(c.name, lines, lines)
		if out == nil {
			if c.want != "" {
				t.Errorf("%s: %q stays plain", c.name, c.code)
			}
			continue
		}
		var got []string
		for _, spans := range out[1] {
			got = append(got, inked(spans))
		}
		if got := strings.Join(got, "|"); got != c.want {
			t.Errorf("%s: %q\n%s, want\n%s", c.name, c.code, got, c.want)
		}
	}
}

// TestHighlightLimits: a long block isn't lexed, and a long line isn't either.
func TestHighlightLimits(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("x", 1023)
	block := slices.Repeat([]string{line}, maxCode/1024)
	if Highlight("go", block) == nil {
		t.Error("32 KB stay plain")
	}
	if Highlight("go", block, []string{""}) != nil {
		t.Error("more than 32 KB are lexed")
	}
	long := `"` + strings.Repeat("a", maxCodeLine)
	out := Highlight("go", []string{"if", long, "if"})
	if got := inked(out[0][0]) + inked(out[0][2]); len(out[0][1]) != 1 || out[0][1][0] != (Span{Text, long}) || got != "k‹if›k‹if›" {
		t.Errorf("around a long line: %s", got)
	}
}

func FuzzHighlight(f *testing.F) {
	for _, name := range []string{"go", "a.py", "a.html", "sh", "yaml", "console", "a.php", "http", "diff"} {
		f.Add(name, "if \"a\" # 'b\n/* \U0001f600 <?php\n\n1")
	}
	f.Fuzz(func(t *testing.T, name, code string) {
		if len(code) > 2<<10 {
			return
		}
		lines := strings.Split(strings.ToValidUTF8(strings.ReplaceAll(code, "\r", ""), ""), "\n")
		for _, text := range Highlight(name, lines) {
			if len(text) != len(lines) {
				t.Fatalf("%d lines of %d", len(text), len(lines))
			}
			for i, spans := range text {
				var b strings.Builder
				for _, s := range spans {
					b.WriteString(s.Text)
				}
				if b.String() != lines[i] {
					t.Fatalf("%q is %q", lines[i], b.String())
				}
			}
		}
	})
}

func TestRows(t *testing.T) {
	t.Parallel()
	line := []Span{{Keyword, "if"}, {Text, " a  "}, {String, "'b c'"}}
	for _, c := range []struct {
		rows []string
		want string
	}{
		{[]string{"if a  'b c'"}, "k‹if› a  s‹'b c'›"},
		{[]string{"if", "a", "'b", "c'"}, "k‹if›|a|s‹'b›|s‹c'›"},
		{[]string{"if a", "other", "c'"}, "k‹if› a|other|c'"},
		{[]string{"if a", "    'b", "    c'"}, "k‹if› a|    s‹'b›|    s‹c'›"},
		{[]string{""}, ""},
	} {
		var got []string
		for _, row := range Rows(c.rows, line, Text) {
			got = append(got, inked(row))
		}
		if got := strings.Join(got, "|"); got != c.want {
			t.Errorf("%q: %s, want %s", c.rows, got, c.want)
		}
	}
}

// TestMarkdownCode: the syntax inks of a code block don't change its text.
func TestMarkdownCode(t *testing.T) {
	t.Parallel()
	const text = "Run:\n\n```go\nif x { // " + "why and where and for whom\n\n\treturn \"a\"\n}\n```"
	want := strings.Join(Markdown(text, 24, 24, NewStyles(None)), "\n")
	for theme, keyword := range map[Theme]string{Dark: "\x1b[38;2;184;166;234m", Light: "\x1b[38;2;106;68;168m", Dark16: "\x1b[95m", Light16: "\x1b[35m", Mono: ""} {
		got := strings.Join(Markdown(text, 24, 24, NewStyles(theme).Highlighted(Highlight)), "\n")
		if ansi.Strip(got) != want {
			t.Errorf("theme %d:\n%s\nwant\n%s", theme, got, want)
		}
		if !strings.Contains(got, " "+keyword+"if") && !strings.Contains(got, keyword+"if") {
			t.Errorf("theme %d: no keyword %q in\n%q", theme, keyword, got)
		}
	}
}

func TestWrapIndented(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, want string }{
		{"  one two three four", "  one two|    three|    four"},
		{"\tif a {", "    if a {"},
		{"a\n  one two three", "a|  one two|    three"},
		{"            a b c", "      a b c"},
		{"one two elevenchars", "one two| elevenchars"},
		{"one two twelve-chars!!", "one two|  twelve-cha|  rs!!"},
		{"", ""},
	} {
		if got := strings.Join(WrapIndented(c.line, 12), "|"); got != c.want {
			t.Errorf("%q: %q, want %q", c.line, got, c.want)
		}
	}
	if got := WrapIndented("    数据库", 1); len(got) == 0 {
		t.Error("nothing in a width of 1")
	}
}
