package cli

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/continuo-tui/continuo/cli/place"
)

// TestMarkSeen: only backups are marked, and concurrent calls lose none.
func TestMarkSeen(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	d := newDeps(Program{Env: []string{"HOME=" + home}, Dir: home})
	var runs sync.WaitGroup
	raw := func(name string) string { return "/srv/teahouse/.claude/memory/raw/" + name + ".jsonl" }
	for _, name := range strings.Fields("a b c d e f g h") {
		runs.Go(func() { place.MarkSeen(d.Env, raw(name)) })
	}
	runs.Wait()
	place.MarkSeen(d.Env, "/srv/teahouse/x.jsonl")
	place.MarkSeen(d.Env, raw("a"))
	seen := place.SeenBackups(d.Env)
	if len(seen) != 8 || !seen[raw("a")] || !seen[raw("h")] {
		t.Errorf("%v", seen)
	}
	info, err := os.Stat(d.SeenPath())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	made := newDeps(Program{Env: []string{"HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "demo")}, Dir: home})
	made.MadeUp = true
	place.MarkSeen(made.Env, raw("a"))
	if len(place.SeenBackups(made.Env)) != 0 {
		t.Error("a demo is remembered")
	}
	none := newDeps(Program{Dir: home})
	place.MarkSeen(none.Env, raw("a")) // without a home, there is no list to write
}
