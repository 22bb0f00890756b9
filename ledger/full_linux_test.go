package ledger_test

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/ledger"
)

func TestFullAndReadOnly(t *testing.T) {
	t.Parallel()
	drilltest.InMounts(t, fullAndReadOnly)
}

func fullAndReadOnly(t *testing.T) {
	appendToFull(t)
	long := strings.Repeat("new\n", 10_000)
	failed, done := 0, 0
	for free := range 16 { // number of free blocks; the new text needs 10
		p := mounted(t, "size=128k")
		p.write("NOTES.md", "old\n")
		drilltest.Fill(t, p.dir, 4096, free)
		switch err := p.replace("NOTES.md", long); {
		case err == nil:
			done++
			p.has("NOTES.md", long)
		case errors.Is(err, syscall.ENOSPC):
			failed++
			p.has("NOTES.md", "old\n")
		default:
			t.Error(err)
		}
		if err := p.add("new/NOTES.md", long); err != nil && !errors.Is(err, syscall.ENOSPC) {
			t.Error(err)
		} else if _, there := os.Lstat(p.path("new/NOTES.md")); (err == nil) != (there == nil) || len(p.temps("new")) > 0 {
			t.Errorf("%d free: %v, %v", free, err, there)
		}
	}
	if failed == 0 || done == 0 {
		t.Errorf("%d failed, %d succeeded; both must occur", failed, done)
	}

	p := mounted(t, "size=1m")
	p.write("NOTES.md", "old\n")
	if err := syscall.Mount("", p.dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"NOTES.md", "new.md", "new/new.md"} {
		if err := p.replace(name, long); !errors.Is(err, syscall.EROFS) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p.has("NOTES.md", "old\n")
	for _, name := range []string{"NOTES.md", "new.jsonl", "new/new.jsonl"} {
		if err := ledger.AppendLine(t.Context(), p.dir, name, []byte("{}")); !errors.Is(err, syscall.EROFS) {
			t.Errorf("append to %s: %v", name, err)
		}
	}
	p.has("NOTES.md", "old\n")
}

// appendToFull appends a line to a file on an almost full disk. The next record must start on a new line.
func appendToFull(t *testing.T) {
	t.Helper()
	line := strings.Repeat("x", 40_000)
	failed, done := 0, 0
	for free := range 16 { // number of free blocks; the line needs 10
		p := mounted(t, "size=128k")
		p.write("a.jsonl", "old\n")
		empty := drilltest.Fill(t, p.dir, 4096, free)
		err := ledger.AppendLine(t.Context(), p.dir, "a.jsonl", []byte(line))
		text, read := os.ReadFile(p.path("a.jsonl"))
		rest, kept := strings.CutPrefix(string(text), "old\n")
		switch {
		case read != nil || !kept:
			t.Errorf("%d free: %d bytes, %v", free, len(text), read)
		case err == nil:
			done++
			if rest != line+"\n" {
				t.Errorf("%d free: %d bytes of the line", free, len(rest))
			}
			continue
		case !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(line, rest):
			t.Errorf("%d free: %d bytes of the line, %v", free, len(rest), err)
		}
		failed++
		empty()
		if err := ledger.AppendLine(t.Context(), p.dir, "a.jsonl", []byte("next")); err != nil {
			t.Error(err)
		}
		want := "old\nnext\n"
		if rest != "" {
			want = "old\n" + rest + "\nnext\n"
		}
		p.has("a.jsonl", want)
	}
	if failed == 0 || done == 0 {
		t.Errorf("%d failed, %d succeeded; both must occur", failed, done)
	}
}

func mounted(t *testing.T, options string) project {
	t.Helper()
	p := newProject(t)
	drilltest.Mount(t, p.dir, options)
	return p
}
