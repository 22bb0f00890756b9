package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/internal/drilltest"
)

func at(seconds int) time.Time { return time.Date(2026, 11, 21, 15, 52, seconds, 0, time.UTC) }

func newStore(t *testing.T) *Store {
	t.Helper()
	return Open(filepath.Join(t.TempDir(), "state", "journal"))
}

func begin(t *testing.T, s *Store, e Entry) Entry {
	t.Helper()
	e, err := s.Begin(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func list(t *testing.T, s *Store) []Entry {
	t.Helper()
	entries, problems := s.List(t.Context())
	if problems != nil {
		t.Fatal(problems)
	}
	return entries
}

func TestBeginFinish(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	if got := list(t, s); got != nil {
		t.Fatalf("%+v", got)
	}
	e := Entry{
		At: at(0).Add(time.Millisecond), Kind: Handover, What: "Saved \x1b[31ma\ndocument", Where: []string{"/tea", "/pan\xfftry"},
		Ops: []change.Op{
			{Verb: change.Replace, Dir: "/tea", Name: "a.md", Sum: strings.Repeat("ab", 32), Before: []byte{0, 0xff}, Mode: 0o644, Lock: ".lock"},
			{Verb: change.Move, Dir: "/pan\xfftry", Name: "raw/b\xff", To: "trash/b\xff", Bytes: 7, Modified: at(3), Dirs: []string{"trash\xff"}},
			{Verb: change.Insert, Dir: "/tea", Name: "NOTES.md", Text: []byte("- [ ] é\xff\n"), At: 178_000, Hidden: true},
			{Verb: change.Run, Dir: "/tea", Name: ".", Args: []string{"bd-1", "text"}},
		},
		Of: "20261121_155100Z-undo-2",
	}
	got := begin(t, s, e)
	if got.ID != "20261121_155200Z-handover" || got.What != "Saved a document" || !got.At.Equal(at(0)) {
		t.Errorf("%+v", got)
	}
	if have := list(t, s); !reflect.DeepEqual(have, []Entry{got}) {
		t.Errorf("%+v, want %+v", have, got)
	}
	got.Done, got.Undone, got.Ops = true, "20261121_155300Z-undo", got.Ops[1:]
	if err := s.Finish(t.Context(), got); err != nil {
		t.Fatal(err)
	}
	if have := list(t, s); !reflect.DeepEqual(have, []Entry{got}) {
		t.Errorf("%+v, want %+v", have, got)
	}
	for path, mode := range map[string]fs.FileMode{s.dir: 0o700, s.at(got.ID + ".json"): 0o600} {
		if fi, err := os.Lstat(path); err != nil || fi.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, fi.Mode(), err)
		}
	}
	// Two entries begin in the same second. The later one is newer, whatever its kind.
	for i, kind := range []Kind{EmptyTrash, Discard, Handover} {
		if next := begin(t, s, Entry{At: at(0), Kind: kind}); next.ID != fmt.Sprintf("20261121_155200Z-%s-%d", kind, i+2) {
			t.Errorf("%+v", next)
		}
	}
	if err := s.Forget(t.Context(), "20261121_155200Z-discard-3"); err != nil {
		t.Error(err)
	}
	if have := list(t, s); len(have) != 3 || have[0].Kind != Handover || have[1].Kind != EmptyTrash || have[2].ID != got.ID {
		t.Errorf("%+v", have)
	}
	got.ID = "20261121_155200Z-handover-9"
	if err := s.Finish(t.Context(), got); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if err := s.Forget(t.Context(), got.ID); err != nil {
		t.Error(err)
	}
	if names, _ := os.ReadDir(s.dir); len(names) != 3 {
		t.Errorf("%v", names)
	}
}

