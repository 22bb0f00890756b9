package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/continuo-tui/continuo/ledger"
)

// TestRelevance: a word counts once a line, however the line is read, and no more than two points.
func TestRelevance(t *testing.T) {
	t.Parallel()
	words := ledger.DefaultConfig().Context.RelevanceKeywords
	long := strings.Repeat("x", 70<<10)
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"nothing", "", 0},
		{"one word", "api\n", 1},
		{"twice in a line", "api api", 1},
		{"five lines", strings.Repeat("api\n", 5), 1},
		{"six lines", strings.Repeat("api\n", 6), 2},
		{"twice in a line that is long", "api" + long + "api" + long + "api", 1},
		{"across a piece", strings.Repeat("x", 64<<10-3) + "export" + long, 1},
		{"its end on a line of its own", long + "\napi", 1},
		{"all words on many lines", strings.Repeat(strings.Join(words, " ")+"\n", 9), 10},
		{"all words on a line", strings.Join(words, " "), len(words)},
		{"no newline at all", strings.Repeat("route", 100_000), 1},
	} {
		for name, r := range map[string]func() int{
			"whole": func() int { n, _ := relevance(t.Context(), strings.NewReader(c.text), words); return n },
			"halves": func() int {
				n, _ := relevance(t.Context(), iotest.HalfReader(strings.NewReader(c.text)), words)
				return n
			},
			"end with data": func() int {
				n, _ := relevance(t.Context(), iotest.DataErrReader(strings.NewReader(c.text)), words)
				return n
			},
		} {
			if got := r(); got != c.want {
				t.Errorf("%s, %s: %d, want %d", c.name, name, got, c.want)
			}
		}
	}
	if n, err := relevance(t.Context(), strings.NewReader("api"), nil); n != 0 || err != nil {
		t.Errorf("without words: %d, %v", n, err)
	}
}

func TestProbeType(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "empty", "a\n": "ASCII text", "ä": "Unicode text, UTF-8 text", "a\x00": "data", "\xff\xfe\xfd\xfc\xfb\xfa": "data",
		"ab\xe6\xbc": "ASCII text", "ä\xe6\xbc": "Unicode text, UTF-8 text",
	} {
		if got := probeType([]byte(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// A file that is longer than is read is long, whatever its lines; what is no file is skipped; a tree has its bounds.
func TestProbeHostile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	conf := ledger.DefaultConfig().Context
	conf.RequireRelevance = false
	huge := filepath.Join(dir, "huge.go")
	if err := os.WriteFile(huge, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, probeBytes+1); err != nil {
		t.Skip(err)
	}
	if l, err := decideLoad(t.Context(), "huge.go", huge, &conf); err != nil || l.Decision != "excerpt" {
		t.Errorf("%+v, %v", l, err)
	}
	if err := os.Remove(huge); err != nil {
		t.Fatal(err)
	}
	if l, err := decideLoad(t.Context(), "d", dir, &conf); err != nil || l.Decision != "skip" {
		t.Errorf("%+v, %v", l, err)
	}
	for i := range 2 * probeFiles {
		if err := os.WriteFile(filepath.Join(dir, "f"+strings.Repeat("x", i)+".go"), []byte("a\nb"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_ = os.Symlink(dir, filepath.Join(dir, "round.go")) // where there are links, none is followed
	p, err := probeTree(t.Context(), dir, dir)
	if err != nil || p.Total != probeFiles || len(p.Files) != probeFiles || p.Lines != probeFiles {
		t.Errorf("%d files, %d lines, %v", p.Total, p.Lines, err)
	}
}
