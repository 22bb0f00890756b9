package catalog_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/annotate"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/index"
)

// noted is a config dir with two sessions, and a store of notes.
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

// TestNotes: List and Rows return notes. The cache doesn't store them.
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

// TestWatchNotes: a changed note is sent without a walk.
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

// TestOfTitle: a backup has the current title of its session, or the title in the copy if the session is deleted.
func TestOfTitle(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	path := s.session(1, "tea", "brew")
	s.session(9, "tea", "other")
	b := s.backup("20260228_100000Z_exit", "tea", s.text(1, "tea", "brew"))
	lost := s.backup("20260228_110000Z_exit", "tea", s.text(3, "tea", "lost"))
	opts := s.opts()
	store := annotate.New(filepath.Join(t.TempDir(), "annotations.json"))
	opts.Notes = store.Load
	quickly, err := catalog.New(opts).List(t.Context(), true)
	if r := byPath(quickly, b); err != nil || r.OfTitle != "brew" || r.Title() != "brew" {
		t.Errorf("a quick list has %+v, %v", r, err)
	}
	c := quick(opts)
	c.Deafen()
	scr := watch(t, c)
	is := func(title string) {
		t.Helper()
		scr.until(t, title, func(rows map[string]sessions.Row) bool { r := rows[b]; return r.Title() == title })
	}
	is("brew")
	scr.until(t, "lost", func(rows map[string]sessions.Row) bool {
		r := rows[lost]
		return r.Title() == "lost" && r.OfTitle == ""
	})
	noted{store: store}.edit(t, path, annotate.Edit{Name: ptr("My tea")})
	is("My tea")
	noted{store: store}.edit(t, path, annotate.Edit{Name: ptr("")})
	appendTo(t, path, `{"type":"custom-title","customTitle":"By rename","sessionId":"x"}`+"\n")
	is("By rename")
}

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

// TestNotesWhileReading: a session gets a star while the list is read.
func TestNotesWhileReading(t *testing.T) {
	t.Parallel()
	n := newNoted(t)
	write(t, n.tea, strings.Repeat(line("user", "u", "", "brew"), 2000)) // long, so that exact figures come later
	c := catalog.New(n.opts)
	var last sessions.Row
	edited := false
	for b := range c.Rows(t.Context()) {
		if row := byPath(b.Rows, n.tea); row.Path != "" && !b.Part {
			last = row
			if !edited {
				n.edit(t, n.tea, annotate.Edit{Starred: ptr(true)})
				edited = true
			}
		}
	}
	if !last.Starred || !last.Exact {
		t.Errorf("the last row is %+v", last)
	}
}

// TestSaved checks the session of a backup in a list, after a reload and in a Watch. The row of the backup has no
// note.
func TestSaved(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.session(2, "tea", "other")
	run := strings.Replace(s.text(1, "tea", "one"), "{", `{"entrypoint":"sdk-cli",`, 1)
	b := s.backup("20260228_100000Z_exit", "tea", run)
	strange := s.backup("20260228_110000Z_exit", "tea", strings.Replace(s.text(3, "tea", "lost"), fmt.Sprintf("%q", s.project("tea")), `""`, 1))
	bad := s.backup("20260228_120000Z_exit", "tea", `{"type":"mode"}`+"\n")
	opts := s.opts()
	store := annotate.New(filepath.Join(t.TempDir(), "annotations.json"))
	opts.Notes = store.Load
	edit := func(e annotate.Edit) {
		t.Helper()
		key, ok := annotate.KeyOf(s.sessionPath(1, "tea"))
		if !ok {
			t.Fatal("no key")
		}
		if err := store.Edit(t.Context(), now(), map[annotate.Key]annotate.Edit{key: e}); err != nil {
			t.Fatal(err)
		}
	}
	c := quick(opts)
	c.Deafen()
	c.MemoryNever()
	scr := watch(t, c)
	r := scr.row(b)
	switch saved := r.Lost(); {
	case saved == nil:
		t.Fatalf("no session in %+v", r)
	case saved.Kind != sessions.KindSession || saved.ID != sessionID(1) || saved.Path != s.sessionPath(1, "tea") || saved.Dir != opts.Dirs[0] ||
		saved.Project != s.project("tea") || saved.Workdir != s.project("tea") || saved.Name != "one" || saved.Messages != 1 || !saved.Dated():
		t.Errorf("session %+v", saved)
	case !slices.Equal(saved.Flags, []sessions.Flag{sessions.FlagBackupOnly, sessions.FlagSDK}) || saved.Badge() != sessions.BadgeOnlyCopy:
		t.Errorf("flags %v, badge %s", saved.Flags, saved.Badge())
	}
	if r := scr.row(strange); r.Lost() == nil || r.Lost().Path != "" {
		t.Errorf("without a folder: %+v", r.Lost())
	}
	if r := scr.row(bad); r.Saved != nil {
		t.Errorf("of an unknown session: %+v", r.Saved)
	}

	edit(annotate.Edit{Name: ptr("Mine"), Starred: ptr(true)})
	scr.until(t, "the note", func(rows map[string]sessions.Row) bool {
		b := rows[b]
		return b.Lost() != nil && b.Lost().Name == "Mine" && b.Lost().Starred
	})
	if r := scr.row(b); r.Name != "one" || r.Starred || r.Renamed {
		t.Errorf("the backup has the note: %+v", r)
	}
	early := false
	for batch := range c.Rows(t.Context()) {
		if r := byPath(batch.Rows, b); r.Path != "" && !batch.Done {
			early = early || !r.Exact
			if r.Lost() == nil || r.Lost().Name != "Mine" {
				t.Errorf("a reload has %+v", r.Lost())
			}
		}
	}
	if !early {
		t.Error("the reload had the backup only when it was read again")
	}
	rows, err := catalog.New(opts).List(t.Context(), false)
	if r := byPath(rows, b); err != nil || r.Lost() == nil || !r.Lost().Starred {
		t.Errorf("a list has %+v, %v", r.Lost(), err)
	}

	s.session(1, "tea", "one")
	c.LookAgain()
	scr.until(t, "the restored session", func(rows map[string]sessions.Row) bool {
		b := rows[b]
		return rows[s.sessionPath(1, "tea")].Name == "Mine" && b.Lost() == nil
	})
}
