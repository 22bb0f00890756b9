package catalog_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/sessions/catalog"
)

// shelf is a config dir, and projects with backups of their sessions.
type shelf struct {
	t    *testing.T
	root string
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &shelf{t, root}
}

func (s *shelf) opts() catalog.Options {
	return catalog.Options{Dirs: []string{filepath.Join(s.root, "claude")}, Now: now, Zone: time.UTC, Probe: started{}}
}

func (s *shelf) project(name string) string { return filepath.Join(s.root, name) }

func sessionID(n int) string { return fmt.Sprintf("aaaaaaaa-0000-4000-8000-%012d", n) }

// record returns a line of the nth session in a project.
func (s *shelf) record(n int, project, text string) string {
	l := strings.Replace(line("user", "u"+text, "", text), `"/home/ada/tea"`, fmt.Sprintf("%q", s.project(project)), 1)
	return strings.Replace(l, "{", fmt.Sprintf(`{"sessionId":%q,`, sessionID(n)), 1)
}

func (s *shelf) sessionPath(n int, project string) string {
	return filepath.Join(s.root, "claude", "projects", sessions.Slug(s.project(project)), sessionID(n)+".jsonl")
}

func (s *shelf) session(n int, project string, text ...string) string {
	s.t.Helper()
	path := s.sessionPath(n, project)
	write(s.t, path, s.text(n, project, text...))
	return path
}

func (s *shelf) text(n int, project string, text ...string) string {
	var b strings.Builder
	for _, x := range text {
		b.WriteString(s.record(n, project, x))
	}
	return b.String()
}

func (s *shelf) backup(name, project, text string) string {
	s.t.Helper()
	path := filepath.Join(s.project(project), ".claude", "memory", "raw", name+".jsonl")
	write(s.t, path, text)
	return path
}

func (s *shelf) document(name, project, text string) string {
	s.t.Helper()
	path := filepath.Join(s.project(project), ".claude", "memory", name+".md")
	write(s.t, path, text)
	return path
}

// relationText describes a backup, such as "gone unseen".
func relationText(r *sessions.Row) string {
	var words []string
	for _, w := range []string{string(r.Relation), r.Fault} {
		if w != "" {
			words = append(words, w)
		}
	}
	if r.Unseen {
		words = append(words, "unseen")
	}
	return strings.Join(words, " ")
}

// relations returns a shelf with a backup of each relation. want and original are by backup name.
func relations(t *testing.T) (s *shelf, want map[string]string, original map[string]string) {
	t.Helper()
	s = newShelf(t)
	same, grown, rewritten := s.session(1, "tea", "one"), s.session(2, "tea", "one", "two"), s.session(3, "tea", "three")
	s.session(5, "bakery", "other") // the same ID in another project
	twin := s.session(5, "tea", "one")
	s.backup("20260228_100000Z_exit", "tea", s.text(1, "tea", "one"))
	s.backup("20260228_100001Z_exit", "tea", s.text(2, "tea", "one"))
	s.backup("20260228_100002Z_exit", "tea", s.text(3, "tea", "one"))
	s.backup("20260228_100003Z_exit", "tea", s.text(4, "tea", "one"))
	s.backup("20260228_100004Z_exit", "tea", s.text(5, "tea", "one"))
	s.backup("20260228_100005Z_exit", "tea", s.text(1, "tea", "one")+`{"type":`)
	s.backup("20260228_100006Z_exit", "tea", "{}\n")
	s.backup("20260227_100000Z_exit", "tea", s.text(1, "tea", "one"))
	s.document("session-2026-02-27-1200", "tea", "## Session Summary\nAll.\n")
	s.document("active-context", "tea", "> Last Updated: 2026-03-01 10:00:00\n")
	opened := s.backup("20260228_100007Z_exit", "tea", s.text(1, "tea", "one"))
	pending := s.backup("20260228_100008Z_exit", "tea", s.text(1, "tea", "one"))
	write(t, filepath.Join(s.project("tea"), ".claude", "memory", ".pending-backup"), pending+"\n")
	if err := os.WriteFile(filepath.Join(s.root, "seen"), []byte(opened), 0o600); err != nil {
		t.Fatal(err)
	}
	want = map[string]string{
		"20260228_100000Z_exit": "same unseen", "20260228_100001Z_exit": "grown unseen", "20260228_100002Z_exit": "rewritten unseen",
		"20260228_100003Z_exit": "gone unseen", "20260228_100004Z_exit": "same unseen", "20260228_100005Z_exit": "rewritten torn last line unseen",
		"20260228_100006Z_exit": "unseen", "20260227_100000Z_exit": "same", "20260228_100007Z_exit": "same", "20260228_100008Z_exit": "same",
	}
	original = map[string]string{
		"20260228_100000Z_exit": same, "20260228_100001Z_exit": grown, "20260228_100002Z_exit": rewritten,
		"20260228_100004Z_exit": twin, "20260228_100005Z_exit": same, "20260227_100000Z_exit": same,
		"20260228_100007Z_exit": same, "20260228_100008Z_exit": same,
	}
	return s, want, original
}

