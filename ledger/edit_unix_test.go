//go:build unix

package ledger

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/transcript"
)

func (p place) chmod(name string, mode fs.FileMode) {
	p.t.Helper()
	if err := os.Chmod(p.path(name), mode); err != nil {
		p.t.Fatal(err)
	}
}

func (p place) pipe(name string) {
	p.t.Helper()
	if err := syscall.Mkfifo(p.path(name), 0o644); err != nil {
		p.t.Skip(err)
	}
}

func TestEditMode(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for mode, want := range map[fs.FileMode]fs.FileMode{0o644: 0o644, 0o600: 0o600, 0o666: 0o666, 0o755: 0o755, 0o640 | fs.ModeSetuid: 0o640} {
		p.write("a.md", "old")
		p.chmod("a.md", mode)
		if err := p.edit("a.md", to("new")); err != nil {
			t.Error(err)
		}
		p.has("a.md", "new")
		if fi, err := os.Stat(p.path("a.md")); err != nil || fi.Mode() != want {
			t.Errorf("%v was made %v, %v", mode, fi.Mode(), err)
		}
		if err := os.Remove(p.path("a.md")); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.edit("x/y/a.md", to("new")); err != nil {
		t.Error(err)
	}
	for name, most := range map[string]fs.FileMode{"x/y/a.md": newFile, "x/y": newDir, "x": newDir} {
		if fi, err := os.Stat(p.path(name)); err != nil || fi.Mode().Perm()&^most != 0 || fi.Mode().Perm()&0o600 != 0o600 {
			t.Errorf("%s is %v, %v", name, fi.Mode(), err)
		}
	}
}

func TestEditReadOnly(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a.md", "old")
	p.chmod("a.md", 0o444)
	if err := p.edit("a.md", to("new")); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
	p.has("a.md", "old")
	if os.Geteuid() == 0 {
		return // nothing is read-only then
	}
	p.write("d/a.md", "old")
	p.chmod("d", 0o555)
	for _, name := range []string{"d/a.md", "d/b.md", "d/e/c.md"} {
		if err := p.edit(name, to("new")); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p.has("d/a.md", "old")
	p.chmod("d", 0o755)
	p.chmod("a.md", 0)
	if _, _, err := ReadText(t.Context(), p.dir, "a.md", 100); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
}

// A file of another user stays his: as root it is given back, as anybody else it is not touched.
func TestEditOwner(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root has files of others")
	}
	p := newPlace(t)
	p.write("a.md", "old")
	if err := os.Chown(p.path("a.md"), 12345, 23456); err != nil {
		t.Skip(err)
	}
	p.chmod("a.md", 0o640)
	if err := p.edit("a.md", to("new")); err != nil {
		t.Error(err)
	}
	p.has("a.md", "new")
	fi, err := os.Stat(p.path("a.md"))
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := fi.Sys().(*syscall.Stat_t); !ok || s.Uid != 12345 || s.Gid != 23456 || fi.Mode() != 0o640 {
		t.Errorf("it is %+v", s)
	}
}

// Nobody waits for a pipe.
func TestPipe(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.pipe("a.md")
	p.pipe(ConfigName)
	if err := p.edit("a.md", to("new")); !errors.Is(err, transcript.ErrNotRegular) {
		t.Error(err)
	}
	if _, _, err := ReadText(t.Context(), p.dir, "a.md", 100); !errors.Is(err, transcript.ErrNotRegular) {
		t.Error(err)
	}
	if got := p.project().Check(t.Context(), Ref{Path: "a.md", From: 1, To: 1}, "x"); got.Status != Unreadable {
		t.Errorf("%+v", got)
	}
	if found, err := Find(p.dir, Env{}); err != nil || len(found.Problems()) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}

// The lock is waited for, and not for ever; nothing of it lies around.
func TestEditLocked(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	r, err := disk.Open(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	unlock, err := r.Lock(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.edit("a.md", to("new")); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	unlock()
	if err := p.edit("a.md", to("new")); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(p.dir); err != nil || len(entries) != 1 {
		t.Errorf("there is %v, %v", entries, err)
	}
}

// What is appended keeps the mode, and does not wait for a pipe, nor for ever.
func TestAppendLineMode(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a.jsonl", "old\n")
	p.chmod("a.jsonl", 0o600)
	if err := p.append("a.jsonl", "new"); err != nil {
		t.Error(err)
	}
	if fi, err := os.Stat(p.path("a.jsonl")); err != nil || fi.Mode() != 0o600 {
		t.Errorf("it is %v, %v", fi.Mode(), err)
	}
	p.chmod("a.jsonl", 0o400)
	if err := p.append("a.jsonl", "more"); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
	p.has("a.jsonl", "old\nnew\n")
	p.pipe("p.jsonl")
	if err := p.append("p.jsonl", "x"); !errors.Is(err, transcript.ErrNotRegular) {
		t.Error(err)
	}
	if _, err := Open(p.dir, "p.jsonl"); !errors.Is(err, transcript.ErrNotRegular) {
		t.Error(err)
	}
	r, err := disk.Open(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	unlock, err := r.Lock(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	p.chmod("a.jsonl", 0o600)
	if err := p.append("a.jsonl", "more"); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	unlock()
	p.has("a.jsonl", "old\nnew\n")
}
