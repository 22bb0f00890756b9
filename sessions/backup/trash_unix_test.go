//go:build unix

package backup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/transcript"
)

// TestTrashLinks: the trash is a link, or the path of a backup contains a link.
func TestTrashLinks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		make func(s store)
		says string
	}{
		{"trash leads out", func(s store) {
			s.remove("trash")
			s.mkdir("outside")
			s.link(s.path("outside"), ".claude/memory/trash")
		}, "link"},
		{"trash is raw", func(s store) {
			s.remove("trash")
			s.link("raw", ".claude/memory/trash")
		}, "trash: a link"},
		{"trash is a file", func(s store) {
			s.remove("trash")
			s.write(".claude/memory/trash", "mine")
		}, "trash: file exists"},
		{"raw is elsewhere", func(s store) {
			s.rename("raw", "kept")
			s.link("kept", ".claude/memory/raw")
		}, "a.jsonl: a link"},
		{"the backup is a link", func(s store) {
			s.rename("raw/a.jsonl", "raw/b.jsonl")
			s.link("b.jsonl", ".claude/memory/raw/a.jsonl")
		}, "a.jsonl: not a regular file"},
		{"the backup is a pipe", func(s store) {
			s.remove("raw/a.jsonl")
			s.pipe(".claude/memory/raw/a.jsonl")
		}, "a.jsonl: not a regular file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			a := s.backup("raw/a.jsonl", idOne, "a")
			plan := s.plan(a)
			c.make(s)
			if strings.Contains(c.name, "pipe") {
				_, err := s.m.Discard(t.Context(), plan, at(t, trashNow))
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("error %v", err)
				}
				return
			}
			before := tree(t, s.dir)
			d, err := s.m.Discard(t.Context(), plan, at(t, trashNow))
			if err == nil || d.ID != "" || !strings.Contains(err.Error(), c.says) {
				t.Errorf("entry %+v, error %v", d, err)
			}
			same(t, "afterwards", tree(t, s.dir), before)
		})
	}
}

func TestPlanDiscardLinks(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	a := s.backup("raw/a.jsonl", idOne, "a")
	s.mark("here", a)
	s.link("here", ".claude/memory/.pending-backup-exit")
	s.link("a.jsonl", ".claude/memory/raw/b.jsonl")
	s.mark(".pending-backup-compact", s.memory("raw/b.jsonl"))
	p := s.plan()
	if !p.Empty() || len(p.Problems) != 2 {
		t.Errorf("plan %+v", p)
	}
	if text := errors.Join(p.Problems...); !errors.Is(text, ErrNotBackup) || !errors.Is(text, transcript.ErrNotRegular) {
		t.Error(text)
	}
	// The path of the project is a link.
	other := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(s.dir, other); err != nil {
		t.Fatal(err)
	}
	if p := s.plan(filepath.Join(other, ".claude/memory/raw/a.jsonl")); len(p.Moves) != 1 || p.Moves[0].Path != a {
		t.Errorf("plan %+v", p)
	}
}

// TestHostileTrashLinks: a repository could contain links in a trash. They aren't followed.
func TestHostileTrashLinks(t *testing.T) {
	t.Parallel()
	const id = "20261121_110213Z-discard"
	const entry = `{"version":1,"kind":"discard","at":"2026-11-21T11:02:13Z","moves":[{"name":"raw/a.jsonl","bytes":1,"modified":"2026-03-01T00:00:00Z"}]}`
	for _, c := range []struct {
		name string
		make func(s store)
	}{
		{"the entry", func(s store) {
			s.write("entry/deed.json", entry)
			s.link("../../../entry", ".claude/memory/trash/"+id)
		}},
		{"the entry, inside", func(s store) {
			s.write(".claude/memory/entry/deed.json", entry)
			s.link("../entry", ".claude/memory/trash/"+id)
		}},
		{"its deed.json", func(s store) {
			s.write(".claude/memory/deed.json", entry)
			s.mkdir(".claude/memory/trash/" + id)
			s.link("../../deed.json", ".claude/memory/trash/"+id+"/deed.json")
		}},
		{"its deed.json is a pipe", func(s store) {
			s.mkdir(".claude/memory/trash/" + id)
			s.pipe(".claude/memory/trash/" + id + "/deed.json")
		}},
		{"its backups are those of raw", func(s store) {
			s.write(".claude/memory/trash/"+id+"/deed.json", entry)
			s.link("../../raw", ".claude/memory/trash/"+id+"/raw")
		}},
		{"its backup is that of raw", func(s store) {
			s.write(".claude/memory/trash/"+id+"/deed.json", entry)
			s.mkdir(".claude/memory/trash/" + id + "/raw")
			s.link("../../../raw/a.jsonl", ".claude/memory/trash/"+id+"/raw/a.jsonl")
		}},
		{"raw is in the trash", func(s store) {
			s.write(".claude/memory/trash/"+id+"/deed.json", entry)
			s.rename("raw", "trash/"+id+"/raw")
			s.link("trash/"+id+"/raw", ".claude/memory/raw")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			s.backup("raw/a.jsonl", idOne, "a")
			c.make(s)
			read := func() map[string]string {
				if strings.Contains(c.name, "pipe") { // reading the pipe would block
					return map[string]string{}
				}
				return tree(t, s.dir)
			}
			before := read()
			_, _ = s.m.Trash().Entries(t.Context())
			if u, err := s.m.Undo(t.Context(), id); err == nil {
				t.Errorf("undone %+v", u)
			}
			same(t, "after undo", read(), before)
			if strings.HasPrefix(c.name, "raw is") {
				return // this action may delete files in the trash
			}
			if e, err := s.emptyTrash(); err == nil || e.Files != 0 {
				t.Errorf("emptied %+v", e)
			}
			same(t, "after emptying", read(), before)
		})
	}
}

func TestRestoreLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.backup("raw/a.jsonl", idOne, "a")
	p := w.restorePlan(a)
	if err := os.Symlink(t.TempDir(), filepath.Dir(p.To)); err != nil {
		t.Fatal(err)
	}
	if e, err := w.m.Restore(t.Context(), p, at(t, trashNow)); err == nil || len(w.ids()) != 0 {
		t.Errorf("out of projects: %+v", e)
	}
	if err := os.Remove(filepath.Dir(p.To)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Dir(p.To), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", p.To); err != nil {
		t.Fatal(err)
	}
	_, err := w.m.Restore(t.Context(), p, at(t, trashNow))
	if _, ok := errors.AsType[*TakenError](err); !ok {
		t.Errorf("onto a link: %v", err)
	}
	if err := os.Remove(p.To); err != nil {
		t.Fatal(err)
	}
	e, err := w.m.Restore(t.Context(), p, at(t, trashNow))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(p.To); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(a, p.To); err != nil {
		t.Fatal(err)
	}
	if err := w.undoRestore(e); !errors.Is(err, disk.ErrNotRegular) {
		t.Errorf("undo of a link: %v", err)
	}
	if _, err := os.Lstat(p.To); err != nil {
		t.Error(err)
	}
}
