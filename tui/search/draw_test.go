package search

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/sessions/search"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// TestAround: a narrow line shows a match of each word of the query.
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

func TestInked(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`leeway "30 s" -ldap `: `leeway <"30 s"> <-ldap >`,
		`-"a b" c`:             `<-"a b"> c`,
		`"open quote`:          `<"open quote>`,
		`Project:tea a:b`:      `<Project:tea >a:b`,
		`/re/ - `:              `</re/ >- `,
	} {
		got := ""
		for _, s := range inked(text) {
			if s.Ink == render.Accent {
				s.Text = "<" + s.Text + ">"
			}
			got += s.Text
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestDrawAround: the calls of the matching message are drawn. The calls around the message are one line.
func TestDrawAround(t *testing.T) {
	t.Parallel()
	answer := func(text string, calls ...string) transcript.Message {
		m := transcript.Message{Kind: transcript.Answer}
		if text != "" {
			m.Blocks = append(m.Blocks, transcript.Block{Kind: transcript.BlockText, Text: text})
		}
		for _, id := range calls {
			m.Blocks = append(m.Blocks, transcript.Block{Kind: transcript.BlockToolUse, ID: id, Name: "Read"},
				transcript.Block{Kind: transcript.BlockToolResult, CallID: id, Text: "Found " + id + "."})
		}
		return m
	}
	near := search.Nearby{At: 3, Messages: []transcript.Message{
		answer("I look.", "a", "b"), answer("", "c"), answer("I found it."), answer("The leeway is 30 s.", "d"), answer("", "e"),
	}}
	s := drawAround(&near, []string{"leeway"}, talk.Options{Width: 50, Left: 2, Styles: render.NewStyles(render.None)})
	var got []string
	for _, line := range s.lines {
		if line = strings.Trim(ansi.Strip(line), " ▌"); line != "" {
			got = append(got, strings.Join(strings.Fields(line), " "))
		}
	}
	want := []string{"I look.", "▸ 3 steps", "I found it.", "The leeway is 30 s.", "▸ Read ✓ 1 line", "▸ 1 step"}
	if !slices.Equal(got, want) {
		t.Errorf("drawn is %q, want %q", got, want)
	}
}

// TestScrolled: the pane shows the start of the matching message. If the match is far below, the pane shows the match.
func TestScrolled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		shown
		blank int // a blank line
		want  int
	}{
		{shown{first: 0, match: 0}, 0, 0},
		{shown{first: 30, match: 34}, 0, 25},
		{shown{first: 30, match: 34}, 26, 27},
		{shown{first: 30, match: 34}, 29, 25},
		{shown{first: 30, match: 70}, 0, 65},
		{shown{first: 98, match: 99}, 0, 80},
	} {
		lines := slices.Repeat([]string{"text"}, 100)
		lines[c.blank] = ""
		p := pane{shown: c.shown}
		if got := p.scrolled(lines, 20); got != c.want {
			t.Errorf("%+v is scrolled to %d, want %d", c, got, c.want)
		}
	}
}
