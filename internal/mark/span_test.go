package mark

import (
	"strings"
	"testing"
)

// TestSpans: a span ends at the next run of backticks of the same length.
func TestSpans(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                      "",
		"no":                    "",
		"`a` b `c`":             "a|c",
		"``a`b`` `c`":           "a`b|c",
		"``a `b` c":             "b",
		"`a ``b` ``":            "a ``b",
		"```a `b`` c``` `":      "a `b`` c",
		"`a":                    "",
		"`a`` ```b``` ` ``` ``": "a`` ```b``` ",
	} {
		var got []string
		for s := range Spans(text) {
			got = append(got, text[s.Lo:s.Hi])
			for at := range text[s.At:s.End] {
				if at += s.At; InSpan(text, at) != (at >= s.Lo && at < s.Hi) {
					t.Errorf("byte %d of %q", at, text)
				}
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("spans of %q are %q, want %q", text, got, want)
		}
	}
}

// TestWork checks that a text of unclosed runs of backticks is read only a few times.
func TestWork(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for n := 1; b.Len() < 64<<10; n++ {
		b.WriteString(strings.Repeat("`", n) + " ")
	}
	work := 0
	for s := range spans(b.String(), &work) {
		t.Errorf("%+v", s)
	}
	if work > 4*b.Len() {
		t.Errorf("%d bytes were read for %d", work, b.Len())
	}
}
