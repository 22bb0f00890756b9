package sessions_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/demo"
)

// TestFirst: the newest sessions come first, and are the same in the final result.
func TestFirst(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	for demos, want := range map[int]int{1: 0, 9: 64} {
		dir := t.TempDir()
		n := crowd(t, dir, demos)
		var first []sessions.Session
		found, size := n, int64(0)
		o := sessions.Options{Dirs: []string{dir}, Now: now()}
		o.First = func(list []sessions.Session, all int, bytes int64) {
			if first != nil {
				t.Error("First was called twice")
			}
			first, found, size = list, all, bytes
		}
		set, err := sessions.Find(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if len(first) != want || len(set.Sessions) != n || found != n {
			t.Errorf("%d of %d sessions first, %d found, want %d of %d", len(first), len(set.Sessions), found, want, n)
		}
		for i := range set.Sessions {
			size -= set.Sessions[i].Bytes
		}
		if want > 0 && size != 0 {
			t.Errorf("First got a size that is %d bytes too large", size)
		}
		if files := set.Work().Files.Load(); files > int64(n) {
			t.Errorf("%d files opened for %d sessions", files, n)
		}
		for i := range first[:min(len(first), 40)] { // the first screen must be equal; later sessions may be in another order
			if first[i].Path != set.Sessions[i].Path || first[i].Name != set.Sessions[i].Name || first[i].Project != set.Sessions[i].Project {
				t.Errorf("%d: %s first, then %s", i, filepath.Base(first[i].Path), filepath.Base(set.Sessions[i].Path))
				break
			}
		}
	}
}

// crowd writes copies of the demo sessions, each seven hours older. It returns the number of sessions.
func crowd(t *testing.T, dir string, demos int) (n int) {
	t.Helper()
	for i := range demos {
		stats, err := demo.Write(t.Context(), t.TempDir(), demo.Options{Now: now().Add(-time.Duration(i) * 7 * time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range stats.List {
			text, err := os.ReadFile(s.Path)
			if err != nil {
				t.Fatal(err)
			}
			id := fmt.Sprintf("%08x", i) + s.ID[8:]
			to := filepath.Join(dir, "projects", filepath.Base(filepath.Dir(s.Path)), id+".jsonl")
			err = os.MkdirAll(filepath.Dir(to), 0o700)
			if err == nil {
				err = os.WriteFile(to, bytes.ReplaceAll(text, []byte(s.ID), []byte(id)), 0o600)
			}
			if err == nil {
				err = os.Chtimes(to, s.Last, s.Last)
			}
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
	}
	return n
}
