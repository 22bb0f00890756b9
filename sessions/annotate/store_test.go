package annotate_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions/annotate"
)

func now() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func key(id string) annotate.Key {
	return annotate.Key{Dir: "/home/ada/.claude", Project: "-tea", ID: id}
}

// newStore returns a store and its path. The directory doesn't exist yet.
func newStore(t *testing.T) (*annotate.Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "continuo", "annotations.json")
	return annotate.New(path), path
}

func edit(t *testing.T, s *annotate.Store, at time.Time, id string, e annotate.Edit) {
	t.Helper()
	if err := s.Edit(t.Context(), at, map[annotate.Key]annotate.Edit{key(id): e}); err != nil {
		t.Fatal(err)
	}
}

func load(t *testing.T, s *annotate.Store) map[annotate.Key]annotate.Note {
	t.Helper()
	notes, err := s.Load()
	if err != nil {
		t.Fatal(err)
	}
	return notes
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestStore(t *testing.T) {
	t.Parallel()
	s, path := newStore(t)
	if notes := load(t, s); len(notes) != 0 {
		t.Errorf("a missing file has %v", notes)
	}
	odd := annotate.Key{Dir: "/home/\xff", Project: "-a\u202eb", ID: "\xfe"}
	want := map[annotate.Key]annotate.Note{
		key("1"): {Name: `<Tea> & "milk"`, Starred: true, Tags: []string{"a", "b"}, Text: "one\ntwo", Changed: now()},
		odd:      {Archived: true, Changed: now()},
	}
	err := s.Edit(t.Context(), now(), map[annotate.Key]annotate.Edit{
		key("1"): {Name: ptr(`<Tea> & "milk"`), Starred: ptr(true), Tag: []string{"b", "a"}, Text: ptr("one\ntwo")},
		odd:      {Archived: ptr(true)},
		key("2"): {},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*annotate.Store{s, annotate.New(path)} {
		if notes := load(t, s); !reflect.DeepEqual(notes, want) {
			t.Errorf("loaded %+v", notes)
		}
	}
	for path, mode := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != mode {
			t.Errorf("%s has mode %v, %v", path, fi.Mode(), err)
		}
	}
	text := read(t, path)
	edit(t, s, now().Add(time.Hour), "1", annotate.Edit{Starred: ptr(true)})
	if read(t, path) != text {
		t.Error("an edit that changes nothing was written")
	}
	if err := s.Edit(t.Context(), now(), map[annotate.Key]annotate.Edit{key("1"): {Starred: ptr(false)}, {}: {Starred: ptr(true)}}); err == nil || read(t, path) != text {
		t.Errorf("an edit with an invalid key: %v", err)
	}
	edit(t, s, now().Add(time.Hour), "1", annotate.Edit{Name: ptr(""), Starred: ptr(false), Untag: []string{"a", "b"}, Text: ptr("")})
	delete(want, key("1"))
	if notes := load(t, s); !reflect.DeepEqual(notes, want) || strings.Contains(read(t, path), `"1"`) {
		t.Errorf("removed: %+v", notes)
	}
	empty := annotate.New("")
	if notes, err := empty.Load(); len(notes) != 0 || err != nil {
		t.Errorf("without a path: %v %v", notes, err)
	}
	if err := empty.Edit(t.Context(), now(), nil); err == nil {
		t.Error("a store without a path was written")
	}
}

func TestUnknownKeys(t *testing.T) {
	t.Parallel()
	s, path := newStore(t)
	put(t, path, `{"version":1,"later":{"a":[1]},"sessions":[
{"dir":"/home/ada/.claude","project":"-tea","id":"1","starred":true,"color":"red","Changed":"2026-01-01T00:00:00Z"},
{"dir":"/home/ada/.claude","project":"-tea","id":"2","color":"blue","changed":"2026-01-01T00:00:00Z"}]}`)
	if notes := load(t, s); len(notes) != 1 || !notes[key("1")].Starred {
		t.Errorf("loaded %+v", notes)
	}
	edit(t, s, now(), "1", annotate.Edit{Starred: ptr(false)})
	edit(t, s, now(), "3", annotate.Edit{Starred: ptr(true)})
	text := read(t, path)
	for _, want := range []string{`"later": {"a":[1]}`, `"id":"1","changed":"2026-03-01T12:00:00Z","color":"red"}`, `"color":"blue"`, `"id":"3","starred":true`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s isn't in\n%s", want, text)
		}
	}
	if notes := load(t, s); len(notes) != 1 || !notes[key("3")].Starred {
		t.Errorf("loaded %+v", notes)
	}
}

// damaged returns invalid files. want is a part of the error.
func damaged() map[string]struct{ text, want string } {
	const session = `{"dir":"/a","project":"-b","id":"c"`
	return map[string]struct{ text, want string }{
		"torn":        {"{\"version\":1,\n\"sessions\":[\n", "line 3: unexpected end of JSON input"},
		"garbage":     {"{\n\n  nonsense", "line 3: invalid character"},
		"list":        {"[]", "line 1: not a JSON object"},
		"no object":   {"null", "line 1: not a JSON object"},
		"no version":  {`{"sessions":[]}`, "the version of the annotations file"},
		"newer":       {`{"version":2}`, "version 2 needs a newer continuo"},
		"no list":     {"{\"version\":1,\n\"sessions\":{}}", "line 2: sessions isn't a list"},
		"no key":      {"{\"version\":1,\"sessions\":[\n{\"name\":\"x\"}]}", "line 2: dir, project or id is missing"},
		"climbing":    {"{\"version\":1,\"sessions\":[\n\n{\"dir\":\"/a\",\"project\":\"..\",\"id\":\"c\"}]}", "line 3: dir, project or id is missing"},
		"type":        {"{\"version\":1,\"sessions\":[\n" + session + `,"starred":"yes"}]}`, "line 2: starred can't be a string"},
		"no session":  {"{\"version\":1,\"sessions\":[\n3]}", "line 2: a session can't be a number"},
		"tag":         {"{\"version\":1,\"sessions\":[" + session + "},\n{\"dir\":\"/a\",\"project\":\"-b\",\"id\":\"d\",\"tags\":[\"a b\"]}]}", "line 2: tag \"a b\""},
		"upper case":  {"{\"version\":1,\"sessions\":[\n" + session + `,"tags":["Auth"]}]}`, `line 2: tag "Auth" must be one lower-case word`},
		"twice":       {"{\"version\":1,\"sessions\":[\n" + session + "},\n" + session + "}]}", "line 3: the session is also on line 2"},
		"time":        {"{\"version\":1,\"sessions\":[\n" + session + `,"changed":"today"}]}`, "line 2: "},
		"text behind": {"{\"version\":1}\n{}", "line 2: invalid character"},
	}
}

func TestDamaged(t *testing.T) {
	t.Parallel()
	for name, c := range damaged() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, path := newStore(t)
			put(t, path, c.text)
			_, err := s.Load()
			_, export := s.Export()
			_, imported := s.Import(t.Context(), strings.NewReader(`{"version":1}`))
			for _, err := range []error{err, export, imported, s.Edit(t.Context(), now(), map[annotate.Key]annotate.Edit{key("1"): {Starred: ptr(true)}})} {
				if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "move it away") {
					t.Errorf("%v", err)
				}
			}
			if read(t, path) != c.text {
				t.Error("the file was changed")
			}
			put(t, path, `{"version":1,"sessions":[{"dir":"/a","project":"-b","id":"c","starred":true,"changed":"2026-01-01T00:00:00Z"}]}`)
			if notes := load(t, s); len(notes) != 1 {
				t.Errorf("corrected: %+v", notes)
			}
			_, err = s.Import(t.Context(), strings.NewReader(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) || len(load(t, s)) != 1 {
				t.Errorf("imported: %v", err)
			}
		})
	}
	s, path := newStore(t)
	put(t, filepath.Join(path, "below"), "")
	if _, err := s.Load(); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a directory: %v", err)
	}
}

