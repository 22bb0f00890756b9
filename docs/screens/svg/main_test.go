package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// convert returns the SVG of a screen of 20 columns.
func convert(t *testing.T, screen string, flags ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(append([]string{"-cols", "20", "-title", "a & b"}, flags...), strings.NewReader(screen), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	dec := xml.NewDecoder(strings.NewReader(out.String()))
	for {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			return out.String()
		} else if err != nil {
			t.Fatalf("invalid XML: %v\n%s", err, out.String())
		}
	}
}

func TestPicture(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, screen string
		want         []string
		not          string
	}{
		{"size and page", "a\nb\n\n", []string{`width="196" height="64" viewBox="0 0 196 64"`, `fill="#14161a"/>`, "<title>a &amp; b</title>"}, ""},
		{"a run", "ab c", []string{`<text x="0" y="13.5" textLength="33.6">ab c</text>`}, ""},
		{"blanks are left out", "  ab   cd ", []string{`<text x="16.8" y="13.5" textLength="16.8">ab</text>`, `<text x="58.8" y="13.5" textLength="16.8">cd</text>`}, ""},
		{"the second row", "\n x", []string{`<text x="8.4" y="31.5" textLength="8.4">x</text>`}, ""},
		{"markup", "a<b>&c", []string{">a&lt;b&gt;&amp;c</text>"}, ""},
		{"colour of 24 bits", "\x1b[38;2;124;196;228mx", []string{` fill="#7cc4e4">x<`}, ""},
		{"ground", "a\x1b[48;2;34;39;47mbc\x1b[49md", []string{`<rect x="8.4" y="0" width="16.8" height="18" fill="#22272f"/>`}, ""},
		{"ground of blanks", "\x1b[41m  \x1b[0m", []string{`width="16.8" height="18" fill="#cd0000"/>`}, "<text"},
		{"one of 16", "\x1b[31ma\x1b[94mb", []string{` fill="#cd0000">a<`, ` fill="#5c5cff">b<`}, ""},
		{"one of 256", "\x1b[38;5;16ma\x1b[38;5;196mb\x1b[38;5;244mc", []string{`#000000">a<`, `#ff0000">b<`, `#808080">c<`}, ""},
		{"bold, italic, underlined", "\x1b[1;3;4mx", []string{` font-weight="700" font-style="italic" text-decoration="underline">x<`}, ""},
		{"dim and struck", "\x1b[2;9mx", []string{` opacity=".6" text-decoration="line-through">x<`}, ""},
		{"switched off", "\x1b[1;2;3;4;7;9m\x1b[22;23;24;27;29mx", []string{`textLength="8.4">x<`}, ""},
		{"reset", "\x1b[1;31ma\x1b[mb", []string{`textLength="8.4">b<`}, ""},
		{"curly underline", "\x1b[4:3ma\x1b[4:0mb", []string{`"underline">a<`, `textLength="8.4">b<`}, ""},
		{"swapped", "\x1b[7mx", []string{`fill="#d3d7de"/>`, ` fill="#14161a">x<`}, ""},
		{"style goes over lines", "\x1b[31ma\nb", []string{` fill="#cd0000">b<`}, ""},
		{"wide characters stand alone", "a龍b", []string{`<text x="8.4" y="13.5" textLength="16.8">龍</text>`, `<text x="25.2" y="13.5" textLength="8.4">b</text>`}, ""},
		{"marks stay on their letter", "cre\u0300me", []string{"textLength=\"42\">cre\u0300me<"}, ""},
		{"lines are paths", "─│", []string{`<path d="M4.2 9h-4.2M4.2 9h4.2" stroke="#d3d7de" stroke-width="1"/>`, `<path d="M12.6 9v-9M12.6 9v9"`}, "<text"},
		{"heavy lines and the bar", "\x1b[2m┃▌", []string{`stroke-width="3" opacity=".6"/>`, `<path d="M10.4 0v18" stroke="#d3d7de" stroke-width="4"`}, "<text"},
		{"what is too far right is left out", strings.Repeat("x", 25), []string{strings.Repeat("x", 20) + "<"}, strings.Repeat("x", 21)},
		{"other sequences are left out", "\x1b]8;;https://x\x1b\\a\x1b]8;;\x1b\\\x1b[2Kb\x0f", []string{">ab<"}, "https"},
		{"unknown parameters are left out", "\x1b[53;38;9;1mx", []string{`textLength="8.4">x<`}, ""},
		{"nothing", "", []string{`height="46"`}, "<text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := convert(t, tt.screen)
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("%s is missing in\n%s", want, got)
				}
			}
			if tt.not != "" && strings.Contains(got, tt.not) {
				t.Errorf("unexpected %s in\n%s", tt.not, got)
			}
		})
	}
}

func TestFlags(t *testing.T) {
	t.Parallel()
	if got := convert(t, "x", "-page", "#fbfaf7", "-ink", "#2b2f36"); !strings.Contains(got, `fill="#fbfaf7"`) || !strings.Contains(got, `<g fill="#2b2f36"`) {
		t.Error(got)
	}
	for _, args := range [][]string{{"-cols", "0"}, {"-cols", "x"}, {"more"}} {
		if err := run(args, strings.NewReader(""), io.Discard, io.Discard); err == nil {
			t.Errorf("no error for the arguments %q", args)
		}
	}
}
