package backup

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestLogStaysShort(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	m := p.open()
	line := func(i int) string {
		return fmt.Sprintf("[2026-11-21T11:02:13Z] SessionEnd (exit): Saved backup %05d", i)
	}
	var text strings.Builder
	n := 0
	for ; text.Len() <= maxLog-100; n++ {
		text.WriteString(line(n) + "\n")
	}
	p.write(".claude/memory/.backup-log", text.String())
	if err := os.Chmod(p.memory(".backup-log"), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := errors.Join(m.log(line(n)), m.shortenLog()); err != nil {
			t.Fatal(err)
		}
		n++
	}
	got := p.read(".backup-log")
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if len(got) > maxLog/2+200 || len(got) < maxLog/2-200 || !strings.HasSuffix(got, "\n") {
		t.Errorf("%d bytes", len(got))
	}
	for i, l := range lines {
		if l != line(n-len(lines)+i) {
			t.Fatalf("line %d: %q", i, l)
		}
	}
	if fi, err := os.Stat(p.memory(".backup-log")); err != nil || fi.Mode().Perm() != 0o644 {
		t.Errorf("mode %v, %v", fi.Mode(), err)
	}
	// A log of one long line keeps only the new line.
	p.write(".claude/memory/.backup-log", strings.Repeat("x", 2*maxLog))
	if err := errors.Join(m.log("ours"), m.shortenLog()); err != nil || p.read(".backup-log") != "ours\n" {
		t.Errorf("%d bytes, %v", len(p.read(".backup-log")), err)
	}
}

func TestAppendLine(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	m := p.open()
	for before, want := range map[string]string{"": "new\n", "old\n": "old\nnew\n", "torn": "torn\nnew\n", "\n": "\nnew\n"} {
		p.write(".claude/memory/f", before)
		if err := m.appendLine("f", "new"); err != nil || p.read("f") != want {
			t.Errorf("%q: %q, %v", before, p.read("f"), err)
		}
	}
	if err := m.appendLine("raw", "new"); err == nil {
		t.Error("a directory was accepted as a log")
	}
}
