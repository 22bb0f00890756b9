package place

import (
	"strings"
	"testing"
)

func TestMemoryProject(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/srv/teahouse/.claude/memory/raw/20261121_110213Z_exit.jsonl":          "/srv/teahouse",
		"/srv/teahouse/.claude/memory/sessions/raw/20261121_110213Z_exit.jsonl": "/srv/teahouse",
		"/srv/teahouse/.claude/memory/raw/x.md":                                 "",
		"/srv/teahouse/.claude/memory/x.jsonl":                                  "",
		"/srv/teahouse/.claude/raw/x.jsonl":                                     "",
		"/srv/teahouse/memory/raw/x.jsonl":                                      "",
		".claude/memory/raw/x.jsonl":                                            "",
		"x.jsonl":                                                               "",
		"":                                                                      "",
	} {
		if got := MemoryProject(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

func TestWithSeen(t *testing.T) {
	t.Parallel()
	for _, test := range [][3]string{
		{"", "/a", "/a\n"},
		{"/a\n", "/b", "/a\n/b\n"},
		{"/a\n/b\n", "/a", "/b\n/a\n"},
		{"/a\n/a\nrelative\n/torn", "/b", "/a\n/a\n/b\n"},
		{"/a\n", "/with\nnewline", "/a\n"},
	} {
		if got := string(withSeen([]byte(test[0]), test[1])); got != test[2] {
			t.Errorf("%q and %q: %q, want %q", test[0], test[1], got, test[2])
		}
	}
	line := "/" + strings.Repeat("x", 1022) + "\n"
	got := withSeen([]byte("/oldest\n"+strings.Repeat(line, seenLimit/len(line))), "/newest")
	if len(got) > seenLimit || strings.Contains(string(got), "/oldest\n") || !strings.HasSuffix(string(got), line+"/newest\n") {
		t.Errorf("%d bytes, begins with %.20q", len(got), got)
	}
}
