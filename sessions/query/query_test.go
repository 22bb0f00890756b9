package query

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func now() time.Time { return time.Date(2026, 11, 26, 15, 4, 5, 0, time.FixedZone("", 3600)) }

func parse(t *testing.T, text string) *Query {
	t.Helper()
	q, err := Parse(text, now())
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return q
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		query, text string
		want        string // the text with [] around matches; "" without a match
	}{
		{"leeway", "Keep the Leeway at 30 s", "Keep the [Leeway] at 30 s"},
		{"lee", "a LEEWAY", "a [LEE]WAY"},
		{"30 leeway", "leeway of 30 s, or 30", "[leeway] of [30] s, or [30]"},
		{"leeway ldap", "leeway alone", ""},
		{`"30 s"`, "at 30\n  s", "at [30\n  s]"},
		{`"30 s"`, "at 300 s", ""},
		{"leeway -ldap", "leeway for ldap", ""},
		{"leeway -ldap", "leeway", "[leeway]"},
		{`leeway -"of 30"`, "leeway of 3", "[leeway] of 3"},
		{"/lee[a-z]+y/", "the LEEWAY", "the [LEEWAY]"},
		{`/^b.$/`, "a\nbc\nd", "a\n[bc]\nd"},
		{"/etc/hosts", "in /etc/hosts", "in [/etc/hosts]"},
		{"数据", "修复数据库", "修复[数据]库"},
		{"ОШИБКА", "ошибка", "[ошибка]"},
		{"straße", "STRAßE", "[STRAßE]"},
		{"kelvin", "\u212aelvin", "[\u212aelvin]"},
		{"\u017fea", "SEA", "[SEA]"},
		{"http://x", "see http://x.y", "see [http://x].y"},
		{"aa", "aaaa", "[aaaa]"},
		{"ab bc", "abc", "[abc]"},
		{"-", "a - b", "a [-] b"},
	} {
		q, err := Parse(c.query, now())
		if err != nil {
			t.Errorf("Parse(%q): %v", c.query, err)
			continue
		}
		spans, ok := q.Match([]byte(c.text))
		got := ""
		if ok {
			got = marked(c.text, spans)
		}
		if got != c.want {
			t.Errorf("%q in %q: %q, want %q", c.query, c.text, got, c.want)
		}
	}
}

func marked(text string, spans []Span) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.Start] + "[" + text[s.Start:s.End] + "]")
		at = s.End
	}
	return b.String() + text[at:]
}

func TestFields(t *testing.T) {
	q := parse(t, `project:Tea project:"night train" -branch:main is:LIVE tag:Auth -is:archived after:2026-10 before:yesterday model:opus word`)
	want := []Field{{Project, "tea", false}, {Project, "night train", false}, {Branch, "main", true}, {Is, "live", false}, {Tag, "auth", false}, {Is, "archived", true}, {Model, "opus", false}}
	if !slices.Equal(q.Fields, want) || len(q.Terms) != 1 {
		t.Errorf("fields %v, %d terms", q.Fields, len(q.Terms))
	}
	if got := q.After.Format(time.DateTime); got != "2026-10-01 00:00:00" {
		t.Errorf("after is %s", got)
	}
	if got := q.Before.Format(time.DateTime); got != "2026-11-25 00:00:00" {
		t.Errorf("before is %s", got)
	}
	if got := parse(t, "after:3w").After; !got.Equal(now().AddDate(0, 0, -21)) {
		t.Errorf("after:3w is %s", got)
	}
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{Project, "/home/ada/code/TEAhouse", true},
		{Project, "night train", true},
		{Project, "ferry", false},
		{Branch, "main", false},
		{Branch, "dev", true},
		{Role, "you", true},
	} {
		if got := q.Has(c.name, c.value); got != c.want {
			t.Errorf("Has(%s, %s) is %v", c.name, c.value, got)
		}
	}
}

func TestSyntaxError(t *testing.T) {
	for _, c := range []struct {
		text string
		at   int
	}{
		{`a "b c`, 2}, {`a -"b`, 3}, {"/a(b/", 1}, {"project:", 8}, {"is:dead", 3}, {"x after:soon", 8}, {"-after:2026", 0}, {`project:"x`, 8},
	} {
		_, err := Parse(c.text, now())
		se, ok := errors.AsType[*SyntaxError](err)
		if !ok || se.At != c.at || !strings.HasSuffix(se.Problem, ".") {
			t.Errorf("Parse(%q) returns %#v, want one at %d", c.text, err, c.at)
		}
	}
}

func TestSpread(t *testing.T) {
	q := parse(t, "one two")
	if got := q.Spread([]byte("one ........ one x two ...... two")); got != len("one x two") {
		t.Errorf("spread is %d", got)
	}
	if got := parse(t, "one").Spread([]byte("one")); got != 0 {
		t.Errorf("spread of one term is %d", got)
	}
}

