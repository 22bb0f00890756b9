package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/journal"
	"github.com/continuo-tui/continuo/tui"
)

// TestUndoOldest: the last of 20 actions can be taken back, and the journal knows of it.
func TestUndoOldest(t *testing.T) {
	t.Parallel()
	k := newKeeping(t)
	c := k.changes(now())
	for i := range journal.Most {
		k.do(c, tui.ChangeDiscard, "", k.backup(fmt.Sprintf("20261121_1102%02dZ_exit", i), 1, "tea", 2, ""))
	}
	before := k.past(c)
	code, stdout, stderr := k.run("tea", "-", "undo", "20", "--yes")
	if code != ExitDone || stderr != "" || !k.there(filepath.Join(k.home, "tea", ".claude", "memory", "raw", "20261121_110200Z_exit.jsonl")) {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	entries, problems := c.d.journal().List(t.Context())
	if len(entries) != journal.Most || problems != nil || !entries[0].Done || entries[0].Of != before[19].ID || entries[19].ID != before[18].ID {
		t.Errorf("%d, %+v, %v", len(entries), entries, problems)
	}
	if past := k.past(c); past[0].Can != "yes" {
		t.Errorf("%+v", past[0])
	}
	// One that another program has let go meanwhile is no complaint either.
	if err := c.d.rewrite(t.Context(), journal.Entry{ID: "20261121_155200Z-undo-99", At: now(), Kind: journal.Undo}); err != nil {
		t.Error(err)
	}
}

// counted has a shelf count what it looks at.
func counted(s *shelfLook) (finds, lists map[string]int) {
	finds, lists = map[string]int{}, map[string]int{}
	find, list := s.find, s.list
	s.find = func(ctx context.Context, folder string, zone *time.Location) (backup.Found, error) {
		finds[folder]++
		return find(ctx, folder, zone)
	}
	s.list = func(dir string) ([]os.DirEntry, error) {
		lists[dir]++
		return list(dir)
	}
	return finds, lists
}

// TestLooksOnce: a list of all actions looks at a folder once and at each project of the client once, however many
// backups and actions there are; and so does one look of the browser at some backups.
func TestLooksOnce(t *testing.T) {
	t.Parallel()
	k := newKeeping(t)
	const projects = 6
	for i := range projects {
		k.write("", ".claude", "projects", fmt.Sprintf("-p%d", i), "none.jsonl")
	}
	k.write("", ".claude", "projects", "file")
	for i := range 5 {
		k.session(i, "tea", 2+i)
		k.session(i, "pantry", 2+i) // a copy elsewhere: that of the project counts
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
	l, err := c.d.past(t.Context(), c.dirs)
	if err != nil {
		t.Fatal(err)
	}
	finds, lists := counted(l.shelf)
	list, err := l.all(t.Context())
	if err != nil || len(list) != 2 || list[0].can(l) != "yes" || list[1].can(l) != "yes" {
		t.Fatalf("%+v, %v", list, err)
	}
	is("all actions", finds, lists)

	s := c.d.newShelf(c.dirs)
	finds, lists = counted(s)
	rows, err := s.in(t.Context(), map[string][]string{tea: nil})
	if err != nil || len(rows.list) != 7 {
		t.Fatalf("%+v, %v", rows, err)
	}
	for i := range rows.list {
		if b := &rows.list[i]; filepath.Base(filepath.Dir(b.live)) != sessions.Slug(tea) || filepath.Base(b.live) != b.row.Of+".jsonl" {
			t.Errorf("%s is of %s", b.row.ID, b.live)
		}
	}
	is("some backups", finds, lists)
}

// TestUndoCompletion: a completion reads no more than a list does. What is larger is judged by its size.
func TestUndoCompletion(t *testing.T) {
	t.Parallel()
	k := newKeeping(t)
	k.session(3, "tea", 2)
	k.write("", "tea", ".claude", "memory", "raw", ".keep")
	k.must("tea", "backup create 3f9ac1e3 --yes")
	made := filepath.Join(k.home, "tea", ".claude", "memory", "raw", "20261121_155200Z_manual.jsonl")
	id, _, _ := strings.Cut(k.must("tea", "undo --list"), "\t")
	if err := os.Truncate(made, pastReads/2); err != nil { // it takes no room, and is not what was made
		t.Fatal(err)
	}
	if _, out, _ := k.run("tea", "-", "__complete", "undo", ""); !strings.HasPrefix(out, id+"\t") {
		t.Errorf("it was read for a completion:\n%s", out)
	}
	if code, _, stderr := k.run("tea", "-", "undo", id, "--yes"); code != ExitFailed || !strings.Contains(stderr, "is not what was made, so it stays.") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// TestInterruptedBackups: backups that were made before the journal heard of them are found by what they are: asked for
// by a person, in its projects, from its time on until that of the next one.
func TestInterruptedBackups(t *testing.T) {
	t.Parallel()
	k := newKeeping(t)
	const n = noteEvery + 4
	for _, name := range []string{
		"20261121_155159Z_manual", "20261121_155201Z_exit", "20261121_155259Z_compact", "20261121_155300Z_manual", "20261121_155330Z_missed",
	} {
		k.backup(name, 2, "tea", 1, "")
	}
	k.backup("20261121_155210Z_manual", 2, "pantry", 1, "")
	before := k.files()
	project := filepath.Join(k.home, "tea")
	row := sessions.Row{Kind: sessions.KindSession}
	row.Path, row.ID = k.session(1, "tea", 2), k.id(1)
	before[".claude/projects/"+sessions.Slug(project)+"/"+k.id(1)+".jsonl"] = k.text(1, "tea", 2)
	clock := now()
	d := newDeps(Program{Env: []string{"HOME=" + k.home}, Dir: k.home, Now: func() time.Time { return clock }})
	list := []toCreate{{row: row, project: project}, {row: row, project: project}}
	a := d.beginBackups(t.Context(), list)
	for i := range n {
		clock = now().Add(time.Duration(i) * time.Second)
		why := reasonManual
		if i%2 == 1 {
			why = reasonMissed
		}
		if _, err := a.save(t.Context(), &list[0], why); err != nil || a.lost != nil {
			t.Fatal(err, a.lost)
		}
	}
	clock = now().Add(time.Minute)
	next := d.beginBackups(t.Context(), list) // it was interrupted, too
	c := k.changes(clock)
	entries, _ := c.d.journal().List(t.Context())
	if len(entries) != 2 || len(entries[1].Made) != noteEvery || len(entries[0].Made) != 0 {
		t.Fatalf("the entry was not written after every %d backups: %+v", noteEvery, entries)
	}
	past := k.past(c)
	if past[1].ID != a.entry.ID || past[1].Can != "yes" || !strings.Contains(planText(past[1].Parts), "Touched    20 files, ") {
		t.Fatalf("%+v\n%s", past[1], planText(past[1].Parts))
	}
	if past[0].ID != next.entry.ID || past[0].Can != "yes" || !strings.Contains(planText(past[0].Parts), "Touched    2 files, ") {
		t.Fatalf("%+v\n%s", past[0], planText(past[0].Parts))
	}
	if done := k.do(c, tui.ChangeUndo, a.entry.ID); done.Said != "20 backups are in the trash." || done.But != "" {
		t.Errorf("%+v", done)
	}
	got := k.files()
	for path, text := range before {
		if got[path] != text {
			t.Errorf("%s is not as it was", path)
		}
	}
	if past := k.past(c); past[2].ID != a.entry.ID || !past[2].Back {
		t.Errorf("%+v", past)
	}
	// It comes back, and goes again, with the sums of the others.
	k.do(c, tui.ChangeUndo, k.past(c)[0].ID)
	if past := k.past(c); past[0].Can != "yes" || past[0].What != "Backed up 2 sessions again" {
		t.Errorf("%+v", past[0])
	}
}

// TestInterruptedAgain: doing an action again was interrupted when all of it was done but the journal: that is no trash
// that somebody emptied.
func TestInterruptedAgain(t *testing.T) {
	t.Parallel()
	k := newKeeping(t)
	k.session(1, "tea", 2)
	k.write("", "tea", ".claude", "memory", "raw", ".keep")
	k.must("tea", "backup create 3f9ac1e1 --yes")
	k.must("tea", "undo --yes")
	later := now().Add(time.Hour)
	c := k.changes(later)
	undo := k.past(c)[0]
	made := filepath.Join(k.home, "tea", ".claude", "memory", "raw", "20261121_155200Z_manual.jsonl")
	_, err := c.d.journal().Begin(t.Context(), journal.Entry{
		At: later, Kind: journal.Backup, What: "Backed up again", Of: undo.ID, Where: []string{filepath.Join(k.home, "tea")}, Made: []journal.Made{{Path: made}},
	})
	if err != nil {
		t.Fatal(err)
	}
	m, err := backup.OpenMemory(filepath.Join(k.home, "tea"))
	if err == nil {
		_, err = m.Undo(t.Context(), "", backup.Client{})
		_ = m.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if past := k.past(c); past[1].ID != undo.ID || !past[1].Back || past[1].Can != "taken back at 16:52" || past[0].Can != "yes" {
		t.Errorf("%+v", past)
	}
}
