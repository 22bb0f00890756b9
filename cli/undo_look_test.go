package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/undoing"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui"
)

// TestUndoOldest: the oldest of 20 actions can be undone.
func TestUndoOldest(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	c := k.changes(now())
	for i := range journal.Most {
		k.do(c, tui.ChangeDiscard, "", k.backup(fmt.Sprintf("20261121_1102%02dZ_exit", i), 1, "tea", 2, ""))
	}
	before := k.past(c)
	code, stdout, stderr := k.run("tea", "-", "undo", "20", "--yes")
	if code != out.ExitDone || stderr != "" || !k.there(filepath.Join(k.home, "tea", ".claude", "memory", "raw", "20261121_110200Z_exit.jsonl")) {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	entries, problems := place.OpenJournal(c.Env).List(t.Context())
	if len(entries) != journal.Most || problems != nil || !entries[0].Done || entries[0].Of != before[19].ID || entries[19].ID != before[18].ID {
		t.Errorf("%d, %+v, %v", len(entries), entries, problems)
	}
	if past := k.past(c); past[0].Can != "yes" {
		t.Errorf("%+v", past[0])
	}
}

// counted counts the calls of Find by folder, and of List by directory.
func counted(s *backups.ShelfLook) (finds, lists map[string]int) {
	finds, lists = map[string]int{}, map[string]int{}
	find, list := s.Find, s.List
	s.Find = func(ctx context.Context, folder string, zone *time.Location) (backup.Found, error) {
		finds[folder]++
		return find(ctx, folder, zone)
	}
	s.List = func(dir string) ([]os.DirEntry, error) {
		lists[dir]++
		return list(dir)
	}
	return finds, lists
}

// TestLooksOnce: each folder and each project directory is read once.
func TestLooksOnce(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	const projects = 6
	for i := range projects {
		k.write("", ".claude", "projects", fmt.Sprintf("-p%d", i), "none.jsonl")
	}
	k.write("", ".claude", "projects", "file")
	for i := range 5 {
		k.session(i, "tea", 2+i)
		k.session(i, "pantry", 2+i) // a copy in another project isn't the backup's session
		k.backup(fmt.Sprintf("20261121_1102%02dZ_exit", i), i, "tea", 2+i, "")
		if i < 2 {
			k.write(k.text(i, "tea", 3+i), ".claude", "projects", sessions.Slug(filepath.Join(k.home, "tea")), k.id(i)+".jsonl")
			k.must("tea", "backup create "+filepath.Join(k.home, ".claude", "projects", sessions.Slug(filepath.Join(k.home, "tea")), k.id(i)+".jsonl")+" --yes")
		}
	}
	c := k.changes(now())
	tea := filepath.Join(k.home, "tea")
	is := func(label string, finds, lists map[string]int) {
		t.Helper()
		if len(finds) != 1 || finds[tea] != 1 || len(lists) != 1+projects+2 {
			t.Errorf("%s: folders %v, directories %v", label, finds, lists)
		}
		for dir, n := range lists {
			if n != 1 {
				t.Errorf("%s: %s %d times", label, dir, n)
			}
		}
	}
	l, err := undoing.ReadJournal(t.Context(), c.Env, c.O, c.Dirs)
	if err != nil {
		t.Fatal(err)
	}
	finds, lists := counted(l.Shelf)
	list, err := l.All(t.Context())
	if err != nil || len(list) != 2 || list[0].Can(l) != "yes" || list[1].Can(l) != "yes" {
		t.Fatalf("%+v, %v", list, err)
	}
	is("all actions", finds, lists)

	s := backups.LookShelf(c.Env, c.Dirs)
	finds, lists = counted(s)
	rows, err := s.In(t.Context(), map[string][]string{tea: nil})
	if err != nil || len(rows.List) != 7 {
		t.Fatalf("%+v, %v", rows, err)
	}
	for i := range rows.List {
		if b := &rows.List[i]; filepath.Base(filepath.Dir(b.Live)) != sessions.Slug(tea) || filepath.Base(b.Live) != b.Row.Of+".jsonl" {
			t.Errorf("%s is of %s", b.Row.ID, b.Live)
		}
	}
	is("some backups", finds, lists)
}

// TestUndoCompletion: completion compares larger files only by size.
func TestUndoCompletion(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.session(3, "tea", 2)
	k.write("", "tea", ".claude", "memory", "raw", ".keep")
	k.must("tea", "backup create 3f9ac1e3 --yes")
	made := filepath.Join(k.home, "tea", ".claude", "memory", "raw", "20261121_155200Z_manual.jsonl")
	id, _, _ := strings.Cut(k.must("tea", "undo --list"), "\t")
	if err := os.Truncate(made, undoing.ListReads/2); err != nil {
		t.Fatal(err)
	}
	if _, out, _ := k.run("tea", "-", "__complete", "undo", ""); !strings.HasPrefix(out, id+"\t") {
		t.Errorf("it was read for a completion:\n%s", out)
	}
	if code, _, stderr := k.run("tea", "-", "undo", id, "--yes"); code != out.ExitFailed || !strings.Contains(stderr, "has changed, so it stays.") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}
