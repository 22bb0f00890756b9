//go:build unix

package ledger_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/transcript"
)

func (p project) chmod(name string, mode fs.FileMode) {
	p.t.Helper()
	if err := os.Chmod(p.path(name), mode); err != nil {
		p.t.Fatal(err)
	}
}

func TestOpsMode(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	for mode, want := range map[fs.FileMode]fs.FileMode{0o644: 0o644, 0o600: 0o600, 0o666: 0o666, 0o755: 0o755, 0o640 | fs.ModeSetuid: 0o640} {
		for name, write := range map[string]func(name, text string) error{"replaced.md": p.replace, "added.md": p.add} {
			p.write(name, "")
			p.chmod(name, mode)
			if err := write(name, "new"); err != nil {
				t.Error(err)
			}
			p.has(name, "new")
			if fi, err := os.Stat(p.path(name)); err != nil || fi.Mode() != want {
				t.Errorf("%s: mode %v became %v, %v", name, mode, fi.Mode(), err)
			}
			if err := os.Remove(p.path(name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, write := range map[string]func(name, text string) error{"x": p.replace, "y": p.add} {
		if err := write(name+"/z/a.md", "new"); err != nil {
			t.Error(err)
		}
		for name, most := range map[string]fs.FileMode{name + "/z/a.md": 0o644, name + "/z": 0o755, name: 0o755} {
			if fi, err := os.Stat(p.path(name)); err != nil || fi.Mode().Perm()&^most != 0 || fi.Mode().Perm()&0o600 != 0o600 {
				t.Errorf("%s is %v, %v", name, fi.Mode(), err)
			}
		}
	}
}

func TestOpsReadOnly(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	refused := func(name string) {
		t.Helper()
		was, _, _ := ledger.ReadText(t.Context(), p.dir, p.path(name), 100)
		o, err := ledger.ReplaceOp(p.dir, p.path(name), was, []byte("new"))
		if err != nil {
			t.Fatal(err)
		}
		if err := ledger.CheckOp(&o); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("check %s: %v", name, err)
		}
		for _, write := range []func(name, text string) error{p.add, p.replace} {
			if err := write(name, "new"); !errors.Is(err, fs.ErrPermission) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	p.write("a.md", "old")
	p.chmod("a.md", 0o444)
	refused("a.md")
	p.has("a.md", "old")
	if os.Geteuid() == 0 {
		return // nothing is read-only for root
	}
	p.write("d/a.md", "old")
	p.chmod("d", 0o555)
	for _, name := range []string{"d/a.md", "d/b.md", "d/e/c.md"} {
		refused(name)
	}
	p.has("d/a.md", "old")
	p.chmod("d", 0o755)
}

func TestCheckOp(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("a.md", "old")
	for _, name := range []string{"a.md", "b.md", "d/e/f.md"} {
		o, err := ledger.ReplaceOp(p.dir, p.path(name), nil, []byte("x"))
		if err == nil {
			err = ledger.CheckOp(&o)
		}
		if err != nil {
			t.Error(err)
		}
	}
	if entries, err := os.ReadDir(p.dir); err != nil || len(entries) != 1 {
		t.Errorf("there is %v, %v", entries, err)
	}
}

func TestOpsOwner(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs root to create files of other users")
	}
	p := newProject(t)
	p.write("a.md", "old")
	if err := os.Chown(p.path("a.md"), 12345, 23456); err != nil {
		t.Skip(err)
	}
	p.chmod("a.md", 0o640)
	for _, write := range []func(name, text string) error{p.replace, p.add} {
		if err := write("a.md", "new"); err != nil {
			t.Error(err)
		}
		fi, err := os.Stat(p.path("a.md"))
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := fi.Sys().(*syscall.Stat_t); !ok || s.Uid != 12345 || s.Gid != 23456 || fi.Mode() != 0o640 {
			t.Errorf("it is %+v", s)
		}
	}
	p.has("a.md", "newnew")
}

// TestOpsPipe: opening a named pipe would block.
func TestOpsPipe(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	if err := syscall.Mkfifo(p.path("a.md"), 0o644); err != nil {
		t.Skip(err)
	}
	if err := p.replace("a.md", "new"); !errors.Is(err, transcript.ErrNotRegular) {
		t.Error(err)
	}
	o, err := ledger.InsertOp(p.dir, p.path("a.md"), nil, 0, []byte("new")) // a.md is now a pipe
	if err != nil {
		t.Fatal(err)
	}
	if err := p.carry(o); !errors.Is(err, disk.ErrNotRegular) {
		t.Error(err)
	}
}

func TestOpsLocked(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	r, err := disk.Open(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	unlock, err := r.Lock(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.replace("a.md", "new"); !errors.Is(err, disk.ErrLocked) {
		t.Error(err)
	}
	unlock()
	if err := p.replace("a.md", "new"); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(p.dir); err != nil || len(entries) != 1 {
		t.Errorf("there is %v, %v", entries, err)
	}
}

func TestOpsHidden(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	git := func(args ...string) string {
		out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", p.dir}, args...)...).CombinedOutput()
		if err != nil {
			t.Skipf("git: %v %s", err, out)
		}
		return string(out)
	}
	git("init", "-q")
	looked := 0
	p.store.Step = func(step, name string) error {
		if step == "rename" || step == "sync" && strings.Contains(name, ".continuo-") {
			looked++
			if seen := git("status", "--porcelain", "-uall"); strings.Contains(seen, ".continuo-") {
				t.Errorf("%s: git sees %s", step, seen)
			}
		}
		return nil
	}
	for _, write := range []func(name, text string) error{p.replace, p.replace, p.add} {
		if err := write("docs/NOTES.md", "new\n"); err != nil {
			t.Error(err)
		}
	}
	if looked < 3 {
		t.Errorf("looked %d times", looked)
	}
}
