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

func TestReadTextUnreadable(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	p := newPlace(t)
	p.write("a.md", "old")
	p.chmod("a.md", 0)
	if _, _, err := ReadText(t.Context(), p.dir, "a.md", 100); !errors.Is(err, fs.ErrPermission) {
		t.Error(err)
	}
}

func TestPipe(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.pipe("a.md")
	p.pipe(ConfigName)
	if _, _, err := ReadText(t.Context(), p.dir, "a.md", 100); !errors.Is(err, transcript.ErrNotRegular) {
		t.Error(err)
	}
	if got := p.project().NewChecker().Check(t.Context(), Ref{Path: "a.md", From: 1, To: 1}, "x"); got.Status != Unreadable {
		t.Errorf("%+v", got)
	}
	if found, err := Find(p.dir, Env{}); err != nil || len(found.Problems()) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}

// AppendLine must not block on a named pipe or wait forever for the lock.
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