func TestOthersEdits(t *testing.T) {
	t.Parallel()
	s, path := newStore(t)
	other := annotate.New(path)
	for i := range 20 {
		id := strings.Repeat("x", i+1)
		edit(t, other, now(), id, annotate.Edit{Starred: ptr(true)})
		if notes := load(t, s); len(notes) != i+1 || !notes[key(id)].Starred {
			t.Fatalf("after %d edits: %d notes", i+1, len(notes))
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if notes := load(t, s); len(notes) != 0 {
		t.Errorf("deleted: %d notes", len(notes))
	}
}

func TestExport(t *testing.T) {
	t.Parallel()
	s, _ := newStore(t)
	if text, err := s.Export(); err != nil || !bytes.Contains(text, []byte(`"version": 1`)) {
		t.Errorf("%s %v", text, err)
	}
	edit(t, s, now(), "1", annotate.Edit{Name: ptr("old"), Tag: []string{"a"}})
	edit(t, s, now(), "2", annotate.Edit{Starred: ptr(true)})
	text, err := s.Export()
	if err != nil {
		t.Fatal(err)
	}
	other, path := newStore(t)
	for i, want := range []int{2, 0} {
		if n, err := other.Import(t.Context(), bytes.NewReader(text)); n != want || err != nil {
			t.Errorf("import %d: %d, %v", i, n, err)
		}
	}
	if !reflect.DeepEqual(load(t, other), load(t, s)) || read(t, path) != string(text) {
		t.Errorf("imported %+v", load(t, other))
	}
	// The store and the import have a note about the same session. The newer note stays. Other notes stay, too.
	edit(t, s, now().Add(time.Minute), "1", annotate.Edit{Name: ptr("new here")})
	edit(t, other, now().Add(time.Hour), "1", annotate.Edit{Name: ptr("newest there")})
	edit(t, s, now().Add(time.Minute), "2", annotate.Edit{Archived: ptr(true)})
	edit(t, other, now(), "3", annotate.Edit{Text: ptr("only there")})
	if text, err = s.Export(); err != nil {
		t.Fatal(err)
	}
	if n, err := other.Import(t.Context(), bytes.NewReader(text)); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	notes := load(t, other)
	if notes[key("1")].Name != "newest there" || !notes[key("2")].Archived || notes[key("3")].Text != "only there" {
		t.Errorf("merged: %+v", notes)
	}
}