// TestRotate: a new entry stays even if its time is too old. Other files stay.
func TestRotate(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	for i := range 21 {
		begin(t, s, Entry{At: at(i), Kind: Discard, What: fmt.Sprint(i)})
	}
	have := list(t, s)
	if len(have) != Most || have[0].What != "20" || have[19].What != "1" {
		t.Errorf("%d entries, %+v to %+v", len(have), have[0], have[len(have)-1])
	}
	r, err := disk.Open(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	alive, err := r.Create(".", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Drop()
	for _, name := range []string{".continuo-0000000000000000.tmp", "notes.txt"} {
		if err := os.WriteFile(s.at(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	late := begin(t, s, Entry{At: at(0), Kind: Prune})
	var names []string
	entries, err := os.ReadDir(s.dir)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	text := strings.Join(names, " ")
	if err != nil || len(names) != Most+2 || !strings.Contains(text, late.ID) || strings.Contains(text, "155201Z") || strings.Contains(text, "-0000000000000000.tmp") || !strings.Contains(text, "notes.txt") {
		t.Errorf("%q, %v", names, err)
	}
}

// TestListProblems: files that aren't entries are reported, and entries still returned.
func TestListProblems(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	good := begin(t, s, Entry{At: at(0), Kind: Discard, What: "good"})
	text, err := os.ReadFile(s.at(good.ID + ".json"))
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "outside.json")
	for path, content := range map[string]string{
		outside:                                string(text),
		s.at("20261121_155201Z-discard.json"):  "{",
		s.at("20261121_155202Z-discard.json"):  string(text), // the time in the name isn't the time in the text
		s.at("20261121_155203Z-discard.json"):  strings.Replace(strings.Replace(string(text), "15:52:00", "15:52:03", 1), `"version": 2`, `"version": 3`, 1),
		s.at("20261121_155204Z-discard.json"):  strings.Replace(strings.Replace(string(text), "15:52:00", "15:52:04", 1), `"where": []`, `"where": ["tea"]`, 1),
		s.at("20261121_155205Z-other2.json"):   string(text),
		s.at("notes.txt"):                      "mine",
		s.at(".continuo-00000000000000ab.tmp"): "{",
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, s.at("20261121_155206Z-discard.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(s.at("20261121_155207Z-discard.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.at("20261121_155208Z-discard.json"), make([]byte, maxEntry+1), 0o600); err != nil {
		t.Fatal(err)
	}
	have, problems := s.List(t.Context())
	if len(have) != 1 || have[0].What != "good" {
		t.Errorf("%+v", have)
	}
	reported := errors.Join(problems...).Error()
	for _, name := range []string{
		"155201Z-discard.json: unexpected", "155202Z-discard.json: \"discard\" of", "155203Z-discard.json: version 3", "155204Z-discard.json: folder",
		"155205Z-other2.json: damaged", "notes.txt: damaged", "155206Z-discard.json: it is a link", "155207Z-discard.json: not a regular file",
		"155208Z-discard.json: too large",
	} {
		if !strings.Contains(reported, name) {
			t.Errorf("no %q in\n%s", name, reported)
		}
	}
	if len(problems) != 9 {
		t.Errorf("%d problems\n%s", len(problems), reported)
	}
	// The journal directory is a link and is refused.
	link := Open(filepath.Join(t.TempDir(), "journal"))
	if err := os.Symlink(s.dir, link.dir); err != nil {
		t.Fatal(err)
	}
	if have, problems := link.List(t.Context()); have != nil || len(problems) != 1 || !errors.Is(problems[0], errLink) {
		t.Errorf("%+v, %v", have, problems)
	}
	if _, err := link.Begin(t.Context(), Entry{At: at(9), Kind: Discard}); !errors.Is(err, errLink) {
		t.Error(err)
	}
}

// TestUnknownFields: unknown fields stay, unless they differ from known fields only in case.
func TestUnknownFields(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	e := begin(t, s, Entry{At: at(0), Kind: Discard, What: "first"})
	path := s.at(e.ID + ".json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	more := strings.Replace(string(text), "{", `{"later":{"n":12345678901234567890,"s":"é"},"What":"mine","DONE":false,`, 1)
	if err := os.WriteFile(path, []byte(more), 0o600); err != nil {
		t.Fatal(err)
	}
	e.What, e.Done = "second", true
	if err := s.Finish(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	text, err = os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), "12345678901234567890") || strings.Contains(string(text), "mine") {
		t.Errorf("%s, %v", text, err)
	}
	if have := list(t, s); !reflect.DeepEqual(have, []Entry{e}) {
		t.Errorf("%+v", have)
	}
}

func TestRefused(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	s := newStore(t)
	for name, e := range map[string]Entry{
		"no kind":    {At: at(0)},
		"other kind": {At: at(0), Kind: "other-2"},
		"no year":    {At: time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC), Kind: Discard},
		"where":      {At: at(0), Kind: Discard, Where: []string{"tea"}},
		"directory":  {At: at(0), Kind: Discard, Ops: []change.Op{{Verb: change.Move, Dir: "tea", Name: "a"}}},
		"verb":       {At: at(0), Kind: Handover, Ops: []change.Op{{Dir: "/tea", Name: "a"}}},
		"of":         {At: at(0), Kind: Undo, Of: "x"},
		"undone":     {At: at(0), Kind: Discard, Undone: "20261121_155200Z-x1"},
	} {
		if got, err := s.Begin(t.Context(), e); !errors.Is(err, errNotEntry) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	op := change.Op{Verb: change.Replace, Dir: "/a", Name: "b", Before: make([]byte, MaxBefore+1)}
	large := Entry{At: at(0), Kind: Handover, Ops: []change.Op{op}}
	if _, err := s.Begin(t.Context(), large); !errors.Is(err, errNotEntry) {
		t.Error(err)
	}
	large.Ops[0].Before = large.Ops[0].Before[1:]
	for range 50 {
		large.Ops = append(large.Ops, large.Ops[0])
	}
	if _, err := s.Begin(t.Context(), large); !errors.Is(err, errTooLarge) {
		t.Error(err)
	}
	large.Ops = large.Ops[:2]
	if e := begin(t, s, large); len(list(t, s)[0].Ops[1].Before) != MaxBefore {
		t.Errorf("%s", e.ID)
	}
	if err := s.Finish(t.Context(), Entry{ID: "../x", At: at(0), Kind: Handover}); !errors.Is(err, errNotEntry) {
		t.Error(err)
	}
	if err := s.Forget(t.Context(), "../x"); !errors.Is(err, errNotEntry) {
		t.Error(err)
	}
}

func TestAtOnce(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	const programs = 5
	var wg sync.WaitGroup
	for p := range programs {
		wg.Go(func() {
			for i := range 4 {
				e, err := s.Begin(t.Context(), Entry{At: at(0), Kind: []Kind{Discard, Prune, Restore, Backup, Handover}[p], What: fmt.Sprint(p, i)})
				if err == nil {
					e.Done = true
					err = s.Finish(t.Context(), e)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, e := range list(t, s) {
		seen[e.What] = e.Done
	}
	if len(seen) != Most {
		t.Errorf("%v", seen)
	}
	for what, done := range seen {
		if !done {
			t.Errorf("%s was not finished", what)
		}
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]Kind{
		"20261121_155200Z-discard": Discard, "20261121_155200Z-empty-trash": EmptyTrash, "20261121_155200Z-empty-trash-12": EmptyTrash,
		"20261121_155200Z-undo-2": Undo, "20261121_155200Z-undo-1": "", "20261121_155200Z-undo-02": "", "20261121_155200Z-undo-x": "undo-x",
		"20261121_155200Z-": "", "20261121_155200-undo": "", "20261321_155200Z-undo": "", "": "", "20261121_155200Z-undo-2 ": "", "20261121_155200Z-empty": "empty",
		"20261121_155200Z-later-one-3": "later-one", "20261121_155200Z-2": "", "20261121_155200Z--2": "", "20261121_155200Z-undo--2": "", "20261121_155200Z-undo-": "",
		"20261121_155200Z-Undo": "", "20261121_155200Z-undo2": "", "20261121_155200Z-undo-2-3": "", "20261121_155200Z-undo-+2": "", "20261121_155200Z-undo/x": "",
	} {
		if kind, when := KindOf(id); kind != want || (kind != "") != when.Equal(at(0)) {
			t.Errorf("%s: %q %s", id, kind, when)
		}
	}
}

// FuzzDecode: an entry is the same after encoding and decoding.
func FuzzDecode(f *testing.F) {
	e := Entry{At: at(0), Kind: Discard, What: "Discarded 2 backups", Where: []string{"/tea"}, Ops: []change.Op{{Verb: change.Replace, Dir: "/a", Name: "b", Before: []byte("x")}, {Verb: change.Make, Dir: "/a", Name: "c"}}}
	text, err := e.encode(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add("20261121_155200Z-discard", string(text))
	f.Add("20261121_155200Z-discard", `{"version":2,"kind":"discard","at":"2026-11-21T15:52:00Z","where":[{"base64":"L/8="}],"later":[1]}`)
	f.Add("20261121_155200Z-empty-trash-2", `{}`)
	f.Add("20261121_155200Z-later-one-2", `{"version":2,"kind":"later-one","at":"2026-11-21T15:52:00Z"}`)
	f.Fuzz(func(t *testing.T, id, text string) {
		e, err := decode(id, []byte(text))
		if err != nil {
			return
		}
		again, err := e.encode([]byte(text))
		if err != nil {
			if errors.Is(err, errTooLarge) {
				return
			}
			t.Fatal(err)
		}
		same, err := decode(id, again)
		if err != nil || !reflect.DeepEqual(same, e) {
			t.Errorf("%+v, %v, want %+v", same, err, e)
		}
	})
}

// TestUndoing: the oldest entry stays while it is being undone.
func TestUndoing(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	for i := range Most {
		begin(t, s, Entry{At: at(i), Kind: Discard, What: "Discarded 1 backup"})
	}
	oldest := list(t, s)[Most-1]
	undo := begin(t, s, Entry{At: at(Most), Kind: Undo, Of: oldest.ID})
	if have := list(t, s); len(have) != Most+1 || have[0].ID != undo.ID || have[Most].ID != oldest.ID {
		t.Fatalf("%d entries: %+v", len(have), have)
	}
	oldest.Undone, undo.Done = undo.ID, true
	for _, e := range []Entry{oldest, undo} {
		if err := s.Finish(t.Context(), e); err != nil {
			t.Error(err)
		}
	}
	if have := list(t, s); len(have) != Most || have[0].ID != undo.ID || have[Most-1].At != at(1) {
		t.Errorf("%d entries: %+v", len(have), have)
	}
	begin(t, s, Entry{At: at(Most + 1), Kind: Discard})
	if names, err := os.ReadDir(s.dir); len(names) != Most || err != nil {
		t.Errorf("%d files, %v", len(names), err)
	}
}
