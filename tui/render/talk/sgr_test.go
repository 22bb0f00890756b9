package talk

import (
	"fmt"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

func TestColors(t *testing.T) {
	t.Parallel()
	names := map[render.Ink]string{
		render.Text: "", render.Strong: "strong", render.Bad: "bad", render.BadBold: "bad bold", render.Good: "good", render.GoodBold: "good bold",
		render.Warn: "warn", render.Urgent: "urgent", render.Accent: "accent", render.AccentBold: "accent bold", render.Keyword: "keyword", render.Faint: "faint",
	}
	for _, c := range []struct{ lines, want string }{
		{"plain", "none"},
		{"\x1b[31mred\x1b[0m x", "bad:red|: x"},
		{"\x1b[1;92mgood\x1b[22m less\x1b[m x", "good bold:good|good: less|: x"},
		{"\x1b[33ma\nb\x1b[39mc", "warn:a/warn:b|:c"},
		{"\x1b[1ma\x1b[36mb\x1b[1;33mc", "strong:a|accent bold:b|urgent:c"},
		{"\x1b[38;5;9ma\x1b[48;5;2mb\x1b[38;5;200mc\x1b[38;2;1;2;31md", "bad:a|bad:b|:c|:d"},
		{"\x1b[35ma\x1b[90mb\x1b[7;4mc", "keyword:a|faint:b|faint:c"},
		{"a\x1b[2Kb\x1b[32mc", ":ab|good:c"},
		{"\x1b]0;title\x07\x1b[31mx", "bad:x"},
		{"\x1b\x1b[31m[2Jx", "bad:[2Jx"},
		{"\x1b[3\x1b[31m1mx", "bad:1mx"},
		{"\x1b[>4;1mx", ":x"},
	} {
		g := noColors()
		var got []string
		for line := range strings.SplitSeq(c.lines, "\n") {
			spans := g.spans(line)
			list := []string{}
			for _, s := range spans {
				list = append(list, names[s.Ink]+":"+s.Text)
			}
			if spans == nil {
				list = []string{"none"}
			}
			got = append(got, strings.Join(list, "|"))
		}
		if got := strings.Join(got, "/"); got != c.want {
			t.Errorf("%q: %s, want %s", c.lines, got, c.want)
		}
	}
}

// TestColoredResult: the colours of a result become inks of the theme.
func TestColoredResult(t *testing.T) {
	t.Parallel()
	m := called("Bash", object{"command": "make"}, &transcript.Block{Text: "\x1b[31mFAIL\x1b[0m of \x1b[1ma\x1b[m\x1b[2J"})
	for _, theme := range []render.Theme{render.Dark, render.Light16, render.Mono} {
		o := Options{Width: 60, Styles: render.NewStyles(theme), Folds: foldAll(Open)}
		line := Draw(&m, Start, o).Lines[1]
		ink := o.Styles.Paint
		if want := ink(render.Bad, "FAIL") + ink(render.Muted, " of ") + ink(render.Strong, "a"); !strings.HasSuffix(line, want) {
			t.Errorf("theme %d: %q, want %q", theme, line, want)
		}
	}
}

func FuzzColors(f *testing.F) {
	for _, seed := range []string{"\x1b[31mred\x1b[0m", "\x1b\x1b[31m[2J", "\x1b[38;5;9", "\x1b]0;\x1b[31m\x07", "\u009b31m\xc3\x1b[31m\xa4", "\x1b[1m\r\x1b[31m\u2028x\tx"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g := noColors()
		for line := range strings.SplitSeq(text, "\n") {
			spans := g.spans(line)
			if spans == nil {
				continue
			}
			if want := strings.ReplaceAll(render.Untab(transcript.Clean(line)), "\n", " "); !render.HasText(spans, want) {
				t.Fatalf("%q is %v, want %q", line, fmt.Sprint(spans), want)
			}
		}
	})
}
