package render

import (
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/transcript"
)

const glyphs = "▌│●·◐✗○─━├┠❯▸▾≡§✓△▲≠◇…┃▁▂▃▄▅▆▇█╰╭╮╯┬┴┤┼−•–—“”‘’→←↑↓×▏\uFFFD"

func TestASCII(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                    "",
		"plain":               "plain",
		glyphs:                ">|@.%xo-=+#>+-=#v^^!Y~#.::--==#++++++++-*--\"\"''><^vx|?",
		"▌ ● Fix it…     2m":  "> @ Fix it~     2m",
		"café 日本 👩 e\u0301":   "café 日本 👩 e\u0301",
		"\x1b[1m▌\x1b[m x":    "\x1b[1m>\x1b[m x",
		"a✗\u0301b ✓\uFE0Fc":  "axb v c", // the glyph keeps its second cell
		"──━━──":              "--==--",
		"–1 −1 “a” 2×2 a → b": "-1 -1 \"a\" 2x2 a > b",
		"\x1b]8;;http://x/—\x07—\x1b]8;;\x07": "\x1b]8;;http://x/—\x07-\x1b]8;;\x07",
	} {
		if got := ASCII(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestASCIIRows(t *testing.T) {
	t.Parallel()
	rows, now := rowsForTest()
	for i := range rows {
		for _, theme := range []Theme{None, Dark, Mono} {
			o := RowOptions{Width: 80, Styles: NewStyles(theme), Now: now, Chosen: i == 1}
			checkASCII(t, Row(&rows[i], o))
		}
	}
}

func checkASCII(t *testing.T, line string) {
	t.Helper()
	got := ASCII(line)
	if ansi.StringWidth(got) != ansi.StringWidth(line) {
		t.Errorf("%q has another width than %q", got, line)
	}
	if strings.ContainsAny(ansi.Strip(got), glyphs) {
		t.Errorf("%q has a glyph left", got)
	}
	if again := ASCII(got); again != got {
		t.Errorf("%q becomes %q the second time", got, again)
	}
}

func FuzzASCII(f *testing.F) {
	for _, seed := range []string{
		glyphs, "\u0600●", "1\uFE0F\u20E3", "§\uFE0F\u20E3", "👩\u200d💻→👩🏽", "🇩🇪…🇩", "क्\u200dष—क", "\u200d✗\u200d", "a\u0301●\u0301\u0302", "한각→", "\xff\xfe●", "\u1100→\u1161",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = transcript.CleanLine(text)
		checkASCII(t, text)
		checkASCII(t, NewStyles(Dark).Paint(Bad, text)+" ● "+text)
	})
}

func TestASCIIKnowsEveryGlyph(t *testing.T) {
	t.Parallel()
	var files []string
	for _, pattern := range []string{"*/*.go", "../*.go", "../*/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	checked := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || filepath.Base(filepath.Dir(file)) == "match" { // package match draws nothing
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var s scanner.Scanner
		set := token.NewFileSet()
		s.Init(set.AddFile(file, -1, len(source)), source, nil, 0)
		for {
			_, tok, literal := s.Scan()
			if tok == token.EOF {
				break
			}
			if tok != token.STRING && tok != token.CHAR {
				continue
			}
			if tok == token.STRING {
				if literal, err = strconv.Unquote(literal); err != nil {
					t.Fatal(err)
				}
			}
			for _, r := range ASCII(literal) {
				if isMark(r) {
					continue
				}
				if r >= utf8.RuneSelf {
					t.Errorf("%s draws %q, which has no ASCII replacement", file, r)
				}
			}
			checked++
		}
	}
	if checked < 500 {
		t.Errorf("only %d literals were found", checked)
	}
}

func isMark(r rune) bool { return r == 0xfe0f || r == 0x200d || r == 0xfeff }