// opened returns a function for Options.Seen that reads the file "seen". asked counts the calls.
func (s *shelf) opened(asked *int) func() map[string]bool {
	return func() map[string]bool {
		*asked++
		text, _ := os.ReadFile(filepath.Join(s.root, "seen"))
		return map[string]bool{string(text): true}
	}
}

func TestRelations(t *testing.T) {
	t.Parallel()
	s, want, original := relations(t)
	asked := 0
	opts := s.opts()
	opts.Seen = s.opened(&asked)
	check := func(how string, rows []sessions.Row, compared bool) {
		t.Helper()
		n := 0
		for i := range rows {
			r := &rows[i]
			if r.Kind != sessions.KindBackup {
				if r.Unseen || r.Original != "" || r.Relation != "" || r.Fault != "" {
					t.Errorf("%s: %s is no backup: %+v", how, r.ID, r)
				}
				continue
			}
			n++
			text := want[r.ID]
			if !compared {
				if text = ""; strings.HasSuffix(want[r.ID], "unseen") {
					text = "unseen"
				}
			}
			if got := relationText(r); got != text || r.Original != original[r.ID] {
				t.Errorf("%s: %s is %q of %q, want %q of %q", how, r.ID, got, r.Original, text, original[r.ID])
			}
		}
		if n != len(want) {
			t.Errorf("%s: %d backups of %d", how, n, len(want))
		}
	}
	for _, quick := range []bool{true, false} {
		c := catalog.New(opts)
		rows, err := c.List(t.Context(), quick)
		if err != nil {
			t.Fatal(err)
		}
		check(fmt.Sprint("quick ", quick), rows, !quick)
		if n := c.Compares(); quick != (n == 0) {
			t.Errorf("quick %v: %d compared", quick, n)
		}
		for i := range rows {
			if r := &rows[i]; quick && r.Kind == sessions.KindBackup {
				if err := catalog.Compare(t.Context(), r, true); err != nil {
					t.Error(err)
				}
			}
		}
		check("compared", rows, true)
	}
	asked = 0
	c := catalog.New(opts)
	at := map[string]int{}
	byPath := map[string]sessions.Row{}
	var first, last []sessions.Row
	batches := 0
	for b := range c.Rows(t.Context()) {
		batches++
		for _, r := range b.Rows {
			if r.Kind == sessions.KindBackup && at[r.Path] == 0 {
				at[r.Path], first = batches, append(first, r)
			}
			if r.Kind == sessions.KindBackup && r.Relation != "" && !r.Exact && batches < 3 {
				t.Errorf("%s was compared before the first batch", r.ID)
			}
			byPath[r.Path] = r
		}
	}
	for _, r := range byPath {
		last = append(last, r)
	}
	unseen := 0
	for i := range first {
		if first[i].Unseen {
			unseen++
		}
	}
	if n, err := backup.Unseen(t.Context(), s.project("tea"), opts.Now().UTC(), opts.Seen()); n != unseen || err != nil {
		t.Errorf("%d unseen, counted without the catalogue %d, %v", unseen, n, err)
	}
	asked--
	check("first", first, false)
	check("last", last, true)
	if n := c.Compares(); asked != 1 || n != int64(len(want)) {
		t.Errorf("asked %d times, %d compared of %d", asked, n, len(want))
	}
	if _, err := c.List(t.Context(), false); err != nil || c.Compares() != int64(len(want)) {
		t.Errorf("again: %d compared, %v", c.Compares(), err)
	}
}

