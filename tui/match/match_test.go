package match

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"":                    "",
		"Fix the Race":        "fix the race",
		"  a \t\n b\u00a0 c ": "a b c",
		"Straße":              "strasse",
		"STRASSE":             "strasse",
		"GROẞ":                "gross",
		"İstanbul":            "istanbul",
		"ılık":                "ilik",
		"ΟΔΥΣΣΕΥΣ":            "οδυσσευσ",
		"Ὀδυσσεύς":            "οδυσσευσ",
		"Café":                "cafe",
		"Cafe\u0301":          "cafe",
		"Ｆｕｌｌ":                "full",
		"ﬁle…":                "file...",
		"so\u00adft\u200bsp":  "softsp",
		"☀\ufe0f":             "☀",
		"日本語 ガ":               "日本語 カ\u3099",
		"a\xffb\xc3":          "a\ufffdb\ufffd",
	} {
		if got := Fold(s); got != want {
			t.Errorf("%q folds to %q, want %q", s, got, want)
		}
	}
}

func texts(t ...string) []Text {
	rules := []Rule{Main | Short, Short, Short, 0, Prefix}
	all := make([]Text, len(rules))
	for i, s := range t {
		all[i] = NewText(s, rules[i])
	}
	return all
}

// marked returns the texts of a row, with the matched letters in brackets.
func marked(q Query, row []Text) string {
	var parts []string
	for i := range row {
		if marks := q.Marks(row, i); len(marks) > 0 {
			parts = append(parts, bracket(row[i].String(), marks))
		}
	}
	return strings.Join(parts, " | ")
}

func bracket(text string, marks []int) string {
	var b strings.Builder
	for at, r := range text {
		if slices.Contains(marks, at) {
			b.WriteString("[" + string(r) + "]")
		} else {
			b.WriteRune(r)
		}
	}
	return strings.ReplaceAll(b.String(), "][", "")
}

func TestMatch(t *testing.T) {
	t.Parallel()
	row := texts("Why is the nightly Export slow?", "~/code/teahouse", "fix/token-race", "Tokens from before midnight cannot be refreshed in Straße.", "3f9ac1e0-0000")
	for query, want := range map[string]string{
		"export":         "Why is the nightly [Export] slow?",
		"EXPORT":         "Why is the nightly [Export] slow?",
		"slow":           "Why is the nightly Export [slow]?",
		"ightly":         "Why is the n[ightly] Export slow?",
		"e":              "Why is the nightly [E]xport slow?",
		"nightly  exp ":  "Why is the [nightly Exp]ort slow?",
		"slow nightly":   "Why is the [nightly] Export [slow]?",
		"slow tea":       "Why is the nightly Export [slow]? | ~/code/[tea]house",
		"export token":   "Why is the nightly [Export] slow? | fix/[token]-race",
		"before mid":     "Tokens from [before mid]night cannot be refreshed in Straße.",
		"strass":         "Tokens from before midnight cannot be refreshed in [Straß]e.",
		"nes":            "Why is the [n]ightly [E]xport [s]low?",
		"nighexp":        "Why is the [nigh]tly [Exp]ort slow?",
		"fixrace":        "",
		"fixtok":         "[fix]/[tok]en-race",
		"tfb":            "",
		"exprt":          "",
		"exprt slow":     "",
		"export nowhere": "",
		"3f9a":           "[3f9a]c1e0-0000",
		"3f9":            "",
		"9ac1":           "",
	} {
		q := NewQuery(query)
		_, ok := q.Match(row)
		if got := marked(q, row); got != want || ok != (want != "") {
			t.Errorf("%q: %t, %q, want %q", query, ok, got, want)
		}
	}
	for query, want := range map[string]string{
		"exprt":      "Why is the nightly [Exp]o[rt] slow?",
		"exprt slow": "Why is the nightly [Exp]o[rt] [slow]?",
		"refrsh":     "Tokens from before midnight cannot be [refr]e[sh]ed in Straße.",
		"export":     "Why is the nightly [Export] slow?",
		"wyslow":     "",
		"xp":         "Why is the nightly E[xp]ort slow?",
		"xt":         "",
	} {
		q := NewQuery(query).Loose()
		if _, ok := q.Match(row); marked(q, row) != want || ok != (want != "") {
			t.Errorf("%q, loose: %t, %q, want %q", query, ok, marked(q, row), want)
		}
	}
	if _, ok := NewQuery(" ").Match(row); !ok {
		t.Error("a row does not match an empty query")
	}
}

