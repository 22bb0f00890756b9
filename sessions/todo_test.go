package sessions

import (
	"slices"
	"strings"
	"testing"
)

func TestParseTodo(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]Todo{
		"- [ ] HIGH: one":               {Text: "one", Priority: "high"},
		"  * [X] low: one\r\n":          {Text: "one", Priority: "low", Done: true},
		"1. [ ] HIGH: one":              {Text: "one", Priority: "high"},
		"12) [x] one":                   {Text: "one", Done: true},
		"- [✓] one":                     {Text: "one", Done: true},
		"- ✔️ **BLOCKED**: one":         {Text: "one", Priority: "blocked", Done: true},
		"+ ☐ Medium: `a*b` and **two**": {Text: "a*b and two", Priority: "medium"},
		"- one":                         {Text: "one"},
		"- [-] one\x1b[31m":             {Text: "one"},
		"- [docs](x.md)":                {Text: "[docs](x.md)"},
		"- None":                        {},
		"- [ ] HIGH: none":              {},
		"- [What is left]":              {},
		"- [ ]":                         {},
		"-one":                          {},
		"one":                           {},
		"":                              {},
	} {
		if got, ok := ParseTodo(line); ok != (want != Todo{}) || ok && got != want {
			t.Errorf("%q: %+v, %v", line, got, ok)
		}
	}
	if got, _ := ParseTodo("- [ ] " + strings.Repeat("ä", 600)); len(got.Text) != 1000 {
		t.Errorf("%d bytes", len(got.Text))
	}
}

// TestListReader: B is a line that begins an entry, G a line that continues it.
func TestListReader(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"lists":   "|text|B- one|G more|Gand more|||no more|B2. two|---||no",
		"nested":  "B- one| |  - a detail|  of it|B  - [ ] two|B- three",
		"deeper":  "B  - one|B  - two|B - three",
		"hidden":  "B- one|```|- no|```|no|<!--|- no|-->|B- two|~~~|- no",
		"cut off": "B- one|### More|no|B- two|> no|no|B- three|G#no heading",
	} {
		var r ListReader
		var got []string
		for _, line := range strings.Split(text, "|") {
			line = strings.TrimPrefix(strings.TrimPrefix(line, "B"), "G")
			_, is := r.Next(line)
			got = append(got, [...]string{LineElse: "", LineBegins: "B", LineGoesOn: "G"}[is]+line)
		}
		if want := strings.Split(text, "|"); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestOpenTodos(t *testing.T) {
	t.Parallel()
	if n := OpenTodos([]Todo{{Text: "a"}, {Text: "b", Done: true}, {Text: "c"}}); n != 2 {
		t.Error(n)
	}
}
