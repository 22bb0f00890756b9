package talk

import (
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// written returns the lines of a change, each with its sign.
func written(c fileDiff) string {
	var b strings.Builder
	for l := range c.lines() {
		b.WriteString(string(l.sign) + l.text + "|")
	}
	return strings.TrimSuffix(b.String(), "|")
}

func TestEditLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, old, new, want, counts string }{
		{"a line", "a", "b", "−a|+b", "+1 −1"},
		{"among others", "1\n2\n3\n4\na\n5\n6\n7\n8\n", "1\n2\n3\n4\nb\n5\n6\n7\n8\n", " 4|−a|+b| 5", "+1 −1"},
		{"the first", "a\nz", "b\nz", "−a|+b| z", "+1 −1"},
		{"the last", "a\ny", "a\nz", " a|−y|+z", "+1 −1"},
		{"from nothing", "", "a\n\nb", "+a|+|+b", "+3 −0"},
		{"to nothing", "a\nb\n", "", "−a|−b", "+0 −2"},
		{"one more of the same", "a\na\n", "a\na\na\n", " a|+a", "+1 −0"},
		{"one less of the same", "x\nx\nx", "x\nx", " x|−x", "+0 −1"},
		{"a line that ends as another", "xab\nz", "ab\nz", "−xab|+ab| z", "+1 −1"},
		{"a line that begins as another", "ab", "abc", "−ab|+abc", "+1 −1"},
		{"only the last line break", "a", "a\n", " a", "+0 −0"},
		{"CR", "a\r\nb", "a\r\nc", " a\r|−b|+c", "+1 −1"},
	} {
		ch := fileDiff{Diff: transcript.Diff{Edits: []transcript.Edit{{Old: c.old, New: c.new}}}}
		if got := written(ch); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := spell(ch.spans()); got != c.counts {
			t.Errorf("%s: %q, want %q", c.name, got, c.counts)
		}
	}
}

func spell(spans []render.Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

func TestPatchLines(t *testing.T) {
	t.Parallel()
	hunk := func(old, with int, lines ...string) transcript.Hunk {
		return transcript.Hunk{OldStart: old, NewStart: with, Lines: lines}
	}
	cut := hunk(1, 1, "+a")
	cut.NewLines = 7000
	for _, c := range []struct {
		name         string
		hunks        []transcript.Hunk
		want, counts string
		digits       int
	}{
		{"signs", []transcript.Hunk{hunk(9, 9, " a", "-b", "", "odd", "+c", `\ No newline`)}, ` a|−b| | odd|+c|\No newline`, "+1 −1", 4},
		{"far from the change", []transcript.Hunk{hunk(9, 9, " 1", " 2", "-a", " 3", " 4")}, " 2|−a| 3", "+0 −1", 4},
		{"two hunks", []transcript.Hunk{hunk(1, 1, "-a"), hunk(12345, 12344, "+b")}, "−a|…|+b", "+1 −1", 5},
		{"cut", []transcript.Hunk{cut}, "+a", "+1 −0 …", 4},
		{"numbers nobody believes", []transcript.Hunk{hunk(1<<60, 1, "+b")}, "+b", "+1 −0", 0},
		{"negative numbers", []transcript.Hunk{hunk(1, -1<<60, "+b")}, "+b", "+1 −0", 0},
		{"no lines", []transcript.Hunk{hunk(0, 0)}, "", "+0 −0", 4},
	} {
		ch := fileDiff{Diff: transcript.Diff{Hunks: c.hunks}}
		if got := written(ch); got != c.want || ch.digits() != c.digits {
			t.Errorf("%s: %q with %d digits, want %q with %d", c.name, got, ch.digits(), c.want, c.digits)
		}
		if got := spell(ch.spans()); got != c.counts {
			t.Errorf("%s: %q, want %q", c.name, got, c.counts)
		}
	}
	var got []int
	for l := range (fileDiff{Diff: transcript.Diff{Hunks: []transcript.Hunk{hunk(7, 9, " a", "-b", "+c", " d")}}}).lines() {
		got = append(got, l.old, l.new)
	}
	if want := []int{7, 9, 8, 0, 0, 10, 9, 11}; !slices.Equal(got, want) {
		t.Errorf("numbers %v, want %v", got, want)
	}
}

// TestDiffGround: only changed lines have a background. It extends to the right edge.
func TestDiffGround(t *testing.T) {
	t.Parallel()
	m := called("Edit", object{"file_path": "x", "old_string": "a\nb", "new_string": "a\nc"}, &transcript.Block{})
	for theme, grounds := range map[render.Theme][2]string{render.Dark: {"48;2;44;28;31m", "48;2;23;39;29m"}, render.Light: {"48;2;250;229;227m", "48;2;227;242;227m"}, render.Mono: {}} {
		d := Draw(&m, Start, Options{Width: 50, Left: 2, Styles: render.NewStyles(theme), Folds: foldAll(Open)})
		if strings.Contains(d.Lines[0]+d.Lines[1], "48;") {
			t.Errorf("theme %d: an unchanged line has a background", theme)
		}
		for i, ground := range grounds {
			line := d.Lines[2+i]
			if ground == "" && strings.Contains(line, "48;") || ground != "" && (!strings.Contains(line, ground) || !strings.HasSuffix(line, strings.Repeat(" ", 41)+"\x1b[m")) {
				t.Errorf("theme %d: %q", theme, line)
			}
		}
	}
}