// TestWatchRelations: a transcript changes. Only its backup is compared again.
func TestWatchRelations(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	path := s.session(1, "tea", "one")
	other := s.session(2, "tea", "one")
	s.session(3, "tea", "one")
	for n := range 40 {
		s.backup(fmt.Sprintf("20260227_1000%02dZ_exit", n), "tea", s.text(3, "tea", "one"))
	}
	a := s.backup("20260228_100000Z_exit", "tea", s.text(1, "tea", "one"))
	b := s.backup("20260228_100001Z_exit", "tea", s.text(1, "tea", "one", "two"))
	c := quick(s.opts())
	c.MemoryNever()
	scr := watch(t, c)
	const all = 42
	if n := c.Compares(); n != all {
		t.Errorf("%d compared", n)
	}
	is := func(what, ofA, ofB, original string) {
		t.Helper()
		scr.until(t, what, func(rows map[string]sessions.Row) bool {
			x, y := rows[a], rows[b]
			return relationText(&x) == ofA && relationText(&y) == ofB &&
				x.Original == original && y.Original == original && x.Exact
		})
	}
	is("listed", "same unseen", "rewritten unseen", path)
	appendTo(t, path, s.record(1, "tea", "two"))
	is("grown", "grown unseen", "same unseen", path)
	appendTo(t, path, s.record(1, "tea", "three"))
	is("grown on", "grown unseen", "grown unseen", path)
	if n := c.Compares() - all; n != 4 {
		t.Errorf("%d compared after two changes of a session with two backups", n)
	}
	before := c.Compares()
	for n := range 5 {
		appendTo(t, other, s.record(2, "tea", fmt.Sprint(n)))
		scr.until(t, "another session", func(rows map[string]sessions.Row) bool { return rows[other].Bytes == fileSize(t, other) })
	}
	if n := c.Compares() - before; n != 0 {
		t.Errorf("%d compared after changes of a session without a backup", n)
	}
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	is("gone", "gone unseen", "gone unseen", "")
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	is("back", "grown unseen", "grown unseen", path)
	twin := s.session(1, "bakery", "one") // must be ignored: the same ID in another project
	scr.until(t, "twin", func(rows map[string]sessions.Row) bool { return rows[twin].Exact })
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	is("only the twin", "rewritten unseen", "rewritten unseen", twin)
}

// TestWatchUnlisted: an unreadable project directory could have the transcript, so no backup is the only copy.
func TestWatchUnlisted(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.session(1, "tea", "one")
	path := s.session(2, "tea", "one")
	s.backup("20260228_100000Z_exit", "tea", s.text(2, "tea", "one"))
	loop := filepath.Join(s.root, "claude", "projects", "loop")
	unread := func(on bool) {
		t.Helper()
		err := os.Remove(loop)
		if on {
			err = os.Symlink(loop, loop)
		}
		if err != nil {
			t.Skip(err)
		}
	}
	words := func(r *sessions.Row) string {
		text := string(r.Relation)
		if r.Unsearched {
			text += " unsearched"
		}
		if r.Has(sessions.FlagBackupOnly) {
			text += " only"
		}
		return text
	}
	c := quick(s.opts())
	c.MemoryNever()
	scr := watch(t, c)
	is := func(want string) {
		t.Helper()
		scr.until(t, want, func(rows map[string]sessions.Row) bool {
			for _, r := range rows {
				if r.Kind == sessions.KindBackup && r.Exact {
					return words(&r) == want
				}
			}
			return false
		})
		for _, quick := range []bool{true, false} {
			rows, err := catalog.New(s.opts()).List(t.Context(), quick)
			if _, linked := os.Lstat(loop); (err != nil) != (linked == nil) {
				t.Errorf("problems %v", err)
			}
			for i := range rows {
				if r := &rows[i]; r.Kind == sessions.KindBackup {
					if quick {
						if err := catalog.Compare(t.Context(), r, true); err != nil {
							t.Fatal(err)
						}
					}
					if got := words(r); got != want {
						t.Errorf("listed %q, want %q", got, want)
					}
				}
			}
		}
	}
	is("same")
	unread(true)
	is("same") // the transcript of this backup is in a readable directory
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	is(" unsearched")
	unread(false)
	is("gone only")
	unread(true)
	is(" unsearched")
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	unread(false)
	is("same")
}

