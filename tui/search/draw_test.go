package search

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/tui/render"
)

// TestAround checks that a narrow line shows a match of each word of the query, wherever the words are in the
// snippet.
func TestAround(t *testing.T) {
	t.Parallel()
	const width = 30
	long := strings.Repeat("and so on ", 8)
	for text, want := range map[string]string{
		"the <leeway> of a <token>":                      "the <leeway> of a <token>",
		"the <leeway> " + long + "<leeway>":              "the <leeway> and so on and so on …",
		long + "the <leeway> of a <token>" + long:        "…on the <leeway> of a <token>and …",
		long + "the <leeway> " + long + "of a <token>. ": "…the <leeway>…a <token>. ",
		long + "the last words are a <leeway>":           "…the last words are a <leeway>",
		"字字字字字字字字字字字字字 <leeway> " + long:                 "…<leeway> and so on and so on a…",
	} {
		var plain strings.Builder
		var marks []query.Span
		for i, part := range strings.FieldsFunc(text, func(r rune) bool { return r == '<' || r == '>' }) {
			if start := plain.Len(); i%2 == 1 {
				marks = append(marks, query.Span{Start: start, End: start + len(part)})
			}
			plain.WriteString(part)
		}
		line, moved := around(plain.String(), marks, width)
		var got strings.Builder
		for _, s := range spans(line, moved, render.Text) {
			if s.Ink == render.Match {
				s.Text = "<" + s.Text + ">"
			}
			got.WriteString(s.Text)
		}
		if cut := ansi.Truncate(got.String(), width+2*len(moved), "…"); cut != want {
			t.Errorf("%q is %q, want %q", text, cut, want)
		}
	}
}

// TestScrolled checks that the pane shows the start of the matching message or, if the match is far below this start, the
// match.
func TestScrolled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shown
		want int
	}{
		{shown{first: 0, match: 0}, 0},
		{shown{first: 30, match: 34}, 25},
		{shown{first: 30, match: 70}, 65},
		{shown{first: 98, match: 99}, 80},
	} {
		p := pane{shown: c.shown}
		if got := p.scrolled(100, 20); got != c.want {
			t.Errorf("%+v is scrolled to %d, want %d", c.shown, got, c.want)
		}
	}
}