// FuzzFold compares with strings.EqualFold.
func FuzzFold(f *testing.F) {
	f.Add("Straße", "STRASSE")
	f.Add("K", "\u212a")
	f.Add("\u03c3", "\u03c2")
	f.Fuzz(func(t *testing.T, a, b string) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) {
			return
		}
		equal := bytes.Equal(AppendFold(nil, []byte(a)), AppendFold(nil, []byte(b)))
		if equal != strings.EqualFold(a, b) {
			t.Errorf("%q and %q: folded equal is %v", a, b, equal)
		}
	})
}

// FuzzMatch compares with a search in folded texts.
func FuzzMatch(f *testing.F) {
	f.Add("leeway", "The Leeway")
	f.Add("k", "\u212a")
	f.Add("\u017f", "S\u017fs")
	f.Add("数据", "x数据库")
	f.Add("\xffa", "b\xffA")
	f.Fuzz(func(t *testing.T, word, text string) {
		if strings.ContainsAny(word, "\"/:-") || len(strings.Fields(word)) != 1 {
			return
		}
		q := parse(t, word)
		folded := AppendFold(nil, []byte(text))
		literal := AppendFold(nil, []byte(strings.TrimSpace(word)))
		want := utf8.ValidString(text) && utf8.ValidString(word) && bytes.Contains(folded, literal)
		spans, got := q.Match([]byte(text))
		if !utf8.ValidString(text) || !utf8.ValidString(word) {
			want = got // invalid bytes match only themselves, so don't compare
		}
		if got != want {
			t.Fatalf("%q in %q: %v, want %v", word, text, got, want)
		}
		if !got {
			return
		}
		if at := q.Find([]byte(text)); at < 0 || at > spans[0].Start+len(word) {
			t.Errorf("%q in %q: Find returns %d, the match is at %d", word, text, at, spans[0].Start)
		}
		for _, s := range spans {
			if n := prefix([]byte(text[s.Start:s.End]), literal); n < 0 && s.End-s.Start < 2*len(literal) {
				t.Errorf("%q in %q: %v isn't a match", word, text, s)
			}
		}
	})
}

// FuzzPhrase compares with regular expressions, in texts of few letters.
func FuzzPhrase(f *testing.F) {
	f.Add("ab a", "xab  a ab\na")
	f.Add("b ba b", "b ba ba bb ba b")
	few := func(s string) string {
		return strings.Map(func(r rune) rune { return []rune("abABc \n")[r%7] }, s)
	}
	f.Fuzz(func(t *testing.T, phrase, text string) {
		phrase, text = few(phrase), few(text)
		words := strings.Fields(phrase)
		if len(words) < 2 {
			return
		}
		q := parse(t, `"`+phrase+`"`)
		want := -1
		if at := regexp.MustCompile(`(?i)` + strings.Join(words, `\s+`)).FindStringIndex(text); at != nil {
			want = at[0]
		}
		if got := q.Find([]byte(text)); got != want {
			t.Errorf("%q in %q: found at %d, want %d", phrase, text, got, want)
		}
		if spans, ok := q.Match([]byte(text)); ok != (want >= 0) || ok && spans[0].Start != want {
			t.Errorf("%q in %q: matches %v %v, want %d", phrase, text, spans, ok, want)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	text := bytes.Repeat([]byte("The function reads the error of the database and migrates it, as nobody expected.\n"), 1<<18/82)
	for _, word := range []string{"xylocarpine", "error", "th"} {
		q, _ := Parse(word, now())
		b.Run(word, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				for from := 0; ; {
					at := q.Find(text[from:])
					if at < 0 {
						break
					}
					from += at + 1
				}
			}
		})
	}
}

func TestMayContain(t *testing.T) {
	for _, c := range []struct {
		query, line string
		want        bool
	}{
		{"error", `{"a":"An ERROR"}`, true},
		{"error", `{"a":"nothing here at all"}`, false},
		{"error", `{"a":"\u0065rror"}`, true},
		{"error", `{"a":"0123456789 0123456789 \\n\\t \\u4e2d"}`, true},
		{"error", `{"a":"0123456789 0123456789 \\n\\t \\u001b[0m"}`, false},
		{`say"x`, `{"a":"say\"x"}`, true},
		{`/one\ntwo/`, `{"a":"one\ntwo"}`, true},
		{`/\x1b\[31mred/`, `{"a":"\u001b[31mred"}`, true},
		{"数据", `{"a":"数据库"}`, true},
		{"one two", `{"a":"two"}`, false},
	} {
		if got := parse(t, c.query).MayContain([]byte(c.line)); got != c.want {
			t.Errorf("%q in %s: %v", c.query, c.line, got)
		}
	}
}
