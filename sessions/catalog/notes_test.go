package catalog_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/annotate"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/index"
)

// noted is a directory with two sessions and a store of notes.
type noted struct {
	opts        catalog.Options
	store       *annotate.Store
	tea, coffee string // paths of transcripts
}

func newNoted(t *testing.T) noted {
	t.Helper()
	dir := t.TempDir()
	n := noted{
		opts: catalog.Options{Dirs: []string{dir}, Now: now, Zone: time.UTC, Probe: started{}},
		tea:  filepath.Join(dir, "projects", "-tea", "00000000-0000-4000-8000-000000000001.jsonl"),
	}
	n.coffee = filepath.Join(dir, "projects", "-tea", "not-a-uuid.jsonl")
	text := line("user", "u", "", "brew")
	write(t, n.tea, text+`{"type":"custom-title","customTitle":"By rename","sessionId":"x"}`+"\n")
	write(t, n.coffee, text)
	n.store = annotate.New(filepath.Join(t.TempDir(), "annotations.json"))
	n.opts.Notes = n.store.Load
	return n
}

func (n noted) edit(t *testing.T, path string, e annotate.Edit) {
	t.Helper()
	key, ok := annotate.KeyOf(path)
	if !ok {
		t.Fatalf("%s has no key", path)
	}
	if err := n.store.Edit(t.Context(), now(), map[annotate.Key]annotate.Edit{key: e}); err != nil {
		t.Fatal(err)
	}
}

func ptr[T any](v T) *T { return &v }

func byPath(rows []sessions.Row, path string) sessions.Row {
	i := slices.IndexFunc(rows, func(r sessions.Row) bool { return r.Path == path })
	if i < 0 {
		return sessions.Row{}
	}
	return rows[i]
}

// TestNotes checks that a list and a stream have the notes, and that the cache of figures never stores them.
func TestNotes(t *testing.T) {
	t.Parallel()
	n := newNoted(t)
	n.opts.Cache = index.Open("")
	list := func() []sessions.Row {
		rows, err := catalog.New(n.opts).List(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	if r := byPath(list(), n.tea); r.Name != "By rename" || r.Starred || r.Quiet() {
		t.Errorf("without a note: %+v", r)
	}
	n.edit(t, n.tea, annotate.Edit{Name: ptr("My tea"), Starred: ptr(true), Tag: []string{"green"}, Text: ptr("two\nlines")})
	n.edit(t, n.coffee, annotate.Edit{Archived: ptr(true)})
	check := func(how string, rows []sessions.Row) {
		t.Helper()
		r := byPath(rows, n.tea)
		if r.Title() != "My tea" || !r.Renamed || r.Recorded != "By rename" || !r.Starred || !slices.Equal(r.Tags, []string{"green"}) || r.Note != "two\nlines" || r.Quiet() {
			t.Errorf("%s: %+v", how, r)
		}
		if r := byPath(rows, n.coffee); !r.Archived || !r.Quiet() || r.Name != "brew" {
			t.Errorf("%s: %+v", how, r)
		}
	}
	check("list", list())
	for b := range catalog.New(n.opts).Rows(t.Context()) {
		if len(b.Rows) > 1 {
			check("stream", b.Rows)
		}
	}
	n.opts.Notes = nil
	if r := byPath(list(), n.tea); r.Name != "By rename" || r.Starred || r.Tags != nil || r.Note != "" {
		t.Errorf("the cache has the note: %+v", r)
	}
}

// TestWatchNotes checks that a changed note is sent, also when no transcript changes and no directory is walked.
func TestWatchNotes(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*catalog.Catalog){"walks": (*catalog.Catalog).Deafen, "notifications": (*catalog.Catalog).SleepLong} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNoted(t)
			c := quick(n.opts)
			prepare(c)
			s := watch(t, c)
			is := func(what, path string, holds func(r sessions.Row) bool) {
				t.Helper()
				s.until(t, what, func(rows map[string]sessions.Row) bool { return holds(rows[path]) })
			}
			n.edit(t, n.tea, annotate.Edit{Name: ptr("One"), Starred: ptr(true)})
			is("the name", n.tea, func(r sessions.Row) bool { return r.Name == "One" && r.Starred && r.Exact })
			appendTo(t, n.tea, line("assistant", "a", "u", "done"))
			is("the answer", n.tea, func(r sessions.Row) bool { return r.Messages == 2 && r.Name == "One" && r.Recorded == "By rename" })
			n.edit(t, n.tea, annotate.Edit{Name: ptr("")})
			c.LookAgain()
			is("the name of the transcript", n.tea, func(r sessions.Row) bool { return r.Name == "By rename" && !r.Renamed && r.Starred })
			n.edit(t, n.coffee, annotate.Edit{Archived: ptr(true)})
			is("the archive", n.coffee, func(r sessions.Row) bool { return r.Archived })
		})
	}
}

// TestDamagedNotes checks that the last notes stay while the file can't be read, and that a list reports it.
func TestDamagedNotes(t *testing.T) {
	t.Parallel()
	n := newNoted(t)
	n.edit(t, n.tea, annotate.Edit{Starred: ptr(true)})
	c := catalog.New(n.opts)
	if rows, err := c.List(t.Context(), true); err != nil || !byPath(rows, n.tea).Starred {
		t.Fatal(err)
	}
	damaged := errors.New("damaged")
	broken := false
	n.opts.Notes = func() (map[annotate.Key]annotate.Note, error) {
		if broken {
			return nil, damaged
		}
		return n.store.Load()
	}
	c = catalog.New(n.opts)
	for range 2 {
		rows, err := c.List(t.Context(), true)
		if errors.Is(err, damaged) != broken || !byPath(rows, n.tea).Starred {
			t.Errorf("broken %v: %v", broken, err)
		}
		broken = true
	}
	var problem error
	for b := range c.Rows(t.Context()) {
		problem = errors.Join(problem, b.Err)
	}
	if !errors.Is(problem, damaged) {
		t.Errorf("a stream reports %v", problem)
	}
	if text, err := os.ReadFile(n.tea); err != nil || bytes.Contains(text, []byte("starred")) {
		t.Error("the transcript was changed")
	}
}
