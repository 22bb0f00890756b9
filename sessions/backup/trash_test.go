package backup

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// store is a project with a memory that is open for writing.
type store struct {
	project
	m *Memory
}

func newStore(t *testing.T) store {
	t.Helper()
	return storeIn(t, filepath.Join(t.TempDir(), "a project"))
}

func storeIn(t *testing.T, dir string) store {
	t.Helper()
	p := project{t, dir}
	p.mkdir(".claude/memory/raw")
	m, err := OpenMemory(dir)
	if err == nil {
		t.Cleanup(func() { _ = m.Close() })
		err = m.Guard()
	}
	if err != nil {
		t.Fatal(err)
	}
	return store{p, m}
}

const (
	trashNow = "2026-11-21T11:02:13Z"
	idOne    = "5e0c1f7a-93bb-4d0e-a3f4-0d8c6b1e2f90"
	idTwo    = "7c41e9d2-93bb-4d0e-a3f4-0d8c6b1e2f90"
)

// backup makes a raw backup of a session.
func (s store) backup(name, id, text string) string {
	s.t.Helper()
	s.write(".claude/memory/"+name, `{"sessionId":"`+id+`","text":"`+text+`"}`+"\n")
	return s.memory(name)
}

func (s store) mark(name, text string) {
	s.t.Helper()
	s.write(".claude/memory/"+name, text)
}

// tree is every file of the memory with its bytes, but the lock; a backup comes with its time.
func (s store) tree() map[string]string { return tree(s.t, s.memory("")) }

