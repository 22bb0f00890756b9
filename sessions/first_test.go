package sessions_test

import (
	"path/filepath"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/demo"
)

// TestFirst: of many sessions the newest are told of before the others are read, and they are the same then.
func TestFirst(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{20: 0, 200: 64} {
		dir := t.TempDir()
		if _, err := demo.Write(t.Context(), dir, demo.Options{Sessions: n, Now: now()}); err != nil {
			t.Fatal(err)
		}
		var first []sessions.Session
		o := sessions.Options{Dirs: []string{dir}, Now: now()}
		o.First = func(list []sessions.Session) {
			if first != nil {
				t.Error("told twice")
			}
			first = list
		}
		set, err := sessions.Find(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if len(first) != want || len(set.Sessions) != n {
			t.Errorf("%d of %d sessions first, want %d", len(first), len(set.Sessions), want)
		}
		if files := set.Work().Files.Load(); files > int64(n) {
			t.Errorf("%d files opened for %d sessions", files, n)
		}
		for i := range first[:min(len(first), 40)] { // a screen; at its end the times of files and messages may differ
			if first[i].Path != set.Sessions[i].Path || first[i].Name != set.Sessions[i].Name || first[i].Project != set.Sessions[i].Project {
				t.Errorf("%d: %s first, then %s", i, filepath.Base(first[i].Path), filepath.Base(set.Sessions[i].Path))
				break
			}
		}
	}
}
