package cli

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
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
		if got := memoryProject(path); got != want {
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

// TestMarkSeen: backups are remembered, nothing else is, and not two runs at once lose one.
func TestMarkSeen(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	d := newDeps(Program{Env: []string{"HOME=" + home}, Dir: home})
	var runs sync.WaitGroup
	raw := func(name string) string { return "/srv/teahouse/.claude/memory/raw/" + name + ".jsonl" }
	for _, name := range strings.Fields("a b c d e f g h") {
		runs.Go(func() { markSeen(d.Env, raw(name)) })
	}
	runs.Wait()
	markSeen(d.Env, "/srv/teahouse/x.jsonl")
	markSeen(d.Env, raw("a"))
	seen := seenBackups(d.Env)
	if len(seen) != 8 || !seen[raw("a")] || !seen[raw("h")] {
		t.Errorf("%v", seen)
	}
	info, err := os.Stat(d.seenPath())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	made := newDeps(Program{Env: []string{"HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "demo")}, Dir: home})
	made.madeUp = true
	markSeen(made.Env, raw("a"))
	if len(seenBackups(made.Env)) != 0 {
		t.Error("a demo is remembered")
	}
	none := newDeps(Program{Dir: home})
	markSeen(none.Env, raw("a")) // without a home there is no place for it
}