// TestWatchUnseen: Unseen is cleared when the backup is opened or a new document is written.
func TestWatchUnseen(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.session(1, "tea", "one")
	a := s.backup("20260228_100000Z_exit", "tea", s.text(1, "tea", "one"))
	b := s.backup("20260228_120000Z_exit", "tea", s.text(1, "tea", "one"))
	asked := make(chan struct{}, 1000)
	opts := s.opts()
	opts.Seen = func() map[string]bool {
		asked <- struct{}{}
		text, _ := os.ReadFile(filepath.Join(s.root, "seen"))
		return map[string]bool{string(text): true}
	}
	c := quick(opts)
	c.MemoryNever()
	scr := watch(t, c)
	is := func(what string, ofA, ofB bool) {
		t.Helper()
		c.LookAgain()
		scr.until(t, what, func(rows map[string]sessions.Row) bool { return rows[a].Unseen == ofA && rows[b].Unseen == ofB })
	}
	is("both", true, true)
	write(t, filepath.Join(s.root, "seen"), b)
	is("opened", true, false)
	write(t, filepath.Join(s.root, "seen"), "")
	is("forgotten", true, true)
	s.document("session-2026-02-28-1100", "tea", "## Session Summary\nAll.\n")
	is("documented", false, true)
	write(t, filepath.Join(s.project("tea"), ".claude", "memory", ".pending-backup"), b+"\n")
	is("pending", false, false)
	if n := len(asked); n > 6 {
		t.Errorf("asked %d times for 6 looks", n)
	}
}

// TestLookAgainWalks: LookAgain works without notifications and regular walks.
func TestLookAgainWalks(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.session(2, "tea", "other")
	b := s.backup("20260228_100000Z_exit", "tea", s.text(1, "tea", "one"))
	c := quick(s.opts())
	c.Deafen()
	c.WalkNever()
	c.MemoryNever()
	scr := watch(t, c)
	is := func(what, relation string, path string, there bool) {
		t.Helper()
		scr.until(t, what, func(rows map[string]sessions.Row) bool {
			x, y := rows[b], rows[path]
			return relationText(&x) == relation && (y.Path != "") == there &&
				y.Exact == there && x.Has(sessions.FlagBackupOnly) != there
		})
	}
	path := s.sessionPath(1, "tea")
	is("listed", "gone unseen", path, false)
	more := s.backup("20260228_110000Z_exit", "tea", s.text(2, "tea", "other"))
	c.LookAgain()
	scr.until(t, "the first walk is over", func(rows map[string]sessions.Row) bool { return rows[more].Exact })
	before, read := scr.count(), c.BytesRead()
	s.session(1, "tea", "one")
	c.LookAgain()
	is("restored", "same unseen", path, true)
	if n := c.BytesRead() - read; n > 2*fileSize(t, path)+slack {
		t.Errorf("%d bytes read of a session of %d", n, fileSize(t, path))
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	c.LookAgain()
	is("undone", "gone unseen", path, false)
	if n := scr.count() - before; n > 8 {
		t.Errorf("%d batches for two changes", n)
	}
}

// TestAlso: a project in Also needs no sessions. A missing directory in Also is no problem.
func TestAlso(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.session(1, "tea", "one")
	a := s.backup("20260228_100000Z_exit", "swept", s.text(9, "swept", "one"))
	d := s.document("session-2026-02-28-1100", "swept", "## Session Summary\nAll.\n")
	b := s.backup("20260228_100001Z_exit", "tea", s.text(1, "tea", "one"))
	opts := s.opts()
	opts.Also = []string{s.project("swept"), s.project("gone"), s.project("tea"), `\\server\share`, "relative", s.project("swept")}
	c := quick(opts)
	scr := watch(t, c)
	for _, path := range []string{a, b, d} {
		project := filepath.Dir(filepath.Dir(filepath.Dir(path)))
		if path != d {
			project = filepath.Dir(project)
		}
		if r := scr.row(path); r.Project != project || r.Workdir != project {
			t.Errorf("%s is in %q, %q", path, r.Project, r.Workdir)
		}
	}
	if r := scr.row(a); relationText(&r) != "gone" || !r.Has(sessions.FlagBackupOnly) {
		t.Errorf("%+v", r)
	}
	e := s.backup("20260228_110001Z_exit", "gone", s.text(1, "tea", "one"))
	scr.until(t, "a memory that came", func(rows map[string]sessions.Row) bool { return rows[e].Exact })
	if err := os.RemoveAll(s.project("gone")); err != nil {
		t.Fatal(err)
	}
	scr.until(t, "a memory that went", func(rows map[string]sessions.Row) bool { return rows[e].Path == "" })
	if _, err := catalog.New(opts).List(t.Context(), true); err != nil {
		t.Error(err)
	}
	opts.Also = []string{s.project("file")}
	write(t, filepath.Join(s.project("file"), ".claude", "memory"), "no directory")
	if _, err := catalog.New(opts).List(t.Context(), true); err == nil || !strings.Contains(err.Error(), "not a directory") || errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