func TestRank(t *testing.T) {
	t.Parallel()
	last, q := -1, NewQuery("token race")
	for _, row := range [][]Text{
		texts("The token race"),
		texts("Untoken race"),
		texts("Title", "token race"),
		texts("Title", "untoken race"),
		texts("race of a token"),
		texts("race of a cryptotoken"),
		texts("race", "token"),
		texts("brace", "cryptotoken"),
		texts("race to ken"),
		texts("race", "to ken"),
	} {
		hit, ok := q.Match(row)
		if !ok || int(hit.Rank) < last {
			t.Errorf("%q, %q: %t, rank %d after %d", row[0].String(), row[1].String(), ok, hit.Rank, last)
		}
		last = int(hit.Rank)
	}
}

func TestWordStarts(t *testing.T) {
	t.Parallel()
	row := []Text{NewText("Unseen, never looked at", WordStarts)}
	for query, want := range map[string]bool{"seen": false, "unseen": true, "never looked": true, "look": true, "(": false, "at": true} {
		if _, ok := NewQuery(query).Match(row); ok != want {
			t.Errorf("%q: %t", query, ok)
		}
	}
}

func TestIn(t *testing.T) {
	t.Parallel()
	row := texts("Title of it", "purge in 9d")
	const text = "purge in 9d"
	for query, want := range map[string]string{"9d title": "purge in [9d]", "purge in": "[purge in] 9d", "in it": "purge [in] 9d", "title": text} {
		if got := bracket(text, NewQuery(query).In(row, 1).Parts(text)); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
}

func TestMatchAllocates(t *testing.T) {
	row := texts("Why is the nightly Export slow?", "~/code/teahouse", "fix/token-race", strings.Repeat("Tokens from before midnight. ", 20))
	for _, query := range []string{"export", "wine", "slow tokens", "zebra", "tokens nowhere"} {
		q := NewQuery(query)
		if n := testing.AllocsPerRun(10, func() { q.Match(row); q.Loose().Match(row) }); n > 0 {
			t.Errorf("%q: %v allocations", query, n)
		}
	}
}

// FuzzMatch: the marks are as few as possible, and they cover the letters of the query.
func FuzzMatch(f *testing.F) {
	f.Add("Straße und Gasse", "strass")
	f.Add("İstanbul, Kadıköy", "IST kadi")
	f.Add("ΟΔΥΣΣΕΥΣ", "οδυσσευς")
	f.Add("a  \t b\xff", "A B")
	f.Add("fix/token-race", "fixtok")
	f.Add("ßwwsueraß", "ssrass")
	f.Add("e\u0301cole 한국어 ☀\ufe0f", "école 하 ☀")
	f.Fuzz(func(t *testing.T, text, typed string) {
		q := NewQuery(typed)
		for _, q := range []Query{q, q.Loose()} {
			row := []Text{NewText(text, Main|Short)}
			_, ok := q.Match(row)
			marks := q.Marks(row, 0)
			if ok != (len(marks) > 0 || len(q.words) == 0) {
				t.Fatalf("match: %t, marks: %v", ok, marks)
			}
			if !slices.IsSorted(marks) || len(slices.Compact(slices.Clone(marks))) < len(marks) {
				t.Fatalf("marks %v", marks)
			}
			for _, at := range marks {
				if at < 0 || at >= len(text) || !utf8.RuneStart(text[at]) && text[at] < 0xc0 && utf8.ValidString(text) {
					t.Fatalf("mark %d in %q", at, text)
				}
			}
			if len(q.words) == 1 && len(marks) > 0 {
				checkLetters(t, text, q.words[0], marks)
			}
		}
		if len(q.words) > 0 && strings.Contains(Fold(text), q.phrase) {
			if _, ok := q.Match([]Text{NewText(text, 0)}); !ok {
				t.Fatalf("%q is not found in %q", typed, text)
			}
		}
	})
}

// checkLetters checks that the marked runes contain the letters of a word in order. A rune such as "ß" folds to several
// letters, "ss". One of these letters is enough: "ssrass" is found in "ßwsraß".
func checkLetters(t *testing.T, text, word string, marks []int) {
	t.Helper()
	ends := map[int]bool{0: true} // lengths of the word's start that the marks can match
	for _, at := range marks {
		_, n := utf8.DecodeRuneInString(text[at:])
		letters, _ := fold(text[at : at+n])
		next := map[int]bool{}
		for end := range ends {
			for i := range letters {
				for j := i + 1; j <= len(letters); j++ {
					if strings.HasPrefix(word[end:], letters[i:j]) {
						next[end+j-i] = true
					}
				}
			}
		}
		ends = next
		if len(ends) == 0 {
			t.Fatalf("%q is marked for %q in %q", text[at:at+n], word, text)
		}
	}
	if !ends[len(word)] {
		t.Fatalf("the marks %v in %q are not %q", marks, text, word)
	}
}
