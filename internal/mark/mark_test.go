package mark_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/continuo-tui/continuo/internal/mark"
)

// drawn describes each line of a text by a word: t (text), b (blank), c (code), m (comment) or the level of a
// heading. Further characters:
//   - "-" and the column of a list item's content
//   - ">" inside an item
//   - "(" where code or a comment opens
//   - "'" where a paragraph begins.
func drawn(s string) string {
	var r mark.Reader
	var words []string
	for raw := range strings.Lines(s) {
		l := r.Next(raw)
		word := string("tbcm"[l.Kind])
		if l.Level > 0 {
			word = fmt.Sprint(l.Level)
		}
		if l.Item > 0 {
			word += fmt.Sprint("-", l.Column)
		}
		for _, sign := range []struct {
			is   bool
			sign string
		}{{l.Nested, ">"}, {l.Opens, "("}, {l.Fresh && l.Kind == mark.Text, "'"}} {
			if sign.is {
				word += sign.sign
			}
		}
		words = append(words, word)
	}
	if r.Inside() {
		words = append(words, "...")
	}
	return strings.Join(words, " ")
}

func blocks() map[string]string {
	return map[string]string{
		"":                                 "",
		"a\nb\n\nc":                        "t' t b t'",
		"# a\n## b ##\n####### c\n#d\n":    "1' 2 t t",
		"   # a\n    # b\n":                "1' t",
		"```go\n# a\n~~~\n``\n```\nb":      "c( c c c c t'",
		"````\n```\n`````\n# a":            "c( c c 1'",
		"``` a`\n# b\n":                    "t' 1",
		"~~~ a`\n# b\n":                    "c( c ...",
		"a\n  ```\n  x\n    ```\n```  \nb": "t' c( c c c t'",
		"- a\n  b\nc\n":                    "t-2' t> t",
		"1. a\n   - b\n     c\n10) d\n1x\n1234567890. e": "t-3' t-5> t> t-4 t t",
		"- ```\n  # a\n  ```\n# b\n":                     "t-2(' c> c> 1'",
		"- ```\n  a\n# b\n":                              "t-2(' c> 1'",
		"- a\n\n  # b\n\n# c\n":                          "t-2' b t>' b 1'",
		"-\ta\n\tb\n":                                    "t-4' t>",
		"-     a\n- \n-\n":                               "t-2' t-2 t-2",
		"* * *\n- - a\n---\n":                            "t' t-2' t",
		"<!-- a\n# b\n\n--> c\n# d\n":                    "m( m m m 1'",
		"<!-- a -->\n<!-- b --> c\n<!--> d\n":            "m t' t",
		"a <!-- b\nc --> d\ne\n":                         "t' m t",
		"a <!-- b\n# c\n":                                "t' 1",
		"a <!-- b\n```\n# c\n":                           "t' c( c ...",
		"`a <!--` b\nc\n":                                "t' t",
		"a <!-- b\n\nc\n":                                "t' b t'",
		"a\r\n\r\n```\r\nb\r\n```\r\n# c\r\n":            "t' b c( c c 1'",
		"\xff\xfe\n\x00\n":                               "t' t",
	}
}

func TestNext(t *testing.T) {
	t.Parallel()
	for s, want := range blocks() {
		if got := drawn(s); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
	if got, want := drawn("> ```\n> # a\nb"), "t' t t"; got != want { // a quotation must be read as text
		t.Errorf("%s, want %s", got, want)
	}
	var r mark.Reader
	l := r.Next("\t# a b #\r\n")
	if l.Indent != 4 || l.At != 1 || l.End != 8 || l.Level != 0 {
		t.Errorf("%+v", l)
	}
	if l = r.Next("  12.  x\n"); l.Item != 7 || l.Column != 7 || l.Indent != 2 {
		t.Errorf("%+v", l)
	}
	if l = (&mark.Reader{}).Next("## a `b` ##"); l.Title != "a `b`" {
		t.Errorf("%+v", l)
	}
}

// TestJudge checks that this package and goldmark find the same code lines, and the same headings at the margin.
func TestJudge(t *testing.T) {
	t.Parallel()
	for s := range blocks() {
		var r mark.Reader
		var got strings.Builder
		inside := false
		for raw := range strings.Lines(s) {
			l := r.Next(raw)
			if l.Level > 0 {
				fmt.Fprintln(&got, l.Level, l.Title)
			}
			if l.Kind == mark.Code && inside && r.Inside() {
				fmt.Fprintln(&got, "code", strings.TrimSpace(raw))
			}
			inside = r.Inside()
		}
		if want := judged(s); got.String() != want {
			t.Errorf("%q:\n%swant\n%s", s, &got, want)
		}
	}
}

// judged returns the code lines and the headings at the margin that goldmark finds.
func judged(s string) string {
	var b strings.Builder
	src := []byte(s)
	doc := goldmark.New().Parser().Parse(text.NewReader(src))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // can't fail
		if h, ok := n.(*ast.Heading); ok && entering && h.Parent() == doc {
			fmt.Fprintln(&b, h.Level, strings.TrimSpace(string(h.Lines().Value(src))))
		}
		if c, ok := n.(*ast.FencedCodeBlock); ok && entering {
			for i := range c.Lines().Len() {
				seg := c.Lines().At(i)
				fmt.Fprintln(&b, "code", strings.TrimSpace(string(seg.Value(src))))
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// FuzzNext checks that the offsets of a Line are inside the line and don't depend on its line break.
func FuzzNext(f *testing.F) {
	for s := range blocks() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var with, without mark.Reader
		for raw := range strings.Lines(s) {
			l := with.Next(raw)
			if l.At > l.End || l.End > len(raw) || l.Item > l.End || l.Item != 0 && (l.Item <= l.At || l.Column <= l.Indent) {
				t.Fatalf("%q: %+v", raw, l)
			}
			if l.Level > 0 && (l.Kind != mark.Text || l.Nested || !strings.Contains(raw, l.Title)) || l.Opens && !with.Inside() {
				t.Fatalf("%q: %+v", raw, l)
			}
			if (l.Kind == mark.Blank) && strings.Trim(raw, " \t\r\n") != "" {
				t.Fatalf("%q is blank", raw)
			}
			if other := without.Next(strings.TrimSuffix(raw, "\n")); other != l {
				t.Fatalf("%q: %+v, without its line break %+v", raw, l, other)
			}
		}
	})
}