func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == lockName {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if e.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			files[filepath.ToSlash(rel)] = "-> " + target
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, backupSuffix) {
			fi, err := os.Stat(path)
			if err != nil {
				return err
			}
			text = append(text, fi.ModTime().UTC().Format(time.RFC3339Nano)...)
		}
		files[filepath.ToSlash(rel)] = string(text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// same compares two trees.
func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if text, ok := got[name]; !ok {
			t.Errorf("%s: %s is gone", what, name)
		} else if text != want[name] {
			t.Errorf("%s: %s has %q, want %q", what, name, text, want[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s is new", what, name)
		}
	}
}

func (s store) plan(paths ...string) DiscardPlan {
	s.t.Helper()
	plan, err := s.m.PlanDiscard(s.t.Context(), paths)
	if err != nil {
		s.t.Fatal(err)
	}
	return plan
}

func (s store) discard(plan DiscardPlan) Deed {
	s.t.Helper()
	d, err := s.m.Discard(s.t.Context(), plan, at(s.t, trashNow))
	if err != nil {
		s.t.Fatal(err)
	}
	return d
}

func (s store) undo(id string) Undone {
	s.t.Helper()
	u, err := s.m.Undo(s.t.Context(), id, Client{})
	if err != nil {
		s.t.Fatal(err)
	}
	return u
}

// ids lists the deeds, and is content with none but those.
func (s store) ids() []string {
	s.t.Helper()
	deeds, err := s.m.Deeds(s.t.Context())
	if err != nil {
		s.t.Error(err)
	}
	ids := []string{}
	for i := range deeds {
		ids = append(ids, deeds[i].ID)
	}
	return ids
}

func TestDeedIDs(t *testing.T) {
	t.Parallel()
	when := at(t, trashNow)
	for _, c := range []struct {
		id   string
		kind DeedKind
		n    int
		ok   bool
	}{
		{"20261121_110213Z-discard", DeedDiscard, 1, true},
		{"20261121_110213Z-restore-2", DeedRestore, 2, true},
		{"20261121_110213Z-prune-17", DeedPrune, 17, true},
		{"20261121_110213Z-prune-1", "", 0, false},
		{"20261121_110213Z-prune-02", "", 0, false},
		{"20261121_110213Z-prune-", "", 0, false},
		{"20261121_110213Z-delete", "", 0, false},
		{"20261121_110213-discard", "", 0, false},
		{"20261321_110213Z-discard", "", 0, false},
		{"", "", 0, false},
		{".gitignore", "", 0, false},
	} {
		got, kind, n, ok := parseDeedID(c.id)
		if ok != c.ok {
			t.Errorf("%q: %v", c.id, ok)
			continue
		}
		if ok && (!got.Equal(when) || kind != c.kind || n != c.n || deedID(got, kind, n) != c.id) {
			t.Errorf("%q: %v %q %d", c.id, got, kind, n)
		}
	}
}

func TestBackupName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"raw/20260101_000000Z_exit.jsonl":    true,
		"raw/copy of it.jsonl":               true,
		"raw/\xff.jsonl":                     true,
		"sessions/raw/20260101_000000.jsonl": true,
		"raw/deep/20260101_000000.jsonl":     false,
		"raw/../raw/a.jsonl":                 false,
		"raw//a.jsonl":                       false,
		"raw/a.txt":                          false,
		"raw/.sums":                          false,
		"raw/.a.jsonl":                       false,
		"raw/.jsonl":                         false,
		"/raw/a.jsonl":                       false,
		"a.jsonl":                            false,
		"trash/raw/a.jsonl":                  false,
		"raw/a\x00.jsonl":                    false,
		"raw":                                false,
		"":                                   false,
	} {
		if got := backupName(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// A deed comes back as it was written, with paths that are not UTF-8 too.
func TestDeedFile(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	d := Deed{
		Kind: DeedDiscard, Moves: []Move{{s.memory("raw/a\xffb.jsonl"), "raw/a\xffb.jsonl", 12, at(t, "2026-03-01T00:00:00.123456789Z")}},
		Markers: []KeptMarker{
			{".pending-backup-exit-2", " /x/\xfe\u2028<y>\r\n", MarkerExit, MarkerStale, "/x/\xfe\u2028<y>"},
			{".pending-backup", "", MarkerLegacy, MarkerEmpty, ""},
		},
	}
	if err := s.m.begin(&d, at(t, trashNow)); err != nil {
		t.Fatal(err)
	}
	got, err := s.m.readDeed(d.ID)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Unfinished {
		t.Error("nothing is in the trash, and the deed counts as done")
	}
	if got.ID != "20261121_110213Z-discard" || got.Path != s.memory("trash/"+got.ID) || !got.At.Equal(at(t, trashNow)) ||
		got.Kind != d.Kind || !slices.Equal(got.Moves, d.Moves) || !slices.Equal(got.Markers, d.Markers) || got.Bytes() != 12 {
		t.Errorf("got  %+v\nwant %+v", got, d)
	}
}

// The trash may come with the repository. What ours never say is named, and nothing is done for it.
func TestHostileDeeds(t *testing.T) {
	t.Parallel()
	const head = `{"version":1,"kind":"discard","at":"2026-11-21T11:02:13Z",`
	move := func(name string) string {
		return head + `"moves":[{"name":` + name + `,"bytes":1,"modified":"2026-03-01T00:00:00Z"}]}`
	}
	restore := func(path, from, sum string) string {
		return `{"version":1,"kind":"restore","at":"2026-11-21T11:02:13Z","made":{"path":"` + path + `","from":"` + from + `","bytes":3,"sha256":"` + sum + `"}}`
	}
	const sum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	for name, text := range map[string]string{
		"empty":               "",
		"no JSON":             "{",
		"two values":          head + `"moves":[]} {}`,
		"another version":     `{"version":2,"kind":"discard","at":"2026-11-21T11:02:13Z"}`,
		"another kind":        `{"version":1,"kind":"prune","at":"2026-11-21T11:02:13Z"}`,
		"another time":        `{"version":1,"kind":"discard","at":"2026-11-21T11:02:14Z"}`,
		"out of raw":          move(`"raw/../../../../victim.jsonl"`),
		"absolute":            move(`"/etc/victim.jsonl"`),
		"a document":          move(`"session-1.md"`),
		"the sums":            move(`"raw/.sums"`),
		"base64":              move(`{"base64":"Li4vLi4vdmljdGltLmpzb25s"}`),
		"twice":               head + `"moves":[{"name":"raw/a.jsonl","bytes":1},{"name":"raw/a.jsonl","bytes":1}]}`,
		"negative":            head + `"moves":[{"name":"raw/a.jsonl","bytes":-1}]}`,
		"no marker":           head + `"markers":[{"name":"active-context.md","text":"x","state":"valid"}]}`,
		"marker elsewhere":    head + `"markers":[{"name":"../.pending-backup","text":"x","state":"valid"}]}`,
		"marker of no state":  head + `"markers":[{"name":".pending-backup","text":"x","state":"outside"}]}`,
		"long marker":         head + `"markers":[{"name":".pending-backup","text":"` + strings.Repeat("x", maxTarget+1) + `","state":"valid"}]}`,
		"made by a discard":   head + `"made":{"path":"/c/projects/s/` + idOne + `.jsonl","from":"raw/a.jsonl","bytes":1,"sha256":"` + sum + `"}}`,
		"made in no projects": restore("/home/ada/.bashrc", "raw/a.jsonl", sum),
		"made too deep":       restore("/c/projects/s/memory/"+idOne+".jsonl", "raw/a.jsonl", sum),
		"made by two dots":    restore("/c/projects/../x/"+idOne+".jsonl", "raw/a.jsonl", sum),
		"made of no id":       restore("/c/projects/s/settings.jsonl", "raw/a.jsonl", sum),
		"made of no backup":   restore("/c/projects/s/"+idOne+".jsonl", "../a.jsonl", sum),
		"made of no sum":      restore("/c/projects/s/"+idOne+".jsonl", "raw/a.jsonl", "00"),
		"restore of nothing":  `{"version":1,"kind":"restore","at":"2026-11-21T11:02:13Z"}`,
		"too long":            strings.Repeat(" ", maxDeed+1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			id := "20261121_110213Z-discard"
			if strings.Contains(text, `"restore"`) {
				id = "20261121_110213Z-restore"
			}
			s.backup("raw/a.jsonl", idOne, "a")
			s.write(".claude/memory/trash/"+id+"/deed.json", text)
			s.write(".claude/memory/trash/"+id+"/raw/b.jsonl", "b")
			s.write("victim.jsonl", "b")
			before := tree(t, s.dir)
			deeds, err := s.m.Deeds(t.Context())
			if len(deeds) != 0 || !errors.Is(err, ErrBadDeed) && !errors.Is(err, errTooLong) || !strings.Contains(err.Error(), s.memory("trash/"+id)) {
				t.Errorf("deeds %+v, error %v", deeds, err)
			}
			if _, err := s.m.Undo(t.Context(), id, Client{}); err == nil {
				t.Error("it was taken back")
			}
			if _, err := s.m.Undo(t.Context(), "", Client{}); !errors.Is(err, ErrNoDeed) {
				t.Errorf("the newest: %v", err)
			}
			if e, err := s.m.EmptyTrash(t.Context(), at(t, "2030-01-01T00:00:00Z")); err == nil || e.Files != 0 || len(e.Deeds) != 0 {
				t.Errorf("emptied %+v, error %v", e, err)
			}
			same(t, "after all", tree(t, s.dir), before)
		})
	}
}

func TestForeignTrash(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.backup("raw/a.jsonl", idOne, "a")
	id := s.discard(s.plan("raw" + "/../.claude/memory/raw/a.jsonl")).ID
	s.write(".claude/memory/trash/mine/a.jsonl", "a")
	s.write(".claude/memory/trash/notes.txt", "n")
	s.mkdir(".claude/memory/trash/20261121_110213Z-prune") // of a writer that was killed
	s.write(".claude/memory/trash/20261121_110213Z-prune-2/.continuo-0123456789abcdef.tmp", "{")
	deeds, err := s.m.Deeds(t.Context())
	if len(deeds) != 1 || deeds[0].ID != id || deeds[0].Unfinished {
		t.Errorf("deeds %+v", deeds)
	}
	for _, name := range []string{"mine", "notes.txt"} {
		if err == nil || !errors.Is(err, ErrBadDeed) || !strings.Contains(err.Error(), s.memory("trash/"+name)+":") {
			t.Errorf("the error does not name %s: %v", name, err)
		}
	}
	if err != nil && strings.Contains(err.Error(), "prune") {
		t.Error(err)
	}
	e, err := s.m.EmptyTrash(t.Context(), at(t, "2027-01-01T00:00:00Z"))
	if e.Files != 1 || len(e.Deeds) != 1 || !errors.Is(err, ErrBadDeed) {
		t.Errorf("emptied %+v, error %v", e, err)
	}
	left, err := os.ReadDir(s.memory("trash"))
	if err != nil || len(left) != 3 {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestEmptyTrash(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	for _, name := range []string{"a", "b", "c"} {
		s.backup("raw/"+name+".jsonl", idOne, name)
	}
	size := int64(len(`{"sessionId":"` + idOne + `","text":"a"}` + "\n"))
	older := s.discard(s.plan(s.memory("raw/a.jsonl"), s.memory("raw/b.jsonl")))
	plan := s.plan(s.memory("raw/c.jsonl"))
	newer, err := s.m.Discard(t.Context(), plan, at(t, "2026-11-22T00:00:00Z"))
	if err != nil {
		t.Fatal(err)
	}
	before := s.tree()
	for _, c := range []struct {
		before string
		deeds  []string
		files  int
	}{
		{"2026-11-21T11:02:13Z", nil, 0},
		{"2026-11-21T12:00:00Z", []string{older.ID}, 2},
		{"2026-12-01T00:00:00Z", []string{newer.ID, older.ID}, 3},
	} {
		e, err := s.m.PlanEmpty(t.Context(), at(t, c.before))
		var ids []string
		for i := range e.Deeds {
			ids = append(ids, e.Deeds[i].ID)
		}
		if err != nil || !slices.Equal(ids, c.deeds) || e.Files != c.files || e.Bytes != int64(c.files)*size {
			t.Errorf("%s: %+v, %v", c.before, e, err)
		}
	}
	same(t, "after the preview", s.tree(), before)
	e, err := s.m.EmptyTrash(t.Context(), at(t, "2026-11-21T12:00:00Z"))
	if err != nil || e.Files != 2 || e.Bytes != 2*size || len(e.Deeds) != 1 {
		t.Errorf("emptied %+v, %v", e, err)
	}
	maps.DeleteFunc(before, func(name, _ string) bool { return strings.HasPrefix(name, "trash/"+older.ID) })
	same(t, "after emptying", s.tree(), before)
	if got := s.ids(); !slices.Equal(got, []string{newer.ID}) {
		t.Errorf("deeds %q", got)
	}
	if _, err := s.m.Undo(t.Context(), older.ID, Client{}); !errors.Is(err, ErrNoDeed) {
		t.Errorf("undo of what is gone: %v", err)
	}
}

// What somebody put beside the backups of a deed is not ours to delete.
func TestEmptyTrashLeavesStrays(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	s.backup("raw/a.jsonl", idOne, "a")
	d := s.discard(s.plan(s.memory("raw/a.jsonl")))
	s.write(".claude/memory/trash/"+d.ID+"/raw/mine.txt", "mine")
	e, err := s.m.EmptyTrash(t.Context(), at(t, "2027-01-01T00:00:00Z"))
	if err == nil || !strings.Contains(err.Error(), d.ID) || e.Files != 1 || len(e.Deeds) != 0 {
		t.Errorf("emptied %+v, error %v", e, err)
	}
	if got := s.tree()["trash/"+d.ID+"/raw/mine.txt"]; got != "mine" {
		t.Errorf("the stray is %q", got)
	}
}
