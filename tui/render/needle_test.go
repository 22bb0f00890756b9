package render

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// TestLight: a match can span several styles. The text isn't changed.
func TestLight(t *testing.T) {
	t.Parallel()
	s := NewStyles(Dark)
	for _, line := range []string{
		"no lee here", "the leeway and the LEEWAY", s.Paint(Muted, "one lee") + s.Paint(Strong, "way two") + " leewayleeway", "İleeway", "予leeway予",
	} {
		got := NewNeedle("leeway").Light(line, s)
		if ansi.Strip(got) != ansi.Strip(line) {
			t.Errorf("%q became %q", ansi.Strip(line), ansi.Strip(got))
		}
		want := strings.Count(strings.ToLower(ansi.Strip(line)), "leeway")
		if len(strings.ToLower(ansi.Strip(line))) != len(ansi.Strip(line)) {
			want = 0 // offsets in the lower-case text differ, so nothing is highlighted
		}
		if n := strings.Count(got, s.on[Match]); n != want {
			t.Errorf("%d highlighted matches in %q, want %d", n, got, want)
		}
	}
	if got := NewNeedle("way").Light(s.Paint(Muted, "leeway on"), s); !strings.HasSuffix(got, reset+s.on[Muted]+" on"+reset) {
		t.Errorf("the style does not continue after the match: %q", got)
	}
}

// TestNeedleOfWords: each word decides whether its case matters.
func TestNeedleOfWords(t *testing.T) {
	t.Parallel()
	s := NewStyles(Dark)
	n := NewNeedle("leeway", "", "Skew")
	got := n.Light("A Leeway against skew and Skew, leeway.", s)
	mark := func(text string) string { return reset + s.on[Match] + text + reset }
	if want := "A " + mark("Leeway") + " against skew and " + mark("Skew") + ", " + mark("leeway") + "."; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if n.In("nothing") || !n.In("Skew") || (Needle{}).In("") {
		t.Error("In is wrong")
	}
}
