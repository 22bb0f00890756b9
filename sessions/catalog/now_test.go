package catalog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

// TestSlowDocuments: documents are slow to read. Pending backups are listed, and no backup is Unseen.
func TestSlowDocuments(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	pending := s.backup("20260228_100000Z_exit", "tea", s.text(1, "tea", "one"))
	s.backup("20260227_100000Z_exit", "tea", s.text(1, "tea", "one"))
	memory := filepath.Dir(filepath.Dir(pending))
	if err := os.WriteFile(filepath.Join(memory, ".pending-backup"), []byte(pending+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		text := "## Session Summary\n" + strings.Repeat("x\n", 2000)
		if err := os.WriteFile(filepath.Join(memory, fmt.Sprintf("session-2026-02-20-%06d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.session(2, "tea", "other")
	c := quick(s.opts())
	c.DocumentsIn(time.Nanosecond)
	is := func(what string, rows []sessions.Row, problems string) {
		t.Helper()
		backups, waiting := 0, 0
		for i := range rows {
			r := &rows[i]
			if r.Kind != sessions.KindBackup {
				continue
			}
			backups++
			if r.Pending {
				waiting++
			}
			if r.Unseen {
				t.Errorf("%s: %s is unseen, although the documents are unknown", what, r.Path)
			}
		}
		if backups != 2 || waiting != 1 {
			t.Errorf("%s: %d backups, %d pending", what, backups, waiting)
		}
		if !strings.Contains(problems, "documents of ") || !strings.Contains(problems, "took longer than 1e-09 s") || strings.Contains(problems, "deadline") {
			t.Errorf("%s: %s", what, problems)
		}
	}
	rows, err := c.List(t.Context(), true)
	is("list", rows, fmt.Sprint(err))
	dir := filepath.Dir(filepath.Dir(memory))
	m := c.Memory(t.Context(), dir, []string{dir})
	if len(m.Blind) != 0 || len(m.Undocumented) != 1 {
		t.Errorf("blind %v, undocumented %v", m.Blind, m.Undocumented)
	}
	is("now", m.Rows, fmt.Sprint(m.Problems))
}

func TestMemoryNow(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	b := s.backup("20260228_100000Z_exit", "tea", s.text(1, "tea", "one"))
	c := quick(s.opts())
	if _, err := c.List(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	memory := filepath.Dir(filepath.Dir(b))
	dir := filepath.Dir(filepath.Dir(memory))
	if m := c.Memory(t.Context(), dir, []string{dir}); len(m.Rows) != 1 || !m.Rows[0].Unseen {
		t.Errorf("%+v", m)
	}
	document := filepath.Join(memory, "session-2026-03-01-0900Z.md")
	if err := os.WriteFile(document, []byte("## Session Summary\nx\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if m := c.Memory(t.Context(), dir, []string{dir}); len(m.Rows) != 2 || m.Rows[0].Path != document || m.Rows[1].Unseen {
		t.Errorf("%+v", m)
	}
	if err := os.RemoveAll(memory); err != nil {
		t.Fatal(err)
	}
	if m := c.Memory(t.Context(), dir, []string{dir}); len(m.Rows)+len(m.Problems) != 0 {
		t.Errorf("%+v", m)
	}
}
