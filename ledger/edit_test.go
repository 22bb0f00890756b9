package ledger

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/continuo-tui/continuo/internal/disk"
)

// place is a directory of a test.
type place struct {
	t   *testing.T
	dir string
}

func newPlace(t *testing.T) place {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return place{t, dir}
}

func (p place) path(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

func (p place) mkdir(name string) {
	p.t.Helper()
	if err := os.MkdirAll(p.path(name), 0o755); err != nil {
		p.t.Fatal(err)
	}
}

func (p place) write(name, text string) {
	p.t.Helper()
	p.mkdir(filepath.Dir(name))
	if err := os.WriteFile(p.path(name), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p place) link(target, name string) {
	p.t.Helper()
	p.mkdir(filepath.Dir(name))
	if err := os.Symlink(target, p.path(name)); err != nil {
		p.t.Skipf("no links here: %v", err)
	}
}

// has holds a file to a text, and its directory to nothing in the making.
func (p place) has(name, text string) {
	p.t.Helper()
	if got, err := os.ReadFile(p.path(name)); err != nil || string(got) != text {
		p.t.Errorf("%s has %.60q, %v", name, got, err)
	}
	if left := p.temps(filepath.Dir(name)); len(left) > 0 {
		p.t.Errorf("left behind: %q", left)
	}
}

// temps are the files in the making in a directory.
func (p place) temps(dir string) []string {
	p.t.Helper()
	entries, err := os.ReadDir(p.path(dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".continuo-") {
			names = append(names, e.Name())
		}
	}
	return names
}

func (p place) edit(name string, change func(was []byte) ([]byte, error)) error {
	return Edit(p.t.Context(), p.dir, p.path(name), 1000, change)
}

func to(text string) func([]byte) ([]byte, error) {
	return func([]byte) ([]byte, error) { return []byte(text), nil }
}

func TestEdit(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if err := p.edit("docs/loa/NOTES.md", func(was []byte) ([]byte, error) {
		if was != nil {
			t.Errorf("there was %q", was)
		}
		return []byte("one\n"), nil
	}); err != nil {
		t.Fatal(err)
	}
	p.has("docs/loa/NOTES.md", "one\n")
	if err := p.edit("docs/loa/NOTES.md", func(was []byte) ([]byte, error) {
		now := append(was, "two\r\n"...)
		was[0] = 'X' // what is compared is not what is given away
		return append([]byte("o"), now[1:]...), nil
	}); err != nil {
		t.Fatal(err)
	}
	p.has("docs/loa/NOTES.md", "one\ntwo\r\n")

	before, err := os.Stat(p.path("docs/loa/NOTES.md"))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.edit("docs/loa/NOTES.md", func(was []byte) ([]byte, error) { return was, nil }); err != nil {
		t.Error(err)
	}
	if after, err := os.Stat(p.path("docs/loa/NOTES.md")); err != nil || !os.SameFile(before, after) {
		t.Errorf("the same text was written again, %v", err)
	}
	no := errors.New("no")
	if err := p.edit("docs/loa/NOTES.md", func([]byte) ([]byte, error) { return []byte("x"), no }); !errors.Is(err, no) {
		t.Error(err)
	}
	if err := p.edit("other/none.md", func(was []byte) ([]byte, error) { return was, nil }); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(p.path("other")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory for nothing: %v", err)
	}
	p.has("docs/loa/NOTES.md", "one\ntwo\r\n")
}

func TestEditRefused(t *testing.T) {
	t.Parallel()
	p, out := newPlace(t), newPlace(t)
	out.write("out.md", "out")
	p.write("long.md", strings.Repeat("a", 1001))
	p.write("binary.md", "a\x00b")
	p.write("latin.md", "gr\xfc\xdfe")
	p.write("good.md", "good")
	p.mkdir("dir.md")
	p.link(out.path("out.md"), "link.md")
	p.link(out.dir, "linked")
	p.link("nowhere.md", "dangling.md")
	p.link("loop.md", "loop.md")
	p.write(".claude/CLAUDE.md", "kept")
	p.link(".claude/CLAUDE.md", "client.md")
	p.write(".git/info/exclude", "kept")
	p.link("../.git/info", "docs/info")
	for _, tt := range []struct {
		name string
		now  string
		want error // nil: any
	}{
		{"long.md", "x", ErrTooLong},
		{"binary.md", "x", ErrNotText},
		{"latin.md", "x", ErrNotText},
		{"dir.md", "x", nil},
		{"link.md", "x", ErrOutside},
		{"linked/out.md", "x", ErrOutside},
		{"linked/new/a.md", "x", ErrOutside},
		{"../up.md", "x", ErrOutside},
		{"client.md", "x", ErrReserved},
		{".claude/new.md", "x", ErrReserved},
		{"docs/info/exclude", "x", ErrReserved},
		{"dangling.md", "x", fs.ErrNotExist},
		{"loop.md", "x", nil},
		{"good.md/a.md", "x", nil},
		{"good.md", strings.Repeat("a", 1001), ErrTooLong},
		{"good.md", "\xff", ErrNotText},
	} {
		err := p.edit(tt.name, to(tt.now))
		if err == nil || tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), filepath.Base(tt.name)) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if err := Edit(t.Context(), p.path("no root"), p.path("no root/a.md"), 10, to("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	p.has("good.md", "good")
	p.has(".claude/CLAUDE.md", "kept")
	p.has(".git/info/exclude", "kept")
	if err := MakeDir(t.Context(), p.dir, p.path("docs/info/new")); !errors.Is(err, ErrReserved) {
		t.Error(err)
	}
	out.has("out.md", "out")
	if _, err := os.Lstat(p.path("nowhere.md")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if entries, err := os.ReadDir(out.dir); err != nil || len(entries) != 1 {
		t.Errorf("outside there is %v, %v", entries, err)
	}
}

// A link inside the project is written at its target, however it is written.
func TestEditLink(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("real/N.md", "old")
	p.link("../real/N.md", "docs/NOTES.md")
	p.link(p.path("real"), "abs")
	for _, name := range []string{"docs/NOTES.md", "abs/N.md"} {
		if err := p.edit(name, func(was []byte) ([]byte, error) { return append(was, name...), nil }); err != nil {
			t.Error(err)
		}
	}
	p.has("real/N.md", "olddocs/NOTES.mdabs/N.md")
	if fi, err := os.Lstat(p.path("docs/NOTES.md")); err != nil || fi.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", fi.Mode(), err)
	}
	if err := p.edit("abs/new.md", to("new")); err != nil {
		t.Error(err)
	}
	p.has("real/new.md", "new")
}

// Who writes meanwhile is asked about again, and never written over.
func TestEditMeanwhile(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a.md", "0")
	asked := 0
	err := p.edit("a.md", func(was []byte) ([]byte, error) {
		if asked++; asked < 3 {
			p.write("a.md", string(was)+"+")
		}
		return append(was, "mine"...), nil
	})
	if err != nil || asked != 3 {
		t.Errorf("asked %d times, %v", asked, err)
	}
	p.has("a.md", "0++mine")

	asked = 0
	err = p.edit("a.md", func(was []byte) ([]byte, error) {
		asked++
		p.write("a.md", string(was)+".")
		return []byte("mine"), nil
	})
	if !errors.Is(err, ErrBusy) || asked != attempts {
		t.Errorf("asked %d times, %v", asked, err)
	}
	p.has("a.md", "0++mine...")

	asked = 0
	err = p.edit("new.md", func(was []byte) ([]byte, error) {
		if asked++; asked == 1 {
			p.write("new.md", "theirs")
		}
		return append(was, "mine"...), nil
	})
	if err != nil {
		t.Error(err)
	}
	p.has("new.md", "theirsmine")

	asked = 0
	err = p.edit("new.md", func(was []byte) ([]byte, error) { // it goes away
		if asked++; asked == 1 {
			if err := os.Remove(p.path("new.md")); err != nil {
				t.Error(err)
			}
		}
		return append(was, "mine"...), nil
	})
	if err != nil {
		t.Error(err)
	}
	p.has("new.md", "mine")
}

func TestEditTogether(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 5 {
				if err := p.edit("a/b.md", func(was []byte) ([]byte, error) { return append(was, 'x'), nil }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	p.has("a/b.md", strings.Repeat("x", 40))
}

func TestEditCancelled(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a.md", "old")
	ctx, cancel := context.WithCancel(t.Context())
	err := Edit(ctx, p.dir, p.path("a.md"), 100, func([]byte) ([]byte, error) { cancel(); return []byte("new"), nil })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	p.has("a.md", "old")
}

// Wherever it fails, the old text is there and nothing else; after the rename it is the new one.
func TestEditFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	steps := []string{"read", "create", "write", "sync", "compare", "rename", "sync directory"}
	var seen []string
	for _, there := range []bool{true, false} {
		for _, fails := range steps {
			p := newPlace(t)
			if there {
				p.write("d/a.md", "old")
			}
			err := edit(t.Context(), p.dir, p.path("d/a.md"), 100, to("new"), func(step string) error {
				seen = append(seen, step)
				if step == fails {
					return broken
				}
				return nil
			})
			if !errors.Is(err, broken) {
				t.Errorf("%s: %v", fails, err)
			}
			switch {
			case fails == "sync directory":
				p.has("d/a.md", "new")
			case there:
				p.has("d/a.md", "old")
			default:
				if entries, _ := os.ReadDir(p.path("d")); len(entries) > 0 {
					t.Errorf("%s: %v", fails, entries)
				}
			}
		}
	}
	for _, step := range seen {
		if !slices.Contains(steps, step) {
			t.Errorf("nobody fails at %q", step)
		}
	}
}

// What a killed run left is taken away by the next one, and what another one is still making is not. git sees neither.
func TestEditSweeps(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	const dead, hidden = ".continuo-0123456789abcdef.tmp", ".continuo-0123456789abcdee.tmp"
	for _, name := range []string{dead, hidden + "/.gitignore", hidden + "/draft", ".continuo-mine.tmp", "a.tmp"} {
		p.write(name, "*\n")
	}
	r, err := disk.Open(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	alive, err := r.CreateHidden(".", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Drop()
	if err := p.edit("a.md", to("x")); err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Dir(alive.Name()), ".continuo-mine.tmp"}
	slices.Sort(want)
	if left := p.temps("."); !slices.Equal(left, want) && runtime.GOOS != "windows" { // there its age tells
		t.Errorf("left %q, not %q", left, want)
	}
}

func TestReadText(t *testing.T) {
	t.Parallel()
	p, out := newPlace(t), newPlace(t)
	out.write("o.md", "out")
	p.write("a.md", "größe\r\n")
	p.write("empty.md", "")
	p.write("limit.md", strings.Repeat("a", 1000))
	p.write("long.md", strings.Repeat("a", 1001))
	p.write("binary.md", "a\x00b")
	p.write("late.md", strings.Repeat("a", textHead)+"\x00")
	p.write("torn.md", "gr\xc3")
	p.link("a.md", "in.md")
	p.link(out.path("o.md"), "out.md")
	p.link("none", "dangling.md")
	for _, tt := range []struct {
		name string
		want string
		err  error
	}{
		{"a.md", "größe\r\n", nil},
		{"in.md", "größe\r\n", nil},
		{"empty.md", "", nil},
		{"limit.md", strings.Repeat("a", 1000), nil},
		{"long.md", "", ErrTooLong},
		{"late.md", "", ErrTooLong},
		{"binary.md", "", ErrNotText},
		{"torn.md", "", ErrNotText},
		{"out.md", "", ErrOutside},
		{"../x.md", "", ErrOutside},
		{"none.md", "", fs.ErrNotExist},
		{"none/none.md", "", fs.ErrNotExist},
		{"dangling.md", "", fs.ErrNotExist},
	} {
		for _, path := range []string{p.path(tt.name), tt.name} {
			text, mode, err := ReadText(t.Context(), p.dir, path, 1000)
			if string(text) != tt.want || !errors.Is(err, tt.err) || err == nil && (mode.Perm() == 0 || text == nil) {
				t.Errorf("%s: %.20q %v %v", path, text, mode, err)
			}
		}
	}
	if text, _, err := ReadText(t.Context(), p.dir, "late.md", 1<<20); err != nil || len(text) != textHead+1 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if _, _, err := ReadText(t.Context(), p.dir, ".", 10); err == nil {
		t.Error("a directory has a text")
	}
}

// A file goes when its text is nil, and stays when somebody writes to it meanwhile, or where that fails.
func TestEditRemoves(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	gone := func([]byte) ([]byte, error) { return nil, nil }
	for _, step := range []string{"read", "compare", "remove"} {
		p.write("a/NOTES.md", "old\n")
		err := edit(t.Context(), p.dir, "a/NOTES.md", MaxNotes, gone, func(s string) error {
			if s == step {
				return errors.New("the disk is gone")
			}
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), "the disk is gone") {
			t.Errorf("%s: %v", step, err)
		}
		p.has("a/NOTES.md", "old\n")
	}
	asked := 0
	err := Edit(t.Context(), p.dir, "a/NOTES.md", MaxNotes, func(was []byte) ([]byte, error) {
		if asked++; asked == 1 {
			p.write("a/NOTES.md", "somebody else's\n")
			return nil, nil
		}
		return was, nil
	})
	if err != nil || asked != 2 {
		t.Errorf("asked %d times, %v", asked, err)
	}
	p.has("a/NOTES.md", "somebody else's\n")
	p.write("a/empty.md", "")
	for _, name := range []string{"a/NOTES.md", "a/empty.md", "a/none.md"} {
		if err := Edit(t.Context(), p.dir, name, MaxNotes, gone); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Lstat(p.path(name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
