package ledger

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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

func (p place) has(name, text string) {
	p.t.Helper()
	if got, err := os.ReadFile(p.path(name)); err != nil || string(got) != text {
		p.t.Errorf("%s has %.60q, %v", name, got, err)
	}
	if left := p.temps(filepath.Dir(name)); len(left) > 0 {
		p.t.Errorf("files left: %q", left)
	}
}

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
		t.Error("ReadText read a directory")
	}
}

// TestMakeDirReserved: a link must not lead MakeDir into .git.
func TestMakeDirReserved(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(".git/info/exclude", "kept")
	p.link("../.git/info", "docs/info")
	if err := MakeDir(t.Context(), p.dir, p.path("docs/info/new")); !errors.Is(err, ErrReserved) {
		t.Error(err)
	}
	if _, err := os.Lstat(p.path(".git/info/new")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
