package talk

import (
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

func worded(line string, list []bounds) string {
	var b strings.Builder
	at := 0
	for _, w := range list {
		b.WriteString(line[at:w.from] + "‹" + line[w.from:w.to] + "›")
		at = w.to
	}
	return b.String() + line[at:]
}

func TestChangedWords(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", maxWordLine/5)
	for _, c := range []struct{ old, new, want string }{
		{"if claims.Exp < now.Truncate(day).Unix() {", "if claims.Exp+leeway < now.UTC().Unix() {", "if claims.Exp < now.‹Truncate(day)›.Unix() {|if claims.Exp‹+leeway› < now.‹UTC()›.Unix() {"},
		{"if t.Exp < now.Truncate(day).Unix() {", "if t.Claims().Expired(now) {", "if t.‹Exp < now.Truncate(day).Unix()› {|if t.‹Claims().Expired(now)› {"},
		{"return a", "return a + b", "return a|return a ‹+ b›"},
		{"\tx := 1", "x := 1", "\tx := 1|x := 1"},
		{"größe = f(1)", "größen = f(1)", "‹größe› = f(1)|‹größen› = f(1)"},
		{"same", "same", "same|same"},
		{"one thing", "all of it differs", ""},
		{"", "", ""},
		{long + "a", long + "b", ""},
	} {
		old, with := strings.ReplaceAll(c.old, "\t", "    "), strings.ReplaceAll(c.new, "\t", "    ")
		removed, added, alike := changedWords(old, with)
		got := ""
		if alike {
			got = worded(old, removed) + "|" + worded(with, added)
		}
		if want := strings.ReplaceAll(c.want, "\t", "    "); got != want {
			t.Errorf("%q and %q: %s, want %s", c.old, c.new, got, want)
		}
	}
}

// TestMarkWords: each removed line is compared with the matching added line.
func TestMarkWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lines, want string }{
		{"-f(a)|+f(b)", "-f(‹a›)|+f(‹b›)"},
		{"-f(a)|+// new|+f(b)", "-f(‹a›)|+// new|+f(‹b›)"},
		{"-f(a)|-g(1, 2)|+f(b)|+g(1, 3)", "-f(‹a›)|-g(1, ‹2›)|+f(‹b›)|+g(1, ‹3›)"},
		{"-f(a)| x|+f(b)", "-f(a)| x|+f(b)"},
		{"+f(b)|-f(a)", "+f(b)|-f(a)"},
		{"-f(a)|+1|+2|+3|+4|+f(b)", "-f(a)|+1|+2|+3|+4|+f(b)"},
	} {
		var lines []shownLine
		for text := range strings.SplitSeq(c.lines, "|") {
			l := shownLine{code: text[1:]}
			l.sign = map[byte]rune{'-': signRemoved, '+': signAdded, ' ': signSame}[text[0]]
			lines = append(lines, l)
		}
		markWords(lines)
		var got []string
		for i, text := range strings.Split(c.lines, "|") {
			got = append(got, text[:1]+worded(lines[i].code, lines[i].words))
		}
		if got := strings.Join(got, "|"); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestDiffInks(t *testing.T) {
	t.Parallel()
	m := called("Edit", object{"file_path": "x.go", "old_string": "if a {\n\tf(1)", "new_string": "if a {\n\tf(2)"}, nil)
	o := Options{Width: 32, Styles: render.NewStyles(render.Dark), Folds: foldAll(Open)}
	o.Code = func(_ int, file string, texts [][]string) [][][]render.Span { return render.Highlight(file, texts...) }
	d := Draw(&m, Start, o)
	ink := func(i render.Ink, text string) string { return o.Styles.Paint(i, text) }
	want := []string{
		ink(render.Text, "    ") + ink(render.Text, "  ") + ink(render.Keyword, "if") + ink(render.Text, " a {"),
		ink(render.Text, "    ") + ink(render.Bad.On(render.Removed), "−") + ink(render.Text.On(render.Removed), " ") +
			ink(render.Text.On(render.Removed), "    f(") + ink(render.Text.On(render.RemovedWords), "1") + ink(render.Text.On(render.Removed), ")") + ink(render.Text.On(render.Removed), strings.Repeat(" ", 18)),
		ink(render.Text, "    ") + ink(render.Good.On(render.Added), "+") + ink(render.Text.On(render.Added), " ") +
			ink(render.Text.On(render.Added), "    f(") + ink(render.Text.On(render.AddedWords), "2") + ink(render.Text.On(render.Added), ")") + ink(render.Text.On(render.Added), strings.Repeat(" ", 18)),
	}
	if got := strings.Join(d.Lines[1:], "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%q\nwant\n%q", got, strings.Join(want, "\n"))
	}
}

// TestReadInks: the code of a Read has syntax inks and faint numbers.
func TestReadInks(t *testing.T) {
	t.Parallel()
	m := called("Read", object{"file_path": "x.go"}, &transcript.Block{Text: "     9→if x {\n    10→}\n"})
	o := Options{Width: 60, Styles: render.NewStyles(render.Dark), Folds: foldAll(Open)}
	o.Code = func(_ int, file string, texts [][]string) [][][]render.Span { return render.Highlight(file, texts...) }
	line := Draw(&m, Start, o).Lines[1]
	if want := o.Styles.Paint(render.Faint, " 9  ") + o.Styles.Paint(render.Keyword, "if") + o.Styles.Paint(render.Muted, " x {"); !strings.HasSuffix(line, want) {
		t.Errorf("%q, want %q", line, want)
	}
}
